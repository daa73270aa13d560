// The one place that reads system clocks, and that waits. The engine's time is the time since boot, which nobody can set
// and which goes on while the machine sleeps; wall time is that plus an offset, sampled again and again.
#pragma once

#include <cstdint>
#include <optional>

#include "server/base/instant.h"

namespace lockstep::net {

class SystemClock {
 public:
  SystemClock();

  // Time since boot.
  Instant now() const;

  // To measure durations with. Says where it comes from, as INFO does.
  static int64_t stopwatch_us();
  static constexpr const char* kStopwatchName = "POSIX clock_gettime";

  // From now() to Unix time, in whole milliseconds, as of the last sample.
  int64_t wall_offset_ms() const { return wall_offset_ms_; }

  // Compares the two clocks again. When somebody has set the wall clock, by how many milliseconds. Less
  // than kNoiseMs is sampling noise and changes nothing, so that an absolute time reads back as given.
  std::optional<int64_t> sample_wall_offset();

  static constexpr int64_t kNoiseMs = 5;

 private:
  int64_t wall_offset_ms_ = 0;
};

// DEBUG SLEEP: the process does nothing for so long, or until a signal comes.
void pause_for(int64_t us);

}  // namespace lockstep::net
