// load and loadstring: text only, since crafted bytecode can break the interpreter. What they compile sees
// the same read-only globals as the script.
#include "lauxlib.h"
#include "lua.h"
#include "scripting/lua/steps.h"
#include "scripting/lua51/libraries.h"

namespace lockstep {
namespace {

// Stack: the chunk or a message, by `status`.
int loaded(lua_State* L, int status) {
  if (status == LUA_OK) return 1;
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

int load_string(lua_State* L) {
  size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const char* name = luaL_optstring(L, 2, text);
  return loaded(L, luaL_loadbufferx(L, text, size, name, "t"));
}

constexpr int kReader = 1;
constexpr int kPiece = 3;  // keeps the text that Lua reads alive

const char* read_piece(lua_State* L, void*, size_t* size) {
  luaL_checkstack(L, 2, "too many nested functions");
  count_steps(L, 1);
  lua_pushvalue(L, kReader);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    *size = 0;
    return nullptr;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "reader function must return a string");
  lua_replace(L, kPiece);
  return lua_tolstring(L, kPiece, size);
}

int load_reader(lua_State* L) {
  luaL_checktype(L, kReader, LUA_TFUNCTION);
  const char* name = luaL_optstring(L, 2, "=(load)");
  lua_settop(L, kPiece);
  return loaded(L, lua_load(L, read_piece, nullptr, name, "t"));
}

}  // namespace

void add_load_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"load", load_reader},
      {"loadstring", load_string},
      {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace lockstep
