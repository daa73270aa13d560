// Counters of one engine, for INFO. Some are the shell's to count.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep {

struct Stats {
  uint64_t commands_processed = 0;
  uint64_t connections_received = 0;
  uint64_t connections_rejected = 0;
  uint64_t keys_expired = 0;
  uint64_t keyspace_hits = 0;
  uint64_t keyspace_misses = 0;
  uint64_t input_bytes = 0;
  uint64_t output_bytes = 0;
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t turns = 0;            // of the shell's loop
  uint64_t turns_us = 0;
  uint64_t commands_us = 0;      // of clients' requests
};

// What the last second was like; see Engine::sample.
struct Rates {
  int64_t commands_per_s = 0;
  double input_kib_per_s = 0;
  double output_kib_per_s = 0;
  int64_t turns_per_s = 0;
  int64_t turn_us = 0;           // one of them
};

// Bytes that the engine knows of.
struct MemoryUse {
  size_t values = 0;             // entries: keys with their values
  size_t keyspace = 0;           // indexes and deadlines
  size_t sessions = 0;
  size_t scripts = 0;
  size_t logs = 0;

  size_t total() const { return values + keyspace + sessions + scripts + logs; }
};

}  // namespace lockstep
