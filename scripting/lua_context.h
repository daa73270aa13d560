// What the functions that scripts call need beside the Lua state. One per interpreter, found from any of
// its states in constant time.
#pragma once

#include <cstdint>
#include <string>

#include "lua.h"
#include "scripting/lrand48.h"
#include "scripting/lua/steps.h"
#include "scripting/lua_heap.h"
#include "server/engine/script_host.h"

namespace lockstep {

// Where and with what the running script failed; filled by the message handler.
struct ScriptFailure {
  std::string text;    // "CODE message"
  std::string source;  // the chunk's name as Lua keeps it ("@user_script"); empty when unknown
  int line = 0;
  bool told = false;   // a command's own error that nobody caught
};

struct LuaContext : Steps {
  LuaHeap& heap;
  Lrand48& random;
  const std::string& redis_version;

  // Of the running script.
  ScriptCalls* calls = nullptr;
  int resp = 2;                // which replies redis.call gives, and how booleans leave; redis.setresp
  bool names_objects = false;  // tostring() was asked for a table's or a function's name
  uint64_t objects_named = 0;
  ScriptFailure failure = {};
};

inline LuaContext& context_of(lua_State* L) { return static_cast<LuaContext&>(steps_of(L)); }

}  // namespace lockstep
