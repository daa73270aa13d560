// What a command is: its row in the table, and the call that its handler gets. The one header of the
// engine that command families include; CONTRIBUTING.md shows how to add a command.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/reply.h"
#include "server/base/instant.h"
#include "server/engine/event_classes.h"
#include "server/engine/server.h"
#include "server/engine/session_state.h"
#include "server/store/databases.h"

namespace lockstep {

// The command's name first. Views into the input: gone when the handler returns.
using Args = std::span<const std::string_view>;

// Named as COMMAND INFO names them.
enum CommandFlags : uint32_t {
  kWrite = 1 << 0,
  kReadonly = 1 << 1,
  kDenyOom = 1 << 2,       // may grow memory: refused when there is none left
  kAdmin = 1 << 3,
  kPubSub = 1 << 4,
  kNoScript = 1 << 5,
  kBlocking = 1 << 6,
  kLoading = 1 << 7,
  kStale = 1 << 8,
  kFast = 1 << 9,
  kNoAuth = 1 << 10,       // runs before AUTH
  kMayReplicate = 1 << 11, // has effects without being a write; not shown
  kAllowBusy = 1 << 12,    // runs while a script hangs
  kNoMulti = 1 << 13,      // never queued
  kMovableKeys = 1 << 14,  // only the handler's own reading of the arguments finds them all
  kNoAsyncLoading = 1 << 15,
  kNoMandatoryKeys = 1 << 16,
  kSkipMonitor = 1 << 17,
  kSkipSlowlog = 1 << 18,
  kTouchesArbitraryKeys = 1 << 19,
  kGuarded = 1 << 24,      // for those alone whom enable-debug-command lets; not shown
  kRunsScripts = 1 << 25,  // may take as long as it likes, and is suspended then; not shown
};

enum KeyFlags : uint16_t {
  kKeyRO = 1 << 0,
  kKeyRW = 1 << 1,
  kKeyOW = 1 << 2,
  kKeyRM = 1 << 3,
  kKeyAccess = 1 << 4,
  kKeyUpdate = 1 << 5,
  kKeyInsert = 1 << 6,
  kKeyDelete = 1 << 7,
  kKeyVariable = 1 << 8,   // depends on the other arguments
};

// Which arguments are keys.
struct KeySpec {
  uint16_t flags = 0;      // KeyFlags; 0: no keys
  int8_t first = 0;        // index of the first key; of the count when `counted`
  int8_t last = 0;         // relative to the first; -1: the last argument, -2: the one before it
  int8_t step = 1;
  bool counted = false;    // "numkeys key [key ...]": numkeys stands at `first`
  bool unknown = false;    // the row cannot say where; `behind` may
  std::string_view behind = {};  // the key follows this word, the last time that it stands there
};

enum AclCategories : uint32_t {
  kAclKeyspace = 1 << 0,
  kAclRead = 1 << 1,
  kAclWrite = 1 << 2,
  kAclString = 1 << 3,
  kAclPubSub = 1 << 4,
  kAclAdmin = 1 << 5,
  kAclFast = 1 << 6,
  kAclSlow = 1 << 7,
  kAclBlocking = 1 << 8,
  kAclDangerous = 1 << 9,
  kAclConnection = 1 << 10,
  kAclTransaction = 1 << 11,
  kAclScripting = 1 << 12,
  kAclHash = 1 << 13,
  kAclList = 1 << 14,
  kAclSet = 1 << 15,
  kAclSortedSet = 1 << 16,
};

// As COMMAND DOCS names them.
enum class CommandGroup : uint8_t {
  kString,
  kHash,
  kList,
  kGeneric,
  kConnection,
  kServer,
  kPubSub,
  kTransactions,
  kScripting,
  kCluster,
};

struct Call;
using Handler = void (*)(Call& call);

// One row a command, beside its handler. COMMAND and its kin, key extraction, the checks before a
// handler runs and the documentation's list of commands all come from here.
struct CommandSpec {
  std::string_view name;        // lower case; "container|subcommand" for subcommands
  int8_t arity;                 // name included; negative: at least that many
  uint32_t flags;
  std::array<KeySpec, 3> keys = {};
  uint32_t categories;          // what `flags` does not imply
  CommandGroup group;
  std::string_view since;       // of Redis
  std::string_view complexity;
  std::string_view summary;
  std::string_view syntax;      // the arguments, as redis.io writes them
  std::string_view example;
  Handler handler;              // nullptr: a container that does nothing of its own
  uint16_t number = 0;          // given by the table

