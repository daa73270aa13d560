// SLOWLOG: the commands that took longest. The recorder writes it.
#include <algorithm>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/container_help.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

void slowlog_get(Call& call) {
  constexpr int64_t kDefaultCount = 10;
  if (call.args.size() > 3) return call.reply.error(errors::bad_subcommand_use("SLOWLOG", call.args[1]));
  int64_t count = kDefaultCount;
  if (call.args.size() == 3) {
    const auto number = parse_integer(call.args[2]);
    if (!number || *number < -1) return call.reply.error(errors::kSlowlogCount);
    count = *number;
  }
  const auto& entries = call.server.recorder.slow_log.entries();
  const size_t shown = count < 0 ? entries.size() : std::min(entries.size(), static_cast<size_t>(count));
  call.reply.array(shown);
  for (size_t i = 0; i < shown; ++i) {
    const SlowLog::Entry& entry = entries[i];
    call.reply.array(6);
    call.reply.integer(entry.id);
    call.reply.integer(entry.unix_s);
    call.reply.integer(entry.duration_us);
    call.reply.array(entry.args.size());
    for (const std::string& arg : entry.args) call.reply.bulk(arg);
    call.reply.bulk(entry.address);
    call.reply.bulk(entry.name);
  }
}

void slowlog_len(Call& call) {
  call.reply.integer(static_cast<int64_t>(call.server.recorder.slow_log.entries().size()));
}

void slowlog_reset(Call& call) {
  call.server.recorder.slow_log.clear();
  call.reply.ok();
}

void slowlog_help(Call& call) { container_help(call); }

constexpr CommandSpec kSlowlog[] = {
    {.name = "slowlog", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.2.12",
     .complexity = "Depends on the subcommand",
     .summary = "The commands that took longest.",
     .syntax = "",
     .example = "", .handler = nullptr},
    {.name = "slowlog|get", .arity = -2, .flags = kAdmin | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.2.12",
     .complexity = "O(N) in the number of entries shown",
     .summary = "The latest of them, newest first.",
     .syntax = "[count]",
     .example = "SLOWLOG GET 10", .handler = slowlog_get},
    {.name = "slowlog|help", .arity = 2, .flags = kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "Print this help.",
     .syntax = "",
     .example = "SLOWLOG HELP", .handler = slowlog_help},
    {.name = "slowlog|len", .arity = 2, .flags = kAdmin | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.2.12",
     .complexity = "O(1)",
     .summary = "How many there are.",
     .syntax = "",
     .example = "SLOWLOG LEN", .handler = slowlog_len},
    {.name = "slowlog|reset", .arity = 2, .flags = kAdmin | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.2.12",
     .complexity = "O(N) in the number of entries",
     .summary = "Forgets them.",
     .syntax = "",
     .example = "SLOWLOG RESET", .handler = slowlog_reset},
};
static_assert(well_formed(kSlowlog));

}  // namespace

std::span<const CommandSpec> slowlog_commands() { return kSlowlog; }

}  // namespace lockstep
