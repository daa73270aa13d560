// `cmsgpack`: its functions' arguments and results. Packing and unpacking are in msgpack_writer.cc and
// msgpack_reader.cc.
#include <string_view>

#include "lauxlib.h"
#include "scripting/libraries/libraries.h"
#include "scripting/libraries/msgpack_reader.h"
#include "scripting/libraries/msgpack_writer.h"
#include "scripting/libraries/stack_slots.h"

namespace lockstep {
namespace {

int cmsgpack_pack(lua_State* L) {
  const int count = lua_gettop(L);
  luaL_argcheck(L, count > 0, 0, "MessagePack pack needs input.");
  ByteBuffer out(L);
  for (int i = 1; i <= count; i++) write_msgpack(L, i, out);
  out.push();
  return 1;
}

// Up to `limit` values from `offset` on. Whoever may stop early is told first where he has: -1 at the end.
int unpack(lua_State* L, lua_Integer limit, lua_Integer offset, bool tells_offset) {
  size_t size = 0;
  const char* bytes = luaL_checklstring(L, 1, &size);
  const auto told_offset = static_cast<int>(offset);
  const auto told_size = static_cast<int>(size);
  if (offset < 0 || limit < 0) {
    return luaL_error(L, "Invalid request to unpack with offset of %d and limit of %d.", told_offset, told_size);
  }
  if (static_cast<size_t>(offset) > size) {
    return luaL_error(L, "Start offset %d greater than input length %d.", told_offset, told_size);
  }
  std::string_view rest = std::string_view(bytes, size).substr(static_cast<size_t>(offset));
  lua_settop(L, 1);
  if (tells_offset) lua_pushnil(L);
  for (lua_Integer i = 0; i < limit && !rest.empty(); i++) read_msgpack(L, rest);
  if (tells_offset) {
    lua_pushnumber(L, rest.empty() ? -1.0 : static_cast<double>(size - rest.size()));
    lua_replace(L, 2);
  }
  return lua_gettop(L) - 1;
}

int cmsgpack_unpack(lua_State* L) { return unpack(L, LUA_MAXINTEGER, 0, false); }

int cmsgpack_unpack_one(lua_State* L) {
  luaL_checkstring(L, 1);
  return unpack(L, 1, luaL_optinteger(L, 2, 0), true);
}

// A limit of 0 is none.
int cmsgpack_unpack_limit(lua_State* L) {
  luaL_checkstring(L, 1);
  const lua_Integer limit = luaL_checkinteger(L, 2);
  const lua_Integer offset = luaL_optinteger(L, 3, 0);
  if (limit == 0 && offset == 0) return unpack(L, LUA_MAXINTEGER, 0, false);
  return unpack(L, limit, offset, true);
}

}  // namespace

void add_cmsgpack_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"pack", cmsgpack_pack},
      {"unpack", cmsgpack_unpack},
      {"unpack_limit", cmsgpack_unpack_limit},
      {"unpack_one", cmsgpack_unpack_one},
      {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);
  lua_pushliteral(L, "cmsgpack");
  lua_setfield(L, -2, "_NAME");
  lua_pushliteral(L, "lua-cmsgpack 0.4.0");
  lua_setfield(L, -2, "_VERSION");
  lua_pushliteral(L, "MessagePack C implementation for Lua");
  lua_setfield(L, -2, "_DESCRIPTION");
}

}  // namespace lockstep
