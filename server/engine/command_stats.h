// What each command did since the start or the last CONFIG RESETSTAT: INFO commandstats and latencystats,
// LATENCY HISTOGRAM. Written by the recorder.
#pragma once

#include <cstdint>
#include <vector>

#include "server/engine/command_table.h"
#include "server/engine/latency_histogram.h"

namespace lockstep {

struct CommandFigures {
  uint64_t calls = 0;     // that ran to their end
  uint64_t usec = 0;
  uint64_t rejected = 0;  // refused before they ran
  uint64_t failed = 0;    // answered an error of their own
  LatencyHistogram latency;
};

class CommandStats {
 public:
  explicit CommandStats(const CommandTable& commands) : figures_(commands.rows().size()) {}

  // By a row's number.
  CommandFigures& of(uint16_t number) { return figures_[number]; }
  const CommandFigures& of(uint16_t number) const { return figures_[number]; }
  void reset() {
    for (CommandFigures& figures : figures_) figures = {};
  }

 private:
  std::vector<CommandFigures> figures_;
};

}  // namespace lockstep
