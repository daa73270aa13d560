// Sessions that wait in a blocking command: the owned copy of what they asked for, their place in each
// key's queue, their deadline. First come, first served.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/engine/session_state.h"
#include "server/engine/timer.h"
#include "server/store/entry.h"

namespace lockstep {

// One blocked command, owned by Waiters from its block_on to its end: served, timed out or closed.
struct ParkedCall : Timer {
  ParkedCall() : Timer(Kind::kWaiter) {}

  uint64_t ticket = 0;
  SessionState* session = nullptr;
  const CommandSpec* spec = nullptr;
  StoredArgs args;
  int database = 0;
  std::vector<std::string> keys;
  int64_t spent_us = 0;        // running, in all attempts so far
  ValueType type = ValueType::kString;  // what the keys must hold to be of use
  bool released = false;                // by CLIENT UNBLOCK
};

class Waiters {
 public:
  explicit Waiters(Deadlines& deadlines) : deadlines_(deadlines) {}
  ~Waiters();

  // deadline_ms: INT64_MAX for ever. A session waits in one command at a time. Parking again within a
  // retry keeps place and deadline.
  void park(SessionState& session, const CommandSpec& spec, std::span<const std::string_view> args,
            std::span<const std::string_view> keys, ValueType type, int64_t deadline_ms);
  // Leaves no trace; harmless when it does not wait.
  void remove(const SessionState& session);

  ParkedCall* find(const SessionState& session) const;

  // CLIENT UNBLOCK: it is served no more, and gets its time-out reply or an error when the unit has ended.
  // False when it does not wait, or no longer.
  enum class Release : uint8_t { kTimeout, kError };
  bool release(const SessionState& session, Release how);
  bool has_released() const { return !released_.empty(); }
  std::pair<SessionId, Release> take_released();

  size_t count() const { return parked_.size(); }
  size_t key_count() const { return queues_.size(); }
  // Those that do not wait for ever.
  size_t count_with_deadline() const;
  bool empty() const { return parked_.empty(); }

  // A key was created or grew. Only keys that somebody waits for are remembered, each once until taken.
  void signal(int database, std::string_view key);
  // A database has other keys now: all that somebody waits for there is looked at again.
  void signal_all(int database);
  bool has_ready() const { return !ready_.empty(); }
  std::pair<int, std::string> take_ready();
  // Who waits for it, in the order in which they came.
  std::vector<SessionId> queue_of(int database, const std::string& key) const;

 private:
  using Key = std::pair<int, std::string>;
  void leave_queues(ParkedCall& parked);

  Deadlines& deadlines_;
  uint64_t next_ticket_ = 0;
  std::map<uint64_t, std::unique_ptr<ParkedCall>> parked_;     // by session id
  std::map<Key, std::map<uint64_t, ParkedCall*>> queues_;      // by ticket: the order of coming
  std::deque<Key> ready_;
  std::deque<std::pair<SessionId, Release>> released_;
};

}  // namespace lockstep
