// Double to integer, as the C casts in Lua 5.1 and Redis behave on x86-64, where the reference results
// come from. In C++ the out-of-range cases are undefined, so they are spelled out.
#pragma once

#include <cstdint>
#include <limits>

namespace lockstep {

// Cuts the fraction off; NaN and what does not fit give the smallest integer.
inline int64_t truncate_to_int64(double value) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(value >= -kLimit && value < kLimit)) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

// Negative numbers wrap around; NaN and what does not fit give 0.
inline uint64_t truncate_to_uint64(double value) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (value < kLimit) return static_cast<uint64_t>(truncate_to_int64(value));
  return static_cast<uint64_t>(truncate_to_int64(value - kLimit)) ^ (uint64_t{1} << 63);
}

}  // namespace lockstep
