// CLIENT PAUSE: requests that come meanwhile are held back, and run in the order of their coming when the
// pause is over. Time goes on: keys expire and waiters time out. The schedule holds and frees the sessions.
#pragma once

#include <algorithm>
#include <vector>

#include "server/engine/session_state.h"
#include "server/engine/timer.h"

namespace lockstep {

class Pause : public Timer {
 public:
  enum class Scope : uint8_t { kWrites, kAll };

  explicit Pause(Deadlines& deadlines) : Timer(Kind::kPause), deadlines_(deadlines) {}
  ~Pause() { deadlines_.disarm(deadline); }
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;

  // A pause within a pause: the later end and the wider scope hold.
  void begin(Scope scope, int64_t until_ms) {
    scope_ = active() ? std::max(scope, scope_) : scope;
    if (active()) until_ms = std::max(until_ms, deadlines_.at_ms(deadline));
    deadlines_.arm(deadline, Deadlines::Class::kTimeout, until_ms);
  }
  void end() {
    deadlines_.disarm(deadline);
    freed_.insert(freed_.end(), held_.begin(), held_.end());
    held_.clear();
  }
  bool active() const { return deadline.armed(); }
  bool holds(bool may_write) const { return active() && (scope_ == Scope::kAll || may_write); }

  void hold(SessionId session) { held_.push_back(session); }
  size_t held_count() const { return held_.size(); }
  // Those to go on, in the order of their coming; each once.
  bool has_freed() const { return !freed_.empty(); }
  std::vector<SessionId> take_freed() { return std::exchange(freed_, {}); }
  void forget(SessionId session) { std::erase(held_, session); }

 private:
  Deadlines& deadlines_;
  Scope scope_ = Scope::kWrites;
  std::vector<SessionId> held_;
  std::vector<SessionId> freed_;
};

}  // namespace lockstep
