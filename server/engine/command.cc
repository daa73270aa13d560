#include "server/engine/command.h"

#include "protocol/error_texts.h"
#include "server/base/check.h"

namespace lockstep {

Keyspace::Location Call::look_up(std::string_view key) {
  Keyspace::Location at = keys.locate(key);
  ++(at ? server.stats.keyspace_hits : server.stats.keyspace_misses);
  if (!at) notify(kEventMiss, "keymiss", key);
  return at;
}

void Call::erase(Keyspace::Location& at) {
  keys.erase(at);
  notify(kEventGeneric, "del", at.key);
}

void Call::edited(Keyspace::Location& at, EventClasses event_class, std::string_view event) {
  keys.edited(at);
  notify(event_class, event, at.key);
  if (!at) notify(kEventGeneric, "del", at.key);
}

bool Call::expect(ValueType type, const Keyspace::Location& at) {
  if (!at || at->type() == type) return true;
  reply.error(errors::kWrongType);
  return false;
}

void Call::block_on(Args on, ValueType type, int64_t deadline_ms) {
  LOCKSTEP_CHECK(can_block && !blocked);
  blocked = true;
  if (attempt == Attempt::kFirst) server.waiters.park(session, spec, args, on, type, deadline_ms);
}

}  // namespace lockstep
