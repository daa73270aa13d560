// Lua's own coroutine library, cut to 5.1's functions. Scripts run in the main state, so that there is a
// coroutine only where the script made one.
#include <initializer_list>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "scripting/lua51/libraries.h"

namespace lockstep {
namespace {

// nil outside of any coroutine, as in 5.1.
int coroutine_running(lua_State* L) {
  if (lua_pushthread(L)) lua_pushnil(L);
  return 1;
}

}  // namespace

void add_coroutine_functions(lua_State* L) {
  luaopen_coroutine(L);
  for (const char* name : {"create", "resume", "status", "wrap", "yield"}) {
    lua_getfield(L, -1, name);
    lua_setfield(L, -3, name);
  }
  lua_pop(L, 1);
  lua_pushcfunction(L, coroutine_running);
  lua_setfield(L, -2, "running");
}

}  // namespace lockstep
