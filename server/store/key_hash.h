// The hash of keys: seeded, so that nobody can prepare keys that collide, and equal for equal seeds,
// so that the order in which keys are listed repeats.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace lockstep {

inline uint64_t key_hash(std::string_view key, uint64_t seed) {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed);
}

}  // namespace lockstep
