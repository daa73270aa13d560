// The server as a whole: its data, its time, its end.
#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

void dbsize(Call& call) { call.reply.integer(static_cast<int64_t>(call.keys.size())); }

// [ASYNC | SYNC]: both are done at once here.
bool read_flush_mode(Call& call) {
  if (call.args.size() == 1) return true;
  if (call.args.size() == 2 && (equals_ignoring_case(call.args[1], "sync") ||
                                equals_ignoring_case(call.args[1], "async")))
    return true;
  call.reply.error(errors::kSyntax);
  return false;
}

void flushdb(Call& call) {
  if (!read_flush_mode(call)) return;
  call.keys.clear();
  call.reply.ok();
}

void flushall(Call& call) {
  if (!read_flush_mode(call)) return;
  for (int i = 0; i < call.server.databases.count(); ++i) call.server.databases[i].clear();
  call.reply.ok();
}

void time(Call& call) {
  const int64_t us = call.server.wall.unix_us();
  call.reply.array(2);
  call.reply.bulk(integer_text(us / 1'000'000));
  call.reply.bulk(integer_text(us % 1'000'000));
}

// Nothing is kept, so there is nothing to save; the options are taken and checked. No reply: the
// connection closes, as it does in Redis. Who ends the server while a script hangs must mean it: NOSAVE.
void shutdown(Call& call) {
  bool save = false;
  bool nosave = false;
  bool abort = false;
  bool with_mode = false;
  ArgReader options(call, 1);
  while (options.more()) {
    if (options.word("SAVE")) {
      save = true;
    } else if (options.word("NOSAVE")) {
      nosave = true;
    } else if (options.word("ABORT")) {
      abort = true;
    } else if (options.word("NOW") || options.word("FORCE")) {
      with_mode = true;
    } else {
      options.fail(errors::kSyntax);
    }
  }
  if ((save && nosave) || (abort && (save || nosave || with_mode))) options.fail(errors::kSyntax);
  if (!options.finish()) return;
  if (abort) return call.reply.error("ERR No shutdown in progress.");
  if (call.server.script.suspended() && !nosave) return call.reply.error(errors::kBusyScript);
  call.session.close_after_reply = true;
  call.server.shutdown_requested = true;
}

constexpr CommandSpec kServer[] = {
    {.name = "dbsize", .arity = 1, .flags = kReadonly | kFast,
     .categories = kAclKeyspace, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "How many keys the database has.",
     .syntax = "",
     .example = "DBSIZE", .handler = dbsize},
    {.name = "flushall", .arity = -1, .flags = kWrite,
     .categories = kAclKeyspace | kAclDangerous, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "Deletes all keys of all databases.",
     .syntax = "[ASYNC | SYNC]",
     .example = "FLUSHALL", .handler = flushall},
    {.name = "flushdb", .arity = -1, .flags = kWrite,
     .categories = kAclKeyspace | kAclDangerous, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "Deletes all keys of the database.",
     .syntax = "[ASYNC | SYNC]",
     .example = "FLUSHDB", .handler = flushdb},
    {.name = "shutdown", .arity = -1, .flags = kAdmin | kNoScript | kLoading | kStale | kNoMulti | kAllowBusy,
     .categories = 0, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Ends the server.",
     .syntax = "[NOSAVE | SAVE] [NOW] [FORCE] [ABORT]",
     .example = "SHUTDOWN NOSAVE", .handler = shutdown},
    {.name = "time", .arity = 1, .flags = kLoading | kStale | kFast,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.6.0",
     .complexity = "O(1)",
     .summary = "The server's time: Unix seconds and microseconds.",
     .syntax = "",
     .example = "TIME", .handler = time},
};
static_assert(well_formed(kServer));

}  // namespace

std::span<const CommandSpec> server_commands() { return kServer; }

}  // namespace lockstep
