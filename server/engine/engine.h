// The whole server but its sockets: databases, sessions, clock. Its owner supplies time and bytes and
// carries bytes away; nothing happens between calls. One thread at a time; any number of engines.
//
//   engine.advance_to(now);              // fires what is due
//   engine.session(id)->feed(bytes);     // runs requests
//   for (id : engine.take_dirty())       // sends what came of both
//     ... session(id)->output(), consume(), wants_close(), close(id)
//   wait for bytes, or until engine.next_deadline()
//   while (engine.suspended()) resume(), and in between whatever comes: a script takes long
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "server/base/instant.h"
#include "server/engine/dispatch.h"
#include "server/engine/journal.h"
#include "server/engine/outbox.h"
#include "server/engine/schedule.h"
#include "server/engine/script_host.h"
#include "server/engine/server.h"
#include "server/engine/session.h"

namespace lockstep {

struct EngineConfig {
  uint64_t seed = 1;             // of every hash and random number: equal seeds, equal bytes
  Instant start;                 // where the engine's time begins
  int64_t wall_offset_ms = 0;    // from the engine's time to Unix time
  Settings settings;
  ProcessFacts process;
  // Real time in microseconds, never stepping back, for what is measured. Empty: how long a script runs is told
  // by the steps that it makes (RunningScript).
  std::function<int64_t()> stopwatch_us;
  std::function<void(LogLevel, std::string_view)> log = [](LogLevel, std::string_view) {};
};

class Engine final : private KeyspaceListener, private SessionDirectory {
 public:
  // `commands` must outlive the engine.
  Engine(EngineConfig config, const CommandTable& commands, std::unique_ptr<ScriptHost> scripts,
         std::unique_ptr<Journal> journal = std::make_unique<NoJournal>());
  ~Engine();

  Instant now() const { return databases_.shared().now; }
  // Instant::never() when nothing is armed; may lie in the past after an exhausted budget.
  Instant next_deadline() const;
  // Moves time forward, deadline by deadline: each fires at its own instant and is settled before the
  // next. A time before now() counts as now(). After `budget` deadlines it goes to `to` at once and
  // returns false: call again soon; until then a key that is due dies when somebody looks at it. While a
  // script is suspended time stands: it does nothing and returns false.
  bool advance_to(Instant to, size_t budget = SIZE_MAX);
  void set_wall_offset_ms(int64_t offset_ms) { wall_.offset_ms = offset_ms; }
  int64_t wall_offset_ms() const { return wall_.offset_ms; }

  SessionId open(Endpoint endpoint);
  // nullptr when closed.
  Session* session(SessionId id) { return sessions_.find(id); }
  // Forgets the session and all that it waited for, watched and listened to.
  void close(SessionId id);
  size_t session_count() const { return sessions_.size(); }

  // A script has run for longer than busy-reply-threshold: its unit is open, no deadline fires, and sessions
  // that are fed get -BUSY for nearly everything. Call resume() until this is false, feeding in between.
  bool suspended() const { return schedule_.suspended(); }
  // Lets the script go on for some milliseconds. When it ends, what was fed before it began goes on, too.
  void resume() { schedule_.resume(); }

  // Sessions with something new to send or a wish to be closed, each once, in the order of their
  // output. Good until the next call of take_dirty.
  std::span<const SessionId> take_dirty() { return schedule_.take_dirty(); }
  // The journal has become safe further on: what waited for it becomes dirty.
  void release_output();

  // To be called about once a second: cuts off who has not read for too long, and takes what INFO calls
  // instantaneous, which is of the time since the last call.
  void every_second();

  // SHUTDOWN was asked for; the owner ends.
  bool shutdown_requested() const { return server_.shutdown_requested; }
  Settings& settings() { return settings_; }
  ProcessFacts& process() { return process_; }
  // What is around the engine, for its owner to fill in.
  Shell& shell() { return shell_; }
  Stats& stats() { return stats_; }
  const Databases& databases() const { return databases_; }

 private:
  void sample();
  std::optional<Deadlines::Due> earliest_due() const;
  bool fire_until(Instant to, size_t budget);
  void key_changed(int database, std::string_view key) override;
  void key_expired(int database, std::string_view key) override;
  void key_created(int database, std::string_view key) override;
  void database_flushed(Keyspace& keyspace) override;
  void databases_swapped(Keyspace& a, Keyspace& b) override;
  void for_each(const Visit& visit) override;
  SessionFigures figures(const SessionState& session) override;
  void kill(SessionState& session, const SessionState& by) override;

  Settings settings_;
  ProcessFacts process_;
  Shell shell_;
  std::function<int64_t()> stopwatch_us_;
  std::function<void(LogLevel, std::string_view)> log_;
  std::mt19937_64 random_;
  std::string run_id_;
  std::unique_ptr<ScriptHost> scripts_;
  std::unique_ptr<Journal> journal_;
  Stats stats_;
  Outbox outbox_;
  PubSub pubsub_;
  Databases databases_;
  WallClock wall_;
  Watches watches_;
  Deadlines timeouts_;  // beside those of the keys: SET-ACTIVE-EXPIRE stops these alone
  Waiters waiters_;
  Pause pause_;
  UnitFiber fiber_;
  RunningScript script_;
  Recorder recorder_;
  Rates rates_;
  Instant sampled_at_;
  Server server_;
  Dispatch dispatch_;
  BlockPool blocks_;
  SlotMap<Session> sessions_;
  Schedule schedule_;
  uint64_t next_session_ = 1;
};

}  // namespace lockstep
