// The libraries that Redis gives to scripts beside Lua's own: other formats of data and 32-bit operations. The
// sandbox opens them. They see the Lua state alone, neither the engine nor the running script.
#pragma once

#include "lua.h"

namespace lockstep {

// Each pushes nothing and adds to the library's table at the top of the stack.
void add_bit_functions(lua_State* L);
void add_cjson_functions(lua_State* L);
void add_cmsgpack_functions(lua_State* L);
void add_struct_functions(lua_State* L);

}  // namespace lockstep
