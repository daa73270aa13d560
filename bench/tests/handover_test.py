#!/usr/bin/env python3
"""The hand-overs of the load generator against a scripted server: who gets what, and that it is noticed when
somebody else does. Run by ctest as `handover_test.py PATH_OF_LOADGEN`. Standard library only.
"""

import collections
import json
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from lock_server import LockServer  # noqa: E402

LOADGEN = None


def hand_over(server, workload, waiters, operations=50):
    command = [LOADGEN, "--workload", workload, "--port", str(server.port), "--connections", str(waiters),
               "--operations", str(operations)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


class Handover(unittest.TestCase):
    def expect_clean(self, run, operations=50):
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        result = json.loads(run.stdout)
        self.assertEqual((result["operations"], result["unexpected"]), (operations, 0))
        self.assertGreaterEqual(result["batch_p99_us"], result["batch_p50_us"])

    def expect_failure(self, run, text):
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn(text, run.stderr)


class Blpop(Handover):
    def test_every_value_reaches_the_one_who_waited_longest(self):
        for waiters in (1, 5):
            with self.subTest(waiters=waiters), LockServer() as server:
                self.expect_clean(hand_over(server, "blpop-handover", waiters))
                self.assertEqual(len({args[2] for args in server.named(b"LPUSH")}), 50)
                self.assertEqual(len(server.named(b"BLPOP")), 50 + waiters)
                names = [args[0] for args in server.requests]
                for at in (at for at, name in enumerate(names) if name == b"LPUSH"):
                    self.assertEqual(names[at - 2:at], [b"PING", b"BLPOP"])  # all wait when it comes

    def test_the_wrong_waiter_is_noticed(self):
        with LockServer() as server:
            server.next_waiter = collections.deque.pop
            self.expect_failure(hand_over(server, "blpop-handover", 2), "has not answered for 5 s")

    def test_a_wrong_value_is_counted(self):
        with LockServer(alter_push=lambda _, data: data[:-3] + b"9\r\n") as server:
            run = hand_over(server, "blpop-handover", 1)
        self.assertEqual((run.returncode, json.loads(run.stdout)["unexpected"]), (1, 45))  # 5 end in 9 anyway


class ContendedLock(Handover):
    def test_one_gets_it_each_time_and_all_try(self):
        for waiters in (1, 5):
            with self.subTest(waiters=waiters), LockServer() as server:
                self.expect_clean(hand_over(server, "contended-lock", waiters))
                self.assertEqual(len(server.named(b"EVAL")), 50)
                self.assertEqual(len(server.named(b"SET")), waiters + 1 + 50 * waiters)

    def test_two_holders_are_counted(self):
        releases = [0]

        def alter(args, right):
            releases[0] += args[0] == b"EVAL"
            return b"+OK\r\n" if releases[0] == 50 and args[0] == b"SET" else right
        with LockServer(alter=alter) as server:
            run = hand_over(server, "contended-lock", 3)
        self.assertEqual((run.returncode, json.loads(run.stdout)["unexpected"]), (1, 2))

    def test_a_lock_that_nobody_gets_is_noticed(self):
        with LockServer() as server:
            released = server._eval
            server._eval = lambda *args: (released(*args), server.keys.update({args[3]: b"stranger"}))[0]
            self.expect_failure(hand_over(server, "contended-lock", 2), "nobody got the lock")

    def test_a_wrong_message_is_noticed(self):
        with LockServer(alter_push=lambda _, data: data.replace(b"released", b"relieved")) as server:
            self.expect_failure(hand_over(server, "contended-lock", 2), "not the message of a release")

    def test_a_release_that_fails_is_noticed(self):
        with LockServer(alter=lambda args, right: b":0\r\n" if args[0] == b"EVAL" else right) as server:
            run = hand_over(server, "contended-lock", 2)
        self.assertEqual((run.returncode, json.loads(run.stdout)["unexpected"]), (1, 50))


if __name__ == "__main__":
    LOADGEN = sys.argv.pop(1)
    unittest.main()
