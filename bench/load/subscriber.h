// Listens to what the closed loop publishes, in the same thread: LoadLoop calls drain() when the socket is
// readable. It holds each message to the bytes that it must be and adds the lock numbers up, since messages of
// several connections come in any order.
#pragma once

#include <cstdint>
#include <string>

#include "bench/load/client.h"
#include "bench/load/operation.h"

namespace lockstep::bench {

class Subscriber {
 public:
  // Subscribes to the channel of publish() before it returns.
  explicit Subscriber(std::uint16_t port);

  int fd() const { return client_.fd(); }
  std::uint64_t received() const { return received_; }
  std::uint64_t sum_of_numbers() const { return sum_; }

  // Takes what there is. Throws std::runtime_error for anything that is not a published message.
  void drain();

 private:
  void check_messages();

  Client client_;
  Pattern message_;
  std::string input_;
  std::uint64_t received_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace lockstep::bench
