// The table `redis` of scripts: calls into the engine and the helpers around them. Opened by the sandbox;
// what it needs of the running script is in the LuaContext.
#pragma once

#include "lua.h"

namespace lockstep {

// Adds to the table at the top of the stack.
void add_redis_functions(lua_State* L);

}  // namespace lockstep
