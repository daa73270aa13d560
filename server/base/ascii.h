// Letters as the protocol compares them: ASCII alone, whatever the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace lockstep {

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
constexpr char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c; }

inline std::string lower(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(), to_lower);
  return low;
}

inline std::string upper(std::string_view text) {
  std::string up(text);
  std::transform(up.begin(), up.end(), up.begin(), to_upper);
  return up;
}

inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return to_lower(x) == to_lower(y); });
}

}  // namespace lockstep
