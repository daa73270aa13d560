#include "bench/load/blpop_handover.h"

#include "bench/load/lock_numbers.h"
#include "bench/load/operation.h"

namespace lockstep::bench {
namespace {

constexpr std::string_view kSignals = "lock:signals";

}  // namespace

BlpopHandover::BlpopHandover(std::uint16_t port, std::size_t waiters)
    : pusher_(port), wait_request_(encode({"PING"}) + encode({"BLPOP", kSignals, "0"})) {
  for (std::size_t i = 0; i < waiters; ++i) {
    waiters_.emplace_back(port);
    wait_again(waiters_.back());
  }
}

PhaseResult BlpopHandover::run(const PhaseLimits& limits) {
  const Pattern push = Pattern::parse(encode({"LPUSH", kSignals, "########"}));
  const Pattern popped = Pattern::parse("*2\r\n" + bulk(kSignals) + bulk("########"));
  PhaseResult result;
  const std::uint64_t started_ns = monotonic_ns();
  const std::uint64_t deadline_ns = started_ns + static_cast<std::uint64_t>(limits.seconds * 1e9);
  for (; result.operations < limits.operations && !result.out_of_time; ++result.operations) {
    const auto number = kFirstLock + static_cast<std::uint32_t>(result.operations);
    Client& waiter = waiters_[result.operations % waiters_.size()];
    const std::uint64_t pushed_ns = monotonic_ns();
    pusher_.send(push.with(number));
    const std::string value = waiter.receive();
    const std::uint64_t popped_ns = monotonic_ns();
    result.add_batch_ns(popped_ns - pushed_ns);
    if (value != popped.with(number)) result.add_unexpected(value);
    pusher_.expect(":1\r\n");
    wait_again(waiter);
    result.out_of_time = popped_ns > deadline_ns;
  }
  result.seconds = static_cast<double>(monotonic_ns() - started_ns) / 1e9;
  return result;
}

// Returns when the server has this waiter in its queue: PING and BLPOP come to it in one read.
void BlpopHandover::wait_again(Client& waiter) {
  waiter.send(wait_request_);
  waiter.expect("+PONG\r\n");
}

}  // namespace lockstep::bench
