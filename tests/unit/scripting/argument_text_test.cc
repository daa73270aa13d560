// Numbers as arguments of commands must read back as the same number, whatever their size. (The choice of
// notation is in redis_call_test.cc.)
#include "scripting/argument_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace lockstep::test {
namespace {

std::string text_of(double value) {
  char text[kMaxArgumentText];
  return {text, write_argument(text, value)};
}

TEST(ArgumentText, ReadsBackAsTheSameNumber) {
  std::mt19937_64 random(20240229);
  for (int i = 0; i < 100000; i++) {
    const uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    if (value != value) continue;
    const std::string text = text_of(value);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    ASSERT_LE(text.size(), kMaxArgumentText);
  }
}

TEST(ArgumentText, Extremes) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(text_of(Limits::max()), "1.7976931348623157e+308");
  EXPECT_EQ(text_of(-Limits::max()), "-1.7976931348623157e+308");
  EXPECT_EQ(text_of(Limits::denorm_min()), "5e-324");
  EXPECT_EQ(text_of(Limits::min()), "2.2250738585072014e-308");
  EXPECT_EQ(text_of(Limits::infinity()), "inf");
  EXPECT_EQ(text_of(-Limits::infinity()), "-inf");
  EXPECT_EQ(text_of(Limits::quiet_NaN()), "nan");
  EXPECT_EQ(text_of(-Limits::quiet_NaN()), "-nan");
  EXPECT_EQ(text_of(9223372036854774784.0), "9223372036854774784") << "the largest double below 2^63";
}

}  // namespace
}  // namespace lockstep::test
