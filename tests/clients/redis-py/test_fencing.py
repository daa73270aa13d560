"""Fencing: every acquisition gets a larger number (INCR, in the same script as the lock), the guarded
resource remembers the largest it has seen, and a delayed owner's late write is refused."""

import redis

from lockstep_server import eventually
from redis_case import RedisTestCase

ACQUIRE = """
if redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then
    return redis.call("incr", KEYS[2])
end
return false
"""
GUARDED_WRITE = """
local seen = tonumber(redis.call("get", KEYS[2]) or "0")
if tonumber(ARGV[1]) < seen then
    return redis.error_reply("STALE token " .. ARGV[1] .. ", seen " .. seen)
end
redis.call("set", KEYS[2], ARGV[1])
redis.call("set", KEYS[1], ARGV[2])
return redis.status_reply("OK")
"""


class Fencing(RedisTestCase):
    def setUp(self):
        super().setUp()
        self._acquire = self.client.register_script(ACQUIRE)
        self._write = self.client.register_script(GUARDED_WRITE)

    def acquire(self, owner, ttl_ms=60_000):
        """The fencing token, or None."""
        return self._acquire(keys=["lock:file", "fence:file"], args=[owner, ttl_ms])

    def write(self, token, value):
        return self._write(keys=["file", "file:token"], args=[token, value])

    def test_stale_token_is_refused(self):
        stalled = self.acquire("A", ttl_ms=60)
        current = eventually(lambda: self.acquire("B"), "the lock of the stalled owner expires")
        self.assertEqual((stalled, current), (1, 2))
        self.assertEqual(self.write(current, "from B"), b"OK")
        with self.assertRaisesRegex(redis.ResponseError, "^STALE token 1, seen 2$"):
            self.write(stalled, "from A, too late")
        self.assertEqual(self.client.get("file"), b"from B")
        self.assertEqual(self.write(current, "from B again"), b"OK")

    def test_refused_acquisition_uses_no_number(self):
        self.assertEqual(self.acquire("A"), 1)
        for _ in range(5):
            self.assertIsNone(self.acquire("B"))
        self.client.delete("lock:file")
        self.assertEqual(self.acquire("B"), 2)

    def test_numbers_only_grow(self):
        tokens = []
        for i in range(100):
            tokens.append(self.acquire(f"owner {i}"))
            self.client.delete("lock:file")
        self.assertEqual(tokens, list(range(1, 101)))
