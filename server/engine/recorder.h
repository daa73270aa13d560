// What is kept of the commands that run: statistics, slow log, latency spikes, monitors' lines. Dispatch
// tells it of each; INFO, SLOWLOG, LATENCY and MONITOR read it. The stopwatch is the only real time in the
// engine, and nothing but these figures comes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "server/engine/command_stats.h"
#include "server/engine/error_stats.h"
#include "server/engine/latency_monitor.h"
#include "server/engine/monitors.h"
#include "server/engine/slow_log.h"

namespace lockstep {

struct Call;
struct CommandSpec;
struct Server;

class Recorder {
 public:
  // `stopwatch_us` may be empty: then nothing takes time.
  Recorder(std::function<int64_t()> stopwatch_us, const CommandTable& table, Outbox& outbox, PubSub& pubsub)
      : commands(table), monitors(outbox, pubsub), stopwatch_us_(std::move(stopwatch_us)) {}

  int64_t read_us() const { return stopwatch_us_ ? stopwatch_us_() : 0; }

  // What follows is the next command's time. The end of one is the start of the next, so that each costs one
  // reading; called where something else has been in between.
  void restart() { mark_us_ = read_us(); }

  // Around a handler. `begin` gives what `end` wants.
  int64_t begin(const Call& call);
  void end(const Call& call, int64_t begun_us);
  // The command (nullptr: unknown) was answered an error and does not run.
  void rejected(const CommandSpec* spec);
  // Counts as one if it is long enough.
  void note_spike(std::string_view event, int64_t duration_us, const Server& server);
  // CONFIG RESETSTAT.
  void reset();

  CommandStats commands;
  ErrorStats errors;
  SlowLog slow_log;
  LatencyMonitor latency;
  Monitors monitors;

 private:
  void note_slow(const Call& call, int64_t duration_us);

  const std::function<int64_t()> stopwatch_us_;
  int64_t mark_us_ = 0;
  uint64_t errors_settled_ = 0;  // of errors.heard(): those whose command is known
};

}  // namespace lockstep
