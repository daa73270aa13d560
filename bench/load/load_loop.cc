#include "bench/load/load_loop.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "bench/load/loopback.h"
#include "bench/load/reply_scan.h"

namespace lockstep::bench {
namespace {

constexpr int kSilenceMs = 5'000;
constexpr int kMaxEvents = 256;

std::array<char, kLockDigits> to_digits(std::uint32_t number) {
  std::array<char, kLockDigits> digits;
  for (std::size_t i = kLockDigits; i-- > 0; number /= 10) digits[i] = static_cast<char>('0' + number % 10);
  return digits;
}

void write_number(std::string& batch, const Pattern& pattern, std::size_t index,
                  const std::array<char, kLockDigits>& digits) {
  char* const begin = batch.data() + index * pattern.bytes.size();
  for (const std::size_t at : pattern.number_at) std::memcpy(begin + at, digits.data(), kLockDigits);
}

std::string repeat(const std::string& bytes, std::size_t times) {
  std::string out;
  out.reserve(bytes.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += bytes;
  return out;
}

}  // namespace

LoadLoop::LoadLoop(std::uint16_t port, std::size_t connections) : connections_(connections) {
  epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd_ < 0) throw system_failure("epoll_create1");
  for (Connection& connection : connections_) {
    connection.fd = connect_loopback(port, Blocking::kNo);
    watch(connection.fd, EPOLLIN | EPOLLOUT | EPOLLET, &connection);  // edges: not looked at after its last read
  }
}

LoadLoop::~LoadLoop() {
  for (const Connection& connection : connections_) {
    if (connection.fd >= 0) close(connection.fd);
  }
  if (epoll_fd_ >= 0) close(epoll_fd_);
}

void LoadLoop::watch(int fd, std::uint32_t events, Connection* connection) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = connection;
  if (epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) != 0) throw system_failure("epoll_ctl");
}

void LoadLoop::listen(Subscriber& subscriber) {
  subscriber_ = &subscriber;
  watch(subscriber.fd(), EPOLLIN, nullptr);
}

PhaseResult LoadLoop::run(const Operation& operation, const PhaseLimits& limits, LockNumbers numbers) {
  operation_ = &operation;
  depth_ = limits.depth;
  numbers_ = numbers;
  batches_left_ = limits.operations / depth_;
  result_ = PhaseResult{};
  result_.batch_ns.reserve(batches_left_);
  for (Connection& connection : connections_) {
    connection.requests = repeat(operation.request.bytes, depth_);
    connection.replies = repeat(operation.reply.bytes, depth_);
    connection.sent = connection.requests.size();  // idle: an event left over from the last phase sends nothing
    connection.answered = depth_;
  }

  const std::uint64_t started_ns = monotonic_ns();
  deadline_ns_ = started_ns + static_cast<std::uint64_t>(limits.seconds * 1e9);
  busy_ = connections_.size();
  for (Connection& connection : connections_) start_batch(connection, started_ns);

  std::array<epoll_event, kMaxEvents> events;
  while (!finished()) {
    const int ready = epoll_wait(epoll_fd_, events.data(), kMaxEvents, kSilenceMs);
    if (ready < 0 && errno != EINTR) throw system_failure("epoll_wait");
    if (ready == 0) throw std::runtime_error("the server has not answered for 5 s");
    for (int i = 0; i < ready; ++i) handle(events[static_cast<std::size_t>(i)]);
  }
  result_.seconds = static_cast<double>(monotonic_ns() - started_ns) / 1e9;
  return std::move(result_);
}

bool LoadLoop::finished() const {
  return busy_ == 0 && (subscriber_ == nullptr || subscriber_->received() >= result_.operations);
}

void LoadLoop::handle(const epoll_event& event) {
  if (event.data.ptr == nullptr) return subscriber_->drain();
  Connection& connection = *static_cast<Connection*>(event.data.ptr);
  if (connection.sent < connection.requests.size()) send_rest(connection);
  while (receive(connection)) {
  }
}

void LoadLoop::start_batch(Connection& connection, std::uint64_t now_ns) {
  if (batches_left_ == 0 || now_ns > deadline_ns_) {
    result_.out_of_time = result_.out_of_time || batches_left_ > 0;
    --busy_;
    return;
  }
  --batches_left_;
  fill_batch(connection);
  connection.started_ns = now_ns;
  connection.answered = 0;
  connection.sent = 0;
  send_rest(connection);
}

void LoadLoop::fill_batch(Connection& connection) {
  for (std::size_t i = 0; i < depth_; ++i) {
    const auto digits = to_digits(numbers_.next());
    write_number(connection.requests, operation_->request, i, digits);
    write_number(connection.replies, operation_->reply, i, digits);
  }
}

void LoadLoop::send_rest(Connection& connection) {
  const std::string_view rest = std::string_view(connection.requests).substr(connection.sent);
  const ssize_t sent = send(connection.fd, rest.data(), rest.size(), MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN) throw system_failure("send");
  if (sent > 0) connection.sent += static_cast<std::size_t>(sent);
}

// One read; true when the socket may hold more.
bool LoadLoop::receive(Connection& connection) {
  const std::size_t space = kInputSize - connection.input_size;
  const ssize_t size = recv(connection.fd, connection.input.data() + connection.input_size, space, 0);
  if (size < 0 && errno == EAGAIN) return false;
  if (size < 0) throw system_failure("recv");
  if (size == 0) throw std::runtime_error("the server closed a connection");
  connection.input_size += static_cast<std::size_t>(size);
  check_replies(connection);
  if (connection.answered == depth_) finish_batch(connection);
  return static_cast<std::size_t>(size) == space;
}

void LoadLoop::finish_batch(Connection& connection) {
  const std::uint64_t now_ns = monotonic_ns();
  result_.add_batch_ns(now_ns - connection.started_ns);
  result_.operations += depth_;
  start_batch(connection, now_ns);
}

// Takes complete operations off the input and keeps the rest for the next read.
void LoadLoop::check_replies(Connection& connection) {
  const std::size_t reply_size = operation_->reply.bytes.size();
  const std::string_view replies = connection.replies;
  std::string_view input(connection.input.data(), connection.input_size);
  while (connection.answered < depth_) {
    std::size_t size = reply_size;
    if (input.substr(0, size) != replies.substr(connection.answered * reply_size, reply_size)) {
      size = replies_length(input, operation_->replies);
      if (size == kMalformed) throw std::runtime_error("not RESP: " + std::string(input.substr(0, 60)));
      if (size == kIncomplete) break;
      result_.add_unexpected(input.substr(0, size));
    }
    input.remove_prefix(size);
    ++connection.answered;
  }
  if (connection.answered == depth_ && !input.empty()) throw std::runtime_error("more replies than requests");
  if (input.size() == kInputSize) throw std::runtime_error("a reply is longer than 16 kB");
  if (!input.empty()) std::memmove(connection.input.data(), input.data(), input.size());
  connection.input_size = input.size();
}

}  // namespace lockstep::bench
