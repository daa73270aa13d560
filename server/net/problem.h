// Why something of the environment did not work, in one line for a person; nothing when it did.
#pragma once

#include <optional>
#include <string>

namespace lockstep::net {

using Problem = std::optional<std::string>;

}  // namespace lockstep::net
