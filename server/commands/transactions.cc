// MULTI and WATCH. Queueing itself is the dispatcher's; see Dispatch::pass_gates.
#include <memory>

#include "protocol/error_texts.h"
#include "server/commands/families.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

void multi(Call& call) {
  if (call.session.in_transaction()) return call.reply.error(errors::kNestedMulti);
  call.session.transaction = std::make_unique<Transaction>();
  call.session.refresh_gates();
  call.reply.ok();
}

void end_transaction(Call& call) {
  call.session.transaction.reset();
  call.session.refresh_gates();
}

void discard(Call& call) {
  if (!call.session.in_transaction()) return call.reply.error(errors::kDiscardWithoutMulti);
  end_transaction(call);
  call.server.watches.unwatch_all(call.session);
  call.reply.ok();
}

// A watched key that is due but not yet swept must break its watch now.
void touch_watched(Call& call) {
  for (const WatchedKey& watched : call.session.watched)
    call.server.databases[watched.database].locate(watched.key);
}

void exec(Call& call) {
  if (!call.session.in_transaction()) return call.reply.error(errors::kExecWithoutMulti);
  touch_watched(call);
  const bool broken = call.session.watch_broken;
  call.server.watches.unwatch_all(call.session);
  const Transaction& transaction = *call.session.transaction;
  if (transaction.refused) {
    call.reply.error(errors::kExecAbort);
  } else if (broken) {
    call.reply.null_array();
  } else {
    // It lasts while its commands run: CLIENT INFO among them tells of it.
    call.reply.array(transaction.queue.size());
    for (const auto& [spec, args] : transaction.queue)
      call.server.executor.run(call.session, args.view(), Origin::kTransaction, call.reply);
  }
  end_transaction(call);
}

void watch(Call& call) {
  if (call.session.in_transaction()) return call.reply.error(errors::kWatchInsideMulti);
  for (const std::string_view key : call.args.subspan(1)) {
    call.keys.locate(key);  // one that is due is gone already, and shall not break the watch
    call.server.watches.watch(call.session, call.session.database, key);
  }
  call.reply.ok();
}

void unwatch(Call& call) {
  call.server.watches.unwatch_all(call.session);
  call.reply.ok();
}

constexpr CommandSpec kTransactions[] = {
    {.name = "discard", .arity = 1, .flags = kNoScript | kLoading | kStale | kFast | kAllowBusy,
     .categories = kAclTransaction, .group = CommandGroup::kTransactions, .since = "2.0.0",
     .complexity = "O(N) in the number of queued commands",
     .summary = "Forgets the commands queued since MULTI.",
     .syntax = "",
     .example = "DISCARD", .handler = discard},
    {.name = "exec", .arity = 1, .flags = kNoScript | kLoading | kStale | kSkipSlowlog | kRunsScripts,
     .categories = kAclTransaction, .group = CommandGroup::kTransactions, .since = "1.2.0",
     .complexity = "That of the queued commands",
     .summary = "Runs the commands queued since MULTI as one.",
     .syntax = "",
     .example = "EXEC", .handler = exec},
    {.name = "multi", .arity = 1, .flags = kNoScript | kLoading | kStale | kFast | kAllowBusy,
     .categories = kAclTransaction, .group = CommandGroup::kTransactions, .since = "1.2.0",
     .complexity = "O(1)",
     .summary = "Queues the commands that follow, up to EXEC.",
     .syntax = "",
     .example = "MULTI", .handler = multi},
    {.name = "unwatch", .arity = 1, .flags = kNoScript | kLoading | kStale | kFast | kAllowBusy,
     .categories = kAclTransaction, .group = CommandGroup::kTransactions, .since = "2.2.0",
     .complexity = "O(1)",
     .summary = "Forgets what WATCH was told.",
     .syntax = "",
     .example = "UNWATCH", .handler = unwatch},
    {.name = "watch", .arity = -2, .flags = kNoScript | kLoading | kStale | kFast | kAllowBusy,
     .keys = {{{kKeyRO, 1, -1, 1}}},
     .categories = kAclTransaction, .group = CommandGroup::kTransactions, .since = "2.2.0",
     .complexity = "O(1) a key",
     .summary = "Makes the next EXEC fail if one of the keys changes before it.",
     .syntax = "key [key ...]",
     .example = "WATCH lock:a", .handler = watch},
};
static_assert(well_formed(kTransactions));

}  // namespace

std::span<const CommandSpec> transaction_commands() { return kTransactions; }

}  // namespace lockstep
