// What our build of Lua decides differently from upstream's. Lua's own lua.h includes this file
// (LUA_USER_H), so it reaches every unit of Lua; the sources themselves stay untouched. What cannot be
// said with a macro here is done by the units beside this file, each of which compiles one of Lua's.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

struct lua_State;
struct lua_longjmp;

namespace lockstep::lua_build {

// "%.14g" as Lua 5.1 prints numbers. Returns the length; `to` has room for it (MAXNUMBER2STR).
int write_number(char* to, std::size_t size, double value);

// The string hash seed of the heap that this state allocates from.
unsigned hash_seed(lua_State* L);

}  // namespace lockstep::lua_build

// Numbers look as in 5.1: 3, not 3.0. (lobject_unit.cc takes care of the ".0".)
#undef lua_number2str
#define lua_number2str(s, sz, n) lockstep::lua_build::write_number((s), (sz), (n))

// 5.1's modulo, rounding errors and nan for x % 0 included.
#define luai_nummod(L, a, b, m) ((void)(L), (m) = (a)-std::floor((a) / (b)) * (b))

// `__lt` stands in for a missing `__le`, as in 5.1.
#define LUA_COMPAT_LT_LE

// `_ENV` is an ordinary name, as in 5.1: nothing that a script can spell names the environment.
#define LUA_ENV " env"

// Longer strings are neither hashed nor interned when they are made. 5.4's own limit of 40 would do both to
// the tokens of locks (a UUID has 36 characters), twice in each release script; they are never table keys.
#define LUAI_MAXSHORTLEN 32

// Determinism: no clock and no address seeds a hash or a sort. (pointer_hash.h has the rest.)
#define luai_makeseed(L) lockstep::lua_build::hash_seed(L)
#define l_randomizePivot() 0u

// Errors are C++ exceptions, and Lua catches only its own: any other (an engine's failure inside
// redis.call, a killed script) passes through every pcall to whoever runs the script.
#define LUAI_THROW(L, c) throw(c)
#define LUAI_TRY(L, c, a)                   \
  try {                                     \
    a                                       \
  } catch (lua_longjmp*) {                  \
    if ((c)->status == 0) (c)->status = -1; \
  }
#define luai_jmpbuf int
