"""What a crash leaves: a process that takes the lock and dies by SIGKILL. After SETNX the lock stays for
good; with a TTL, as long as the TTL says. The process is a real one."""

import signal
import subprocess
import sys
import time

from lockstep_server import eventually
from redis_case import RedisTestCase

KEY = "lock:order:123"
HOLDER = """
import os, signal, sys, redis
client = redis.Redis.from_url(sys.argv[1])
assert client.execute_command(*sys.argv[2:]), "the lock was not free"
os.kill(os.getpid(), signal.SIGKILL)
"""


class Crash(RedisTestCase):
    def crash_after(self, *command):
        """A process runs the command, which takes the lock, and dies."""
        holder = subprocess.run([sys.executable, "-c", HOLDER, self.url(), *command],
                                capture_output=True, text=True)
        self.assertEqual(holder.returncode, -signal.SIGKILL, holder.stderr)

    def test_setnx_answers_one_then_zero(self):
        self.assertIs(self.client.setnx(KEY, "true"), True)
        self.assertIs(self.connect().setnx(KEY, "true"), False)
        self.assertEqual(self.client.get(KEY), b"true")

    def test_lock_without_ttl_stays_for_good(self):
        self.crash_after("SETNX", KEY, "true")
        self.assertEqual(self.client.ttl(KEY), -1)
        self.assertIs(self.client.setnx(KEY, "true"), False)
        self.assertEqual(self.client.delete(KEY), 1, "only somebody's hand frees it")
        self.assertIs(self.client.setnx(KEY, "true"), True)

    def test_lock_with_short_ttl_frees_itself(self):
        start = time.monotonic()
        self.crash_after("SET", KEY, "true", "NX", "PX", "500")
        eventually(lambda: self.client.set(KEY, "true", nx=True, ex=10), "the crashed holder's lock expires")
        self.assertGreaterEqual(time.monotonic() - start, 0.5, "not before its time")

    def test_lock_with_long_ttl_blocks_until_then(self):
        self.crash_after("SET", KEY, "true", "NX", "EX", "60")
        self.assertIsNone(self.client.set(KEY, "true", nx=True, ex=60))
        self.assertIn(self.client.ttl(KEY), range(30, 61))
