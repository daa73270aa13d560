// JSON as Lua values. Used by cjson.decode.
#pragma once

#include <string_view>

#include "lua.h"
#include "scripting/libraries/json_options.h"

namespace lockstep {

// Pushes the value of `text`, which is a Lua string. null is the light userdata 0. Raises a Lua error that says
// what is wrong, and where.
void read_json(lua_State* L, std::string_view text, const JsonOptions& options);

}  // namespace lockstep
