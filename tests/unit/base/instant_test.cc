// Time on the engine's line: which millisecond an instant belongs to.
#include <gtest/gtest.h>

#include "server/base/instant.h"

namespace lockstep {
namespace {

TEST(Instant, RoundsTowardsThePast) {
  EXPECT_EQ(Instant{0}.ms(), 0);
  EXPECT_EQ(Instant{999}.ms(), 0);
  EXPECT_EQ(Instant{1000}.ms(), 1);
  EXPECT_EQ(Instant{1'700'000'000'000'999}.ms(), 1'700'000'000'000);
  EXPECT_EQ(Instant{-1}.ms(), -1);
  EXPECT_EQ(Instant{-999}.ms(), -1);
  EXPECT_EQ(Instant{-1000}.ms(), -1);
  EXPECT_EQ(Instant{-1001}.ms(), -2);
}

TEST(Instant, ComesBackFromMilliseconds) {
  for (const int64_t ms : {int64_t{-5}, int64_t{0}, int64_t{7}, int64_t{1'700'000'000'000}}) {
    EXPECT_EQ(Instant::from_ms(ms).us, ms * 1000);
    EXPECT_EQ(Instant::from_ms(ms).ms(), ms);
  }
}

TEST(Instant, NeverIsLaterThanAll) {
  EXPECT_LT(Instant{0}, Instant{1});
  EXPECT_LT(Instant::from_ms(int64_t{1} << 50), Instant::never());
  EXPECT_EQ(Instant::never(), Instant::never());
}

}  // namespace
}  // namespace lockstep
