#include "server/engine/pubsub.h"

#include <algorithm>

#include "server/base/glob.h"
#include "server/engine/session_state.h"
#include "server/engine/settings.h"

namespace lockstep {
namespace {

Subscriptions& subscriptions_of(SessionState& session) {
  if (!session.subscriptions) session.subscriptions = std::make_unique<Subscriptions>();
  return *session.subscriptions;
}

}  // namespace

void PubSub::add(Listeners& listeners, std::string_view name, SessionState& session) {
  auto found = listeners.find(name);
  if (found == listeners.end()) found = listeners.emplace(std::string(name), std::vector<SessionState*>()).first;
  found->second.push_back(&session);
}

void PubSub::remove(Listeners& listeners, std::string_view name, SessionState& session) {
  const auto found = listeners.find(name);
  std::erase(found->second, &session);
  if (found->second.empty()) listeners.erase(found);
}

bool PubSub::subscribe(SessionState& session, std::string_view channel) {
  if (!subscriptions_of(session).channels.emplace(channel).second) return false;
  add(channels_, channel, session);
  session.refresh_gates();
  return true;
}

bool PubSub::psubscribe(SessionState& session, std::string_view pattern) {
  if (!subscriptions_of(session).patterns.emplace(pattern).second) return false;
  add(patterns_, pattern, session);
  session.refresh_gates();
  return true;
}

bool PubSub::unsubscribe(SessionState& session, std::string_view channel) {
  if (!session.subscriptions) return false;
  auto& channels = session.subscriptions->channels;
  const auto found = channels.find(channel);
  if (found == channels.end()) return false;
  remove(channels_, channel, session);
  channels.erase(found);
  session.refresh_gates();
  return true;
}

bool PubSub::punsubscribe(SessionState& session, std::string_view pattern) {
  if (!session.subscriptions) return false;
  auto& patterns = session.subscriptions->patterns;
  const auto found = patterns.find(pattern);
  if (found == patterns.end()) return false;
  remove(patterns_, pattern, session);
  patterns.erase(found);
  session.refresh_gates();
  return true;
}

void PubSub::leave_all(SessionState& session) {
  if (!session.subscriptions) return;
  for (const std::string& channel : session.subscriptions->channels) remove(channels_, channel, session);
  for (const std::string& pattern : session.subscriptions->patterns) remove(patterns_, pattern, session);
  session.subscriptions.reset();
  session.refresh_gates();
}

size_t PubSub::publish(std::string_view channel, std::string_view payload) {
  size_t count = 0;
  bool wanted = false;
  receivers(channel, [&](SessionState& session, const std::string*) {
    ++count;
    wanted |= expect(session, channel.size() + payload.size());
  });
  if (wanted) outbox_.publish(channel, payload);
  return count;
}

bool PubSub::expect(SessionState& session, size_t bytes) {
  const size_t before = undelivered(session);
  session.undelivered_unit = outbox_.unit();
  session.undelivered_bytes = before + bytes;
  const size_t limit = settings_.output_limit(session.client_class()).hard_bytes;
  return limit == 0 || before <= limit;
}

size_t PubSub::undelivered(const SessionState& session) const {
  return session.undelivered_unit == outbox_.unit() ? session.undelivered_bytes : 0;
}

// Who subscribed within the unit gets what it was not counted for.
void PubSub::delivered(SessionState& session, const Outbox::Message& message) const {
  const size_t bytes = message.channel.size() + message.payload.size();
  session.undelivered_bytes = undelivered(session) - std::min(undelivered(session), bytes);
}

void PubSub::receivers(std::string_view channel, const Deliver& deliver) const {
  if (const auto found = channels_.find(channel); found != channels_.end())
    for (SessionState* session : found->second) deliver(*session, nullptr);
  for (const auto& [pattern, sessions] : patterns_) {
    if (!glob_match(pattern, channel)) continue;
    for (SessionState* session : sessions) deliver(*session, &pattern);
  }
}

std::vector<std::string_view> PubSub::channels(std::optional<std::string_view> pattern) const {
  std::vector<std::string_view> names;
  for (const auto& [channel, sessions] : channels_)
    if (!pattern || glob_match(*pattern, channel)) names.push_back(channel);
  return names;
}

size_t PubSub::subscriber_count(std::string_view channel) const {
  const auto found = channels_.find(channel);
  return found == channels_.end() ? 0 : found->second.size();
}

}  // namespace lockstep
