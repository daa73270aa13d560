// From a Lua error to the error reply that says in which script and line it happened. Used by the interpreter
// for the errors that no pcall of the script caught.
#pragma once

#include <string>
#include <string_view>

#include "lua.h"
#include "scripting/lua_context.h"

namespace lockstep {

// The message handler of every script: notes the error and its place in the context's `failure`.
int note_failure(lua_State* L);

// Notes in the same way that the script is ended from outside, and where it is.
void note_kill(lua_State* L);

// "CODE message script: <sha>, on <source>:<line>."; without a place, the message alone.
std::string failure_text(const ScriptFailure& failure, std::string_view sha);

}  // namespace lockstep
