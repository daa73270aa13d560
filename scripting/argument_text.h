// How a number becomes an argument of redis.call. Not how Lua prints it (that keeps 14 digits only): no digit
// may be lost, since scripts store timestamps and rates this way.
#pragma once

#include <cstddef>

namespace lockstep {

inline constexpr size_t kMaxArgumentText = 40;

// As Redis 7.2 and later: integers in full below 2^63, else the shortest digits that read back as the
// same double. Writes at most kMaxArgumentText characters; returns the end.
char* write_argument(char* to, double value);

}  // namespace lockstep
