#include "bench/load/contended_lock.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bench/load/lock_numbers.h"
#include "bench/load/loopback.h"
#include "bench/load/operation.h"
#include "bench/load/scripts.h"

namespace lockstep::bench {
namespace {

constexpr std::string_view kLock = "lock:contended";
constexpr std::string_view kAcquired = "+OK\r\n";
constexpr std::string_view kRefused = "$-1\r\n";
constexpr std::string_view kReleased = ":1\r\n";
constexpr int kSilenceMs = 5'000;

std::string told() { return "*3\r\n" + bulk("message") + bulk(kChannel) + bulk("released"); }

}  // namespace

ContendedLock::Contender::Contender(std::uint16_t port, std::uint32_t number) : commands(port), messages(port) {
  const std::string token = "owner-" + std::to_string(number);
  acquire = encode({"SET", kLock, token, "NX", "PX", std::to_string(kLockTtlMs)});
  release = encode({"EVAL", kReleaseAndPublishScript, "1", kLock, token, kChannel});
  messages.send(encode({"SUBSCRIBE", kChannel}));
  messages.expect("*3\r\n" + bulk("subscribe") + bulk(kChannel) + ":1\r\n");
}

ContendedLock::ContendedLock(std::uint16_t port, std::size_t waiters) {
  epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd_ < 0) throw system_failure("epoll_create1");
  for (std::size_t i = 0; i <= waiters; ++i) {
    Contender& contender = contenders_.emplace_back(port, kFirstLock + static_cast<std::uint32_t>(i));
    contender.commands.send(contender.acquire);
    contender.commands.expect(i == holder_ ? kAcquired : kRefused);
    watch(contender.commands.fd(), 2 * i);
    watch(contender.messages.fd(), 2 * i + 1);
  }
}

ContendedLock::~ContendedLock() {
  if (epoll_fd_ >= 0) close(epoll_fd_);
}

// Even places are connections for commands, odd ones are subscribed.
void ContendedLock::watch(int fd, std::size_t place) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = place;
  if (epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) != 0) throw system_failure("epoll_ctl");
}

PhaseResult ContendedLock::run(const PhaseLimits& limits) {
  result_ = PhaseResult{};
  const std::uint64_t started_ns = monotonic_ns();
  const std::uint64_t deadline_ns = started_ns + static_cast<std::uint64_t>(limits.seconds * 1e9);
  std::array<epoll_event, 256> events;
  while (result_.operations < limits.operations && !result_.out_of_time) {
    start_round();
    while (awaited_ > 0) {
      const int ready = epoll_wait(epoll_fd_, events.data(), static_cast<int>(events.size()), kSilenceMs);
      if (ready < 0 && errno != EINTR) throw system_failure("epoll_wait");
      if (ready == 0) throw std::runtime_error("the server has not answered for 5 s");
      for (int i = 0; i < ready; ++i) handle(events[static_cast<std::size_t>(i)].data.u64);
    }
    if (next_holder_ == kNobody) throw std::runtime_error("nobody got the lock that was released");
    holder_ = next_holder_;
    ++result_.operations;
    result_.out_of_time = monotonic_ns() > deadline_ns;
  }
  result_.seconds = static_cast<double>(monotonic_ns() - started_ns) / 1e9;
  return std::move(result_);
}

void ContendedLock::start_round() {
  next_holder_ = kNobody;
  // A message for each, the holder included; the reply to the release; one to the attempt of each other.
  awaited_ = contenders_.size() + 1 + contenders_.size() - 1;
  started_ns_ = monotonic_ns();
  contenders_[holder_].commands.send(contenders_[holder_].release);
}

void ContendedLock::handle(std::size_t place) {
  const std::size_t index = place / 2;
  if (place % 2 == 0) {
    take_reply(index);
  } else {
    take_message(index);
  }
}

void ContendedLock::take_message(std::size_t index) {
  Contender& contender = contenders_[index];
  const std::optional<std::string> message = contender.messages.receive_now();
  if (!message) return;
  if (*message != told()) throw std::runtime_error("not the message of a release: " + *message);
  --awaited_;
  if (index != holder_) contender.commands.send(contender.acquire);
}

void ContendedLock::take_reply(std::size_t index) {
  const std::optional<std::string> reply = contenders_[index].commands.receive_now();
  if (!reply) return;
  --awaited_;
  const bool first_to_acquire = index != holder_ && *reply == kAcquired && next_holder_ == kNobody;
  if (first_to_acquire) {
    result_.add_batch_ns(monotonic_ns() - started_ns_);
    next_holder_ = index;
  } else if (*reply != (index == holder_ ? kReleased : kRefused)) {
    result_.add_unexpected(*reply);
  }
}

}  // namespace lockstep::bench
