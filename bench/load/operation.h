// What one operation sends and what must come back: bytes that need only a lock number written into them.
// Built by workload.cc and main.cc, filled into batches by LoadLoop. It must not know sockets or time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::bench {

// Bytes with places for a lock number.
struct Pattern {
  std::string bytes;
  std::vector<std::size_t> number_at;

  // `text` marks each place by eight '#'.
  static Pattern parse(std::string text);
  // The bytes with `number` in each place.
  std::string with(std::uint32_t number) const;
};

struct Operation {
  Pattern request;
  Pattern reply;            // exactly what the server must answer
  std::size_t replies = 1;  // RESP replies in `reply`
};

inline constexpr std::uint32_t kLockTtlMs = 30'000;  // what lock libraries use

// The message that publish() sends and its channel.
inline constexpr std::string_view kChannel = "lock:released";

Operation ping();
Operation acquire(std::uint32_t ttl_ms);        // SET lock:<i> <token of i> NX PX ttl: +OK
Operation overwrite();                          // SET lock:<i> <token of i> PX 30000: +OK
Operation get();                                // GET lock:<i>: the token of i
Operation del();                                // DEL lock:<i>: 1
Operation release_by_text();                    // EVAL compare-and-delete: 1
Operation release(std::string_view sha);        // the same by EVALSHA
Operation cycle(std::string_view sha);          // acquire and release in one write: +OK, 1
Operation hash_cycle(std::string_view acquire_sha, std::string_view release_sha);  // nil, 1
Operation publish(std::size_t subscribers);     // PUBLISH <channel> <token of i>: how many got it
Operation transaction();                        // MULTI, SET NX PX, GET, PEXPIRE, DEL, EXEC

// What a subscriber gets from publish().
Pattern published_message();

std::string encode(std::initializer_list<std::string_view> args);
std::string bulk(std::string_view value);

}  // namespace lockstep::bench
