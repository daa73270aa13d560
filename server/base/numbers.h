// Numbers as the protocol writes and reads them. Used by the request parser and by the commands, so
// that "is this an integer" has one answer.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

// Digits of the longest int64 with its sign, and of the longest shortest-form double.
inline constexpr size_t kMaxIntegerText = 20;
inline constexpr size_t kMaxDoubleText = 32;

// The canonical decimal form only: no blanks, no '+', no leading zeros, no "-0". This is what Redis
// takes for an integer wherever it takes one.
inline std::optional<int64_t> parse_integer(std::string_view text) {
  if (text.empty() || text.size() > kMaxIntegerText) return std::nullopt;
  const size_t first_digit = text[0] == '-' ? 1 : 0;
  if (first_digit == text.size()) return std::nullopt;
  if (text[first_digit] == '0' && text.size() > 1) return std::nullopt;
  int64_t value = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// A finite or infinite double in C notation, hexadecimal and "inf" included; NaN is refused.
inline std::optional<double> parse_double(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::string_view digits = text;
  bool negative = false;
  if (digits[0] == '+' || digits[0] == '-') {
    negative = digits[0] == '-';
    digits.remove_prefix(1);
  }
  auto format = std::chars_format::general;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] | 0x20) == 'x') {
    digits.remove_prefix(2);
    format = std::chars_format::hex;
  }
  if (digits.empty() || digits[0] == '-') return std::nullopt;
  if (format == std::chars_format::hex && (digits[0] | 0x20) > 'f') return std::nullopt;  // "0xinf"
  double value = 0;
  const char* end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, value, format);
  if (error != std::errc() || stop != end || std::isnan(value)) return std::nullopt;
  return negative ? -value : value;
}

inline char* write_integer(char* at, int64_t value) {
  return std::to_chars(at, at + kMaxIntegerText, value).ptr;
}

// Shortest text that reads back as the same double, laid out as Redis 8 does: whole numbers plain while
// they fit 63 bits, exponents as in 1e-7 and 1e+20; "inf", "-inf" and "nan".
char* write_double(char* at, double value);

// What INCRBYFLOAT and its kin compute with: text in C notation, finite or infinite; and back, with up to
// 17 places after the point and no exponent.
std::optional<long double> parse_long_double(std::string_view text);
std::string long_double_text(long double value);

inline std::string integer_text(int64_t value) {
  char text[kMaxIntegerText];
  return std::string(text, write_integer(text, value));
}

}  // namespace lockstep
