#include "bench/load/throughput.h"

#include <stdexcept>
#include <string>
#include <string_view>

#include "bench/load/client.h"

namespace lockstep::bench {
namespace {

constexpr std::uint32_t kPrepareDepth = 100;
constexpr double kPrepareSeconds = 60;
constexpr std::uint32_t kPreparedTtlMs = 600'000;  // must outlive a slow run
constexpr std::uint64_t kPingsPerConnection = 20;

std::string load_script(std::uint16_t port, std::string_view script) {
  const std::string reply = Client(port).ask(encode({"SCRIPT", "LOAD", script}));
  constexpr std::string_view kHead = "$40\r\n";
  if (reply.size() != kHead.size() + 42 || !reply.starts_with(kHead)) {
    throw std::runtime_error("SCRIPT LOAD answered " + reply);
  }
  return reply.substr(kHead.size(), 40);
}

void require_clean(const PhaseResult& phase, std::string_view name) {
  if (phase.unexpected == 0 && !phase.out_of_time) return;
  throw std::runtime_error(std::string(name) + (phase.out_of_time ? " took too long" : " was answered by ") +
                           phase.first_unexpected);
}

}  // namespace

Throughput::Throughput(const Options& options)
    : workload_(find_workload(options.workload)),
      operation_(workload_.operation([&](std::string_view script) { return load_script(options.port, script); })),
      locks_(static_cast<std::uint32_t>(workload_.held == Held::kKeys ? options.keys : options.operations)),
      loop_(options.port, options.connections) {
  // Accepting a connection and its first read must not fall into the measured phase.
  const std::uint64_t pings = options.connections * kPingsPerConnection;
  require_clean(loop_.run(ping(), {1, pings, kPrepareSeconds}, LockNumbers(1, Order::kEachOnce)), "PING");
  if (workload_.held != Held::kNothing) hold_locks();
  if (workload_.subscribed) loop_.listen(subscriber_.emplace(options.port));
}

PhaseResult Throughput::run(const PhaseLimits& limits) {
  PhaseResult phase = loop_.run(operation_, limits, LockNumbers(locks_, workload_.order));
  if (subscriber_) check_messages(phase.operations);
  return phase;
}

void Throughput::hold_locks() {
  const std::uint32_t locks = (locks_ + kPrepareDepth - 1) / kPrepareDepth * kPrepareDepth;
  const PhaseLimits limits{kPrepareDepth, locks, kPrepareSeconds};
  require_clean(loop_.run(acquire(kPreparedTtlMs), limits, LockNumbers(locks, Order::kEachOnce)), "SET NX");
}

void Throughput::check_messages(std::uint64_t published) const {
  std::uint64_t sum = 0;
  LockNumbers numbers(locks_, workload_.order);
  for (std::uint64_t i = 0; i < published; ++i) sum += numbers.next();
  if (subscriber_->received() == published && subscriber_->sum_of_numbers() == sum) return;
  throw std::runtime_error("the subscriber did not get each message once");
}

}  // namespace lockstep::bench
