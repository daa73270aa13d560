#include "bench/load/lock_numbers.h"

#include <algorithm>
#include <numeric>

namespace lockstep::bench {

LockNumbers::LockNumbers(std::uint32_t count, Order order) : count_(count) {
  if (order == Order::kRandom) return;
  // Near the golden section of the range, and without a common factor so that no number is left out.
  stride_ = std::max(1u, static_cast<std::uint32_t>(count * 0.618));
  while (std::gcd(stride_, count_) != 1) ++stride_;
}

std::uint32_t LockNumbers::next() {
  if (stride_ == 0) return next_random();
  const std::uint32_t number = kFirstLock + position_;
  position_ += stride_;
  if (position_ >= count_) position_ -= count_;
  return number;
}

// Marsaglia's xorshift; the upper half of it, scaled to the range.
std::uint32_t LockNumbers::next_random() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return kFirstLock + static_cast<std::uint32_t>((state_ >> 32) * count_ >> 32);
}

}  // namespace lockstep::bench
