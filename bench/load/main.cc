// loadgen: a light closed-loop load generator for the lock commands of a Redis-protocol server. Started by
// bench/compare or by hand; prints one JSON line. It never flushes or starts a server: that is the caller's.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load/load_loop.h"
#include "bench/load/loopback.h"
#include "bench/load/options.h"
#include "bench/load/process_times.h"
#include "bench/load/workload.h"

namespace lockstep::bench {
namespace {

constexpr std::uint32_t kPrepareDepth = 100;
constexpr double kPrepareSeconds = 60;
constexpr std::uint32_t kLockTtlMs = 30'000;       // what lock libraries use
constexpr std::uint32_t kPreparedTtlMs = 600'000;  // must outlive a slow run
constexpr std::uint64_t kPingsPerConnection = 20;

std::string load_release_script(std::uint16_t port) {
  const std::string reply = ask(port, encode({"SCRIPT", "LOAD", release_script()}));
  constexpr std::string_view kHead = "$40\r\n";
  if (reply.size() != kHead.size() + 42 || !reply.starts_with(kHead)) {
    throw std::runtime_error("SCRIPT LOAD answered " + reply);
  }
  return reply.substr(kHead.size(), 40);
}

Operation choose_operation(const Options& options) {
  if (options.workload == "set") return acquire(kLockTtlMs);
  if (options.workload == "get") return get();
  if (options.workload == "del") return del();
  if (options.workload == "evalsha-release") return release(load_release_script(options.port));
  if (options.workload == "cycle") return cycle(load_release_script(options.port));
  throw std::invalid_argument("unknown workload " + options.workload);
}

// Locks that the measured phase finds held.
std::uint32_t prepared_locks(const Options& options) {
  if (options.workload == "get") return options.keys;
  if (options.workload == "set" || options.workload == "cycle") return 0;
  return static_cast<std::uint32_t>(options.operations);
}

void require_clean(const PhaseResult& phase, std::string_view name) {
  if (phase.unexpected == 0 && !phase.out_of_time) return;
  throw std::runtime_error(std::string(name) + (phase.out_of_time ? " took too long" : " was answered by ") +
                           phase.first_unexpected);
}

void prepare(LoadLoop& loop, const Options& options) {
  // Accepting a connection and its first read must not fall into the measured phase.
  const std::uint64_t pings = options.connections * kPingsPerConnection;
  require_clean(loop.run(ping(), {1, pings, kPrepareSeconds}, LockNumbers(1)), "PING");
  const std::uint32_t batches = (prepared_locks(options) + kPrepareDepth - 1) / kPrepareDepth;
  if (batches == 0) return;
  const std::uint32_t locks = batches * kPrepareDepth;
  const PhaseLimits limits{kPrepareDepth, locks, kPrepareSeconds};
  require_clean(loop.run(acquire(kPreparedTtlMs), limits, LockNumbers(locks)), "SET NX");
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, 200)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\') {
      out += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", byte);
      out += escaped;
    }
  }
  return out + '"';
}

double percentile_us(std::vector<std::uint32_t>& batch_ns, double share) {
  const auto index = static_cast<std::size_t>(share * static_cast<double>(batch_ns.size() - 1));
  const auto at = batch_ns.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(batch_ns.begin(), at, batch_ns.end());
  return *at / 1e3;
}

void print_times(std::string_view who, const ProcessTimes& times, const PhaseResult& phase) {
  const int length = static_cast<int>(who.size());
  const double wall_us = phase.seconds * 1e6;
  std::printf("\"%.*s_cpu_us_per_op\":%.4f,", length, who.data(), times.cpu_us / static_cast<double>(phase.operations));
  std::printf("\"%.*s_busy\":%.3f,", length, who.data(), times.cpu_us / wall_us);
  std::printf("\"%.*s_waited\":%.3f,", length, who.data(), times.waited_us / wall_us);
}

void print_result(const Options& options, PhaseResult& phase, const ProcessTimes& server, const ProcessTimes& load) {
  const auto operations = static_cast<double>(phase.operations);
  std::printf("{\"workload\":%s,\"depth\":%zu,\"connections\":%zu,\"operations\":%.0f,\"seconds\":%.6f,",
              json_string(options.workload).c_str(), options.depth, options.connections, operations, phase.seconds);
  std::printf("\"stopped_by\":\"%s\",\"ops_per_second\":%.0f,\"batch_p50_us\":%.1f,\"batch_p99_us\":%.1f,",
              phase.out_of_time ? "time" : "count", operations / phase.seconds, percentile_us(phase.batch_ns, 0.50),
              percentile_us(phase.batch_ns, 0.99));
  if (options.server_pid != 0) print_times("server", server, phase);
  print_times("load", load, phase);
  std::printf("\"unexpected\":%llu,\"first_unexpected\":%s}\n", static_cast<unsigned long long>(phase.unexpected),
              json_string(phase.first_unexpected).c_str());
}

int run(const Options& options) {
  const Operation operation = choose_operation(options);
  const auto locks = static_cast<std::uint32_t>(options.workload == "get" ? options.keys : options.operations);
  LoadLoop loop(options.port, options.connections);
  prepare(loop, options);

  // Without a server to measure its times are this process' own, and not printed.
  const PhaseLimits limits{options.depth, options.operations, options.max_seconds};
  const ProcessTimes load_before = read_times(0);
  const ProcessTimes server_before = read_times(options.server_pid);
  PhaseResult phase = loop.run(operation, limits, LockNumbers(locks));
  const ProcessTimes server = read_times(options.server_pid) - server_before;
  const ProcessTimes load = read_times(0) - load_before;

  print_result(options, phase, server, load);
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
