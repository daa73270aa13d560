// Lua's own string library, cut to 5.1's functions, with those of 5.1 where results differ, and searches for plain
// text in linear time.
#include <cstring>
#include <initializer_list>
#include <string_view>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "scripting/lua/patterns.h"
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

// A start beyond the end is the end.
void limit_start(lua_State* L, size_t size) {
  const auto end = static_cast<lua_Integer>(size) + 1;
  if (luaL_optinteger(L, 3, 1) <= end) return;
  lua_pushinteger(L, end);
  lua_replace(L, 3);
}

// The upvalue is Lua's own match.
int string_match(lua_State* L) {
  size_t size = 0;
  luaL_checklstring(L, 1, &size);
  luaL_checkstring(L, 2);
  limit_start(L, size);
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// The upvalue is Lua's own find. With plain text that takes the product of both lengths when they are chosen
// well, and nothing could interrupt it.
int string_find(lua_State* L) {
  size_t size = 0;
  size_t wanted_size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const char* wanted = luaL_checklstring(L, 2, &wanted_size);
  limit_start(L, size);
  if (!lua_toboolean(L, 4) && !is_plain({wanted, wanted_size})) {
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
  }
  const auto length = static_cast<lua_Integer>(size);
  lua_Integer first = luaL_optinteger(L, 3, 1);
  if (first < 0) first += length + 1;
  if (first < 1) first = 1;
  const void* found = memmem(text + first - 1, size - static_cast<size_t>(first - 1), wanted, wanted_size);
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
  for (const char* name : {"byte", "dump", "len", "lower", "reverse", "sub", "upper"}) {
    lua_getfield(L, -1, name);
    lua_setfield(L, -3, name);
  }
  lua_getfield(L, -1, "find");
  lua_pushcclosure(L, string_find, 1);
  lua_setfield(L, -3, "find");
  lua_getfield(L, -1, "match");
  lua_pushcclosure(L, string_match, 1);
  lua_setfield(L, -3, "match");
  lua_pop(L, 1);
  static const luaL_Reg kFunctions[] = {
      {"char", string_char},     {"format", format_string}, {"gfind", string_gmatch}, {"gmatch", string_gmatch},
      {"gsub", string_gsub},     {"rep", string_rep},       {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);

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
