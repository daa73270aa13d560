// The coroutine library of 5.1: only Lua functions become coroutines, and errors are worded as there. Scripts run
// in the main state, so that there is a coroutine only where the script made one.
#include "lauxlib.h"
#include "lua.h"
#include "scripting/lua51/libraries.h"

namespace lockstep {
namespace {

lua_State* coroutine_argument(lua_State* L) {
  lua_State* co = lua_tothread(L, 1);
  luaL_argcheck(L, co != nullptr, 1, "coroutine expected");
  return co;
}

const char* status_of(lua_State* L, lua_State* co) {
  if (L == co) return "running";
  const int status = lua_status(co);
  if (status == LUA_YIELD) return "suspended";
  if (status != LUA_OK) return "dead";
  lua_Debug frame;
  if (lua_getstack(co, 0, &frame)) return "normal";  // it has resumed another
  return lua_gettop(co) == 0 ? "dead" : "suspended";
}

bool is_suspended(lua_State* L, lua_State* co) { return *status_of(L, co) == 's'; }

// Moves the `count` arguments on top over to the coroutine and lets it run. The number of values it gave, which
// are on top then; -1 when it failed, with the error on top.
int resume(lua_State* L, lua_State* co, int count) {
  if (!is_suspended(L, co)) {
    lua_pushfstring(L, "cannot resume %s coroutine", status_of(L, co));
    return -1;
  }
  if (!lua_checkstack(co, count)) luaL_error(L, "too many arguments to resume");
  lua_xmove(L, co, count);
  int results = 0;
  const int status = lua_resume(co, L, count, &results);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(co, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) luaL_error(L, "too many results to resume");
  lua_xmove(co, L, results);
  return results;
}

int coroutine_resume(lua_State* L) {
  lua_State* co = coroutine_argument(L);
  const int results = resume(L, co, lua_gettop(L) - 1);
  const int returned = results < 0 ? 1 : results;
  lua_pushboolean(L, results >= 0);
  lua_insert(L, -(returned + 1));
  return returned + 1;
}

// What coroutine.wrap gives: the upvalue is the coroutine.
int resume_wrapped(lua_State* L) {
  lua_State* co = lua_tothread(L, lua_upvalueindex(1));
  const int results = resume(L, co, lua_gettop(L));
  if (results >= 0) return results;
  if (lua_status(co) > LUA_YIELD) lua_closethread(co, L);  // runs what it has left to close
  if (lua_isstring(L, -1)) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int coroutine_create(lua_State* L) {
  luaL_argcheck(L, lua_isfunction(L, 1) && !lua_iscfunction(L, 1), 1, "Lua function expected");
  lua_State* co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

int coroutine_wrap(lua_State* L) {
  coroutine_create(L);
  lua_pushcclosure(L, resume_wrapped, 1);
  return 1;
}

int coroutine_yield(lua_State* L) { return lua_yield(L, lua_gettop(L)); }

int coroutine_status(lua_State* L) {
  lua_pushstring(L, status_of(L, coroutine_argument(L)));
  return 1;
}

// nil outside of any coroutine.
int coroutine_running(lua_State* L) {
  if (lua_pushthread(L)) lua_pushnil(L);
  return 1;
}

}  // namespace

void add_coroutine_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"create", coroutine_create}, {"resume", coroutine_resume}, {"running", coroutine_running},
      {"status", coroutine_status}, {"wrap", coroutine_wrap},     {"yield", coroutine_yield},
      {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace lockstep
