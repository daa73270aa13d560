// Copying views into raw memory: memcpy must not see the null pointer of an empty view.
#pragma once

#include <cstring>
#include <string_view>

namespace lockstep {

// The place behind the copy.
inline char* copy_bytes(char* to, std::string_view from) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
  return to + from.size();
}

}  // namespace lockstep
