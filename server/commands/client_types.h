// The kinds of connections that CLIENT LIST and CLIENT KILL tell apart.
#pragma once

#include <optional>
#include <string_view>

#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {

enum class ClientType : uint8_t { kNormal, kReplica, kMaster, kPubSub };

inline std::optional<ClientType> client_type_named(std::string_view name) {
  if (equals_ignoring_case(name, "normal")) return ClientType::kNormal;
  if (equals_ignoring_case(name, "replica") || equals_ignoring_case(name, "slave")) return ClientType::kReplica;
  if (equals_ignoring_case(name, "master")) return ClientType::kMaster;
  if (equals_ignoring_case(name, "pubsub")) return ClientType::kPubSub;
  return std::nullopt;
}

inline ClientType client_type_of(const SessionState& session) {
  return session.subscription_count() > 0 ? ClientType::kPubSub : ClientType::kNormal;
}

}  // namespace lockstep
