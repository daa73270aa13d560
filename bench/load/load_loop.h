// The closed loop: N connections in one epoll thread, each with one batch of requests in flight and the next
// one sent when the last reply of the batch is in. Called by main.cc, phase after phase on the same
// connections. It must not allocate or format while a phase runs: its own cost hides the server's.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/load/lock_numbers.h"
#include "bench/load/operation.h"
#include "bench/load/phase.h"
#include "bench/load/subscriber.h"

namespace lockstep::bench {

// Every failure of the environment (refused, closed, silent for 5 s, not RESP) is a std::runtime_error.
class LoadLoop {
 public:
  LoadLoop(std::uint16_t port, std::size_t connections);
  ~LoadLoop();
  LoadLoop(const LoadLoop&) = delete;
  LoadLoop& operator=(const LoadLoop&) = delete;

  // From now on each operation of a phase publishes one message, and the phase ends when all have come.
  void listen(Subscriber& subscriber);

  PhaseResult run(const Operation& operation, const PhaseLimits& limits, LockNumbers numbers);

 private:
  static constexpr std::size_t kInputSize = 16 * 1024;

  struct Connection {
    int fd = -1;
    std::string requests;  // `depth` requests, patched for each batch
    std::string replies;   // what must come back for them
    std::size_t sent = 0;
    std::size_t answered = 0;  // operations of this batch
    std::uint64_t started_ns = 0;
    std::size_t input_size = 0;
    std::array<char, kInputSize> input;
  };

  void watch(int fd, std::uint32_t events, Connection* connection);
  bool finished() const;
  void handle(const epoll_event& event);
  void start_batch(Connection& connection, std::uint64_t now_ns);
  void fill_batch(Connection& connection);
  void send_rest(Connection& connection);
  bool receive(Connection& connection);
  void check_replies(Connection& connection);
  void finish_batch(Connection& connection);

  std::vector<Connection> connections_;
  int epoll_fd_ = -1;
  Subscriber* subscriber_ = nullptr;

  // The phase that is running.
  const Operation* operation_ = nullptr;
  std::size_t depth_ = 1;
  LockNumbers numbers_{1, Order::kEachOnce};
  std::uint64_t batches_left_ = 0;
  std::uint64_t deadline_ns_ = 0;
  std::size_t busy_ = 0;  // connections with a batch in flight
  PhaseResult result_;
};

}  // namespace lockstep::bench
