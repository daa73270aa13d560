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

// The shortest digits that read back, laid out as Redis 8.0.2 does (a script's {double=...} in RESP3).
TEST(Doubles, AreWrittenAsRedisWritesThem) {
  const struct {
    double value;
    std::string_view text;
  } cases[] = {
      {0, "0"}, {-0.0, "-0"}, {3, "3"}, {0.1, "0.1"}, {-1.5, "-1.5"}, {100.5, "100.5"}, {100000, "100000"},
      {3e6, "3000000"}, {1e8, "100000000"}, {1.5e8, "150000000"}, {123456789.125, "123456789.125"},
      {1e15, "1000000000000000"}, {1e16, "10000000000000000"}, {1e17, "100000000000000000"},
      {12345678e9, "12345678000000000"}, {9007199254740993.0, "9007199254740992"},
      {4503599627370495.5, "4503599627370495.5"}, {1.5e20, "1.5e+20"}, {1e21, "1e+21"}, {1e22, "1e+22"},
      {1234567890123456789012.0, "1234567890123456800000"}, {1e100, "1e+100"}, {1e-4, "0.0001"}, {1e-5, "0.00001"},
      {1e-7, "1e-7"}, {1.5e-7, "1.5e-7"}, {0.0001234, "1.234e-4"}, {0.000123456, "1.23456e-4"},
      {1.0 / 3, "0.3333333333333333"}, {3.1415926535897931, "3.141592653589793"}, {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"}, {HUGE_VAL, "inf"}, {-HUGE_VAL, "-inf"}, {NAN, "nan"},
  };
  for (const auto& [value, expected] : cases) {
    char text[kMaxDoubleText];
    EXPECT_EQ(std::string_view(text, static_cast<size_t>(write_double(text, value) - text)), expected);
    if (!std::isnan(value)) {
      EXPECT_EQ(parse_double(expected), value);
    }
  }
}

}  // namespace
}  // namespace lockstep
