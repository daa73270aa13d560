// The basic functions, without those that compile text (load_library.cc). Written anew rather than taken
// from 5.4, whose argument rules and metamethods differ in nearly each of them.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lauxlib.h"
#include "lua.h"
#include "scripting/lua/steps.h"
#include "scripting/lua/tables.h"
#include "scripting/lua51/libraries.h"
#include "scripting/lua_context.h"

namespace lockstep {
namespace {

int base_assert(lua_State* L) {
  luaL_checkany(L, 1);
  if (!lua_toboolean(L, 1)) {
    return luaL_error(L, "%s", luaL_optstring(L, 2, "assertion failed!"));
  }
  return lua_gettop(L);
}

int base_error(lua_State* L) {
  const auto level = static_cast<int>(luaL_optinteger(L, 2, 1));
  lua_settop(L, 1);
  if (lua_isstring(L, 1) && level > 0) {
    luaL_where(L, level);
    lua_pushvalue(L, 1);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

void unwrap_error_table(lua_State* L) {
  if (!lua_istable(L, -1)) return;
  lua_pushliteral(L, "err");
  lua_rawget(L, -2);
  if (lua_isstring(L, -1)) {
    lua_replace(L, -2);
  } else {
    lua_pop(L, 1);
  }
}

// Stack: false, error value -> the results of pcall.
int pcall_failed(lua_State* L) {
  unwrap_error_table(L);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

int pcall_continued(lua_State* L, int status, lua_KContext) {
  return status == LUA_OK || status == LUA_YIELD ? lua_gettop(L) : pcall_failed(L);
}

// Redis' pcall: an error that is a table with a text in `err`, as redis.call raises, becomes that text.
int base_pcall(lua_State* L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  const int arguments = lua_gettop(L) - 2;
  const int status = lua_pcallk(L, arguments, LUA_MULTRET, 0, 0, pcall_continued);
  return pcall_continued(L, status, 0);
}

// Stack: true, handler, results... or true, handler, error value.
int xpcall_continued(lua_State* L, int status, lua_KContext) {
  lua_remove(L, 2);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_pushboolean(L, 0);
    lua_replace(L, 1);
    lua_settop(L, 2);
  }
  return lua_gettop(L);
}

int fail_to_handle(lua_State* L) {
  lua_pushliteral(L, "error in error handling");
  return 1;
}

int base_xpcall(lua_State* L) {
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  if (!lua_isfunction(L, 2)) {
    lua_pushcfunction(L, fail_to_handle);
    lua_replace(L, 2);
  }
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  lua_insert(L, 2);  // true, handler, function
  const int status = lua_pcallk(L, 0, LUA_MULTRET, 2, 0, xpcall_continued);
  return xpcall_continued(L, status, 0);
}

int base_getmetatable(lua_State* L) {
  luaL_checkany(L, 1);
  if (!lua_getmetatable(L, 1)) {
    lua_pushnil(L);
    return 1;
  }
  luaL_getmetafield(L, 1, "__metatable");
  return 1;  // the field, or the metatable below it
}

int base_setmetatable(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const int type = lua_type(L, 2);
  luaL_argcheck(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table expected");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
    return luaL_error(L, "cannot change a protected metatable");
  }
  if (is_readonly(L, 1)) lua_build::raise_readonly_write(L);
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

int base_rawequal(lua_State* L) {
  luaL_checkany(L, 1);
  luaL_checkany(L, 2);
  lua_pushboolean(L, lua_rawequal(L, 1, 2));
  return 1;
}

int base_rawget(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  lua_rawget(L, 1);
  return 1;
}

int base_rawset(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  lua_rawset(L, 1);
  return 1;
}

int base_next(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

// The upvalue is `next`.
int base_pairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

int ipairs_step(lua_State* L) {
  const lua_Integer index = luaL_checkinteger(L, 2) + 1;
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushinteger(L, index);
  return lua_rawgeti(L, 1, index) == LUA_TNIL ? 0 : 2;
}

// The upvalue is ipairs_step.
int base_ipairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

int base_select(lua_State* L) {
  const int count = lua_gettop(L);
  if (lua_type(L, 1) == LUA_TSTRING && *lua_tostring(L, 1) == '#') {
    lua_pushinteger(L, count - 1);
    return 1;
  }
  lua_Integer from = luaL_checkinteger(L, 1);
  if (from < 0) {
    from += count;
  } else if (from > count) {
    from = count;
  }
  luaL_argcheck(L, from >= 1, 1, "index out of range");
  return count - static_cast<int>(from);
}

// Bounds are ints in 5.1; the casts of larger ones wrap around there.
int base_unpack(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer first = static_cast<int>(luaL_optinteger(L, 2, 1));
  const lua_Integer last =
      lua_isnoneornil(L, 3) ? static_cast<lua_Integer>(lua_rawlen(L, 1)) : static_cast<int>(luaL_checkinteger(L, 3));
  if (first > last) return 0;
  constexpr lua_Unsigned kTooMany = 1000000;  // no stack has room for these
  const lua_Unsigned gap = static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first);
  if (gap >= kTooMany || !lua_checkstack(L, static_cast<int>(gap) + 1)) {
    return luaL_error(L, "too many results to unpack");
  }
  const int count = static_cast<int>(gap) + 1;
  for (int i = 0; i < count; i++) lua_rawgeti(L, 1, first + i);
  return count;
}

int number_in_base(lua_State* L, int base) {
  const char* text = luaL_checkstring(L, 1);
  luaL_argcheck(L, 2 <= base && base <= 36, 2, "base out of range");
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, base);
  const bool has_digits = end != text;
  end += std::strspn(end, " \f\n\r\t\v");
  if (has_digits && *end == '\0') {
    lua_pushnumber(L, static_cast<lua_Number>(value));
  } else {
    lua_pushnil(L);
  }
  return 1;
}

int base_tonumber(lua_State* L) {
  const auto base = static_cast<int>(luaL_optinteger(L, 2, 10));
  if (base != 10) return number_in_base(L, base);
  luaL_checkany(L, 1);
  int is_number = 0;
  const lua_Number value = lua_tonumberx(L, 1, &is_number);
  if (is_number) {
    lua_pushnumber(L, value);
  } else {
    lua_pushnil(L);
  }
  return 1;
}

int base_tostring(lua_State* L) {
  luaL_checkany(L, 1);
  push_text(L, 1);
  return 1;
}

int base_type(lua_State* L) {
  luaL_checkany(L, 1);
  lua_pushstring(L, luaL_typename(L, 1));
  return 1;
}

// A script must not tune the collector for those that come after it: what would is accepted and answers
// what an untouched 5.1 does.
int base_collectgarbage(lua_State* L) {
  static const char* const kOptions[] = {"stop", "restart",  "collect",    "count",
                                         "step", "setpause", "setstepmul", nullptr};
  enum { kStop, kRestart, kCollect, kCount, kStep, kSetPause, kSetStepMul };
  // What a whole collection costs.
  const size_t steps = context_of(L).heap.used_bytes() / 64;
  switch (luaL_checkoption(L, 1, "collect", kOptions)) {
    case kCollect:
      count_steps(L, steps);
      lua_gc(L, LUA_GCCOLLECT);
      lua_pushinteger(L, 0);
      break;
    case kCount:
      lua_pushnumber(L, static_cast<lua_Number>(context_of(L).heap.used_bytes()) / 1024);
      break;
    case kStep:
      count_steps(L, steps);
      lua_pushboolean(L, lua_gc(L, LUA_GCSTEP, static_cast<int>(luaL_optinteger(L, 2, 0))));
      break;
    case kSetPause:
    case kSetStepMul:
      lua_pushinteger(L, 200);
      break;
    default:
      lua_pushinteger(L, 0);
  }
  return 1;
}

int base_gcinfo(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(context_of(L).heap.used_bytes() / 1024));
  return 1;
}

// Keys of the registry: the weak table from object to number.
const char kNamesKey = 0;

// Pushes the table of names, made anew for each script that asks.
void push_names(lua_State* L, LuaContext& context) {
  if (context.names_objects) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &kNamesKey);
    return;
  }
  context.names_objects = true;
  context.objects_named = 0;
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kNamesKey);
}

