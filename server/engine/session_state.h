// What commands may know and change of the conversation they belong to. The bytes are session.h's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/resp_writer.h"
#include "server/base/instant.h"
#include "server/base/slot_map.h"
#include "server/engine/output_limits.h"

namespace lockstep {

struct CommandSpec;

using SessionId = SlotId;

// Why a session's next command may not simply run. A command that passes all of them unseen skips
// every gate with one test.
enum GateBits : uint8_t {
  kGateUnauthenticated = 1 << 0,
  kGateTransaction = 1 << 1,
  kGateSubscribedResp2 = 1 << 2,
  kGateMonitors = 1 << 3,
};

// What is left of the replies to this client's commands. Messages of its subscriptions come always.
enum class ReplyMode : uint8_t { kOn, kOff, kSkipNext, kSkip };

// Owned copy of a command, for as long as it waits to be run. Moving it leaves the views good.
class StoredArgs {
 public:
  StoredArgs() = default;
  explicit StoredArgs(std::span<const std::string_view> args);
  std::span<const std::string_view> view() const { return views_; }
  bool empty() const { return views_.empty(); }
  size_t memory_bytes() const { return total(views_) + views_.size() * sizeof(std::string_view); }

 private:
  static size_t total(std::span<const std::string_view> args);
  std::unique_ptr<char[]> bytes_;
  std::vector<std::string_view> views_;
};

// Between MULTI and EXEC.
struct Transaction {
  std::vector<std::pair<const CommandSpec*, StoredArgs>> queue;
  size_t bytes = 0;      // that the queue takes
  bool may_grow = false; // something in the queue may take memory
  bool refused = false;  // something was not queued: EXEC will answer EXECABORT
  bool runs_scripts = false;  // at least one of the queue may
};

// Channels and patterns in the order of their names, so that leaving all of them repeats.
struct Subscriptions {
  std::set<std::string, std::less<>> channels;
  std::set<std::string, std::less<>> patterns;

  size_t count() const { return channels.size() + patterns.size(); }
};

struct WatchedKey {
  int database;
  std::string key;
};

// Where a session's bytes come from, as its opener names it.
struct Endpoint {
  std::string address;        // of the client: "127.0.0.1:50000", "/path:0", "in-process"
  std::string local_address;
  int descriptor = -1;        // of the socket, for CLIENT LIST
  bool unix_socket = false;

  // The client is on this machine, or in this process.
  bool is_local() const;
  // By an option that says no, yes, or local.
  bool allowed_by(std::string_view option) const { return option == "yes" || (option == "local" && is_local()); }
};

struct SessionState {
  SessionId slot;             // where the engine keeps it
  uint64_t id = 0;            // CLIENT ID: grows by one a session, never reused
  int database = 0;
  Protocol protocol = Protocol::kResp2;
  uint8_t gates = 0;          // GateBits
  ReplyMode reply_mode = ReplyMode::kOn;
  bool no_evict = false;      // shown by CLIENT LIST; nothing is evicted
  bool no_touch = false;      // shown by CLIENT LIST
  bool monitors = false;      // gets a line for every command: see Monitors
  bool watch_broken = false;  // a watched key changed: EXEC will answer null
  bool close_after_reply = false;
  bool cut_off = false;       // killed, left too much unread, or sent too much: to be closed at once
  Instant too_much_unread_since = Instant::never();  // beyond the soft limit
  size_t undelivered_bytes = 0;  // of messages published to it by the unit whose number follows: see PubSub
  uint64_t undelivered_unit = 0;
  Instant opened_at;
  Instant last_command_at;
  const CommandSpec* last_command = nullptr;
  Endpoint endpoint;
  std::string name;
  std::string library_name;
  std::string library_version;
  std::unique_ptr<Transaction> transaction;      // null outside MULTI
  std::unique_ptr<Subscriptions> subscriptions;  // null with none
  std::vector<WatchedKey> watched;

  bool in_transaction() const { return transaction != nullptr; }
  bool authenticated() const { return (gates & kGateUnauthenticated) == 0; }
  ClientClass client_class() const { return subscription_count() > 0 ? ClientClass::kPubSub : ClientClass::kNormal; }
  size_t subscription_count() const { return subscriptions ? subscriptions->count() : 0; }

  void set_authenticated(bool yes) { set_gate(kGateUnauthenticated, !yes); }
  // To be called whenever protocol, transaction, subscriptions or monitors changed.
  void refresh_gates() {
    set_gate(kGateTransaction, in_transaction());
    set_gate(kGateMonitors, monitors);
    set_gate(kGateSubscribedResp2, protocol == Protocol::kResp2 && subscription_count() > 0);
  }

 private:
  void set_gate(uint8_t bit, bool on) {
    gates = static_cast<uint8_t>(on ? gates | bit : gates & ~bit);
  }
};

}  // namespace lockstep
