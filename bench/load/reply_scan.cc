// Arrays are walked without recursion by raising the number of replies still to come.
#include "bench/load/reply_scan.h"

#include <charconv>
#include <optional>

namespace lockstep::bench {
namespace {

constexpr long kMaxLength = 1L << 20;  // far above anything that a lock command answers

std::optional<long> parse_length(std::string_view digits) {
  long value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end || value < -1 || value > kMaxLength) return std::nullopt;
  return value;
}

}  // namespace

std::size_t replies_length(std::string_view input, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0; --count) {
    if (at == input.size()) return kIncomplete;
    const char type = input[at];
    if (std::string_view("+-:$*").find(type) == std::string_view::npos) return kMalformed;
    const std::size_t line_end = input.find("\r\n", at);
    if (line_end == std::string_view::npos) return kIncomplete;
    const std::string_view line = input.substr(at + 1, line_end - at - 1);
    at = line_end + 2;
    if (type != '$' && type != '*') continue;

    const std::optional<long> length = parse_length(line);
    if (!length) return kMalformed;
    if (*length < 0) continue;  // null
    if (type == '*') {
      count += static_cast<std::size_t>(*length);
      continue;
    }
    const std::size_t size = static_cast<std::size_t>(*length);
    if (input.size() - at < size + 2) return kIncomplete;
    if (input.substr(at + size, 2) != "\r\n") return kMalformed;
    at += size + 2;
  }
  return at;
}

}  // namespace lockstep::bench