void push_object_name(lua_State* L, int index) {
  LuaContext& context = context_of(L);
  luaL_checkstack(L, 5, nullptr);
  push_names(L, context);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_pushvalue(L, index);
    lua_pushnumber(L, static_cast<lua_Number>(++context.objects_named));
    lua_pushvalue(L, -1);
    lua_insert(L, -3);
    lua_rawset(L, -4);
  }
  char text[64];
  std::snprintf(text, sizeof(text), "%s: 0x%012llx", luaL_typename(L, index),
                static_cast<unsigned long long>(lua_tonumber(L, -1)));
  lua_pop(L, 2);
  lua_pushstring(L, text);
}

}  // namespace

void push_text(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (luaL_callmeta(L, index, "__tostring")) return;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      lua_pushvalue(L, index);
      lua_tostring(L, -1);
      break;
    case LUA_TSTRING:
      lua_pushvalue(L, index);
      break;
    case LUA_TBOOLEAN:
      lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false");
      break;
    case LUA_TNIL:
      lua_pushliteral(L, "nil");
      break;
    case LUA_TLIGHTUSERDATA:  // cjson.null; scripts have no other
      lua_pushliteral(L, "userdata: (nil)");
      break;
    default:
      push_object_name(L, index);
  }
}

void add_base_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"assert", base_assert},
      {"collectgarbage", base_collectgarbage},
      {"error", base_error},
      {"gcinfo", base_gcinfo},
      {"getmetatable", base_getmetatable},
      {"next", base_next},
      {"pcall", base_pcall},
      {"rawequal", base_rawequal},
      {"rawget", base_rawget},
      {"rawset", base_rawset},
      {"select", base_select},
      {"setmetatable", base_setmetatable},
      {"tonumber", base_tonumber},
      {"tostring", base_tostring},
      {"type", base_type},
      {"unpack", base_unpack},
      {"xpcall", base_xpcall},
      {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);
  lua_getfield(L, -1, "next");
  lua_pushcclosure(L, base_pairs, 1);
  lua_setfield(L, -2, "pairs");
  lua_pushcfunction(L, ipairs_step);
  lua_pushcclosure(L, base_ipairs, 1);
  lua_setfield(L, -2, "ipairs");
}

}  // namespace lockstep
