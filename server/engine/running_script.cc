#include "server/engine/running_script.h"

#include "server/engine/script_host.h"

namespace lockstep {
namespace {

// How long others wait while a script that is past the threshold runs on.
constexpr int64_t kSliceUs = 2000;

constexpr int64_t kCountedUsPerCheck = 10;
static_assert(kStepsPerCheck * 1000 == kCountedUsPerCheck * 100'000, "100,000 steps a millisecond");

}  // namespace

void RunningScript::begin() { timed_ = has_written_ = killed_ = false; }

bool RunningScript::proceed() {
  counted_us_ += kCountedUsPerCheck;
  if (!timed_) {
    timed_ = true;
    slice_end_us_ = end_of_first_slice();
  }
  if (time_us() < slice_end_us_) return true;
  fiber_.suspend();
  if (abandoned_) throw UnitAbandoned();
  slice_end_us_ = time_us() + kSliceUs;
  return !killed_;
}

int64_t RunningScript::end_of_first_slice() const {
  const int64_t threshold_ms = settings_.hot().busy_reply_threshold_ms;
  const int64_t now_us = time_us();
  return threshold_ms == 0 || threshold_ms > (INT64_MAX - now_us) / 1000 ? INT64_MAX : now_us + threshold_ms * 1000;
}

RunningScript::Kill RunningScript::kill() {
  if (!suspended()) return Kill::kNoneRuns;
  if (has_written_) return Kill::kHasWritten;
  killed_ = true;
  return Kill::kKilled;
}

}  // namespace lockstep
