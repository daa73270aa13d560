// The standard libraries as scripts see them: those of Lua 5.1 less what Redis takes away, with 5.1's
// argument rules where 5.4's differ. The sandbox opens them.
#pragma once

#include <string_view>

#include "lua.h"

namespace lockstep {

// Each pushes nothing and adds to the table at the top of the stack: the globals, or the library's.
void add_base_functions(lua_State* L);
void add_load_functions(lua_State* L);
void add_coroutine_functions(lua_State* L);
void add_string_functions(lua_State* L);
void add_table_functions(lua_State* L);
void add_math_functions(lua_State* L);

// Compiles a text that goes by this name in errors; pushes the function, or the error in 5.1's words. A Lua
// status.
int load_text(lua_State* L, std::string_view text, const char* name);

// string.format.
int format_string(lua_State* L);

// Pushes what tostring(value at `index`) gives. Tables and functions are numbered in the order in which
// the running script asks: their addresses differ from run to run.
void push_text(lua_State* L, int index);

}  // namespace lockstep
