// Lua's number-to-text conversion: what tostring, `..` and table.concat print. Arguments of redis.call are
// another matter (redis_library.cc).
#include <charconv>
#include <cmath>
#include <cstdio>

#include "scripting/lua/user_config.h"

namespace lockstep::lua_build {

int write_number(char* to, std::size_t size, double value) {
  // Below this bound "%.14g" prints every digit of an integer, and to_chars is ten times as fast.
  constexpr double kIntegerBound = 1e14;
  if (std::fabs(value) < kIntegerBound) {
    const auto integer = static_cast<int64_t>(value);
    const bool is_minus_zero = integer == 0 && std::signbit(value);
    if (static_cast<double>(integer) == value && !is_minus_zero) {
      return static_cast<int>(std::to_chars(to, to + size, integer).ptr - to);
    }
  }
  return std::snprintf(to, size, "%.14g", value);
}

}  // namespace lockstep::lua_build
