#include "bench/load/subscriber.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "bench/load/lock_numbers.h"
#include "bench/load/loopback.h"

namespace lockstep::bench {

Subscriber::Subscriber(std::uint16_t port) : client_(port), message_(published_message()) {
  client_.send(encode({"SUBSCRIBE", kChannel}));
  client_.expect("*3\r\n" + bulk("subscribe") + bulk(kChannel) + ":1\r\n");
}

void Subscriber::drain() {
  std::array<char, 64 * 1024> chunk;
  const ssize_t size = recv(client_.fd(), chunk.data(), chunk.size(), MSG_DONTWAIT);
  if (size < 0 && errno == EAGAIN) return;
  if (size < 0) throw system_failure("recv");
  if (size == 0) throw std::runtime_error("the server closed the subscriber's connection");
  input_.append(chunk.data(), static_cast<std::size_t>(size));
  check_messages();
}

void Subscriber::check_messages() {
  const std::size_t size = message_.bytes.size();
  const std::size_t number_at = message_.number_at.front();
  std::string_view rest = input_;
  for (; rest.size() >= size; rest.remove_prefix(size)) {
    std::uint32_t number = 0;
    std::from_chars(rest.data() + number_at, rest.data() + number_at + kLockDigits, number);
    rest.copy(message_.bytes.data() + number_at, kLockDigits, number_at);
    if (number < kFirstLock || rest.substr(0, size) != message_.bytes) {
      throw std::runtime_error("not a message that was published: " + std::string(rest.substr(0, size)));
    }
    sum_ += number;
    ++received_;
  }
  input_.erase(0, input_.size() - rest.size());
}

}  // namespace lockstep::bench
