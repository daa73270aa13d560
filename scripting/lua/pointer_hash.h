// What a pointer hashes to in Lua's tables. Must not depend on where the program or its heap was loaded: the
// order of pairs() over table keys would, and with it a script's answer. For ltable_unit.cc and
// lstring_unit.cc; include after Lua's own headers.
#pragma once

#include <cstdint>

#include "lobject.h"

namespace lockstep::lua_build {

// Of a block of the state's heap.
unsigned hash_of_pointer(const GCObject* object);

// C functions without upvalues; few are ever keys.
inline unsigned hash_of_pointer(lua_CFunction) { return 0; }

// Light userdata: ours are small constants.
inline unsigned hash_of_pointer(void* handle) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(handle));
}

// Lua's cache of C strings: within their page, literals do not move.
inline unsigned hash_of_pointer(const char* literal) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(literal) & 0xfff);
}

}  // namespace lockstep::lua_build

#undef point2uint
#define point2uint(p) lockstep::lua_build::hash_of_pointer(p)
