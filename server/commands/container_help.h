// HELP of the commands that are containers: made from the rows of their subcommands.
#pragma once

#include "server/engine/command.h"

namespace lockstep {

// What every row "container|help" answers.
void container_help(Call& call);

}  // namespace lockstep
