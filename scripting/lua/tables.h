// What Lua's own interface cannot say about tables. Above all: tables that scripts can read and not write, as
// Redis' patched Lua 5.1 has them. The mark is a spare bit of Lua's table header; lvm_unit.cc and
// lapi_unit.cc check it on every way to write a table, rawset and the table library included.
#pragma once

#include "lua.h"

namespace lockstep {

// The table at `index`; C++ code that must write one lifts the mark first.
void set_readonly(lua_State* L, int index, bool readonly);
bool is_readonly(lua_State* L, int index);

// Whether the table at `index` can have anything but an array part: false for most arrays.
bool has_hash_part(lua_State* L, int index);

namespace lua_build {

// Raises "Attempt to modify a readonly table". Never returns.
[[noreturn]] void raise_readonly_write(lua_State* L);

}  // namespace lua_build
}  // namespace lockstep
