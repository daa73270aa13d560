// Compiles Lua's lobject.c: numerals, text to number and number to text, as Lua 5.1 has them. Called from all
// of Lua.
#define lobject_c
#define LUA_CORE

#include "lprefix.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"

#include "lctype.h"
#include "ldebug.h"
#include "ldo.h"
#include "lmem.h"
#include "lobject.h"
#include "lstate.h"
#include "lstring.h"
#include "lvm.h"

#include "unit_macros.h"

#undef lobject_c
#undef LUA_CORE

// tostringbuff looks with strspn, its only use there, for texts that are all digits, to append ".0".
// To it no text is: the first character is never the terminator.
#define strspn(text, accepted) 0
#define luaO_str2num str2num_of_lua54
#include "lobject.c"
#undef luaO_str2num
#undef strspn

namespace {

// Integers of up to 15 digits, which is nearly everything that scripts convert; null when it is not one.
const char* read_short_integer(const char* text, lua_Number* value) {
  constexpr int kExactDigits = 15;
  const char* at = text;
  lua_Integer digits = 0;
  while (lisdigit(cast_uchar(*at)) && at - text < kExactDigits) digits = digits * 10 + (*at++ - '0');
  if (at == text || *at != '\0') return nullptr;
  *value = cast_num(digits);
  return at;
}

}  // namespace

// As 5.1: whatever strtod reads, with "inf", "nan" and hexadecimal floats, and blanks around it.
size_t luaO_str2num(const char* text, TValue* result) {
  lua_Number value;
  const char* end = read_short_integer(text, &value);
  if (end == nullptr) {
    char* stop;
    value = strtod(text, &stop);
    if (stop == text) return 0;
    while (lisspace(cast_uchar(*stop))) stop++;
    if (*stop != '\0') return 0;
    end = stop;
  }
  setfltvalue(result, value);
  return cast_sizet(end - text) + 1;
}
