// Compiles Lua's lapi.c, the C interface: numbers go in and out as floats, and read-only tables are not
// written through it either.
#define lapi_c
#define LUA_CORE

#include "lprefix.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "lua.h"

#include "lapi.h"
#include "ldebug.h"
#include "ldo.h"
#include "lfunc.h"
#include "lgc.h"
#include "lmem.h"
#include "lobject.h"
#include "lstate.h"
#include "lstring.h"
#include "ltable.h"
#include "ltm.h"
#include "lundump.h"
#include "lvm.h"

#include "number_casts.h"
#include "table_bits.h"
#include "tables.h"
#include "unit_macros.h"

#undef lapi_c
#undef LUA_CORE

namespace {

using lockstep::lua_build::has_readonly_bit;
using lockstep::lua_build::raise_readonly_write;

// Where libraries ask for an integer, 5.1 cuts the fraction off; it never refuses a number.
int truncated_integer(lua_State* L, const TValue* value, lua_Integer* result) {
  lua_Number number;
  if (!tonumber(value, &number)) return 0;
  *result = lockstep::truncate_to_int64(number);
  return 1;
}

// Integer keys live in tables as integers: the key given is one if it can be, the key found leaves as a
// float.
int next_with_float_key(lua_State* L, Table* table, StkId key) {
  TValue* value = s2v(key);
  lua_Integer integer;
  if (ttisfloat(value) && luaV_flttointeger(fltvalue(value), &integer, F2Ieq)) {
    value->value_.i = integer;
    settt_(value, LUA_VNUMINT);
  }
  const int more = luaH_next(L, table, key);
  if (more && ttisinteger(value)) setfltvalue(value, cast_num(ivalue(value)));
  return more;
}

void refuse_if_readonly(lua_State* L, const Table* table) {
  if (l_unlikely(has_readonly_bit(table))) raise_readonly_write(L);
}

}  // namespace

#undef tointeger
#define tointeger(o, i) truncated_integer(L, o, i)
#define luaH_next(L, t, key) next_with_float_key(L, t, key)

#undef luaV_finishfastset
#define luaV_finishfastset(L, t, slot, v) \
  {                                       \
    refuse_if_readonly(L, hvalue(t));     \
    setobj2t(L, cast(TValue*, slot), v);  \
    luaC_barrierback(L, gcvalue(t), v);   \
  }
#define luaH_set(L, t, key, v) (refuse_if_readonly(L, t), (luaH_set)(L, t, key, v))
#define luaH_setint(L, t, key, v) (refuse_if_readonly(L, t), (luaH_setint)(L, t, key, v))

// As in 5.1, `__gc` of a table is never called: no script code runs after its script.
#define luaC_checkfinalizer(L, o, mt) ((o)->tt == LUA_VTABLE ? (void)0 : (luaC_checkfinalizer)(L, o, mt))
#include "lapi.c"

namespace lockstep {

void set_readonly(lua_State* L, int index, bool readonly) {
  Table* table = hvalue(index2value(L, index));
  if (readonly) {
    table->flags |= lua_build::kReadonlyBit;
  } else {
    table->flags &= cast_byte(~lua_build::kReadonlyBit);
  }
}

bool is_readonly(lua_State* L, int index) {
  return lua_build::has_readonly_bit(hvalue(index2value(L, index)));
}

bool has_hash_part(lua_State* L, int index) { return !isdummy(hvalue(index2value(L, index))); }

void lua_build::raise_readonly_write(lua_State* L) { luaG_runerror(L, "Attempt to modify a readonly table"); }

}  // namespace lockstep
