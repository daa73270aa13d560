// Where the effects of units go to survive a crash, and who says when they have. The engine appends
// while a unit runs; a session's output waits until everything that its bytes could reveal is safe.
// Implementations may work on threads of their own, but these calls come from the engine's thread.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace lockstep {

class Journal {
 public:
  // Counts appended effects; grows only. Output marked with a position leaves once safe() reaches it.
  using Position = uint64_t;

  virtual ~Journal() = default;

  // One canonical command with absolute times, of the open unit, on database `db`.
  virtual void append(int db, std::span<const std::string_view> command) = 0;
  // The unit is complete: what was appended since the last call is one atomic group.
  virtual void end_unit() = 0;
  // Where the last complete unit ended.
  virtual Position written() const = 0;
  // Everything up to here survives a crash.
  virtual Position safe() const = 0;
};

// Keeps nothing, so everything is at once as safe as it will ever be.
class NoJournal final : public Journal {
 public:
  void append(int, std::span<const std::string_view>) override {}
  void end_unit() override {}
  Position written() const override { return 0; }
  Position safe() const override { return std::numeric_limits<Position>::max(); }
};

}  // namespace lockstep
