// Which texts and which lines: as Redis' own error handler finds them. Runs inside Lua, at the point of the
// error.
#include "scripting/script_error.h"

#include <algorithm>

#include "lauxlib.h"
#include "scripting/lua51/libraries.h"
#include "scripting/lua_sink.h"
#include "server/base/numbers.h"

namespace lockstep {
namespace {

std::string_view text_at(lua_State* L, int index) {
  size_t size = 0;
  const char* bytes = lua_tolstring(L, index, &size);
  return {bytes, size};
}

// An error table, as redis.call raises, says all in `err`; anything else is shown as it prints.
void note_text(lua_State* L, ScriptFailure& failure) {
  std::string& text = failure.text;
  if (lua_istable(L, 1)) {
    lua_pushstring(L, kErrorTold);
    lua_rawget(L, 1);
    failure.told = lua_toboolean(L, -1);
    lua_pushliteral(L, "err");
    lua_rawget(L, 1);
    text = lua_isstring(L, -1) ? text_at(L, -1) : "ERR unknown error";
  } else {
    push_text(L, 1);
    text = "ERR ";
    if (lua_isstring(L, -1)) text += text_at(L, -1);
  }
}

// The function that raised the error, or when that is a C function (error, redis.call) the one that called
// it.
void note_place(lua_State* L, ScriptFailure& failure) {
  constexpr int kRaiser = 1;  // 0 is the message handler itself
  lua_Debug frame;
  if (!lua_getstack(L, kRaiser, &frame)) return;
  lua_getinfo(L, "S", &frame);
  if (*frame.what == 'C' && !lua_getstack(L, kRaiser + 1, &frame)) return;
  lua_getinfo(L, "Sl", &frame);
  failure.source.assign(frame.source, frame.srclen);
  failure.line = frame.currentline;
}

}  // namespace

int note_failure(lua_State* L) {
  lua_settop(L, 1);
  ScriptFailure& failure = context_of(L).failure;
  failure.source.clear();
  failure.told = false;
  note_place(L, failure);
  note_text(L, failure);
  return 1;
}

void note_kill(lua_State* L) {
  ScriptFailure& failure = context_of(L).failure;
  failure.text = "ERR Script killed by user with SCRIPT KILL...";
  failure.source.clear();
  lua_Debug frame;
  for (int level = 0; lua_getstack(L, level, &frame); level++) {
    lua_getinfo(L, "Sl", &frame);
    if (*frame.what == 'C') continue;
    failure.source.assign(frame.source, frame.srclen);
    failure.line = frame.currentline;
    return;
  }
}

std::string failure_text(const ScriptFailure& failure, std::string_view sha) {
  std::string text = failure.text;
  if (!failure.source.empty()) {
    text.append(" script: ").append(sha).append(", on ").append(failure.source);
    text.append(":").append(integer_text(failure.line)).append(".");
  }
  std::replace(text.begin(), text.end(), '\r', ' ');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace lockstep
