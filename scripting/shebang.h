// The first line of a script when it starts with "#!": `#!lua flags=no-writes`. Read once, when a script is
// loaded.
#pragma once

#include <string>
#include <string_view>

#include "server/engine/script_host.h"

namespace lockstep {

struct ScriptSource {
  ScriptFlags flags;
  std::string_view code;  // what Lua compiles; begins with the line break, so that lines count from 1
};

// Splits `body`. False when its first line is not understood; then `error` is the complete error reply.
bool read_shebang(std::string_view body, ScriptSource& source, std::string& error);

}  // namespace lockstep
