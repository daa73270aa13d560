// A point on the engine's own time line, in microseconds. Where the line starts is the caller's
// choice (boot in real mode, the Unix epoch in manual mode); nobody here reads a clock.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace lockstep {

struct Instant {
  int64_t us = 0;

  friend constexpr auto operator<=>(Instant, Instant) = default;

  static constexpr Instant from_ms(int64_t ms) { return Instant{ms * 1000}; }
  static constexpr Instant never() { return Instant{std::numeric_limits<int64_t>::max()}; }

  // Rounds towards minus infinity, so that a deadline of floor(now) + ttl never lies early by more
  // than the millisecond that the protocol cannot express.
  constexpr int64_t ms() const { return us >= 0 ? us / 1000 : -((-us + 999) / 1000); }
};

}  // namespace lockstep
