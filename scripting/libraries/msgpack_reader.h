// MessagePack as Lua values. Used by cmsgpack's kinds of unpack.
#pragma once

#include <string_view>

#include "lua.h"

namespace lockstep {

// Pushes the value that `input` begins with and cuts it off the front. Raises a Lua error when there is none,
// or one of a kind that Redis does not read: binary strings and extensions.
void read_msgpack(lua_State* L, std::string_view& input);

}  // namespace lockstep
