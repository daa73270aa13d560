// How deep data may nest. In Redis it is the 8,000 slots that 5.1 gives to a C function's stack which end it, so
// the libraries that walk tables keep to that number; their own walks do not recurse.
#pragma once

#include "lauxlib.h"
#include "lua.h"

namespace lockstep {

constexpr int kStackSlots = 8000;

// Makes room for so many more values; false when they are too many.
inline bool has_slots(lua_State* L, int count) {
  return lua_gettop(L) + count <= kStackSlots && lua_checkstack(L, count);
}

inline void require_slots(lua_State* L, int count, const char* otherwise) {
  if (!has_slots(L, count)) luaL_error(L, "stack overflow (%s)", otherwise);
}

}  // namespace lockstep
