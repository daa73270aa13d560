// An engine in hand: real commands and test commands, no Lua, a clock that starts at 1,700,000,000,000 ms
// and moves only when told. Knows no test framework. Where a test wants bytes, RESP is shown with '|' for
// CR LF: "+OK|", "$1|v|".
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/engine/engine.h"

namespace lockstep::tests {

inline constexpr int64_t kStartMs = 1'700'000'000'000;

// "SET k v" as a RESP array of its words, split at blanks; quotes as in inline commands.
std::string request(std::string_view words);
// The bytes with '|' for CR LF.
std::string shown(std::string_view bytes);

class EngineFixture {
 public:
  // The journal may be looked at by the test; it is the engine's.
  explicit EngineFixture(EngineConfig config = {}, std::unique_ptr<Journal> journal = std::make_unique<NoJournal>());

  Engine& engine() { return engine_; }

  SessionId open();
  void close(SessionId id) { engine_.close(id); }
  void feed(SessionId id, std::string_view bytes);
  // Feeds requests, one a line of words.
  void send(SessionId id, std::string_view lines);
  // What has come since the last time, shown; it is consumed.
  std::string take(SessionId id);
  std::string ask(SessionId id, std::string_view lines);
  // Moves the clock to kStartMs + `ms`.
  void advance_to_ms(int64_t ms) { engine_.advance_to(Instant::from_ms(kStartMs + ms)); }
  int64_t now_ms() const { return engine_.now().ms() - kStartMs; }
  // In the order of their output.
  std::vector<SessionId> dirty();
  // A line of INFO: its number. Asked on a session of its own.
  int64_t info(std::string_view field);

 private:
  Engine engine_;
};

}  // namespace lockstep::tests
