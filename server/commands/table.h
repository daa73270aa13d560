// Every command that Lockstep knows.
#pragma once

#include "server/engine/command_table.h"

namespace lockstep {

// Made on first use, the same for all engines, never changed.
const CommandTable& command_table();

}  // namespace lockstep
