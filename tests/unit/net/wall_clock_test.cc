// The clocks that the engine lives on: time since boot, and the offset to wall time.
#include "server/net/wall_clock.h"

#include <gtest/gtest.h>

#include <chrono>

namespace lockstep::net {
namespace {

int64_t unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

TEST(SystemClock, NeverGoesBack) {
  const SystemClock clock;
  Instant last = clock.now();
  for (int i = 0; i < 1000; ++i) {
    const Instant now = clock.now();
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST(SystemClock, TimeAndOffsetMakeUnixTime) {
  const SystemClock clock;
  const int64_t before = unix_ms();
  const int64_t claimed = clock.now().ms() + clock.wall_offset_ms();
  const int64_t after = unix_ms();
  EXPECT_GE(claimed, before - 2);  // two values rounded down
  EXPECT_LE(claimed, after + 1);
}

TEST(SystemClock, AnUnmovedWallClockChangesNothing) {
  SystemClock clock;
  const int64_t offset_ms = clock.wall_offset_ms();
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(clock.sample_wall_offset(), std::nullopt);
  EXPECT_EQ(clock.wall_offset_ms(), offset_ms);
}

}  // namespace
}  // namespace lockstep::net
