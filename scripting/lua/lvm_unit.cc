// Compiles Lua's lvm.c, the interpreter loop: results are floats, texts of numbers take part in arithmetic,
// and read-only tables are not written. Every line here is on the hot path of scripts.
#define lvm_c
#define LUA_CORE

#include "lprefix.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua.h"

#include "ldebug.h"
#include "ldo.h"
#include "lfunc.h"
#include "lgc.h"
#include "lobject.h"
#include "lopcodes.h"
#include "lstate.h"
#include "lstring.h"
#include "ltable.h"
#include "ltm.h"
#include "lvm.h"

#include "steps.h"
#include "table_bits.h"
#include "tables.h"
#include "unit_macros.h"

#undef lvm_c
#undef LUA_CORE

namespace {

// `t[i]` with a number for i: without this, each access would go through floor() and two calls.
inline const TValue* get_from_table(Table* table, const TValue* key) {
  if (l_likely(ttisfloat(key))) {
    const lua_Number number = fltvalue(key);
    if (number >= 1 && number <= 4294967295.0) {
      const auto index = static_cast<lua_Integer>(number);
      if (l_likely(cast_num(index) == number)) {
        return l_castS2U(index) - 1u < table->alimit ? &table->array[index - 1] : luaH_getint(table, index);
      }
    }
  }
  return luaH_get(table, key);
}

// The interpreter loop keeps these two in local variables of the same names, which must be stored before
// an error is raised: the line number comes from pc, and closures may look at the registers. In the
// other functions of lvm.c, whose callers have stored them, the names mean these.
CallInfo* const ci = nullptr;
const Instruction* const pc = nullptr;

[[noreturn]] void refuse_write(lua_State* L, CallInfo* frame, const Instruction* at) {
  if (frame != nullptr) {
    frame->u.l.savedpc = at;
    L->top.p = frame->top.p;
  }
  lockstep::lua_build::raise_readonly_write(L);
}

// 5.1's words for metamethods that lead to each other in a ring.
template <typename... Values>
[[noreturn]] void raise_as_51(lua_State* L, const char* format, Values... values) {
  if (strcmp(format, "'__index' chain too long; possible loop") == 0) format = "loop in gettable";
  if (strcmp(format, "'__newindex' chain too long; possible loop") == 0) format = "loop in settable";
  luaG_runerror(L, format, values...);
}

// Operands that are texts of numbers count as numbers, before any metamethod is asked. (In 5.4 this is work
// of the string library's metamethods, which scripts would see.)
bool arithmetic_on_texts(lua_State* L, const TValue* left, const TValue* right, StkId result, TMS event) {
  if (event > TM_IDIV && event != TM_UNM) return false;
  TValue numbers[2];
  lua_Number value;
  if (!tonumber(left, &value)) return false;
  setfltvalue(&numbers[0], value);
  if (!tonumber(right, &value)) return false;
  setfltvalue(&numbers[1], value);
  return luaO_rawarith(L, event - TM_ADD + LUA_OPADD, &numbers[0], &numbers[1], s2v(result)) != 0;
}

void try_binary(lua_State* L, const TValue* left, const TValue* right, StkId result, TMS event) {
  if (!arithmetic_on_texts(L, left, right, result, event)) luaT_trybinTM(L, left, right, result, event);
}

void try_binary_with_constant(lua_State* L, const TValue* left, const TValue* constant, int flip,
                              StkId result, TMS event) {
  if (flip) {
    try_binary(L, constant, left, result, event);
  } else {
    try_binary(L, left, constant, result, event);
  }
}

// What runs in place of luaG_traceexec before an instruction when `trap` is set. 0 clears `trap`, so that the
// next to come here is the first instruction behind a jump, a call or a protected operation, where the loop
// looks at the frame's own trap again: no loop gets by. That is a step; the last one goes to Lua's own function,
// which calls the hook.
inline int count_step(lua_State* L, const Instruction* at) {
  int& left = lockstep::steps_of(L).left;
  if (l_likely(left > 1)) {
    left--;
    return 0;
  }
  return luaG_traceexec(L, at);
}

// In place of luaG_tracecall, at the start of a function: there are no hooks on calls. The trap of one with
// variable arguments begins behind the instruction that arranges them.
inline int set_trap(lua_State* L) {
  CallInfo* frame = L->ci;
  const Proto* prototype = ci_func(frame)->p;
  frame->u.l.trap = 1;
  return !prototype->is_vararg || frame->u.l.savedpc != prototype->code;
}

}  // namespace

// 5.1 does not ask tables for `__len`.
#undef fasttm
#define fasttm(L, mt, event) \
  ((event) == TM_LEN ? static_cast<const TValue*>(nullptr) : gfasttm(G(L), mt, event))
#define luaT_trybinTM try_binary
#define luaT_trybinassocTM try_binary_with_constant
#undef luaV_finishfastset
#define luaV_finishfastset(L, t, slot, v)                                                      \
  {                                                                                            \
    if (l_unlikely(lockstep::lua_build::has_readonly_bit(hvalue(t)))) refuse_write(L, ci, pc); \
    setobj2t(L, cast(TValue*, slot), v);                                                       \
    luaC_barrierback(L, gcvalue(t), v);                                                        \
  }
#define luaH_finishset(L, t, key, slot, v)                                             \
  {                                                                                    \
    if (l_unlikely(lockstep::lua_build::has_readonly_bit(t))) refuse_write(L, ci, pc); \
    (luaH_finishset)(L, t, key, slot, v);                                              \
  }
#define luaH_get get_from_table
#define luaG_traceexec count_step
#define luaG_tracecall set_trap
#define luaG_runerror raise_as_51
#include "lvm.c"
#undef luaG_runerror
