// Nothing here reaches files, the process, bytecode or the garbage collector's settings; a script leaves
// nothing behind for the next.
#include "scripting/sandbox.h"

#include "lauxlib.h"
#include "scripting/libraries/libraries.h"
#include "scripting/lua/tables.h"
#include "scripting/lua51/libraries.h"
#include "scripting/redis_library.h"

namespace lockstep {
namespace {

int refuse_unknown_global(lua_State* L) {
  push_text(L, 2);
  return luaL_error(L, "Script attempted to access nonexistent global variable '%s'", lua_tostring(L, -1));
}

// Stack: the globals. Opens a library as one of them.
void open_library(lua_State* L, const char* name, void (*add_functions)(lua_State*)) {
  lua_newtable(L);
  add_functions(L);
  set_readonly(L, -1, true);
  lua_setfield(L, -2, name);
}

// Of the value on top, which stays.
void close_metatable(lua_State* L) {
  lua_getmetatable(L, -1);
  set_readonly(L, -1, true);
  lua_pop(L, 1);
}

}  // namespace

void open_sandbox(lua_State* L) {
  lua_pushglobaltable(L);
  add_base_functions(L);
  add_load_functions(L);
  open_library(L, "bit", add_bit_functions);
  open_library(L, "cjson", add_cjson_functions);
  open_library(L, "cmsgpack", add_cmsgpack_functions);
  open_library(L, "coroutine", add_coroutine_functions);
  open_library(L, "math", add_math_functions);
  open_library(L, "redis", add_redis_functions);
  open_library(L, "string", add_string_functions);
  open_library(L, "struct", add_struct_functions);
  open_library(L, "table", add_table_functions);
  lua_getfield(L, -1, "redis");  // Valkey's name for it
  lua_setfield(L, -2, "server");
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "_G");
  lua_pushliteral(L, "Lua 5.1");
  lua_setfield(L, -2, "_VERSION");

  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, refuse_unknown_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  close_metatable(L);
  set_readonly(L, -1, true);
  lua_pop(L, 1);

  lua_pushliteral(L, "");
  close_metatable(L);
  lua_pop(L, 1);
}

}  // namespace lockstep
