#include "server/engine/arg_reader.h"

#include <charconv>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"

namespace lockstep {

bool valid_client_text(std::string_view text) {
  for (const char c : text)
    if (c < '!' || c > '~') return false;
  return true;
}

bool ArgReader::word(std::string_view name) {
  if (!more() || !equals_ignoring_case(peek(), name)) return false;
  ++at_;
  return true;
}

bool ArgReader::value(std::string_view name, std::string_view& into) {
  if (left() < 2 || !word(name)) return false;
  into = next();
  return true;
}

bool ArgReader::integer(std::string_view name, int64_t& into) {
  std::string_view text;
  if (!value(name, text)) return false;
  if (const auto number = parse_integer(text)) {
    into = *number;
  } else {
    fail(errors::kNotAnInteger);
  }
  return true;
}

bool ArgReader::finish() {
  if (error_.empty() && left() > 0) error_ = errors::kSyntax;
  if (!error_.empty()) call_.reply.error(error_);
  return error_.empty();
}

std::optional<int64_t> read_integer(Call& call, std::string_view text) {
  const auto number = parse_integer(text);
  if (!number) call.reply.error(errors::kNotAnInteger);
  return number;
}

// Blanks before it are passed over, as C does.
std::optional<uint64_t> read_cursor(Call& call, std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
  uint64_t cursor = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, cursor);
  if (error == std::errc() && stop == end) return cursor;
  call.reply.error(errors::kInvalidCursor);
  return std::nullopt;
}

std::optional<int64_t> read_deadline(Call& call, const TimeArgument& time, bool past_allowed) {
  const auto number = read_integer(call, time.text);
  if (!number) return std::nullopt;
  const auto invalid = [&]() -> std::optional<int64_t> {
    call.reply.error(errors::invalid_expire(call.spec.name));
    return std::nullopt;
  };
  int64_t ms = *number;
  if (ms <= 0 && !past_allowed) return invalid();
  if (time.unit == TimeUnit::kSeconds && __builtin_mul_overflow(ms, 1000, &ms)) return invalid();
  const WallClock& wall = call.server.wall;
  if (time.base == TimeBase::kFromNow) {
    int64_t unix_ms;  // must have a name that EXPIRETIME could answer
    if (__builtin_add_overflow(ms, wall.unix_ms(), &unix_ms)) return invalid();
    return ms + wall.now.ms();
  }
  int64_t at_ms;
  // Before all time counts as long past, which is allowed here.
  if (__builtin_sub_overflow(ms, wall.offset_ms, &at_ms)) return ms < 0 ? INT64_MIN : INT64_MAX;
  return at_ms;
}

void set_deadline(Call& call, Keyspace::Location& at, int64_t deadline_ms) {
  if (deadline_ms <= call.now().ms()) return call.erase(at);
  call.keys.set_deadline(at, deadline_ms);
  call.notify(kEventGeneric, "expire", at.key);
}

}  // namespace lockstep
