// MONITOR: a line for every command that runs, until RESET or the end of the connection.
#include "protocol/error_texts.h"
#include "server/commands/families.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

// One that monitors already gets no answer, as in Redis.
void monitor(Call& call) {
  if (!call.can_block) return call.reply.error(errors::kMonitorWhileQueued);
  if (call.server.recorder.monitors.add(call.session)) call.reply.ok();
}

constexpr CommandSpec kMonitor[] = {
    {.name = "monitor", .arity = 1, .flags = kAdmin | kNoScript | kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Shows every command that runs.",
     .syntax = "",
     .example = "MONITOR", .handler = monitor},
};
static_assert(well_formed(kMonitor));

}  // namespace

std::span<const CommandSpec> monitor_commands() { return kMonitor; }

}  // namespace lockstep
