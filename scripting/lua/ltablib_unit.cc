// Compiles Lua's ltablib.c, of which scripts get sort: each comparison counts as a step, also where no Lua
// code makes it.
#define ltablib_c
#define LUA_LIB

#include "lprefix.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "lua.h"

#include "lauxlib.h"
#include "lualib.h"

#include "steps.h"

#undef ltablib_c
#undef LUA_LIB

#define lua_compare(L, left, right, op) (lockstep::count_steps(L, 1), (lua_compare)(L, left, right, op))
#undef lua_call
#define lua_call(L, arguments, results) \
  (lockstep::count_steps(L, 1), lua_callk(L, arguments, results, 0, nullptr))
#include "ltablib.c"
