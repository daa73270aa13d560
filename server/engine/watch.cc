#include "server/engine/watch.h"

#include <algorithm>

#include "server/engine/session_state.h"
#include "server/store/keyspace.h"

namespace lockstep {

void Watches::watch(SessionState& session, int database, std::string_view key) {
  auto& watchers = watchers_[{database, std::string(key)}];
  if (std::find(watchers.begin(), watchers.end(), &session) != watchers.end()) return;
  watchers.push_back(&session);
  session.watched.push_back({database, std::string(key)});
  update_observed();
}

void Watches::unwatch_all(SessionState& session) {
  session.watch_broken = false;
  for (const WatchedKey& watched : session.watched) {
    const auto found = watchers_.find(std::pair<int, std::string_view>(watched.database, watched.key));
    std::erase(found->second, &session);
    if (found->second.empty()) watchers_.erase(found);
  }
  session.watched.clear();
  update_observed();
}

void Watches::key_changed(int database, std::string_view key) {
  const auto found = watchers_.find(std::pair<int, std::string_view>(database, key));
  if (found == watchers_.end()) return;
  for (SessionState* session : found->second) session->watch_broken = true;
}

void Watches::flushed(Keyspace& keyspace) {
  for (const auto& [watched, sessions] : watchers_) {
    if (watched.first != keyspace.number() || !keyspace.locate(watched.second)) continue;
    for (SessionState* session : sessions) session->watch_broken = true;
  }
}

void Watches::swapped(Keyspace& a, Keyspace& b) {
  for (const auto& [watched, sessions] : watchers_) {
    if (watched.first != a.number() && watched.first != b.number()) continue;
    if (!a.locate(watched.second) && !b.locate(watched.second)) continue;
    for (SessionState* session : sessions) session->watch_broken = true;
  }
}

void Watches::update_observed() { store_.observed = !watchers_.empty(); }

}  // namespace lockstep
