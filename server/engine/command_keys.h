// Which arguments of a request are keys, by the key specs of the command's row. For COMMAND GETKEYS and for
// scripts that may only use the keys they were given.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "server/engine/command.h"

namespace lockstep {

struct FoundKey {
  std::string_view name;
  uint32_t flags;  // KeyFlags
};

// Appends the keys among `args`, whose number fits the row's arity. False when a count of keys is no such count.
bool find_keys(const CommandSpec& spec, Args args, std::vector<FoundKey>& found);

}  // namespace lockstep
