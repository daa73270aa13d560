// The table library of 5.1: raw access, positions out of range allowed, the old names kept. Only sort is Lua
// 5.4's own.
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "scripting/lua/steps.h"
#include "scripting/lua51/libraries.h"

namespace lockstep {
namespace {

lua_Integer length_of(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return static_cast<lua_Integer>(lua_rawlen(L, 1));
}

// Positions are ints in 5.1; the casts of larger ones wrap around there.
int position_argument(lua_State* L, int index) { return static_cast<int>(luaL_checkinteger(L, index)); }

int table_insert(lua_State* L) {
  lua_Integer free = length_of(L) + 1;
  lua_Integer position = free;
  switch (lua_gettop(L)) {
    case 2:
      break;
    case 3:
      position = position_argument(L, 2);
      if (position > free) free = position;
      for (lua_Integer i = free; i > position; i--) {
        count_steps(L, 1);
        lua_rawgeti(L, 1, i - 1);
        lua_rawseti(L, 1, i);
      }
      break;
    default:
      return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_rawseti(L, 1, position);
  return 0;
}

int table_remove(lua_State* L) {
  const lua_Integer last = length_of(L);
  lua_Integer position = lua_isnoneornil(L, 2) ? last : position_argument(L, 2);
  if (position < 1 || position > last) return 0;
  lua_rawgeti(L, 1, position);
  for (; position < last; position++) {
    lua_rawgeti(L, 1, position + 1);
    lua_rawseti(L, 1, position);
  }
  lua_pushnil(L);
  lua_rawseti(L, 1, last);
  return 1;
}

void add_element(lua_State* L, luaL_Buffer* buffer, lua_Integer index) {
  lua_rawgeti(L, 1, index);
  if (!lua_isstring(L, -1)) {
    luaL_error(L, "invalid value (%s) at index %d in table for 'concat'", luaL_typename(L, -1),
               static_cast<int>(index));
  }
  luaL_addvalue(buffer);
}

int table_concat(lua_State* L) {
  size_t separator_size = 0;
  const char* separator = luaL_optlstring(L, 2, "", &separator_size);
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer first = lua_isnoneornil(L, 3) ? 1 : position_argument(L, 3);
  const lua_Integer last = lua_isnoneornil(L, 4) ? length_of(L) : position_argument(L, 4);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (lua_Integer i = first; i < last; i++) {
    add_element(L, &buffer, i);
    luaL_addlstring(&buffer, separator, separator_size);
  }
  if (first <= last) add_element(L, &buffer, last);
  luaL_pushresult(&buffer);
  return 1;
}

// Calls argument 2 with the key and the value on top of the stack; true when it answered something.
bool call_back(lua_State* L) {
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -3);
  lua_pushvalue(L, -3);
  lua_call(L, 2, 1);
  return !lua_isnil(L, -1);
}

int table_foreach(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 2)) {
    if (call_back(L)) return 1;
  }
  return 0;
}

int table_foreachi(lua_State* L) {
  const lua_Integer last = length_of(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  for (lua_Integer i = 1; i <= last; i++) {
    lua_pushinteger(L, i);
    lua_rawgeti(L, 1, i);
    if (call_back(L)) return 1;
    lua_pop(L, 3);
  }
  return 0;
}

int table_getn(lua_State* L) {
  lua_pushinteger(L, length_of(L));
  return 1;
}

int table_setn(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  return luaL_error(L, "'setn' is obsolete");
}

int table_maxn(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Number largest = 0;
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TNUMBER) continue;
    const lua_Number key = lua_tonumber(L, -2);
    if (key > largest) largest = key;
  }
  lua_pushnumber(L, largest);
  return 1;
}

}  // namespace

void add_table_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"concat", table_concat}, {"foreach", table_foreach}, {"foreachi", table_foreachi},
      {"getn", table_getn},     {"insert", table_insert},   {"maxn", table_maxn},
      {"remove", table_remove}, {"setn", table_setn},       {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);
  luaopen_table(L);
  lua_getfield(L, -1, "sort");
  lua_setfield(L, -3, "sort");
  lua_pop(L, 1);
}

}  // namespace lockstep
