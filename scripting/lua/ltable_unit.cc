// Compiles Lua's ltable.c, so that the order of keys is the same in every process. Nothing else differs:
// tables keep integer keys inside, which come out as floats (lapi_unit.cc).
#define ltable_c
#define LUA_CORE

#include "lprefix.h"

#include "lua.h"

#include "lobject.h"

#include "pointer_hash.h"

#undef ltable_c
#undef LUA_CORE
#include "ltable.c"
