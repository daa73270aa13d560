// A keyspace or two with a listener that writes down what it is told, and a clock moved by hand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/store/keyspace.h"

namespace lockstep {

class Recorder final : public KeyspaceListener {
 public:
  void key_changed(int database, std::string_view key) override { add("changed", database, key); }
  void key_expired(int database, std::string_view key) override { add("expired", database, key); }
  void key_created(int database, std::string_view key) override { add("created", database, key); }
  void database_flushed(Keyspace& keyspace) override {
    add("flushed", keyspace.number(), std::to_string(keyspace.size()));
  }
  void databases_swapped(Keyspace& a, Keyspace& b) override {
    add("swapped", a.number(), std::to_string(b.number()));
  }

  // What came since the last call.
  std::vector<std::string> take() {
    std::vector<std::string> taken;
    taken.swap(events_);
    return taken;
  }
  void set_silent(bool silent) { silent_ = silent; }

 private:
  void add(std::string_view what, int database, std::string_view key) {
    if (silent_) return;
    events_.push_back(std::string(what) + " " + std::to_string(database) + " " + std::string(key));
  }
  std::vector<std::string> events_;
  bool silent_ = false;
};

struct StoreFixture {
  StoreFixture() {
    shared.listener = &recorder;
    shared.observed = true;
    set_now_ms(1000);
  }

  void set_now_ms(int64_t ms) { shared.now = Instant::from_ms(ms); }
  void put(std::string_view key, std::string_view value) {
    Keyspace::Location at = keys.locate(key);
    keys.put(at, value);
  }
  void put_until(std::string_view key, std::string_view value, int64_t at_ms) {
    Keyspace::Location at = keys.locate(key);
    keys.put(at, value);
    keys.set_deadline(at, at_ms);
  }
  bool erase(std::string_view key) {
    Keyspace::Location at = keys.locate(key);
    if (at) keys.erase(at);
    return !at;
  }
  // "(none)" for no such key.
  std::string get(std::string_view key) {
    const Keyspace::Location at = keys.locate(key);
    return at ? std::string(at->value()) : "(none)";
  }
  std::optional<int64_t> deadline_of(std::string_view key) {
    const Keyspace::Location at = keys.locate(key);
    return at ? keys.deadline_ms(*at.entry) : std::nullopt;
  }

  Recorder recorder;
  StoreShared shared;
  Keyspace keys{0, 1, shared};
  Keyspace others{3, 2, shared};
};

}  // namespace lockstep
