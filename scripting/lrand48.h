// The random numbers of scripts: the linear congruential generator of drand48(3), whose arithmetic POSIX
// publishes. Redis uses it, so seeded scripts give the same numbers in both. Owned by the script engine.
#pragma once

#include <cstdint>

namespace lockstep {

class Lrand48 {
 public:
  void seed(int32_t seed) { state_ = (uint64_t{static_cast<uint32_t>(seed)} << 16) | 0x330e; }

  // Uniform in [0, 2^31).
  int32_t next() {
    state_ = (state_ * 0x5deece66d + 0xb) & ((uint64_t{1} << 48) - 1);
    return static_cast<int32_t>(state_ >> 17);
  }

  static constexpr int32_t kMax = 2147483647;

 private:
  uint64_t state_ = 0x1234abcd330e;  // the standard's, before any seed
};

}  // namespace lockstep
