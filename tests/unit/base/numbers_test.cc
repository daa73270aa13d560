// What is a number: the same strings as for Redis (string2ll, and strtod with its own checks).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "server/base/numbers.h"

namespace lockstep {
namespace {

using namespace std::string_view_literals;

TEST(Integers, CanonicalFormOnly) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("7"), 7);
  EXPECT_EQ(parse_integer("-1"), -1);
  EXPECT_EQ(parse_integer("10"), 10);
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  for (const std::string_view text :
       {""sv, "-"sv, "+1"sv, " 1"sv, "1 "sv, "01"sv, "00"sv, "-0"sv, "-01"sv, "--1"sv, "1.0"sv, "1e3"sv, "0x10"sv,
        "abc"sv, "9223372036854775808"sv, "-9223372036854775809"sv, "18446744073709551616"sv,
        "100000000000000000000"sv, "1\0"sv, "\0"sv, "1\n"sv})
    EXPECT_EQ(parse_integer(text), std::nullopt) << '"' << text << '"';
}

TEST(Integers, ComeBackAsWritten) {
  for (const int64_t value : {int64_t{0}, int64_t{-1}, int64_t{42}, INT64_MAX, INT64_MIN, int64_t{1} << 40}) {
    EXPECT_EQ(integer_text(value), std::to_string(value));
    EXPECT_EQ(parse_integer(integer_text(value)), value);
  }
}

TEST(Doubles, InTheNotationOfC) {
  EXPECT_EQ(parse_double("0"), 0.0);
  EXPECT_EQ(parse_double("1.5"), 1.5);
  EXPECT_EQ(parse_double("-1.5"), -1.5);
  EXPECT_EQ(parse_double("+1.5"), 1.5);
  EXPECT_EQ(parse_double(".5"), 0.5);
  EXPECT_EQ(parse_double("5."), 5.0);
  EXPECT_EQ(parse_double("1e3"), 1000.0);
  EXPECT_EQ(parse_double("1E-3"), 0.001);
  EXPECT_EQ(parse_double("0x1p3"), 8.0);
  EXPECT_EQ(parse_double("0X1.8"), 1.5);
  EXPECT_EQ(parse_double("-0x10"), -16.0);
  EXPECT_EQ(parse_double("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_double("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::signbit(*parse_double("-0")));
  EXPECT_EQ(parse_double("5e-324"), std::numeric_limits<double>::denorm_min());
}

TEST(Doubles, RefuseWhatIsNone) {
  for (const std::string_view text :
       {""sv, " 1"sv, "1 "sv, "+"sv, "-"sv, "+-1"sv, "--1"sv, "-+1"sv, "++1"sv, "."sv, "e1"sv, "1e"sv, "1e+"sv,
        "nan"sv, "-nan"sv, "nan(1)"sv, "1e400"sv, "-1e400"sv, "1e-400"sv, "0x"sv, "0x-1"sv, "0xinf"sv, "0xnan"sv,
        "-0xinf"sv, "1,5"sv, "1\0"sv, "abc"sv})
    EXPECT_EQ(parse_double(text), std::nullopt) << '"' << text << '"';
}

std::string double_text(double value) {
  char text[kMaxDoubleText];
  return std::string(text, write_double(text, value));
}

TEST(Doubles, ShortestTextThatReadsBack) {
  EXPECT_EQ(double_text(0), "0");
  EXPECT_EQ(double_text(3), "3");
  EXPECT_EQ(double_text(0.1), "0.1");
  EXPECT_EQ(double_text(-1.5), "-1.5");
  EXPECT_EQ(double_text(3.1415926535897931), "3.141592653589793");
  EXPECT_EQ(double_text(100000), "100000");
  EXPECT_EQ(double_text(3e6), "3000000");
  EXPECT_EQ(double_text(1e17), "100000000000000000");
  EXPECT_EQ(double_text(1e22), "1e+22");
  EXPECT_EQ(double_text(1e-7), "1e-7");
  EXPECT_EQ(double_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(double_text(-std::numeric_limits<double>::infinity()), "-inf");
  for (const double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308})
    EXPECT_EQ(parse_double(double_text(value)), value);
}

}  // namespace
}  // namespace lockstep
