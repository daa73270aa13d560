// Socket addresses as text, and what the server needs to know of them. Pure: opens nothing.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>

namespace lockstep::net {

// "127.0.0.1:6379", "[::1]:6379".
std::string to_text(const sockaddr_storage& address);
int port_of(const sockaddr_storage& address);
// Whether it can only be reached from this machine: 127.0.0.0/8 or ::1.
bool is_loopback(const sockaddr_storage& address);

// A numeric address, or "*" and "::*" for all of a family; nothing when it is a name.
std::optional<sockaddr_storage> parse_address(const std::string& host, int port);

}  // namespace lockstep::net
