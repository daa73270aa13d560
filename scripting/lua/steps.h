// How long a script has run is counted in steps: one for every jump, every call and every access that might
// call a metamethod, and for functions in C what they charge. Every so many steps a check runs, wherever the
// script is. All coroutines of a state share one count. For the interpreter, and for functions that work long.
#pragma once

#include <cstddef>

#include "lua.h"

namespace lockstep {

// From now on `check` runs once every `interval` steps, in the frame of whatever takes so long. It may switch
// to another stack for as long as it likes, and throw what is not Lua's. Its second argument means nothing.
// To be called on a new state.
void watch_steps(lua_State* L, int interval, lua_Hook check);

// The interval begins anew, so that what ran before changes nothing.
void restart_steps(lua_State* L);

// So many more steps: for functions in C that work long. The check may run within.
void count_steps(lua_State* L, size_t steps);

// What is left of the interval, for who works long but can have no check run: it leaves at least 1, and the
// check comes with the next step.
int& steps_left(lua_State* L);

}  // namespace lockstep
