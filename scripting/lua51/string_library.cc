// Lua's own string library, cut to 5.1's functions, with 5.1's format and rep, and searches for plain text in
// linear time. Pattern matching is 5.4's.
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "scripting/lua51/libraries.h"

namespace lockstep {
namespace {

int string_char(lua_State* L) {
  const int count = lua_gettop(L);
  luaL_Buffer buffer;
  char* const to = luaL_buffinitsize(L, &buffer, static_cast<size_t>(count));
  for (int i = 1; i <= count; i++) {
    const auto code = static_cast<int>(luaL_checkinteger(L, i));
    luaL_argcheck(L, code >= 0 && code <= 255, i, "invalid value");
    to[i - 1] = static_cast<char>(code);
  }
  luaL_pushresultsize(&buffer, static_cast<size_t>(count));
  return 1;
}

// Without 5.4's third argument. The count is an int in 5.1; casts of larger ones wrap around there.
int string_rep(lua_State* L) {
  constexpr size_t kLongest = size_t{1} << 40;  // no heap has room for it
  size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const auto count = static_cast<int>(luaL_checkinteger(L, 2));
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

bool is_plain(std::string_view pattern) { return pattern.find_first_of("^$*+?.([%-") == pattern.npos; }

// The upvalue is Lua's own find. With plain text that takes the product of both lengths when they are chosen
// well, and nothing could interrupt it.
int string_find(lua_State* L) {
  size_t size = 0;
  size_t wanted_size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const char* wanted = luaL_checklstring(L, 2, &wanted_size);
  if (!lua_toboolean(L, 4) && !is_plain({wanted, wanted_size})) {
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
  }
  const auto length = static_cast<lua_Integer>(size);
  lua_Integer first = luaL_optinteger(L, 3, 1);
  if (first < 0) first += length + 1;
  if (first < 1) first = 1;
  const void* found = nullptr;
  if (first <= length + 1) found = memmem(text + first - 1, size - static_cast<size_t>(first - 1), wanted, wanted_size);
  if (found == nullptr) {
    lua_pushnil(L);
    return 1;
  }
  const lua_Integer at = static_cast<const char*>(found) - text;
  lua_pushinteger(L, at + 1);
  lua_pushinteger(L, at + static_cast<lua_Integer>(wanted_size));
  return 2;
}

}  // namespace

void add_string_functions(lua_State* L) {
  luaopen_string(L);
  for (const char* name : {"byte", "dump", "gmatch", "gsub", "len", "lower", "match",
                           "reverse", "sub", "upper"}) {
    lua_getfield(L, -1, name);
    lua_setfield(L, -3, name);
  }
  lua_getfield(L, -1, "find");
  lua_pushcclosure(L, string_find, 1);
  lua_setfield(L, -3, "find");
  lua_pop(L, 1);
  lua_getfield(L, -1, "gmatch");
  lua_setfield(L, -2, "gfind");
  lua_pushcfunction(L, string_char);
  lua_setfield(L, -2, "char");
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
