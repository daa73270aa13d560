// `cjson`: its functions' arguments, and its options, which all functions of one such table share. The work is
// done in json_writer.cc and json_reader.cc.
#include <climits>
#include <new>

#include "lauxlib.h"
#include "scripting/libraries/json_options.h"
#include "scripting/libraries/json_reader.h"
#include "scripting/libraries/json_writer.h"
#include "scripting/libraries/libraries.h"

namespace lockstep {
namespace {

JsonOptions& options_of(lua_State* L) { return *static_cast<JsonOptions*>(lua_touserdata(L, lua_upvalueindex(1))); }

int cjson_encode(lua_State* L) {
  luaL_argcheck(L, lua_gettop(L) == 1, 1, "expected 1 argument");
  write_json(L, options_of(L));
  return 1;
}

int cjson_decode(lua_State* L) {
  luaL_argcheck(L, lua_gettop(L) == 1, 1, "expected 1 argument");
  size_t size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  read_json(L, {text, size}, options_of(L));
  return 1;
}

// Missing arguments become nil, which leaves an option as it is.
void take_arguments(lua_State* L, int count) {
  luaL_argcheck(L, lua_gettop(L) <= count, count + 1, "found too many arguments");
  lua_settop(L, count);
}

// Each sets an option unless the argument is nil, and pushes what it is then.
void number_option(lua_State* L, int index, int& option, int lowest, int highest) {
  if (!lua_isnil(L, index)) {
    const auto value = static_cast<int>(luaL_checkinteger(L, index));
    luaL_argcheck(L, value >= lowest && value <= highest, 1,
                  lua_pushfstring(L, "expected integer between %d and %d", lowest, highest));
    option = value;
  }
  lua_pushinteger(L, option);
}

// `names`: of the values from 0 on. The first two are also false and true.
void named_option(lua_State* L, int index, int& option, const char* const names[]) {
  if (lua_isboolean(L, index)) {
    option = lua_toboolean(L, index);
  } else if (!lua_isnil(L, index)) {
    option = luaL_checkoption(L, index, nullptr, names);
  }
  if (option > 1) {
    lua_pushstring(L, names[option]);
  } else {
    lua_pushboolean(L, option);
  }
}

constexpr const char* kOffOn[] = {"off", "on", nullptr};
constexpr const char* kInvalidNumbers[] = {"off", "on", "null", nullptr};

template <int JsonOptions::*kOption, int kHighest>
int set_number(lua_State* L) {
  take_arguments(L, 1);
  number_option(L, 1, options_of(L).*kOption, 1, kHighest);
  return 1;
}

template <int JsonOptions::*kOption, const char* const* kNames>
int set_named(lua_State* L) {
  take_arguments(L, 1);
  named_option(L, 1, options_of(L).*kOption, kNames);
  return 1;
}

int cjson_encode_sparse_array(lua_State* L) {
  JsonOptions& options = options_of(L);
  take_arguments(L, 3);
  named_option(L, 1, options.sparse_as_map, kOffOn);
  number_option(L, 2, options.sparse_ratio, 0, INT_MAX);
  number_option(L, 3, options.sparse_safe, 0, INT_MAX);
  return 3;
}

int cjson_new(lua_State* L) {
  lua_newtable(L);
  add_cjson_functions(L);
  return 1;
}

}  // namespace

void add_cjson_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"decode", cjson_decode},
      {"decode_invalid_numbers", set_named<&JsonOptions::decode_invalid_numbers, kOffOn>},
      {"decode_max_depth", set_number<&JsonOptions::decode_max_depth, INT_MAX>},
      {"encode", cjson_encode},
      {"encode_invalid_numbers", set_named<&JsonOptions::encode_invalid_numbers, kInvalidNumbers>},
      {"encode_keep_buffer", set_named<&JsonOptions::keep_buffer, kOffOn>},
      {"encode_max_depth", set_number<&JsonOptions::encode_max_depth, INT_MAX>},
      {"encode_number_precision", set_number<&JsonOptions::number_precision, 14>},
      {"encode_sparse_array", cjson_encode_sparse_array},
      {"new", cjson_new},
      {nullptr, nullptr},
  };
  new (lua_newuserdatauv(L, sizeof(JsonOptions), 0)) JsonOptions;
  luaL_setfuncs(L, kFunctions, 1);
  lua_pushlightuserdata(L, nullptr);
  lua_setfield(L, -2, "null");
  lua_pushliteral(L, "cjson");
  lua_setfield(L, -2, "_NAME");
  lua_pushliteral(L, "2.1.0");
  lua_setfield(L, -2, "_VERSION");
}

}  // namespace lockstep
