// The script that runs at this moment: how long it may hold everybody else up, and whether it is to end. Begun
// by whoever runs it; from then on it asks proceed() every kStepsPerCheck steps.
#pragma once

#include <cstdint>
#include <functional>

#include "server/engine/settings.h"
#include "server/engine/unit_fiber.h"

namespace lockstep {

// Ends the suspended unit of an engine that is going away, through everything that it is in.
struct UnitAbandoned {};

class RunningScript {
 public:
  enum class Kill : uint8_t { kNoneRuns, kHasWritten, kKilled };

  // `stopwatch_us` counts microseconds and never steps back. Without one, steps are what is counted: 100,000 of
  // them for a millisecond, so that equal calls suspend a script at equal places.
  RunningScript(const Settings& settings, const std::function<int64_t()>& stopwatch_us, UnitFiber& fiber)
      : settings_(settings), stopwatch_us_(stopwatch_us), fiber_(fiber) {}

  void begin();
  // It called a command that may write: from now on nobody may kill it, or half of its work would stay.
  void note_write() { has_written_ = true; }
  // From within the script. After busy-reply-threshold, and then again and again after a slice of time, it
  // suspends the unit, so that the engine's owner can serve others. False: the script must end at once.
  bool proceed();

  // Its unit is open and waits for Engine::resume().
  bool suspended() const { return fiber_.suspended(); }
  // SCRIPT KILL. The script ends when it is resumed.
  Kill kill();
  // Makes the suspended unit end by UnitAbandoned when it is resumed.
  void abandon() { abandoned_ = true; }

 private:
  int64_t time_us() const { return stopwatch_us_ ? stopwatch_us_() : counted_us_; }
  int64_t end_of_first_slice() const;

  const Settings& settings_;
  const std::function<int64_t()>& stopwatch_us_;
  UnitFiber& fiber_;
  int64_t counted_us_ = 0;
  int64_t slice_end_us_ = 0;
  bool timed_ = false;  // not before the first check: short scripts never look at the time
  bool has_written_ = false;
  bool killed_ = false;
  bool abandoned_ = false;
};

}  // namespace lockstep
