// Lua's own count hook, which counts instructions upstream and steps here (lvm_unit.cc), on the one counter of
// the main state (ldebug_unit.cc).
#include "scripting/lua/steps.h"

#include "lstate.h"

namespace lockstep {

void watch_steps(lua_State* L, int interval, lua_Hook check) {
  lua_sethook(L, check, LUA_MASKCOUNT, interval);
}

int& steps_left(lua_State* L) { return G(L)->mainthread->hookcount; }

void restart_steps(lua_State* L) { steps_left(L) = L->basehookcount; }

void count_steps(lua_State* L, size_t steps) {
  int& left = steps_left(L);
  if (steps < static_cast<size_t>(left)) {
    left -= static_cast<int>(steps);
    return;
  }
  restart_steps(L);
  L->hook(L, nullptr);
}

}  // namespace lockstep
