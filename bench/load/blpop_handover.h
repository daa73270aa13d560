// A value handed from the client that pushes it to the one that has waited longest in BLPOP, as libraries do that
// wait for a lock's signal in a list. Called by main.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/load/client.h"
#include "bench/load/phase.h"

namespace lockstep::bench {

class BlpopHandover {
 public:
  // All of them wait when this returns.
  BlpopHandover(std::uint16_t port, std::size_t waiters);

  // From sending LPUSH to having the value at the waiter whose turn it is; another one getting it is a failure.
  PhaseResult run(const PhaseLimits& limits);

 private:
  void wait_again(Client& waiter);

  Client pusher_;
  std::vector<Client> waiters_;
  std::string wait_request_;
};

}  // namespace lockstep::bench
