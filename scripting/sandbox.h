// The world of a script: the globals and libraries that Redis 7 gives, read-only. The interpreter opens it in
// each new state.
#pragma once

#include "lua.h"

namespace lockstep {

// Fills the globals of a new state and closes them. To be called once, with nothing on the stack.
void open_sandbox(lua_State* L);

}  // namespace lockstep
