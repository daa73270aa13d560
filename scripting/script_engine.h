// Lua 5.4 with the semantics of Redis' Lua 5.1, for the engine. Whoever composes a server or a library makes
// one host for each engine and hands it over; hosts share nothing.
#pragma once

#include <cstdint>
#include <memory>

#include "server/engine/script_host.h"

namespace lockstep {

// Costs nothing until the first script is loaded. The same seed and the same calls give the same answers.
std::unique_ptr<ScriptHost> make_lua_host(uint64_t seed);

// The same with another limit than 1 GiB on what scripts may hold in memory.
std::unique_ptr<ScriptHost> make_lua_host(uint64_t seed, size_t memory_limit_bytes);

}  // namespace lockstep
