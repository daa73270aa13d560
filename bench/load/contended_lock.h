// One lock that several clients want: the holder releases it with a script that publishes, all others are woken
// by the message and try, one gets it. Called by main.cc. Each client has two connections, one of them
// subscribed, as lock libraries do; all are served by one epoll thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/load/client.h"
#include "bench/load/phase.h"

namespace lockstep::bench {

class ContendedLock {
 public:
  // Makes one holder and `waiters` clients that have tried and now listen.
  ContendedLock(std::uint16_t port, std::size_t waiters);
  ~ContendedLock();
  ContendedLock(const ContendedLock&) = delete;
  ContendedLock& operator=(const ContendedLock&) = delete;

  // From sending the release to the new holder having its +OK. The next round starts when everybody has been told.
  PhaseResult run(const PhaseLimits& limits);

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  struct Contender {
    Contender(std::uint16_t port, std::uint32_t number);

    Client commands;
    Client messages;
    std::string acquire;
    std::string release;
  };

  void watch(int fd, std::size_t place);
  void start_round();
  void handle(std::size_t place);
  void take_message(std::size_t index);
  void take_reply(std::size_t index);

  std::vector<Contender> contenders_;
  int epoll_fd_ = -1;
  std::size_t holder_ = 0;

  // The round that is running.
  std::uint64_t started_ns_ = 0;
  std::size_t next_holder_ = kNobody;
  std::size_t awaited_ = 0;  // replies and messages still to come
  PhaseResult result_;
};

}  // namespace lockstep::bench
