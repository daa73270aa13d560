// Every number is bounded: a slip of the finger must not fill a machine's memory.
#include "bench/load/options.h"

#include <charconv>
#include <stdexcept>
#include <string_view>

#include "bench/load/lock_numbers.h"

namespace lockstep::bench {
namespace {

constexpr std::uint64_t kMaxDepth = 1'000;
constexpr std::uint64_t kMaxConnections = 1'000;
constexpr std::uint64_t kMaxSeconds = 60;
constexpr std::uint64_t kMaxPid = 1ULL << 22;  // the kernel's own limit

std::uint64_t number(std::string_view name, std::string_view text, std::uint64_t max) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end && value >= 1 && value <= max) return value;
  throw std::invalid_argument(std::string(name) + " takes a number from 1 to " + std::to_string(max));
}

void apply(Options& options, std::string_view name, std::string_view value) {
  if (name == "--workload") {
    options.workload = value;
  } else if (name == "--port") {
    options.port = static_cast<std::uint16_t>(number(name, value, 65'535));
  } else if (name == "--server-pid") {
    options.server_pid = static_cast<pid_t>(number(name, value, kMaxPid));
  } else if (name == "--depth") {
    options.depth = number(name, value, kMaxDepth);
  } else if (name == "--connections") {
    options.connections = number(name, value, kMaxConnections);
  } else if (name == "--operations") {
    options.operations = number(name, value, kMaxLocks);
  } else if (name == "--keys") {
    options.keys = static_cast<std::uint32_t>(number(name, value, kMaxLocks));
  } else if (name == "--max-seconds") {
    options.max_seconds = static_cast<double>(number(name, value, kMaxSeconds));
  } else {
    throw std::invalid_argument("unknown option " + std::string(name));
  }
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) throw std::invalid_argument(std::string(argv[i]) + " needs a value");
    apply(options, argv[i], argv[i + 1]);
  }
  if (options.workload.empty()) throw std::invalid_argument("--workload is missing");
  if (options.port == 0) throw std::invalid_argument("--port is missing");
  options.operations -= options.operations % options.depth;
  if (options.operations == 0) throw std::invalid_argument("--operations is less than --depth");
  return options;
}

const char* usage() {
  return "usage: loadgen --workload NAME --port PORT [--server-pid PID] [--depth 1] [--connections 50]\n"
         "               [--operations 100000] [--keys 100000] [--max-seconds 10]\n"
         "Workloads: set set-random get get-random del eval-release evalsha-release cycle hash-cycle multi publish\n"
         "publish-subscribed; between clients, with --connections waiters: blpop-handover contended-lock.\n"
         "The server on 127.0.0.1:PORT must hold no lock:* keys. One JSON line on standard output; exit status 1\n"
         "when a reply was not the expected one.\n";
}

}  // namespace lockstep::bench
