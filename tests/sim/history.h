// A history: what several clients send, when time moves, who leaves; made from a seed, run on an engine,
// shrunk when it shows a fault, and printed as a transcript (tests/scripts/README.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockstep::sim {

using Command = std::vector<std::string>;

struct Step {
  enum class Kind : uint8_t { kSend, kAdvance, kClose };
  Kind kind = Kind::kSend;
  int client = 0;                  // kSend, kClose
  std::vector<Command> commands;   // kSend: pipelined in one piece
  int64_t advance_ms = 0;          // kAdvance
};

using History = std::vector<Step>;

// Everything that each client received, connection after connection.
using Transcript = std::map<int, std::string>;

// Runs on a fresh engine with the manual clock; every piece is fed in chunks of `chunk_bytes` (0: whole).
Transcript run(const History& history, uint64_t engine_seed, size_t chunk_bytes);

// Random commands over `clients`: from the syntax of the table's rows, over few keys, with wrong
// arguments now and then.
History random_history(uint64_t seed, int clients, size_t steps);

// The shortest history found that still fails, by leaving steps and commands out.
History shrink(History history, const std::function<bool(const History&)>& fails);

std::string to_text(const History& history);

}  // namespace lockstep::sim
