// A Lua value as JSON. Used by cjson.encode.
#pragma once

#include "lua.h"
#include "scripting/libraries/json_options.h"

namespace lockstep {

// Pushes the text for the value on top of the stack. Raises a Lua error when there is none.
void write_json(lua_State* L, const JsonOptions& options);

}  // namespace lockstep
