// What CONFIG SET changes outside the engine: listeners, limits of the process, the log. Called by SocketServer
// alone; everything else that an option does is read where it is used.
#pragma once

#include <optional>

#include "server/engine/engine.h"
#include "server/net/listeners.h"
#include "server/net/log.h"

namespace lockstep::net {

// See Shell::apply.
std::optional<OptionRefusal> apply_settings(const Settings& held, Settings& wanted, Listeners& listeners, Log& log);

}  // namespace lockstep::net
