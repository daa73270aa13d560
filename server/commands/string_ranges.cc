// The string commands that read or overwrite a part of a string; and INCRBYFLOAT.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "protocol/error_texts.h"
#include "server/base/bytes.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

// Both ends belong to it; negative ones count from the end.
std::string_view part_of(std::string_view text, int64_t first, int64_t last) {
  const auto size = static_cast<int64_t>(text.size());
  if (first < 0 && last < 0 && first > last) return {};
  first = std::max<int64_t>(first < 0 ? first + size : first, 0);
  last = std::min(std::max<int64_t>(last < 0 ? last + size : last, 0), size - 1);
  if (first > last) return {};
  return text.substr(static_cast<size_t>(first), static_cast<size_t>(last - first) + 1);
}

void getrange(Call& call) {
  const auto first = read_integer(call, call.args[2]);
  if (!first) return;
  const auto last = read_integer(call, call.args[3]);
  if (!last) return;
  const Location at = call.look_up(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  call.reply.bulk(at ? part_of(at->value(), *first, *last) : std::string_view());
}

void setrange(Call& call) {
  const auto offset = read_integer(call, call.args[2]);
  if (!offset) return;
  if (*offset < 0) return call.reply.error(errors::kOffsetOutOfRange);
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  const std::string_view part = call.args[3];
  const size_t old_size = at ? at->value_size() : 0;
  if (part.empty()) return call.reply.integer(static_cast<int64_t>(old_size));
  const auto first = static_cast<size_t>(*offset);
  // Redis bounds every string by proto-max-bulk-len.
  const auto max_bytes = static_cast<size_t>(call.server.settings.hot().request_limits.max_bulk_bytes);
  if (first > max_bytes || part.size() > max_bytes - first)
    return call.reply.error(errors::kStringTooLong);
  const size_t size = std::max(old_size, first + part.size());
  char* bytes = call.keys.resize(at, size);
  if (first > old_size) std::memset(bytes + old_size, 0, first - old_size);
  copy_bytes(bytes + first, part);
  call.notify(kEventString, "setrange", call.args[1]);
  call.reply.integer(static_cast<int64_t>(size));
}

void incrbyfloat(Call& call) {
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  std::optional<long double> value = 0.0L;
  if (at) value = parse_long_double(at->value());
  const auto amount = parse_long_double(call.args[2]);
  if (!value || !amount) return call.reply.error(errors::kNotAFloat);
  if (!std::isfinite(*value + *amount)) return call.reply.error(errors::kWouldNotBeFinite);
  const std::string text = long_double_text(*value + *amount);
  call.keys.put(at, text);
  call.notify(kEventString, "incrbyfloat", call.args[1]);
  call.reply.bulk(text);
}

constexpr CommandSpec kStringRanges[] = {
    {.name = "getrange", .arity = 4, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "2.4.0",
     .complexity = "O(N) in the length of the part",
     .summary = "A part of a string.",
     .syntax = "key start end",
     .example = "GETRANGE a 0 3", .handler = getrange},
    {.name = "incrbyfloat", .arity = 3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "2.6.0",
     .complexity = "O(1)",
     .summary = "Adds a number to the number that a key holds.",
     .syntax = "key increment",
     .example = "INCRBYFLOAT a 0.5", .handler = incrbyfloat},
    {.name = "setrange", .arity = 4, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "2.2.0",
     .complexity = "O(N) in the length of the part, and of the string if it must be moved",
     .summary = "Overwrites a part of a string, making it longer if need be.",
     .syntax = "key offset value",
     .example = "SETRANGE a 2 xy", .handler = setrange},
    {.name = "substr", .arity = 4, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(N) in the length of the part",
     .summary = "The older name of GETRANGE.",
     .syntax = "key start end",
     .example = "SUBSTR a 0 3", .handler = getrange},
};
static_assert(well_formed(kStringRanges));

}  // namespace

std::span<const CommandSpec> string_range_commands() { return kStringRanges; }

}  // namespace lockstep
