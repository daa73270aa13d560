#include "bench/load/loopback.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lockstep::bench {
namespace {

constexpr timeval kAnswerWithin{5, 0};

}  // namespace

std::runtime_error system_failure(std::string_view what) {
  return std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

int connect_loopback(std::uint16_t port, Blocking blocking) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) throw system_failure("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int on = 1;
  const bool connected =
      connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) == 0 &&
      setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &kAnswerWithin, sizeof(kAnswerWithin)) == 0 &&
      (blocking == Blocking::kYes || fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
  if (connected) return fd;
  const std::runtime_error failure = system_failure("connect to 127.0.0.1:" + std::to_string(port));
  close(fd);
  throw failure;
}

}  // namespace lockstep::bench
