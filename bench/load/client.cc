#include "bench/load/client.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "bench/load/loopback.h"
#include "bench/load/reply_scan.h"

namespace lockstep::bench {

Client::Client(std::uint16_t port) : fd_(connect_loopback(port, Blocking::kYes)) {}

Client::~Client() {
  if (fd_ >= 0) close(fd_);
}

Client::Client(Client&& other) noexcept : fd_(std::exchange(other.fd_, -1)), input_(std::move(other.input_)) {}

void Client::send(std::string_view request) {
  if (::send(fd_, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size())) {
    throw system_failure("send");
  }
}

std::string Client::receive() {
  std::optional<std::string> reply = take_reply();
  for (; !reply; reply = take_reply()) read_more(0);
  return *std::move(reply);
}

std::optional<std::string> Client::receive_now() {
  std::optional<std::string> reply = take_reply();
  if (reply) return reply;
  read_more(MSG_DONTWAIT);
  return take_reply();
}

void Client::expect(std::string_view reply) {
  const std::string received = receive();
  if (received != reply) throw std::runtime_error("expected " + std::string(reply) + " but got " + received);
}

void Client::read_more(int flags) {
  std::array<char, 4096> chunk;
  const ssize_t size = recv(fd_, chunk.data(), chunk.size(), flags);
  if (size < 0 && flags == MSG_DONTWAIT && errno == EAGAIN) return;
  if (size < 0 && errno == EAGAIN) throw std::runtime_error("the server has not answered for 5 s");
  if (size < 0) throw system_failure("recv");
  if (size == 0) throw std::runtime_error("the server closed a connection");
  input_.append(chunk.data(), static_cast<std::size_t>(size));
}

std::optional<std::string> Client::take_reply() {
  const std::size_t size = replies_length(input_, 1);
  if (size == kMalformed) throw std::runtime_error("not RESP: " + input_.substr(0, 60));
  if (size == kIncomplete) return std::nullopt;
  std::string reply = input_.substr(0, size);
  input_.erase(0, size);
  return reply;
}

}  // namespace lockstep::bench
