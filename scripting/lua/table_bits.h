// The bit of Table::flags that marks a read-only table. For the units that compile Lua's core only; others
// use tables.h.
#pragma once

#include "lobject.h"
#include "ltm.h"

namespace lockstep::lua_build {

inline constexpr lu_byte kReadonlyBit = 1u << 6;
static_assert((kReadonlyBit & (maskflags | BITRAS)) == 0, "Lua uses this bit itself");

inline bool has_readonly_bit(const Table* table) { return (table->flags & kReadonlyBit) != 0; }

}  // namespace lockstep::lua_build
