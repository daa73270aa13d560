// Compiles Lua's ldebug.c with the wording that Lua 5.1, and so Redis, gives to the common run-time errors:
// "attempt to index local 't' (a nil value)".
#define ldebug_c
#define LUA_CORE

#include "lprefix.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "lua.h"

#include "lapi.h"
#include "lcode.h"
#include "ldebug.h"
#include "ldo.h"
#include "lfunc.h"
#include "lobject.h"
#include "lopcodes.h"
#include "lstate.h"
#include "lstring.h"
#include "ltable.h"
#include "ltm.h"
#include "lvm.h"

#undef ldebug_c
#undef LUA_CORE

#define luaG_typeerror typeerror_of_lua54
#define luaG_callerror callerror_of_lua54
#define luaG_forerror forerror_of_lua54
#define luaG_concaterror concaterror_of_lua54
#define luaG_opinterror opinterror_of_lua54
l_noret luaG_typeerror(lua_State* L, const TValue* value, const char* operation);
#include "ldebug.c"
#undef luaG_typeerror
#undef luaG_callerror
#undef luaG_forerror
#undef luaG_concaterror
#undef luaG_opinterror

namespace {

// `variable` is how 5.4 names the culprit: "" or " (local 't')".
l_noret raise_type_error(lua_State* L, const TValue* value, const char* operation, const char* variable) {
  const char* type = luaT_objtypename(L, value);
  const size_t length = strlen(variable);
  const bool named = length > 3 && strncmp(variable, " (constant", 10) != 0;
  if (!named) luaG_runerror(L, "attempt to %s a %s value", operation, type);
  const TString* name = luaS_newlstr(L, variable + 2, length - 3);
  luaG_runerror(L, "attempt to %s %s (a %s value)", operation, getstr(name), type);
}

}  // namespace

l_noret luaG_typeerror(lua_State* L, const TValue* value, const char* operation) {
  raise_type_error(L, value, operation, varinfo(L, value));
}

l_noret luaG_callerror(lua_State* L, const TValue* value) {
  const char* name = nullptr;
  const char* kind = funcnamefromcall(L, L->ci, &name);
  if (kind != nullptr && strcmp(kind, "for iterator") == 0) luaG_runerror(L, "attempt to call a %s value", luaT_objtypename(L, value));
  raise_type_error(L, value, "call", kind != nullptr ? formatvarinfo(L, kind, name) : varinfo(L, value));
}

l_noret luaG_concaterror(lua_State* L, const TValue* left, const TValue* right) {
  const bool left_is_fine = ttisstring(left) || cvt2str(left);
  luaG_typeerror(L, left_is_fine ? right : left, "concatenate");
}

l_noret luaG_opinterror(lua_State* L, const TValue* left, const TValue* right, const char* operation) {
  lua_Number value;
  luaG_typeerror(L, tonumber(left, &value) ? right : left, operation);
}

l_noret luaG_forerror(lua_State* L, const TValue*, const char* what) {
  luaG_runerror(L, "'for' %s must be a number", what);
}
