// Lua's own string library, cut to 5.1's functions, with 5.1's format and rep. Pattern matching is
// 5.4's.
#include <cstring>
#include <initializer_list>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "scripting/lua51/libraries.h"

namespace lockstep {
namespace {

// Without 5.4's third argument.
int string_rep(lua_State* L) {
  constexpr size_t kLongest = size_t{1} << 40;  // no heap has room for it
  size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const lua_Integer count = luaL_checkinteger(L, 2);
  if (count <= 0 || size == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  const auto times = static_cast<size_t>(count);
  if (times > kLongest / size) return luaL_error(L, "resulting string too large");
  luaL_Buffer buffer;
  char* to = luaL_buffinitsize(L, &buffer, size * times);
  for (size_t i = 0; i < times; i++, to += size) std::memcpy(to, text, size);
  luaL_pushresultsize(&buffer, size * times);
  return 1;
}

}  // namespace

void add_string_functions(lua_State* L) {
  luaopen_string(L);
  for (const char* name : {"byte", "char", "dump", "find", "gmatch", "gsub", "len", "lower", "match",
                           "reverse", "sub", "upper"}) {
    lua_getfield(L, -1, name);
    lua_setfield(L, -3, name);
  }
  lua_pop(L, 1);
  lua_getfield(L, -1, "gmatch");
  lua_setfield(L, -2, "gfind");
  lua_pushcfunction(L, format_string);
  lua_setfield(L, -2, "format");
  lua_pushcfunction(L, string_rep);
  lua_setfield(L, -2, "rep");

  // s:upper() finds string.upper. The metatable that luaopen_string made has arithmetic in it too, which our
  // build of Lua does itself (lua/lvm_unit.cc).
  lua_pushliteral(L, "");
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

}  // namespace lockstep
