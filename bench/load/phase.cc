#include "bench/load/phase.h"

#include <algorithm>
#include <ctime>

namespace lockstep::bench {

void PhaseResult::add_batch_ns(std::uint64_t ns) {
  constexpr std::uint64_t kMax = 0xffffffff;
  batch_ns.push_back(static_cast<std::uint32_t>(std::min(ns, kMax)));
}

void PhaseResult::add_unexpected(std::string_view reply) {
  if (unexpected++ == 0) first_unexpected = reply;
}

std::uint64_t monotonic_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace lockstep::bench
