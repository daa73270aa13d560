// The order in which everything happens: opens and closes units, serves waiters, and runs the sessions
// woken thereby before whoever fed the bytes goes on (ARCHITECTURE.md, rules 1 to 8). All of it within
// the caller's feed or advance; nothing is left over when that returns, unless a script has suspended its unit:
// then resume() goes on with all that was to come.
#pragma once

#include <span>
#include <vector>

#include "protocol/resp_reader.h"
#include "server/base/slot_map.h"
#include "server/engine/dispatch.h"
#include "server/engine/journal.h"
#include "server/engine/outbox.h"
#include "server/engine/session.h"
#include "server/engine/unit_fiber.h"

namespace lockstep {

class Schedule {
 public:
  Schedule(Server& server, Dispatch& dispatch, Outbox& outbox, Journal& journal,
           SlotMap<Session>& sessions, UnitFiber& fiber)
      : server_(server),
        dispatch_(dispatch),
        outbox_(outbox),
        journal_(journal),
        sessions_(sessions),
        fiber_(fiber) {}

  // Runs every request that `feeder` holds complete, and what that wakes. While a script is suspended, those
  // alone that are allowed then; if the script is the feeder's own, none.
  void run(Session& feeder);
  // A script has suspended its unit.
  bool suspended() const { return fiber_.suspended(); }
  // Lets it go on; when its unit ends, so do the sessions that were to run.
  void resume();
  // Ends a suspended unit in the middle, for good: nothing else may be asked of the engine.
  void abandon();
  // Fires one deadline, which must be due, as a unit of its own, and runs what that wakes.
  void fire(const Deadlines::Due& due);

  // Called from within a unit; one that is suspended does not count.
  bool inside_unit() const { return unit_open_ && !suspended(); }
  // Forgets the session and all that it waited for, watched and listened to; if its script is suspended, when
  // that ends.
  void close(Session& session);
  // It waits, watches and listens no more.
  void leave(SessionState& session);
  // Its bytes are being fed at this moment.
  bool is_feeder(const Session& session) const {
    return !runnable_.empty() && runnable_.front() == session.state().slot;
  }
  // Sessions whose output grew since the last call; good until the next call.
  std::span<const SessionId> take_dirty();
  void mark_dirty(Session& session);
  // Cuts the session off when it has left too much unread, or for too long.
  void hold_to_limit(Session& session);
  // What it has sent that could not run yet is more than this.
  void cut_off_for_input(Session& session);
  size_t max_input_bytes() const { return server_.settings.hot().max_input_bytes; }
  // It may send more, though nothing new was written.
  void queue_dirty(Session& session);

 private:
  // Runs the session's request in the open unit, on the fiber. False when it suspended itself.
  bool run_on_fiber(Session& session);
  // As run(), while another's unit is open.
  void run_beside(Session& feeder);
  void push_woken();
  void begin_unit();
  void end_unit(Session* own);
  void cut_off(Session& session, std::string_view reason);
  void deliver_outbox();
  void deliver(const Outbox::Message& message, SessionState& state, const std::string* pattern);
  void deliver_to_monitors(const Outbox::Message& message);
  void close_unit();
  void serve_ready_keys();
  // Runs a parked command again in the open unit, and ends it.
  void retry(Session& session, Attempt attempt);
  bool run_next(Session& session);
  void hold(Session& session);
  void finish(Session& session, bool blocked);
  void release_unblocked();
  void free_paused();
  void wake(Session& session);
  void run_woken();
  Session* session_of(const SessionState& state) const { return sessions_.find(state.slot); }

  Server& server_;
  Dispatch& dispatch_;
  Outbox& outbox_;
  Journal& journal_;
  SlotMap<Session>& sessions_;
  UnitFiber& fiber_;
  bool unit_open_ = false;
  std::vector<SessionId> runnable_;  // a stack: the last woken run first, the feeder at the bottom
  std::vector<SessionId> woken_;     // by the unit that just ended, in order
  std::vector<SessionId> dirty_;
  std::vector<SessionId> taken_;     // what take_dirty handed out last

  struct FiberUnit {
    Session* session = nullptr;  // whose unit is on the fiber; nullptr: none is
    bool blocked = false;
    bool orphaned = false;       // the session is to be closed when it ends
  };
  FiberUnit fiber_unit_;
};

}  // namespace lockstep
