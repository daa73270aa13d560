// Which lock an operation is about. Used by LoadLoop, number after number; main.cc goes through the same
// sequence again to know what must have been published.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::bench {

// Lock numbers are always eight digits, so that every request of a workload has the same length and a
// batch is written once and then only patched.
inline constexpr std::uint32_t kFirstLock = 10'000'000;
inline constexpr std::uint32_t kMaxLocks = 20'000'000;
inline constexpr std::size_t kLockDigits = 8;

enum class Order {
  kEachOnce,  // every number once, then again from the start; neighbours are far apart, so that locks are
              // not released in the order in which memory was given to them
  kRandom,    // any number at any time, the same sequence in every run
};

// Numbers of [kFirstLock, kFirstLock + count).
class LockNumbers {
 public:
  LockNumbers(std::uint32_t count, Order order);
  std::uint32_t next();

 private:
  std::uint32_t next_random();

  std::uint32_t count_;
  std::uint32_t stride_ = 0;  // 0: random
  std::uint32_t position_ = 0;
  std::uint64_t state_ = 0x9e3779b97f4a7c15;
};

}  // namespace lockstep::bench
