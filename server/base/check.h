// Assertions about our own code: on in every build, since a lock server that goes on with broken
// state loses locks silently. Never for a client's or the environment's faults.
#pragma once

namespace lockstep {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace lockstep

#define LOCKSTEP_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::lockstep::check_failed(#condition, __FILE__, __LINE__))
