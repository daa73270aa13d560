// What the load generator sends and what must come back: one Operation per workload, as bytes that need
// only a lock number written into them. Used by main.cc to choose and by LoadLoop to fill batches.
// It must not know sockets or time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::bench {

// Lock numbers are always eight digits, so that every request of a workload has the same length and a
// batch is written once and then only patched.
inline constexpr std::uint32_t kFirstLock = 10'000'000;
inline constexpr std::uint32_t kMaxLocks = 20'000'000;
inline constexpr std::size_t kLockDigits = 8;

// Bytes with places for a lock number.
struct Pattern {
  std::string bytes;
  std::vector<std::size_t> number_at;

  // `text` marks each place by eight '#'.
  static Pattern parse(std::string text);
};

struct Operation {
  Pattern request;
  Pattern reply;             // exactly what the server must answer
  std::size_t replies = 1;   // RESP replies in `reply`
};

Operation ping();
Operation acquire(std::uint32_t ttl_ms);       // SET lock:<i> <token of i> NX PX ttl: +OK
Operation get();                               // GET lock:<i>: the token of i
Operation del();                               // DEL lock:<i>: 1
Operation release(std::string_view sha);       // EVALSHA compare-and-delete: 1
Operation cycle(std::string_view sha);         // acquire and release in one write: +OK, 1

// The usual release script: delete the lock only for the one who holds it.
std::string_view release_script();

std::string encode(std::initializer_list<std::string_view> args);

// Every lock number of [kFirstLock, kFirstLock + count) once, then again from the start. Neighbours are far
// apart: locks are not released in the order in which memory was given to them.
class LockNumbers {
 public:
  explicit LockNumbers(std::uint32_t count);
  std::uint32_t next();

 private:
  std::uint32_t count_;
  std::uint32_t stride_;
  std::uint32_t position_ = 0;
};

}  // namespace lockstep::bench
