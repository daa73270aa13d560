#!/usr/bin/env python3
"""The figures, small, on a real server: that they come to an end and give what can be true. And how events of
expired keys are read, piece by piece. Run by ctest as `figures_test.py PATH_OF_LOCKSTEP`. Standard library only.
"""

import os
import pathlib
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from comparison import client, servers  # noqa: E402
from comparison.errors import BenchError, NotSupported  # noqa: E402
from comparison.figures import expiry_delay, expiry_stall, locks, memory, start  # noqa: E402

PROGRAM = None
CORE = min(os.sched_getaffinity(0))


class Figures(unittest.TestCase):
    def expect_shares(self, run):
        for key in ("server_waited", "load_waited"):
            self.assertTrue(0 <= run[key] <= 1, run)

    def test_start(self):
        began = time.monotonic()
        run = start.measure(PROGRAM, CORE)
        self.assertTrue(0 < run["wall_ms"] < 1000 * (time.monotonic() - began), run)
        self.assertGreater(run["cpu_ms"], 0)

    def test_memory(self):
        self.assertGreater(memory.idle(PROGRAM, CORE)["rss_kb"], 100)
        self.assertGreater(memory.per_lock(PROGRAM, CORE, 20_000)["lock_bytes"], 36)
        run = memory.per_connection(PROGRAM, CORE, 200)
        self.assertGreaterEqual(run["pinged_bytes"], run["new_bytes"])

    def test_expiry_delay(self):
        try:
            run = expiry_delay.measure(PROGRAM, CORE, 50, 100, expiry_delay.Spans(1, 5))
        except NotSupported as reason:
            self.skipTest(reason)
        self.assertEqual(run["missing"], 0)
        self.assertTrue(-expiry_delay.EARLY_MS <= run["p50_ms"] <= run["p99_ms"], run)
        self.expect_shares(run)

    def test_expiry_stall(self):
        run = expiry_stall.measure(PROGRAM, CORE, 2_000)
        self.assertGreater(run["longest_ms"], 0)
        self.assertGreaterEqual(run["gone_s"], 0.999)
        self.expect_shares(run)

    def test_a_server_that_ends_at_once_is_named_with_its_log(self):
        broken = servers.Program("broken", PROGRAM.path, ("--no-such-option", "1"))
        with self.assertRaisesRegex(BenchError, r"broken ended with status \d+:\n.*no-such-option"):
            memory.idle(broken, CORE)


class Requests(unittest.TestCase):
    def test_locks_are_set_as_told(self):
        self.assertEqual(locks.request(7, b"PXAT", 1_700_000_000_000), client.encode(
            "SET", "lock:10000007", "5f0c7a52-93de-4b6c-a1f4-77e110000007", "PXAT", 1_700_000_000_000))


class Events(unittest.TestCase):
    NAME = b"lock:10000001"

    def take(self, *pieces, now_ms=1_250):
        self.pending, delays, rest = {self.NAME: 1_000, b"lock:10000002": 1_200}, [], b""
        for piece in pieces:
            rest = expiry_delay.take_events(rest + piece, now_ms, self.pending, delays)
        return delays, rest

    def message(self, name):
        return expiry_delay.MESSAGE_HEAD + name + b"\r\n"

    def test_are_read_whole_from_any_pieces(self):
        data = self.message(self.NAME) + self.message(b"lock:10000002")
        for cut in range(len(data)):
            self.assertEqual(self.take(data[:cut], data[cut:]), ([250, 50], b""))
            self.assertEqual(self.pending, {})

    def test_must_be_due_and_come_once(self):
        message = self.message(self.NAME)
        for pieces, now_ms in (((message, message), 1_250), ((self.message(b"lock:10000003"),), 1_250),
                               ((message,), 990), ((message.replace(b"expired", b"evicted"),), 1_250)):
            with self.assertRaisesRegex(BenchError, "not an event that was due"):
                self.take(*pieces, now_ms=now_ms)

    def test_percentiles(self):
        self.assertEqual([expiry_delay.percentile([5, 1, 3, 2, 4], share) for share in (0, 0.5, 1)], [1, 3, 5])


if __name__ == "__main__":
    PROGRAM = servers.lockstep("lockstep", os.path.abspath(sys.argv.pop(1)))
    unittest.main()
