#include "server/engine/slow_log.h"

#include "server/base/numbers.h"

namespace lockstep {

void SlowLog::add(Entry entry, size_t max_entries) {
  entry.id = next_id_++;
  entries_.push_front(std::move(entry));
  while (entries_.size() > max_entries) entries_.pop_back();
}

size_t SlowLog::memory_bytes() const {
  size_t bytes = entries_.size() * sizeof(Entry);
  for (const Entry& entry : entries_)
    for (const std::string& arg : entry.args) bytes += sizeof(arg) + arg.capacity();
  return bytes;
}

std::vector<std::string> SlowLog::shortened(std::span<const std::string_view> args) {
  constexpr size_t kMaxArgs = 32;
  constexpr size_t kMaxBytes = 128;
  const auto count_of = [](size_t count) { return integer_text(static_cast<int64_t>(count)); };
  const size_t whole = args.size() > kMaxArgs ? kMaxArgs - 1 : args.size();
  std::vector<std::string> kept;
  for (const std::string_view arg : args.first(whole)) {
    std::string& text = kept.emplace_back(arg.substr(0, kMaxBytes));
    if (arg.size() > kMaxBytes) text += "... (" + count_of(arg.size() - kMaxBytes) + " more bytes)";
  }
  if (whole < args.size()) kept.push_back("... (" + count_of(args.size() - whole) + " more arguments)");
  return kept;
}

}  // namespace lockstep
