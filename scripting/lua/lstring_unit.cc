// Compiles Lua's lstring.c, so that its cache hits the same strings in every process: misses cost memory,
// which collectgarbage('count') shows.
#define lstring_c
#define LUA_CORE

#include "lprefix.h"

#include "lua.h"

#include "lobject.h"

#include "pointer_hash.h"

#undef lstring_c
#undef LUA_CORE
#include "lstring.c"
