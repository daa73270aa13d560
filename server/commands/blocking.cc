// The list commands that wait for an element. One function takes, waits and times out: it is called again
// when a key it waits for is there, and for the last time at its deadline.
#include <cmath>
#include <optional>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/commands/list_moves.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

// Seconds, with a fraction; 0 for ever. The deadline in ms, or nothing after having answered the error.
std::optional<int64_t> read_timeout(Call& call, std::string_view text) {
  const auto fault = [&](std::string_view error) {
    call.reply.error(error);
    return std::nullopt;
  };
  const auto seconds = parse_long_double(text);
  if (!seconds) return fault(errors::kTimeoutNotAFloat);
  const long double ms = std::ceil(*seconds * 1000);
  if (ms < 0) return fault(errors::kTimeoutNegative);
  if (ms == 0) return INT64_MAX;
  if (ms >= static_cast<long double>(INT64_MAX - call.server.wall.unix_ms()))
    return fault(errors::kTimeoutOutOfRange);
  return call.now().ms() + static_cast<int64_t>(ms);
}

// Nothing was there to take: waits for one of `keys`, where waiting is allowed. False: answer that.
bool wait_for(Call& call, Args keys, int64_t deadline_ms) {
  if (call.can_block) call.block_on(keys, ValueType::kList, deadline_ms);
  return call.can_block;
}

// Whatever the keys hold by then, the time is up.
bool timed_out(Call& call) {
  if (call.attempt != Attempt::kTimedOut) return false;
  call.reply.null_array();
  return true;
}

void pop_first(Call& call, ListEnd end) {
  if (timed_out(call)) return;
  const auto deadline_ms = read_timeout(call, call.args.back());
  if (!deadline_ms) return;
  const Args keys = call.args.subspan(1, call.args.size() - 2);
  for (const std::string_view key : keys) {
    Location at = call.keys.locate(key);
    if (!call.expect(ValueType::kList, at)) return;
    if (!at) continue;
    call.reply.array(2);
    call.reply.bulk(key);
    call.reply.bulk(list_at(at).pop(end));
    return call.edited(at, kEventList, pop_event(end));
  }
  if (!wait_for(call, keys, *deadline_ms)) call.reply.null_array();
}

void blpop(Call& call) { pop_first(call, ListEnd::kLeft); }
void brpop(Call& call) { pop_first(call, ListEnd::kRight); }

void move_or_wait(Call& call, ListEnd from, ListEnd to, std::string_view timeout) {
  if (timed_out(call)) return;
  const auto deadline_ms = read_timeout(call, timeout);
  if (!deadline_ms) return;
  if (move_item(call, from, to) != Taken::kNothing) return;
  // Where it may not wait it answers as LMOVE does.
  if (!wait_for(call, call.args.subspan(1, 1), *deadline_ms)) call.reply.null();
}

void blmove(Call& call) {
  const auto from = read_end(call, call.args[3]);
  if (!from) return;
  const auto to = read_end(call, call.args[4]);
  if (to) move_or_wait(call, *from, *to, call.args[5]);
}

void brpoplpush(Call& call) { move_or_wait(call, ListEnd::kRight, ListEnd::kLeft, call.args[3]); }

void blmpop(Call& call) {
  if (timed_out(call)) return;
  MultiPop pop;
  if (!read_multi_pop(call, 2, pop)) return;
  const auto deadline_ms = read_timeout(call, call.args[1]);
  if (!deadline_ms) return;
  if (multi_pop(call, pop) != Taken::kNothing) return;
  if (!wait_for(call, pop.keys, *deadline_ms)) call.reply.null_array();
}

constexpr CommandSpec kBlockingLists[] = {
    {.name = "blmove", .arity = 6, .flags = kWrite | kDenyOom | kBlocking,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}, {kKeyRW | kKeyInsert, 2, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "LMOVE that waits while the source is empty.",
     .syntax = "source destination <LEFT | RIGHT> <LEFT | RIGHT> timeout",
     .example = "BLMOVE a b LEFT RIGHT 1", .handler = blmove},
    {.name = "blmpop", .arity = -5, .flags = kWrite | kBlocking | kMovableKeys,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 2, -1, 1, true}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "7.0.0",
     .complexity = "O(N+M): N keys, M elements",
     .summary = "LMPOP that waits while all lists are empty.",
     .syntax = "timeout numkeys key [key ...] <LEFT | RIGHT> [COUNT count]",
     .example = "BLMPOP 1 1 a LEFT", .handler = blmpop},
    {.name = "blpop", .arity = -3, .flags = kWrite | kBlocking,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, -2, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "2.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "LPOP of the first list that is not empty; waits while all are.",
     .syntax = "key [key ...] timeout",
     .example = "BLPOP a b 1", .handler = blpop},
    {.name = "brpop", .arity = -3, .flags = kWrite | kBlocking,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, -2, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "2.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "RPOP of the first list that is not empty; waits while all are.",
     .syntax = "key [key ...] timeout",
     .example = "BRPOP a b 1", .handler = brpop},
    {.name = "brpoplpush", .arity = 4, .flags = kWrite | kDenyOom | kBlocking,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}, {kKeyRW | kKeyInsert, 2, 0, 1}}},
     .categories = kAclList, .group = CommandGroup::kList, .since = "2.2.0",
     .complexity = "O(1)",
     .summary = "RPOPLPUSH that waits while the source is empty.",
     .syntax = "source destination timeout",
     .example = "BRPOPLPUSH a b 1", .handler = brpoplpush},
};
static_assert(well_formed(kBlockingLists));

}  // namespace

std::span<const CommandSpec> blocking_commands() { return kBlockingLists; }

}  // namespace lockstep
