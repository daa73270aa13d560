#include "server/net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <uv.h>

#include <array>
#include <cstring>

namespace lockstep::net {
namespace {

const sockaddr_in& as_v4(const sockaddr_storage& address) { return reinterpret_cast<const sockaddr_in&>(address); }
const sockaddr_in6& as_v6(const sockaddr_storage& address) {
  return reinterpret_cast<const sockaddr_in6&>(address);
}

}  // namespace

std::string to_text(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> host{};
  const std::string port = std::to_string(port_of(address));
  if (address.ss_family == AF_INET6) {
    uv_ip6_name(&as_v6(address), host.data(), host.size());
    return "[" + std::string(host.data()) + "]:" + port;
  }
  uv_ip4_name(&as_v4(address), host.data(), host.size());
  return std::string(host.data()) + ":" + port;
}

int port_of(const sockaddr_storage& address) {
  return ntohs(address.ss_family == AF_INET6 ? as_v6(address).sin6_port : as_v4(address).sin_port);
}

bool is_loopback(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) return ntohl(as_v4(address).sin_addr.s_addr) >> 24 == 127;
  if (address.ss_family != AF_INET6) return false;
  const in6_addr& host = as_v6(address).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&host) || (IN6_IS_ADDR_V4MAPPED(&host) && host.s6_addr[12] == 127);
}

std::optional<sockaddr_storage> parse_address(const std::string& host, int port) {
  sockaddr_storage address{};
  const std::string numeric = host == "*" ? "0.0.0.0" : host == "::*" ? "::" : host;
  if (uv_ip4_addr(numeric.c_str(), port, reinterpret_cast<sockaddr_in*>(&address)) == 0) return address;
  if (uv_ip6_addr(numeric.c_str(), port, reinterpret_cast<sockaddr_in6*>(&address)) == 0) return address;
  return std::nullopt;
}

}  // namespace lockstep::net
