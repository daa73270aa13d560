// The choice between 0.00012 and 1.2e-4 follows Redis' (that of the fpconv library), which is not that of
// std::to_chars.
#include "scripting/argument_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace lockstep {
namespace {

char* append(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

char* append_zeros(char* to, int count) {
  std::memset(to, '0', static_cast<size_t>(count));
  return to + count;
}

// The value is 0.DIGITS * 10^point.
struct Decimal {
  char digits[20];
  int count = 0;
  int point = 0;
};

// `value` is finite and positive.
Decimal shortest_digits(double value) {
  char text[32];
  const char* end = std::to_chars(text, text + sizeof(text), value, std::chars_format::scientific).ptr;
  Decimal decimal;
  const char* at = text;
  for (; *at != 'e'; at++) {
    if (*at != '.') decimal.digits[decimal.count++] = *at;
  }
  at++;
  if (*at == '+') at++;
  int exponent = 0;
  std::from_chars(at, end, exponent);
  decimal.point = exponent + 1;
  return decimal;
}

char* write_decimal(char* to, const Decimal& decimal) {
  const std::string_view digits(decimal.digits, static_cast<size_t>(decimal.count));
  const int trailing = decimal.point - decimal.count;  // zeros that follow the digits
  const int exponent = decimal.point - 1;
  if (trailing >= 0 && exponent < decimal.count + 7) {
    return append_zeros(append(to, digits), trailing);
  }
  if (trailing < 0 && (trailing > -7 || std::abs(exponent) < 4)) {
    if (decimal.point <= 0) return append(append_zeros(append(to, "0."), -decimal.point), digits);
    const auto whole = static_cast<size_t>(decimal.point);
    return append(append(append(to, digits.substr(0, whole)), "."), digits.substr(whole));
  }
  *to++ = digits[0];
  if (digits.size() > 1) to = append(append(to, "."), digits.substr(1));
  to = append(to, exponent < 0 ? "e-" : "e+");
  return std::to_chars(to, to + 4, std::abs(exponent)).ptr;
}

}  // namespace

char* write_argument(char* to, double value) {
  constexpr double kInt64Limit = 9223372036854775808.0;  // 2^63
  if (value > -kInt64Limit && value < kInt64Limit) {
    const auto integer = static_cast<int64_t>(value);
    if (static_cast<double>(integer) == value) return std::to_chars(to, to + 20, integer).ptr;
  }
  if (std::signbit(value)) *to++ = '-';
  if (std::isnan(value)) return append(to, "nan");
  if (std::isinf(value)) return append(to, "inf");
  return write_decimal(to, shortest_digits(std::fabs(value)));
}

}  // namespace lockstep
