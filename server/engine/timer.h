// What the engine itself does at a deadline: the owner of a node of class kTimeout.
#pragma once

#include <cstdint>

#include "server/store/deadlines.h"

namespace lockstep {

struct Timer {
  enum class Kind : uint8_t { kWaiter, kPause };

  explicit Timer(Kind k) : kind(k) {}
  static Timer* of(DeadlineNode* node) { return reinterpret_cast<Timer*>(node); }

  DeadlineNode deadline;  // first: of()
  const Kind kind;
};

}  // namespace lockstep
