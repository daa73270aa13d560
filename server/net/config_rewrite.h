// CONFIG REWRITE: the options in force put into the text of the file that they were read from. Called by
// SocketServer; what is in the file and is no option stays as it is.
#pragma once

#include <string>
#include <string_view>

#include "server/engine/settings.h"
#include "server/net/problem.h"

namespace lockstep::net {

// The text with which the server would start with `settings`: comments, order, and lines that already say so are
// kept; an option has the place of its first line; those without one come at the end.
std::string rewritten(std::string_view text, const Settings& settings);

// Does so to a file, which is the old one or the new one at every moment.
Problem rewrite_config_file(const std::string& path, const Settings& settings);

}  // namespace lockstep::net
