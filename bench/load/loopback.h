// Loopback sockets. Used by LoadLoop and Client for their connections; nothing here runs inside a measured phase.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lockstep::bench {

enum class Blocking { kNo, kYes };

// A runtime_error that names `what` and errno.
std::runtime_error system_failure(std::string_view what);

// A connected socket of 127.0.0.1:port with TCP_NODELAY; the caller closes it.
int connect_loopback(std::uint16_t port, Blocking blocking);

}  // namespace lockstep::bench
