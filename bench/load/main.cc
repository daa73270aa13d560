// loadgen: a light load generator for what lock code sends to a Redis-protocol server. Started by
// bench/compare or by hand; prints one JSON line. It never flushes or starts a server: that is the caller's.
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>

#include "bench/load/blpop_handover.h"
#include "bench/load/contended_lock.h"
#include "bench/load/options.h"
#include "bench/load/process_times.h"
#include "bench/load/report.h"
#include "bench/load/throughput.h"

namespace lockstep::bench {
namespace {

template <typename Measured>
std::function<PhaseResult()> runner(std::shared_ptr<Measured> measured, const PhaseLimits& limits) {
  return [measured, limits] { return measured->run(limits); };
}

// Connects and prepares; what is returned is the measured phase.
std::function<PhaseResult()> prepare(const Options& options) {
  const PhaseLimits limits{options.depth, options.operations, options.max_seconds};
  if (options.workload == "blpop-handover") {
    return runner(std::make_shared<BlpopHandover>(options.port, options.connections), limits);
  }
  if (options.workload == "contended-lock") {
    return runner(std::make_shared<ContendedLock>(options.port, options.connections), limits);
  }
  return runner(std::make_shared<Throughput>(options), limits);
}

int run(const Options& options) {
  const std::function<PhaseResult()> measured_phase = prepare(options);

  // Without a server to measure its times are this process' own, and not printed.
  const ProcessTimes load_before = read_times(0);
  const ProcessTimes server_before = read_times(options.server_pid);
  PhaseResult phase = measured_phase();
  const ProcessTimes server = read_times(options.server_pid) - server_before;
  const ProcessTimes load = read_times(0) - load_before;

  print_report(options, phase, server, load);
  return phase.unexpected == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lockstep::bench

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(lockstep::bench::usage(), stdout);
    return 0;
  }
  try {
    return lockstep::bench::run(lockstep::bench::parse_options(argc, argv));
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "loadgen: %s\n%s", error.what(), lockstep::bench::usage());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "loadgen: %s\n", error.what());
    return 1;
  }
}
