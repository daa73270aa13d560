#include "bench/load/operation.h"

#include <charconv>
#include <utility>

#include "bench/load/lock_numbers.h"
#include "bench/load/scripts.h"

namespace lockstep::bench {
namespace {

constexpr std::string_view kKey = "lock:########";
constexpr std::string_view kToken = "5f0c7a52-93de-4b6c-a1f4-77e1########";  // 36 bytes, another one per lock
constexpr std::string_view kOk = "+OK\r\n";
constexpr std::string_view kOne = ":1\r\n";
constexpr std::string_view kNil = "$-1\r\n";

Operation operation(std::string request, std::string reply, std::size_t replies = 1) {
  return {Pattern::parse(std::move(request)), Pattern::parse(std::move(reply)), replies};
}

std::string join(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) out += part;
  return out;
}

std::string acquire_request(std::uint32_t ttl_ms) {
  return encode({"SET", kKey, kToken, "NX", "PX", std::to_string(ttl_ms)});
}

std::string release_request(std::string_view sha) { return encode({"EVALSHA", sha, "1", kKey, kToken}); }

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

std::string Pattern::with(std::uint32_t number) const {
  std::string out = bytes;
  for (const std::size_t at : number_at) std::to_chars(out.data() + at, out.data() + at + kLockDigits, number);
  return out;
}

std::string bulk(std::string_view value) {
  return join({"$", std::to_string(value.size()), "\r\n", value, "\r\n"});
}

std::string encode(std::initializer_list<std::string_view> args) {
  std::string out = join({"*", std::to_string(args.size()), "\r\n"});
  for (const std::string_view arg : args) out += bulk(arg);
  return out;
}

Operation ping() { return operation(encode({"PING"}), "+PONG\r\n"); }

Operation acquire(std::uint32_t ttl_ms) { return operation(acquire_request(ttl_ms), std::string(kOk)); }

Operation overwrite() {
  return operation(encode({"SET", kKey, kToken, "PX", std::to_string(kLockTtlMs)}), std::string(kOk));
}

Operation get() { return operation(encode({"GET", kKey}), bulk(kToken)); }

Operation del() { return operation(encode({"DEL", kKey}), std::string(kOne)); }

Operation release_by_text() {
  return operation(encode({"EVAL", kReleaseScript, "1", kKey, kToken}), std::string(kOne));
}

Operation release(std::string_view sha) { return operation(release_request(sha), std::string(kOne)); }

Operation cycle(std::string_view sha) {
  return operation(acquire_request(kLockTtlMs) + release_request(sha), join({kOk, kOne}), 2);
}

Operation hash_cycle(std::string_view acquire_sha, std::string_view release_sha) {
  const std::string lease_ms = std::to_string(kLockTtlMs);
  return operation(encode({"EVALSHA", acquire_sha, "1", kKey, kToken, lease_ms}) +
                       encode({"EVALSHA", release_sha, "2", kKey, "lock:released:{########}", kToken, lease_ms}),
                   join({kNil, kOne}), 2);
}

Operation publish(std::size_t subscribers) {
  return operation(encode({"PUBLISH", kChannel, kToken}), ":" + std::to_string(subscribers) + "\r\n");
}

Operation transaction() {
  const std::string queued = "+QUEUED\r\n";
  return operation(
      join({encode({"MULTI"}), acquire_request(kLockTtlMs), encode({"GET", kKey}),
            encode({"PEXPIRE", kKey, std::to_string(kLockTtlMs)}), encode({"DEL", kKey}), encode({"EXEC"})}),
      join({kOk, queued, queued, queued, queued, "*4\r\n", kOk, bulk(kToken), kOne, kOne}), 6);
}

Pattern published_message() {
  return Pattern::parse(join({"*3\r\n", bulk("message"), bulk(kChannel), bulk(kToken)}));
}

}  // namespace lockstep::bench
