// Compiles Lua's lstrlib.c, the string library, so that each attempt to match a pattern counts as a step: matching
// can take for ever. Errors have 5.1's words; where its results differ, the functions are written anew at the end.
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

#include "patterns.h"
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

template <typename... Values>
int raise_as_51(lua_State* L, const char* format, Values... values) {
  if (strncmp(format, "invalid capture index", 21) == 0) format = "invalid capture index";
  if (strcmp(format, "malformed pattern (missing arguments to '%%b')") == 0) format = "unbalanced pattern";
  return luaL_error(L, format, values...);
}

}  // namespace

#undef l_unlikely
#define l_unlikely(condition) (count_attempt(ms), luai_unlikely(condition))
#define luaL_error raise_as_51
#include "lstrlib.c"
#undef luaL_error

namespace {

int next_match(lua_State* L) {
  auto* state = static_cast<GMatchState*>(lua_touserdata(L, lua_upvalueindex(3)));
  state->ms.L = L;
  for (const char* at = state->src; at <= state->ms.src_end; at++) {
    reprepstate(&state->ms);
    const char* const end = match(&state->ms, at, state->p);
    if (end == nullptr) continue;
    state->src = end == at ? end + 1 : end;
    return push_captures(&state->ms, at, end);
  }
  return 0;
}

// For the match from `start` to `end`; argument 3 is a text.
void add_replacement_text(MatchState* state, luaL_Buffer* buffer, const char* start, const char* end) {
  size_t size = 0;
  const char* at = lua_tolstring(state->L, 3, &size);
  for (const char* const stop = at + size; at < stop; at++) {
    if (*at != L_ESC || !isdigit(uchar(*++at))) {
      luaL_addchar(buffer, *at);
    } else if (*at == '0') {
      luaL_addlstring(buffer, start, static_cast<size_t>(end - start));
    } else {
      push_onecapture(state, *at - '1', start, end);
      luaL_addvalue(buffer);
    }
  }
}

}  // namespace

namespace lockstep {

int string_gmatch(lua_State* L) {
  size_t size = 0;
  size_t pattern_size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const char* pattern = luaL_checklstring(L, 2, &pattern_size);
  lua_settop(L, 2);  // upvalues, so that they are not collected
  auto* state = static_cast<GMatchState*>(lua_newuserdatauv(L, sizeof(GMatchState), 0));
  prepstate(&state->ms, L, text, size, pattern, pattern_size);
  state->src = text;
  state->p = pattern;
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

int string_gsub(lua_State* L) {
  size_t size = 0;
  size_t pattern_size = 0;
  const char* at = luaL_checklstring(L, 1, &size);
  const char* pattern = luaL_checklstring(L, 2, &pattern_size);
  const int type = lua_type(L, 3);
  const auto limit = static_cast<int>(luaL_optinteger(L, 4, static_cast<lua_Integer>(size) + 1));
  const bool is_text = type == LUA_TNUMBER || type == LUA_TSTRING;
  luaL_argcheck(L, is_text || type == LUA_TFUNCTION || type == LUA_TTABLE, 3, "string/function/table expected");
  const bool anchored = *pattern == '^';
  MatchState state;
  prepstate(&state, L, at, size, pattern + anchored, pattern_size - anchored);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  int count = 0;
  while (count < limit) {
    reprepstate(&state);
    const char* const end = match(&state, at, pattern + anchored);
    if (end != nullptr) {
      count++;
      is_text ? add_replacement_text(&state, &buffer, at, end) : void(add_value(&state, &buffer, at, end, type));
    }
    if (end != nullptr && end > at) {
      at = end;
    } else if (at < state.src_end) {
      luaL_addchar(&buffer, *at++);
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&buffer, at, static_cast<size_t>(state.src_end - at));
  luaL_pushresult(&buffer);
  lua_pushinteger(L, count);
  return 2;
}

}  // namespace lockstep
