// Counters of one engine, for INFO.
#pragma once

#include <cstdint>

namespace lockstep {

struct Stats {
  uint64_t commands_processed = 0;
  uint64_t connections_received = 0;
  uint64_t connections_rejected = 0;
  uint64_t keys_expired = 0;
  uint64_t keyspace_hits = 0;
  uint64_t keyspace_misses = 0;
  uint64_t error_replies = 0;
  uint64_t input_bytes = 0;
  uint64_t output_bytes = 0;
};

}  // namespace lockstep
