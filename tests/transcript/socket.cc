// A TCP connection over POSIX sockets, see the header.
#include "tests/transcript/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tests/transcript/driver.h"

namespace lockstep::transcript {
namespace {

constexpr int kSendTimeoutMs = 5'000;

bool wait_for(int descriptor, short events, int timeout_ms) {
  pollfd poll_for{.fd = descriptor, .events = events, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&poll_for, 1, timeout_ms);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace

Socket::Socket(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* addresses = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &addresses); error != 0) {
    throw DriverError("cannot resolve " + host + ": " + ::gai_strerror(error));
  }
  std::string fault = "no address";
  for (const addrinfo* address = addresses; address != nullptr && descriptor_ < 0;
       address = address->ai_next) {
    descriptor_ = ::socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol);
    if (descriptor_ >= 0 && ::connect(descriptor_, address->ai_addr, address->ai_addrlen) == 0) break;
    fault = std::strerror(errno);
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }
  ::freeaddrinfo(addresses);
  if (descriptor_ < 0) throw DriverError("cannot connect to " + host + ":" + port + ": " + fault);
  const int on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Socket::~Socket() { ::close(descriptor_); }

void Socket::send(std::string_view bytes) {
  while (!bytes.empty() && !closed_) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(descriptor_, POLLOUT, kSendTimeoutMs)) throw DriverError("the server does not read");
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return;  // the server closed early, as after a protocol error; reading will show it
    } else if (errno != EINTR) {
      throw DriverError(std::string("cannot send: ") + std::strerror(errno));
    }
  }
}

bool Socket::receive(int timeout_ms) {
  bool came = false;
  while (!closed_ && wait_for(descriptor_, POLLIN, came ? 0 : timeout_ms)) {
    char buffer[65536];
    const ssize_t size = ::recv(descriptor_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (size > 0) {
      input_.append(buffer, static_cast<std::size_t>(size));
    } else if (size == 0 || errno == ECONNRESET) {
      closed_ = true;
    } else if (errno != EINTR && errno != EAGAIN) {
      throw DriverError(std::string("cannot receive: ") + std::strerror(errno));
    }
    came = true;
  }
  return came;
}

void Socket::consume(std::size_t size) {
  consumed_ += size;
  if (consumed_ == input_.size()) {
    input_.clear();
    consumed_ = 0;
  }
}

}  // namespace lockstep::transcript
