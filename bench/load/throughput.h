// A workload of the closed loop, from its preparation to its measured phase. Called by main.cc.
#pragma once

#include <cstdint>
#include <optional>

#include "bench/load/load_loop.h"
#include "bench/load/options.h"
#include "bench/load/phase.h"
#include "bench/load/subscriber.h"
#include "bench/load/workload.h"

namespace lockstep::bench {

class Throughput {
 public:
  // Connects, loads scripts, makes the locks that must be there. Throws std::invalid_argument for an unknown
  // workload, std::runtime_error when the server does not answer as it must.
  explicit Throughput(const Options& options);

  PhaseResult run(const PhaseLimits& limits);

 private:
  void hold_locks();
  void check_messages(std::uint64_t published) const;

  const Workload& workload_;
  Operation operation_;
  std::uint32_t locks_;
  LoadLoop loop_;
  std::optional<Subscriber> subscriber_;
};

}  // namespace lockstep::bench
