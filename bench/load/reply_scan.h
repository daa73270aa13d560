// Finds where RESP2 replies end, in input that may stop anywhere. Called by LoadLoop for every operation
// whose replies are not byte for byte the expected ones (those never get here). It must not keep state:
// the caller keeps the bytes and asks again when more have come.
#pragma once

#include <cstddef>
#include <string_view>

namespace lockstep::bench {

inline constexpr std::size_t kIncomplete = 0;
inline constexpr std::size_t kMalformed = static_cast<std::size_t>(-1);

// Bytes taken by the first `count` replies of `input`, kIncomplete or kMalformed.
std::size_t replies_length(std::string_view input, std::size_t count);

}  // namespace lockstep::bench
