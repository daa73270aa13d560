#include "server/net/wall_clock.h"

#include <time.h>

#include <cstdlib>

namespace lockstep::net {
namespace {

int64_t read_us(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<int64_t>(time.tv_sec) * 1'000'000 + time.tv_nsec / 1000;
}

struct Sample {
  int64_t offset_ms;
  int64_t error_us;  // how long taking it took
};

Sample take_sample() {
  const int64_t before_us = read_us(CLOCK_BOOTTIME);
  const int64_t wall_us = read_us(CLOCK_REALTIME);
  const int64_t after_us = read_us(CLOCK_BOOTTIME);
  return {Instant{wall_us - before_us}.ms(), after_us - before_us};
}

}  // namespace

SystemClock::SystemClock() {
  Sample sample = take_sample();
  for (int tries = 0; tries < 10 && sample.error_us > 1000; ++tries) sample = take_sample();
  wall_offset_ms_ = sample.offset_ms;
}

Instant SystemClock::now() const { return Instant{read_us(CLOCK_BOOTTIME)}; }

int64_t SystemClock::stopwatch_us() { return read_us(CLOCK_MONOTONIC); }

std::optional<int64_t> SystemClock::sample_wall_offset() {
  const Sample sample = take_sample();
  // We were interrupted in the middle: the next turn's sample will do.
  if (sample.error_us > 1000) return std::nullopt;
  const int64_t change_ms = sample.offset_ms - wall_offset_ms_;
  if (std::abs(change_ms) < kNoiseMs) return std::nullopt;
  wall_offset_ms_ = sample.offset_ms;
  return change_ms;
}

void pause_for(int64_t us) {
  const timespec pause{us / 1'000'000, us % 1'000'000 * 1000};
  nanosleep(&pause, nullptr);
}

}  // namespace lockstep::net
