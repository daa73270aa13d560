// The functions on patterns whose results differ between 5.1 and 5.4, as 5.1 has them: an empty match may follow
// right behind another, and `%x` in a replacement is an x. Defined in lstrlib_unit.cc.
#pragma once

#include "lua.h"

namespace lockstep {

int string_gsub(lua_State* L);
int string_gmatch(lua_State* L);

}  // namespace lockstep
