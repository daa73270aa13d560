// A Lua value as MessagePack. Used by cmsgpack.pack.
#pragma once

#include "lua.h"
#include "scripting/libraries/byte_buffer.h"

namespace lockstep {

// Appends the value at `index`; what has no form, or is nested too deep, as nil.
void write_msgpack(lua_State* L, int index, ByteBuffer& out);

}  // namespace lockstep
