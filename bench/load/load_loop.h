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

#include "bench/load/workload.h"

namespace lockstep::bench {

struct PhaseLimits {
  std::size_t depth = 1;         // requests in a batch
  std::uint64_t operations = 0;  // whole batches only: rounded down to a multiple of depth
  double seconds = 0;            // no batch starts later
};

struct PhaseResult {
  std::uint64_t operations = 0;
  double seconds = 0;  // first send to last reply
  bool out_of_time = false;
  std::vector<std::uint32_t> batch_ns;  // one per batch, in order of completion
  std::uint64_t unexpected = 0;         // operations not answered exactly as they had to be
  std::string first_unexpected;
};

// Every failure of the environment (refused, closed, silent for 5 s, not RESP) is a std::runtime_error.
class LoadLoop {
 public:
  LoadLoop(std::uint16_t port, std::size_t connections);
  ~LoadLoop();
  LoadLoop(const LoadLoop&) = delete;
  LoadLoop& operator=(const LoadLoop&) = delete;

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

  void handle(const epoll_event& event);
  void start_batch(Connection& connection, std::uint64_t now_ns);
  void fill_batch(Connection& connection);
  void send_rest(Connection& connection);
  bool receive(Connection& connection);
  void check_replies(Connection& connection);
  void finish_batch(Connection& connection);

  std::vector<Connection> connections_;
  int epoll_fd_ = -1;

  // The phase that is running.
  const Operation* operation_ = nullptr;
  std::size_t depth_ = 1;
  LockNumbers numbers_{1};
  std::uint64_t batches_left_ = 0;
  std::uint64_t deadline_ns_ = 0;
  std::size_t busy_ = 0;  // connections with a batch in flight
  PhaseResult result_;
};

}  // namespace lockstep::bench
