// One measured phase: its limits, and what came of it. Filled by LoadLoop and by the hand-overs, printed by
// report.cc. It must not know what was measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::bench {

struct PhaseLimits {
  std::size_t depth = 1;         // requests in a batch
  std::uint64_t operations = 0;  // whole batches only: rounded down to a multiple of depth
  double seconds = 0;            // no batch starts later
};

struct PhaseResult {
  std::uint64_t operations = 0;
  double seconds = 0;  // first send to last reply
  bool out_of_time = false;
  std::vector<std::uint32_t> batch_ns;  // one per batch or hand-over, in order of completion
  std::uint64_t unexpected = 0;         // operations not answered exactly as they had to be
  std::string first_unexpected;

  void add_batch_ns(std::uint64_t ns);
  void add_unexpected(std::string_view reply);
};

std::uint64_t monotonic_ns();

}  // namespace lockstep::bench
