// Who listens to what. Publishing counts the receivers at once; the messages themselves leave by the
// outbox at the end of the unit.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/engine/outbox.h"

namespace lockstep {

struct HotSettings;
struct SessionState;

class PubSub {
 public:
  PubSub(Outbox& outbox, const HotSettings& settings) : outbox_(outbox), settings_(settings) {}

  // False: nothing changed.
  bool subscribe(SessionState& session, std::string_view channel);
  bool unsubscribe(SessionState& session, std::string_view channel);
  bool psubscribe(SessionState& session, std::string_view pattern);
  bool punsubscribe(SessionState& session, std::string_view pattern);
  void leave_all(SessionState& session);

  // How many will get it. One that listens by channel and by pattern counts, and gets it, twice. What only
  // those would get who are over their limit already is not kept.
  size_t publish(std::string_view channel, std::string_view payload);
  // The open unit has that many bytes for it. False: it is over its limit already.
  bool expect(SessionState& session, size_t bytes);
  // Bytes that the open unit has published to it and that it has not got yet.
  size_t undelivered(const SessionState& session) const;
  void delivered(SessionState& session, const Outbox::Message& message) const;

  // Who gets a message: first those of the channel, then pattern by pattern, each in the order in which
  // they subscribed. `pattern` is null for the former.
  using Deliver = std::function<void(SessionState&, const std::string* pattern)>;
  void receivers(std::string_view channel, const Deliver& deliver) const;

  // Channels with at least one subscriber (patterns do not count) that match; all without a pattern.
  std::vector<std::string_view> channels(std::optional<std::string_view> pattern) const;
  size_t subscriber_count(std::string_view channel) const;
  size_t pattern_count() const { return patterns_.size(); }
  size_t channel_count() const { return channels_.size(); }

 private:
  using Listeners = std::map<std::string, std::vector<SessionState*>, std::less<>>;
  static void add(Listeners& listeners, std::string_view name, SessionState& session);
  static void remove(Listeners& listeners, std::string_view name, SessionState& session);

  Outbox& outbox_;
  const HotSettings& settings_;
  Listeners channels_;
  Listeners patterns_;
};

}  // namespace lockstep
