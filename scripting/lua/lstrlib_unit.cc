// Compiles Lua's lstrlib.c, the string library, so that each attempt to match a pattern counts as a step:
// matching can take for ever.
#define lstrlib_c
#define LUA_LIB

#include "lprefix.h"

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"

#include "lauxlib.h"
#include "lualib.h"

#include "steps.h"

#undef lstrlib_c
#undef LUA_LIB

namespace {

// All attempts go through match(), which begins with l_unlikely() and has its MatchState in `ms`. In functions
// that have none the name means this.
struct NoMatch {
  lua_State* L;
};
constexpr const NoMatch* ms = nullptr;

inline void count_attempt(const NoMatch*) {}
template <typename Match>
void count_attempt(const Match* match) {
  lockstep::count_steps(match->L, 1);
}

}  // namespace

#undef l_unlikely
#define l_unlikely(condition) (count_attempt(ms), luai_unlikely(condition))
#include "lstrlib.c"
