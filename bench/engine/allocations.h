// Counts heap allocations of the process: malloc and realloc as the program calls them, so that what
// C++ and Lua allocate counts alike.
#pragma once

#include <cstddef>

namespace lockstep {

size_t allocation_count();

}  // namespace lockstep
