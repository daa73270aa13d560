#include "server/engine/server.h"

#include <algorithm>
#include <utility>

#include "server/base/numbers.h"
#include "server/engine/event_classes.h"

namespace lockstep {

std::optional<OptionRefusal> Server::change_settings(Settings wanted) {
  if (shell.apply)
    if (auto refusal = shell.apply(settings, wanted)) return refusal;
  settings = std::move(wanted);
  return std::nullopt;
}

void Server::reset_stats() {
  stats = sampled = {};
  recorder.reset();
}

MemoryUse Server::memory_use() {
  MemoryUse use;
  use.values = databases.shared().value_bytes;
  use.keyspace = databases.memory_bytes() - use.values;
  use.scripts = scripts.interpreter_bytes() + scripts.text_bytes();
  use.logs = recorder.slow_log.memory_bytes();
  sessions.for_each([&](const SessionState&, const SessionFigures& figures) { use.sessions += figures.memory_bytes; });
  peak_memory_bytes = std::max(peak_memory_bytes, use.total());
  return use;
}

void Server::notify(int database, uint32_t event_class, std::string_view event, std::string_view key) {
  const uint32_t wanted = settings.hot().event_classes;
  if ((wanted & event_class) == 0) return;
  const auto publish = [&](std::string_view prefix, std::string_view name, std::string_view payload) {
    std::string channel(prefix);
    channel.append(integer_text(database)).append("__:").append(name);
    pubsub.publish(channel, payload);
  };
  if ((wanted & kEventKeyspace) != 0) publish("__keyspace@", key, event);
  if ((wanted & kEventKeyevent) != 0) publish("__keyevent@", event, key);
}

}  // namespace lockstep
