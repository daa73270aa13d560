// Counts the allocations of a test executable: malloc and its kin as called by any object linked
// statically, and operator new as called by anybody. Works with and without sanitizers. What a shared
// library mallocs for itself is not seen.
#pragma once

#include <cstddef>

namespace lockstep::tests {

// Since the start of the program; compare two readings.
size_t allocation_count();

template <typename Work>
size_t allocations_in(Work work) {
  const size_t before = allocation_count();
  work();
  return allocation_count() - before;
}

}  // namespace lockstep::tests
