// How long a script has run is counted in steps: one for every jump, every call and every access that might
// call a metamethod, and for functions in C what they charge. When a number of steps is used up, Lua's count hook
// runs, wherever the script is, and gives a new number. All coroutines of a state share one count. For the
// interpreter, and for functions that work long.
#pragma once

#include <cstddef>

#include "lua.h"

namespace lockstep {

// The extra space of every state holds the address of one.
struct Steps {
  int left = 1;  // until the hook; not below 1. It runs with the step that would make it 0
};

inline Steps& steps_of(lua_State* L) { return **static_cast<Steps**>(lua_getextraspace(L)); }

// So many more steps: for functions in C that work long. The hook may run within; its second argument is null
// then.
inline void count_steps(lua_State* L, size_t steps) {
  int& left = steps_of(L).left;
  if (steps < static_cast<size_t>(left)) {
    left -= static_cast<int>(steps);
  } else {
    lua_gethook(L)(L, nullptr);
  }
}

}  // namespace lockstep
