#include "server/engine/waiters.h"

#include <algorithm>

#include "server/base/check.h"

namespace lockstep {

Waiters::~Waiters() {
  for (auto& [id, parked] : parked_) deadlines_.disarm(parked->deadline);
}

void Waiters::park(SessionState& session, const CommandSpec& spec, std::span<const std::string_view> args,
                   std::span<const std::string_view> keys, ValueType type, int64_t deadline_ms) {
  auto parked = std::make_unique<ParkedCall>();
  parked->ticket = next_ticket_++;
  parked->session = &session;
  parked->spec = &spec;
  parked->args = StoredArgs(args);
  parked->database = session.database;
  parked->type = type;
  for (const std::string_view key : keys) {
    // A key named twice is waited for once.
    if (std::find(parked->keys.begin(), parked->keys.end(), key) != parked->keys.end()) continue;
    parked->keys.emplace_back(key);
    queues_[{parked->database, std::string(key)}].emplace(parked->ticket, parked.get());
  }
  if (deadline_ms != INT64_MAX) deadlines_.arm(parked->deadline, Deadlines::Class::kTimeout, deadline_ms);
  const bool fresh = parked_.emplace(session.id, std::move(parked)).second;
  LOCKSTEP_CHECK(fresh);
}

void Waiters::leave_queues(ParkedCall& parked) {
  deadlines_.disarm(parked.deadline);
  for (const std::string& key : parked.keys) {
    const auto queue = queues_.find({parked.database, key});
    queue->second.erase(parked.ticket);
    if (queue->second.empty()) queues_.erase(queue);
  }
  parked.keys.clear();
}

void Waiters::remove(const SessionState& session) {
  const auto found = parked_.find(session.id);
  if (found == parked_.end()) return;
  leave_queues(*found->second);
  parked_.erase(found);
}

bool Waiters::release(const SessionState& session, Release how) {
  ParkedCall* parked = find(session);
  if (parked == nullptr || parked->released) return false;
  leave_queues(*parked);
  parked->released = true;
  released_.emplace_back(session.slot, how);
  return true;
}

std::pair<SessionId, Waiters::Release> Waiters::take_released() {
  const auto released = released_.front();
  released_.pop_front();
  return released;
}

ParkedCall* Waiters::find(const SessionState& session) const {
  const auto found = parked_.find(session.id);
  return found == parked_.end() ? nullptr : found->second.get();
}

size_t Waiters::count_with_deadline() const {
  return static_cast<size_t>(std::count_if(parked_.begin(), parked_.end(),
                                           [](const auto& parked) { return parked.second->deadline.armed(); }));
}

void Waiters::signal(int database, std::string_view key) {
  if (queues_.empty()) return;
  Key wanted{database, std::string(key)};
  if (!queues_.contains(wanted)) return;
  if (std::find(ready_.begin(), ready_.end(), wanted) == ready_.end()) ready_.push_back(std::move(wanted));
}

void Waiters::signal_all(int database) {
  const auto first = queues_.lower_bound({database, std::string()});
  const auto last = queues_.lower_bound({database + 1, std::string()});
  for (auto queue = first; queue != last; ++queue) signal(database, queue->first.second);
}

std::pair<int, std::string> Waiters::take_ready() {
  Key key = std::move(ready_.front());
  ready_.pop_front();
  return key;
}

std::vector<SessionId> Waiters::queue_of(int database, const std::string& key) const {
  std::vector<SessionId> sessions;
  const auto found = queues_.find({database, key});
  if (found == queues_.end()) return sessions;
  for (const auto& [ticket, parked] : found->second) sessions.push_back(parked->session->slot);
  return sessions;
}

}  // namespace lockstep
