// load and loadstring: text only, since crafted bytecode can break the interpreter. What they compile sees
// the same read-only globals as the script.
#include <algorithm>
#include <string>

#include "lauxlib.h"
#include "lua.h"
#include "scripting/lua/steps.h"
#include "scripting/lua51/libraries.h"

namespace lockstep {
namespace {

void replace_once(std::string& text, std::string_view what, std::string_view by) {
  const size_t at = text.find(what);
  if (at != std::string::npos) text.replace(at, what.size(), by);
}

// On top: a compiler's message. In 5.1 all tokens are quoted, and where an unfinished string starts is not told.
void word_as_51(lua_State* L) {
  constexpr std::string_view kEnd = " near <eof>";
  size_t size = 0;
  const char* bytes = lua_tolstring(L, -1, &size);
  std::string text(bytes, size);
  if (text.ends_with(kEnd)) {
    text.resize(size - kEnd.size());
    if (text.ends_with(')')) text.resize(std::min(text.size(), text.rfind(" (starting at line ")));
    text += " near '<eof>'";
  }
  replace_once(text, ": <name> expected near ", ": '<name>' expected near ");
  replace_once(text, ": <eof> expected near ", ": '<eof>' expected near ");
  lua_pop(L, 1);
  lua_pushlstring(L, text.data(), text.size());
}

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
  return loaded(L, load_text(L, {text, size}, name));
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
  const int status = lua_load(L, read_piece, nullptr, name, "t");
  if (status == LUA_ERRSYNTAX) word_as_51(L);
  return loaded(L, status);
}

}  // namespace

int load_text(lua_State* L, std::string_view text, const char* name) {
  const int status = luaL_loadbufferx(L, text.data(), text.size(), name, "t");
  if (status == LUA_ERRSYNTAX) word_as_51(L);
  return status;
}

void add_load_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"load", load_reader},
      {"loadstring", load_string},
      {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace lockstep
