// The sessions that MONITOR: each gets a line for every command that runs. The lines leave by the outbox, so
// that they come behind the reply of the unit they tell of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/engine/outbox.h"
#include "server/engine/pubsub.h"

namespace lockstep {

struct Call;
struct SessionState;

class Monitors {
 public:
  Monitors(Outbox& outbox, PubSub& pubsub) : outbox_(outbox), pubsub_(pubsub) {}

  // False: it does already.
  bool add(SessionState& session);
  void remove(SessionState& session);
  bool empty() const { return sessions_.empty(); }
  const std::vector<SessionState*>& sessions() const { return sessions_; }

  // That this command has run, or is about to.
  void tell(const Call& call, int64_t unix_us);

 private:
  Outbox& outbox_;
  PubSub& pubsub_;
  std::vector<SessionState*> sessions_;
};

}  // namespace lockstep
