#include "server/engine/schedule.h"

#include <algorithm>
#include <utility>

#include "server/base/check.h"
#include "server/engine/pubsub.h"
#include "server/engine/running_script.h"
#include "server/engine/waiters.h"

namespace lockstep {

void Schedule::run(Session& feeder) {
  if (suspended()) return run_beside(feeder);
  LOCKSTEP_CHECK(!unit_open_ && runnable_.empty());
  runnable_.push_back(feeder.state().slot);
  run_woken();
}

// Each turn runs one request of the session on top; those it wakes come above it. So waves run last
// first, in order inside a wave, and how TCP cut the feeder's bytes changes nothing.
void Schedule::run_woken() {
  if (!runnable_.empty()) server_.recorder.restart();
  while (!runnable_.empty()) {
    Session* session = sessions_.find(runnable_.back());
    if (session == nullptr) {  // closed while a unit above it was suspended
      runnable_.pop_back();
      continue;
    }
    while (woken_.empty() && session->next_request(dispatch_.limits(session->state())))
      if (!run_next(*session)) return;
    if (session->has_news()) mark_dirty(*session);  // a protocol error
    if (woken_.empty()) {
      runnable_.pop_back();
    } else {
      push_woken();
    }
  }
}

// False when it suspended itself, with its unit open.
bool Schedule::run_next(Session& session) {
  begin_unit();
  session.begin_reply();
  bool blocked = false;
  switch (dispatch_.admit(session.state(), session.args(), session.reply(), Dispatch::Beside::kNothing)) {
    case Dispatch::Gate::kShut:
      break;
    case Dispatch::Gate::kHeld:
      hold(session);
      blocked = true;
      break;
    case Dispatch::Gate::kOpen:
      if (!Dispatch::runs_scripts(session.state())) {
        blocked = dispatch_.run_admitted(session.state(), session.args(), session.reply());
      } else if (run_on_fiber(session)) {
        blocked = fiber_unit_.blocked;
      } else {
        return false;
      }
  }
  finish(session, blocked);
  return true;
}

void Schedule::hold(Session& session) {
  session.hold_request();
  server_.pause.hold(session.state().slot);
}

void Schedule::finish(Session& session, bool blocked) {
  session.set_blocked(blocked);
  if (!blocked) session.end_reply();
  end_unit(&session);
}

void Schedule::push_woken() {
  runnable_.insert(runnable_.end(), woken_.rbegin(), woken_.rend());
  woken_.clear();
}

void Schedule::fire(const Deadlines::Due& due) {
  LOCKSTEP_CHECK(!unit_open_ && runnable_.empty());
  if (due.kind == Deadlines::Class::kExpiry) {
    begin_unit();
    Entry& entry = *Entry::of(due.node);
    server_.databases.of(entry).expire(entry);
    end_unit(nullptr);
  } else if (Timer* timer = Timer::of(due.node); timer->kind == Timer::Kind::kPause) {
    server_.pause.end();
    free_paused();
  } else {
    server_.recorder.restart();
    begin_unit();
    retry(*session_of(*static_cast<ParkedCall*>(timer)->session), Attempt::kTimedOut);
    serve_ready_keys();
  }
  push_woken();
  run_woken();
}

// Scripts --------------------------------------------------------------------------------------------

bool Schedule::run_on_fiber(Session& session) {
  fiber_unit_ = {&session};
  const bool ended = fiber_.run(
      [](void* context) {
        auto& self = *static_cast<Schedule*>(context);
        Session& own = *self.fiber_unit_.session;
        self.fiber_unit_.blocked =
            self.dispatch_.run_admitted(own.state(), own.args(), own.reply());
      },
      this);
  if (ended) {
    fiber_unit_.session = nullptr;
  } else {
    session.keep_request();
  }
  return ended;
}

void Schedule::resume() {
  LOCKSTEP_CHECK(suspended());
  if (!fiber_.resume()) return;
  Session& session = *std::exchange(fiber_unit_.session, nullptr);
  session.release_request();
  finish(session, fiber_unit_.blocked);
  if (fiber_unit_.orphaned) close(session);
  push_woken();
  run_woken();
}

// These know nothing of the open unit: they answer their own session and end, and nobody is woken.
void Schedule::run_beside(Session& feeder) {
  if (&feeder == fiber_unit_.session) return;
  server_.recorder.restart();
  while (feeder.next_request(dispatch_.limits(feeder.state()))) {
    feeder.begin_reply();
    const Dispatch::Gate gate =
        dispatch_.admit(feeder.state(), feeder.args(), feeder.reply(), Dispatch::Beside::kScript);
    if (gate == Dispatch::Gate::kOpen) dispatch_.run_admitted(feeder.state(), feeder.args(), feeder.reply());
    if (gate == Dispatch::Gate::kHeld) hold(feeder);
    feeder.set_blocked(gate == Dispatch::Gate::kHeld);
    if (gate != Dispatch::Gate::kHeld) feeder.end_reply();
    if (feeder.has_news()) mark_dirty(feeder);
  }
  if (feeder.has_news()) mark_dirty(feeder);  // a protocol error
}

void Schedule::abandon() {
  server_.script.abandon();
  try {
    fiber_.resume();
  } catch (const UnitAbandoned&) {
  }
}

void Schedule::close(Session& session) {
  if (&session == fiber_unit_.session) {
    fiber_unit_.orphaned = true;
    return session.cut_off();
  }
  leave(session.state());
  sessions_.erase(session.state().slot);
}

void Schedule::leave(SessionState& session) {
  server_.waiters.remove(session);
  server_.pause.forget(session.slot);
  server_.watches.unwatch_all(session);
  server_.pubsub.leave_all(session);
  server_.recorder.monitors.remove(session);
}

// Units ----------------------------------------------------------------------------------------------

void Schedule::begin_unit() {
  LOCKSTEP_CHECK(!unit_open_);
  unit_open_ = true;
}

void Schedule::close_unit() {
  unit_open_ = false;
  journal_.end_unit();
}

void Schedule::end_unit(Session* own) {
  close_unit();
  if (own != nullptr && own->has_news()) mark_dirty(*own);
  if (!outbox_.empty()) deliver_outbox();
  if (server_.waiters.has_released()) release_unblocked();
  if (server_.waiters.has_ready()) serve_ready_keys();
  if (server_.pause.has_freed()) free_paused();
}

void Schedule::deliver_outbox() {
  outbox_.drain([this](const Outbox::Message& message) {
    if (message.to_monitors) return deliver_to_monitors(message);
    server_.pubsub.receivers(message.channel, [&](SessionState& state, const std::string* pattern) {
      deliver(message, state, pattern);
    });
  });
  server_.recorder.restart();
}

void Schedule::deliver(const Outbox::Message& message, SessionState& state, const std::string* pattern) {
  if (state.close_after_reply) return;
  Session& session = *session_of(state);
  server_.pubsub.delivered(state, message);
  ReplySink& out = session.reply();
  out.push(pattern == nullptr ? 3 : 4);
  out.bulk(pattern == nullptr ? "message" : "pmessage");
  if (pattern != nullptr) out.bulk(*pattern);
  out.bulk(message.channel);
  out.bulk(message.payload);
  mark_dirty(session);
}

void Schedule::deliver_to_monitors(const Outbox::Message& message) {
  for (SessionState* state : server_.recorder.monitors.sessions()) {
    if (state->close_after_reply) continue;
    Session& session = *session_of(*state);
    server_.pubsub.delivered(*state, message);
    session.reply().status(message.payload);
    mark_dirty(session);
  }
}

void Schedule::hold_to_limit(Session& session) {
  SessionState& state = session.state();
  if (state.cut_off) return;
  size_t unread = session.output_bytes() + server_.pubsub.undelivered(state);
  unread -= std::min(unread, OutputLimit::kUncountedBytes);
  const OutputLimit& limit = server_.settings.hot().output_limit(state.client_class());
  if (limit.hard_bytes != 0 && unread >= limit.hard_bytes)
    return cut_off(session, "it does not read its replies, and they have grown beyond the limit");
  if (limit.soft_bytes == 0 || unread < limit.soft_bytes) {
    state.too_much_unread_since = Instant::never();
  } else if (state.too_much_unread_since == Instant::never()) {
    state.too_much_unread_since = server_.now();
  } else if ((server_.now().us - state.too_much_unread_since.us) / 1'000'000 > limit.soft_s) {
    cut_off(session, "it has left too much unread for too long");
  }
}

void Schedule::cut_off_for_input(Session& session) {
  if (!session.state().cut_off) cut_off(session, "it has sent more than client-query-buffer-limit allows at once");
}

void Schedule::cut_off(Session& session, std::string_view reason) {
  server_.log(LogLevel::kWarning, "Closed client " + session.state().endpoint.address + ": " + std::string(reason));
  session.cut_off();
  queue_dirty(session);
}

// Each served waiter is a unit; the keys it makes ready queue up behind those already there.
void Schedule::serve_ready_keys() {
  while (server_.waiters.has_ready()) {
    const auto [database, key] = server_.waiters.take_ready();
    for (const SessionId id : server_.waiters.queue_of(database, key)) {
      Session* session = sessions_.find(id);
      if (session == nullptr || !session->blocked() || session->state().cut_off) continue;
      begin_unit();
      const Keyspace::Location at = server_.databases[database].locate(key);
      if (at && at->type() == server_.waiters.find(session->state())->type) {
        retry(*session, Attempt::kRetry);
      } else {
        close_unit();
        if (!at) break;  // those before took all of it
      }
    }
  }
}

void Schedule::retry(Session& session, Attempt attempt) {
  session.begin_reply();
  const bool answered = dispatch_.retry(session.state(), session.reply(), attempt);
  close_unit();
  if (!answered) return;
  session.end_reply();
  wake(session);
  if (!outbox_.empty()) deliver_outbox();
}

void Schedule::wake(Session& session) {
  session.set_blocked(false);
  woken_.push_back(session.state().slot);
  mark_dirty(session);
}

// By CLIENT UNBLOCK; each is a unit.
void Schedule::release_unblocked() {
  while (server_.waiters.has_released()) {
    const auto [id, how] = server_.waiters.take_released();
    Session* session = sessions_.find(id);
    if (session == nullptr || !session->blocked()) continue;
    begin_unit();
    retry(*session, how == Waiters::Release::kTimeout ? Attempt::kTimedOut : Attempt::kUnblocked);
  }
}

// What CLIENT PAUSE held back runs as if it came now.
void Schedule::free_paused() {
  for (const SessionId id : server_.pause.take_freed())
    if (Session* session = sessions_.find(id)) wake(*session);
}

void Schedule::mark_dirty(Session& session) {
  hold_to_limit(session);
  session.seal_output();
  queue_dirty(session);
}

void Schedule::queue_dirty(Session& session) {
  if (session.dirty()) return;
  session.set_dirty(true);
  dirty_.push_back(session.state().slot);
}

std::span<const SessionId> Schedule::take_dirty() {
  taken_.clear();
  taken_.swap(dirty_);
  for (const SessionId id : taken_)
    if (Session* session = sessions_.find(id)) session->set_dirty(false);
  return taken_;
}

}  // namespace lockstep
