#include "server/engine/command.h"

#include "server/base/check.h"

namespace lockstep {

Keyspace::Location Call::look_up(std::string_view key) {
  Keyspace::Location at = keys.locate(key);
  ++(at ? server.stats.keyspace_hits : server.stats.keyspace_misses);
  return at;
}

void Call::block_on(Args on, int64_t deadline_ms) {
  LOCKSTEP_CHECK(can_block && !blocked);
  blocked = true;
  if (attempt == Attempt::kFirst) server.waiters.park(session, spec, args, on, deadline_ms);
}

}  // namespace lockstep
