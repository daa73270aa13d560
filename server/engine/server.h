// The parts of one engine that command handlers work with, gathered by reference. Each part has its own
// header and its own subject; handlers see no more of the engine than this.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/reply.h"
#include "server/engine/command_table.h"
#include "server/engine/pause.h"
#include "server/engine/pubsub.h"
#include "server/engine/recorder.h"
#include "server/engine/running_script.h"
#include "server/engine/script_host.h"
#include "server/engine/settings.h"
#include "server/engine/shell.h"
#include "server/engine/stats.h"
#include "server/engine/waiters.h"
#include "server/engine/watch.h"
#include "server/store/databases.h"

namespace lockstep {

struct SessionState;

// What CLIENT LIST says of a session beyond its state.
struct SessionFigures {
  size_t input_bytes = 0;
  size_t output_bytes = 0;
  size_t memory_bytes = 0;
  bool blocked = false;
};

// All sessions of the engine, in the order of their slots.
class SessionDirectory {
 public:
  using Visit = std::function<void(SessionState&, const SessionFigures&)>;
  virtual void for_each(const Visit& visit) = 0;
  virtual SessionFigures figures(const SessionState& session) = 0;
  // Ends a session from within a unit: it waits, watches and listens no more, and its connection is closed.
  // The unit's own session still gets its reply.
  virtual void kill(SessionState& session, const SessionState& by) = 0;

 protected:
  ~SessionDirectory() = default;
};

enum class Origin : uint8_t { kClient, kTransaction, kScript, kReadOnlyScript };

// Runs a command inside the open unit, through the same checks as a client's: for EXEC and scripts.
class Executor {
 public:
  virtual void run(SessionState& session, std::span<const std::string_view> args, Origin origin,
                   ReplySink& reply) = 0;

 protected:
  ~Executor() = default;
};

// What the process around the engine says of itself; INFO and CLIENT LIST pass it on.
struct ProcessUse {
  size_t resident_bytes = 0;
  size_t system_memory_bytes = 0;   // of the whole machine
  int64_t user_us = 0;              // processor time
  int64_t system_us = 0;
  int64_t children_user_us = 0;
  int64_t children_system_us = 0;
  int64_t main_thread_user_us = 0;
  int64_t main_thread_system_us = 0;
};

struct ProcessFacts {
  std::function<ProcessUse()> use;         // at this moment; may be empty
  std::function<void()> release_memory;    // back to the system; may be empty
  std::vector<std::string> listeners;      // "name=tcp,bind=127.0.0.1,port=6379"
  std::string clock;                       // where its time comes from
  std::string executable;
  std::string config_file;
  std::string os;
  int64_t process_id = 0;
  int tcp_port = 0;
};

// Wall time is the engine's time plus an offset in whole milliseconds, so that an absolute time reads
// back as it was given. In manual mode the offset is zero and the time line is the Unix one.
struct WallClock {
  const Instant& now;
  int64_t offset_ms = 0;

  int64_t unix_us() const { return now.us + offset_ms * 1000; }
  int64_t unix_ms() const { return now.ms() + offset_ms; }
};

struct Server {
  Databases& databases;
  PubSub& pubsub;
  Watches& watches;
  Waiters& waiters;
  Pause& pause;
  Stats& stats;
  Recorder& recorder;
  Settings& settings;
  ScriptHost& scripts;
  RunningScript& script;
  SessionDirectory& sessions;
  Executor& executor;
  const CommandTable& commands;
  WallClock& wall;
  std::mt19937_64& random;
  const ProcessFacts& process;
  const Rates& rates;
  const std::string& run_id;                                    // 40 hexadecimal digits
  const std::function<void(LogLevel, std::string_view)>& log;
  const Shell& shell;
  Instant started_at;
  bool shutdown_requested = false;                              // the shell ends the process
  bool active_expire = true;                                    // false: keys die only when looked at
  bool script_may_grow = true;                                  // the running script may take more memory

  size_t peak_memory_bytes = 0;                                 // as far as anybody looked
  size_t start_memory_bytes = 0;
  Stats sampled = {};                                           // when `rates` were taken

  Instant now() const { return wall.now; }
  // More than maxmemory is in use: what may grow it is refused.
  bool out_of_memory() const {
    const size_t limit = settings.hot().max_memory_bytes;
    return limit != 0 && databases.memory_bytes() > limit;
  }
  // All that follows from a change of options happens in here. Nothing has changed when it is refused.
  std::optional<OptionRefusal> change_settings(Settings wanted);
  // CONFIG RESETSTAT.
  void reset_stats();
  // Asks every session. Notes the peak.
  MemoryUse memory_use();
  // A keyspace event, for those who listen if notify-keyspace-events names its class (EventClasses).
  void notify(int database, uint32_t event_class, std::string_view event, std::string_view key);
};

}  // namespace lockstep
