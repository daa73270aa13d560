#include "server/base/numbers.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace lockstep {
namespace {

// The significant digits of a finite value, and the power of ten of the first.
struct Decimal {
  bool negative = false;
  char digits[20];
  int count = 0;
  int exponent = 0;

  explicit Decimal(double value) {
    char text[kMaxDoubleText];  // [-]d[.ddd]e[+-]xx
    const char* end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
    const char* at = text;
    if (*at == '-') {
      negative = true;
      ++at;
    }
    for (; *at != 'e'; ++at)
      if (*at != '.') digits[count++] = *at;
    ++at;
    if (*at == '+') ++at;
    std::from_chars(at, end, exponent);
  }
};

char* write_plain(char* at, const Decimal& decimal) {
  const int whole = decimal.exponent + 1;  // digits before the point
  if (whole <= 0) {
    at = std::copy_n("0.", 2, at);
    at = std::fill_n(at, -whole, '0');
    return std::copy_n(decimal.digits, decimal.count, at);
  }
  const int held = std::min(whole, decimal.count);
  at = std::copy_n(decimal.digits, held, at);
  at = std::fill_n(at, whole - held, '0');
  if (decimal.count <= whole) return at;
  *at++ = '.';
  return std::copy_n(decimal.digits + whole, decimal.count - whole, at);
}

char* write_scientific(char* at, const Decimal& decimal) {
  *at++ = decimal.digits[0];
  if (decimal.count > 1) {
    *at++ = '.';
    at = std::copy_n(decimal.digits + 1, decimal.count - 1, at);
  }
  *at++ = 'e';
  *at++ = decimal.exponent < 0 ? '-' : '+';
  return write_integer(at, std::abs(decimal.exponent));
}

}  // namespace

char* write_double(char* at, double value) {
  if (std::isnan(value)) return std::copy_n("nan", 3, at);
  if (std::isinf(value)) return value > 0 ? std::copy_n("inf", 3, at) : std::copy_n("-inf", 4, at);
  constexpr double kWholeLimit = 4611686018427387904.0;  // 2^62
  if (std::trunc(value) == value && std::fabs(value) <= kWholeLimit && !(value == 0 && std::signbit(value)))
    return write_integer(at, static_cast<int64_t>(value));

  const Decimal decimal(value);
  if (decimal.negative) *at++ = '-';
  const int last_power = decimal.exponent - (decimal.count - 1);
  const bool plain = last_power >= 0 ? decimal.exponent < decimal.count + 7
                                     : last_power > -7 || std::abs(decimal.exponent) < 4;
  return plain ? write_plain(at, decimal) : write_scientific(at, decimal);
}

std::optional<long double> parse_long_double(std::string_view text) {
  constexpr size_t kMaxText = 5 << 10;
  if (text.empty() || text.size() >= kMaxText || std::isspace(static_cast<unsigned char>(text[0]))) return std::nullopt;
  const std::string terminated(text);
  char* end = nullptr;
  errno = 0;
  const long double value = std::strtold(terminated.c_str(), &end);
  if (end != terminated.c_str() + text.size() || std::isnan(value)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(value) || value == 0)) return std::nullopt;
  return value;
}

std::string long_double_text(long double value) {
  char text[5 << 10];
  const int size = std::snprintf(text, sizeof text, "%.17Lf", value);
  std::string_view digits(text, static_cast<size_t>(size));
  digits.remove_suffix(digits.size() - 1 - digits.find_last_not_of('0'));
  if (digits.back() == '.') digits.remove_suffix(1);
  return digits == "-0" ? "0" : std::string(digits);
}

}  // namespace lockstep
