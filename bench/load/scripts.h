// The lock scripts that are sent: one for a lock that is a string, two for one that is a hash. Loaded into the
// server by the workloads that run them.
#pragma once

#include <string_view>

namespace lockstep::bench {

// KEYS: lock. ARGV: token. Deletes the lock only for the one who holds it: 1, otherwise 0.
inline constexpr std::string_view kReleaseScript =
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

// KEYS: lock. ARGV: token, channel. As above, and tells those who wait.
inline constexpr std::string_view kReleaseAndPublishScript =
    "if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end "
    "redis.call('del', KEYS[1]) "
    "redis.call('publish', ARGV[2], 'released') "
    "return 1";

// The reentrant lock: a hash whose only field is the owner and whose value says how often he holds it.
// KEYS: lock. ARGV: owner, lease in ms. Nil when it is acquired, otherwise how long to wait.
inline constexpr std::string_view kHashAcquireScript =
    "local lock, owner, lease_ms = KEYS[1], ARGV[1], ARGV[2] "
    "local held_by_other = redis.call('exists', lock) == 1 and redis.call('hexists', lock, owner) == 0 "
    "if held_by_other then return redis.call('pttl', lock) end "
    "redis.call('hincrby', lock, owner, 1) "
    "redis.call('pexpire', lock, lease_ms) "
    "return nil";

// KEYS: lock, channel. ARGV: owner, lease in ms. Nil for a stranger, 0 while still held, 1 when released.
inline constexpr std::string_view kHashReleaseScript =
    "local lock, channel, owner, lease_ms = KEYS[1], KEYS[2], ARGV[1], ARGV[2] "
    "if redis.call('hexists', lock, owner) == 0 then return nil end "
    "if redis.call('hincrby', lock, owner, -1) > 0 then "
    "  redis.call('pexpire', lock, lease_ms) "
    "  return 0 "
    "end "
    "redis.call('del', lock) "
    "redis.call('publish', channel, 'released') "
    "return 1";

}  // namespace lockstep::bench
