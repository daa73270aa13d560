// Integers: what is taken is canonical, so it comes back as it was written. Doubles: the C library's strtod
// says what a text is worth. Input: the text, of which eight bytes also stand for a number.
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "server/base/check.h"
#include "server/base/numbers.h"
#include "tests/fuzz/fuzz_input.h"

namespace lockstep {
namespace {

bool same(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }

std::optional<double> by_strtod(std::string_view text) {
  // strtod skips blanks first and stops at a zero byte; neither is part of a number.
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])) != 0) return std::nullopt;
  const std::string copy(text);
  char* stop = nullptr;
  errno = 0;
  const double value = std::strtod(copy.c_str(), &stop);
  if (stop != copy.c_str() + copy.size() || std::isnan(value)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(value) || value == 0)) return std::nullopt;
  return value;
}

void check_double(std::string_view text) {
  const auto expected = by_strtod(text);
  const auto value = parse_double(text);
  LOCKSTEP_CHECK(value.has_value() == expected.has_value());
  if (value) LOCKSTEP_CHECK(same(*value, *expected));
}

void check_round_trip(std::string_view eight_bytes) {
  int64_t integer = 0;
  std::memcpy(&integer, eight_bytes.data(), sizeof integer);
  LOCKSTEP_CHECK(parse_integer(integer_text(integer)) == integer);
  double number = 0;
  std::memcpy(&number, eight_bytes.data(), sizeof number);
  char text[kMaxDoubleText];
  const std::string_view written(text, static_cast<size_t>(write_double(text, number) - text));
  const auto back = parse_double(written);
  LOCKSTEP_CHECK(std::isnan(number) ? !back : back && same(*back, number));
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  const std::string_view text = tests::FuzzInput(data, size).rest();
  if (const auto integer = parse_integer(text)) LOCKSTEP_CHECK(integer_text(*integer) == text);
  check_double(text);
  if (text.size() >= 8) check_round_trip(text);
  return 0;
}
