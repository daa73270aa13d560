#include "server/engine/command_keys.h"

#include <algorithm>

#include "server/base/ascii.h"
#include "server/base/numbers.h"

namespace lockstep {
namespace {

// SET reads its key only when asked to; no other row says that its flags depend on the arguments.
uint32_t key_flags(const KeySpec& keys, Args args) {
  if ((keys.flags & kKeyVariable) == 0) return keys.flags;
  const auto is_get = [](std::string_view arg) { return equals_ignoring_case(arg, "get"); };
  const bool reads = std::any_of(args.begin() + 3, args.end(), is_get);
  return reads ? kKeyRW | kKeyAccess | kKeyUpdate : kKeyOW | kKeyUpdate;
}

// The one behind the last such word, if there is any.
void find_key_behind(const KeySpec& keys, Args args, std::vector<FoundKey>& found) {
  for (size_t i = args.size(); i-- > static_cast<size_t>(keys.first) + 1;)
    if (equals_ignoring_case(args[i - 1], keys.behind)) return found.push_back({args[i], keys.flags});
}

}  // namespace

bool find_keys(const CommandSpec& spec, Args args, std::vector<FoundKey>& found) {
  for (const KeySpec& keys : spec.keys) {
    if (keys.flags == 0) continue;
    if (keys.unknown) {
      if (!keys.behind.empty()) find_key_behind(keys, args, found);
      continue;
    }
    size_t first = static_cast<size_t>(keys.first);
    size_t last = args.size() + static_cast<size_t>(keys.last);  // when that is negative: from the end
    if (keys.counted) {
      const auto count = parse_integer(args[first]);
      if (!count || *count < 0 || static_cast<size_t>(*count) > args.size() - first - 1) return false;
      last = first + static_cast<size_t>(*count);
      ++first;
    } else if (keys.last >= 0) {
      last = first + static_cast<size_t>(keys.last);
    }
    for (size_t i = first; i <= last; i += static_cast<size_t>(keys.step)) found.push_back({args[i], key_flags(keys, args)});
  }
  return true;
}

}  // namespace lockstep
