// Lua 5.4 with the semantics of Redis' Lua 5.1, for the engine. Whoever composes a server or a library makes
// one host for each engine and hands it over; hosts share nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "server/engine/script_host.h"

namespace lockstep {

struct LuaConfig {
  uint64_t seed = 1;                           // the same seed and the same calls give the same answers
  std::string redis_version = "7.4.0";         // what redis.REDIS_VERSION says
  size_t memory_limit_bytes = size_t{1} << 30;  // on all that scripts hold; beyond it a script fails
};

// Costs nothing until the first script is loaded.
std::unique_ptr<ScriptHost> make_lua_host(LuaConfig config);

}  // namespace lockstep
