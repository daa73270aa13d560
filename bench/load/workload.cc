// The five workloads as bytes: see workload.h.
#include "bench/load/workload.h"

#include <numeric>
#include <utility>

namespace lockstep::bench {
namespace {

constexpr std::string_view kKey = "lock:########";
constexpr std::string_view kToken = "5f0c7a52-93de-4b6c-a1f4-77e1########";  // 36 bytes, another one per lock
constexpr std::uint32_t kCycleTtlMs = 30'000;

Operation operation(std::string request, std::string reply, std::size_t replies = 1) {
  return {Pattern::parse(std::move(request)), Pattern::parse(std::move(reply)), replies};
}

std::string acquire_request(std::uint32_t ttl_ms) {
  return encode({"SET", kKey, kToken, "NX", "PX", std::to_string(ttl_ms)});
}

std::string release_request(std::string_view sha) { return encode({"EVALSHA", sha, "1", kKey, kToken}); }

std::string bulk(std::string_view value) {
  std::string out = "$";
  return out.append(std::to_string(value.size())).append("\r\n").append(value).append("\r\n");
}

}  // namespace

Pattern Pattern::parse(std::string text) {
  const std::string place(kLockDigits, '#');
  Pattern pattern;
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + kLockDigits)) {
    pattern.number_at.push_back(at);
  }
  pattern.bytes = std::move(text);
  return pattern;
}

std::string encode(std::initializer_list<std::string_view> args) {
  std::string out = "*";
  out.append(std::to_string(args.size())).append("\r\n");
  for (const std::string_view arg : args) out += bulk(arg);
  return out;
}

Operation ping() { return operation(encode({"PING"}), "+PONG\r\n"); }

Operation acquire(std::uint32_t ttl_ms) { return operation(acquire_request(ttl_ms), "+OK\r\n"); }

Operation get() { return operation(encode({"GET", kKey}), bulk(kToken)); }

Operation del() { return operation(encode({"DEL", kKey}), ":1\r\n"); }

Operation release(std::string_view sha) { return operation(release_request(sha), ":1\r\n"); }

Operation cycle(std::string_view sha) {
  return operation(acquire_request(kCycleTtlMs) + release_request(sha), "+OK\r\n:1\r\n", 2);
}

std::string_view release_script() {
  return "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
}

LockNumbers::LockNumbers(std::uint32_t count) : count_(count), stride_(1) {
  // Near the golden section of the range, and without a common factor so that no number is left out.
  stride_ = static_cast<std::uint32_t>(count * 0.618);
  if (stride_ == 0) stride_ = 1;
  while (std::gcd(stride_, count_) != 1) ++stride_;
}

std::uint32_t LockNumbers::next() {
  const std::uint32_t number = kFirstLock + position_;
  position_ += stride_;
  if (position_ >= count_) position_ -= count_;
  return number;
}

}  // namespace lockstep::bench
