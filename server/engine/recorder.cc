#include "server/engine/recorder.h"

#include "server/engine/command.h"

namespace lockstep {

int64_t Recorder::begin(const Call& call) {
  errors_settled_ = errors.heard();
  // Before a script's command ran its Lua.
  if (call.in_script()) restart();
  // A script's line comes before those of the commands that it calls.
  if (!monitors.empty() && (call.spec.flags & kSkipMonitor) != 0) monitors.tell(call, call.server.wall.unix_us());
  return mark_us_;
}

void Recorder::end(const Call& call, int64_t begun_us) {
  mark_us_ = read_us();
  Server& server = call.server;
  const HotSettings& hot = server.settings.hot();
  if (!monitors.empty() && call.attempt == Attempt::kFirst && (call.spec.flags & (kSkipMonitor | kAdmin)) == 0)
    monitors.tell(call, server.wall.unix_us());
  int64_t duration_us = mark_us_ - begun_us;
  if (call.blocked || call.attempt != Attempt::kFirst) {
    ParkedCall& parked = *server.waiters.find(call.session);
    duration_us = parked.spent_us += duration_us;
    if (call.blocked) return;
  }
  CommandFigures& figures = commands.of(call.spec.number);
  if (errors.heard() != errors_settled_) {
    errors_settled_ = errors.heard();
    ++figures.failed;
  }
  ++server.stats.commands_processed;
  if (call.origin == Origin::kClient) server.stats.commands_us += static_cast<uint64_t>(duration_us);
  ++figures.calls;
  figures.usec += static_cast<uint64_t>(duration_us);
  if (hot.latency_tracking) figures.latency.add(duration_us);
  if (duration_us >= hot.slow_us) note_slow(call, duration_us);
}

void Recorder::note_slow(const Call& call, int64_t duration_us) {
  const HotSettings& hot = call.server.settings.hot();
  const int64_t unix_s = call.server.wall.unix_us() / 1'000'000;
  if (duration_us >= hot.slow_log_us && (call.spec.flags & kSkipSlowlog) == 0) {
    std::vector<std::string_view> args(call.args.begin(), call.args.end());
    for (size_t i = 0; i < args.size(); ++i)
      if (call.hides(i)) args[i] = "(redacted)";
    SlowLog::Entry entry;
    entry.unix_s = unix_s;
    entry.duration_us = duration_us;
    entry.args = SlowLog::shortened(args);
    if (!call.in_script()) {
      entry.address = call.session.endpoint.address;
      entry.name = call.session.name;
    }
    slow_log.add(std::move(entry), hot.slow_log_entries);
  }
  note_spike((call.spec.flags & kFast) != 0 ? "fast-command" : "command", duration_us, call.server);
}

void Recorder::note_spike(std::string_view event, int64_t duration_us, const Server& server) {
  if (duration_us >= server.settings.hot().latency_us)
    latency.add(event, server.wall.unix_us() / 1'000'000, duration_us / 1000);
}

void Recorder::rejected(const CommandSpec* spec) {
  errors_settled_ = errors.heard();
  if (spec != nullptr) ++commands.of(spec->number).rejected;
}

void Recorder::reset() {
  commands.reset();
  errors.reset();
}

}  // namespace lockstep