  bool is_subcommand() const { return name.find('|') != std::string_view::npos; }
};

// Whether a request of so many arguments, the name included, is one of this command.
inline bool arity_fits(const CommandSpec& spec, size_t count) {
  const int arity = spec.arity;
  return arity >= 0 ? count == static_cast<size_t>(arity) : count >= static_cast<size_t>(-arity);
}

// First time, again because a key became ready, or for the last time since the deadline has come. With
// kUnblocked (CLIENT UNBLOCK id ERROR) the handler is not asked: an error is the answer.
enum class Attempt : uint8_t { kFirst, kRetry, kTimedOut, kUnblocked };

// All that a handler sees. It answers `reply` with exactly one value, or calls block_on once having
// changed nothing. (SUBSCRIBE and its kin answer a message a channel.)
struct Call {
  Args args;
  ReplySink& reply;
  Keyspace& keys;           // the session's database
  SessionState& session;
  Server& server;           // everything else of the engine that commands work with
  const CommandSpec& spec;
  const bool can_block;     // false in scripts and transactions
  const Attempt attempt = Attempt::kFirst;
  const Origin origin = Origin::kClient;
  bool blocked = false;     // set by block_on
  uint64_t hidden_args = 0; // set by hide

  Instant now() const { return server.now(); }
  bool in_script() const { return origin == Origin::kScript || origin == Origin::kReadOnlyScript; }
  // A keyspace event of this command on a key of its database, when the change has been made.
  void notify(EventClasses event_class, std::string_view event, std::string_view key) {
    if (server.settings.hot().event_classes != 0) server.notify(keys.number(), event_class, event, key);
  }
  // Deletes it, and says so.
  void erase(Keyspace::Location& at);
  // Its object has been changed in place by what `event` names. One that is empty now is deleted.
  void edited(Keyspace::Location& at, EventClasses event_class, std::string_view event);
  // This argument is a secret: slow log and monitors show "(redacted)" in its place.
  void hide(size_t index) { hidden_args |= uint64_t{1} << std::min(index, size_t{63}); }
  bool hides(size_t index) const { return (hidden_args >> std::min(index, size_t{63}) & 1) != 0; }
  // Looks a key up to read it; counts the hit or miss.
  Keyspace::Location look_up(std::string_view key);
  // Missing keys are of any type. False after having answered that this one is of another.
  bool expect(ValueType type, const Keyspace::Location& at);
  // Waits until one of `on` is created with a value of this type, or until the engine's time is
  // deadline_ms (INT64_MAX: for ever); then the handler is called again. Needs can_block.
  void block_on(Args on, ValueType type, int64_t deadline_ms);
};

// Checks that a family's rows are complete and in order; for static_assert beside them.
consteval bool well_formed(std::span<const CommandSpec> rows) {
  std::string_view previous;
  for (const CommandSpec& row : rows) {
    if (row.name.empty() || row.name <= previous) return false;
    for (const char c : row.name)
      if ((c >= 'A' && c <= 'Z') || c == ' ') return false;
    if (row.arity == 0 || row.summary.empty() || row.since.empty() || row.complexity.empty()) return false;
    if (row.handler != nullptr && row.example.empty()) return false;
    if ((row.flags & kWrite) != 0 && (row.flags & kReadonly) != 0) return false;
    for (const KeySpec& keys : row.keys)
      if (keys.flags != 0 && (keys.first < 1 || keys.step < 1)) return false;
    previous = row.name;
  }
  return true;
}

}  // namespace lockstep
