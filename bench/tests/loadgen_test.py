#!/usr/bin/env python3
"""The closed loop of the load generator against a scripted server: what it sends, and that no wrong reply gets
past it. Run by ctest as `loadgen_test.py PATH_OF_LOADGEN`. It needs no real server. Standard library only.
"""

import json
import os
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from lock_server import LockServer  # noqa: E402

LOADGEN = None
WORKLOADS = ("set", "set-random", "get", "get-random", "del", "eval-release", "evalsha-release", "cycle",
             "hash-cycle", "multi", "publish", "publish-subscribed")


def load(server, workload, *options):
    command = [LOADGEN, "--workload", workload, "--port", str(server.port), "--connections", "3", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


class Workloads(unittest.TestCase):
    def run_clean(self, server, workload, operations, depth):
        run = load(server, workload, "--operations", str(operations), "--depth", str(depth), "--keys", "200",
                   "--server-pid", str(os.getpid()))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        result = json.loads(run.stdout)
        self.assertEqual((result["operations"], result["unexpected"], result["stopped_by"]), (operations, 0, "count"))
        self.assertAlmostEqual(result["ops_per_second"] * result["seconds"] / operations, 1, places=2)
        self.assertGreater(result["server_cpu_us_per_op"], 0)
        self.assertGreaterEqual(result["batch_p99_us"], result["batch_p50_us"])

    def test_replies_may_come_in_any_pieces(self):
        for workload in WORKLOADS:
            for piece in (None, 1, 3, 17):
                for depth in (1, 16):
                    with self.subTest(workload=workload, piece=piece, depth=depth), LockServer(piece) as server:
                        self.run_clean(server, workload, 480, depth)

    def test_set_takes_a_new_lock_each_time(self):
        with LockServer() as server:
            self.run_clean(server, "set", 3_000, 100)
        sets = server.named(b"SET")
        self.assertEqual(len({args[1] for args in sets}), 3_000)
        self.assertEqual(len({args[2] for args in sets}), 3_000)
        self.assertEqual({(args[1][:5], len(args[2]), *args[3:]) for args in sets},
                         {(b"lock:", 36, b"NX", b"PX", b"30000")})

    def test_release_deletes_every_lock_by_its_own_token(self):
        for workload, command in (("evalsha-release", b"EVALSHA"), ("eval-release", b"EVAL")):
            with self.subTest(workload=workload), LockServer() as server:
                self.run_clean(server, workload, 2_000, 100)
                self.assertEqual(server.keys, {})
                self.assertEqual(len(server.named(command)), 2_000)

    def test_cycles_count_pairs(self):
        with LockServer() as server:
            self.run_clean(server, "cycle", 800, 16)
        self.assertEqual((len(server.named(b"SET")), len(server.named(b"EVALSHA"))), (800, 800))
        self.assertEqual(server.keys, {})
        with LockServer() as server:
            self.run_clean(server, "hash-cycle", 800, 16)
        self.assertEqual(len(server.named(b"EVALSHA")), 1_600)
        self.assertEqual(server.keys, {})

    def test_get_reads_all_keys_again_and_again(self):
        with LockServer() as server:
            self.run_clean(server, "get", 1_000, 1)
        self.assertEqual(len({args[1] for args in server.named(b"GET")}), 200)

    def test_random_keys_are_existing_ones_and_repeat(self):
        for workload, name in (("get-random", b"GET"), ("set-random", b"SET")):
            with self.subTest(workload=workload), LockServer() as server:
                self.run_clean(server, workload, 1_000, 1)
                self.assertEqual(len(server.keys), 200)
                asked = [args[1] for args in server.named(name)][-1_000:]
                self.assertTrue(150 < len(set(asked)) <= 200)
                self.assertLess(len(set(asked[:200])), 180)  # each once would be 200 of 200

    def test_multi_is_four_commands_about_one_lock(self):
        with LockServer() as server:
            self.run_clean(server, "multi", 320, 16)
        for name in (b"MULTI", b"SET", b"GET", b"PEXPIRE", b"DEL", b"EXEC"):
            self.assertEqual(len(server.named(name)), 320, name)
        self.assertEqual(server.keys, {})


class WrongReplies(unittest.TestCase):
    def expect_unexpected(self, workload, name, reply, depth=16):
        """Every tenth `name` is answered with `reply`; exactly those must be counted."""
        seen, altered = [0], [0]

        def alter(args, right):
            if args[0] != name:
                return right
            seen[0] += 1
            if seen[0] % 10:
                return right
            altered[0] += 1
            return reply

        for piece in (None, 3):
            seen[0] = altered[0] = 0
            with self.subTest(workload=workload, reply=reply, piece=piece), LockServer(piece, alter) as server:
                run = load(server, workload, "--operations", "960", "--depth", str(depth))
                self.assertEqual(run.returncode, 1, run.stderr)
                result = json.loads(run.stdout)
                self.assertEqual((result["operations"], result["unexpected"], altered[0]), (960, 96, 96))
                self.assertIn(reply.decode(), result["first_unexpected"])

    def test_are_counted(self):
        self.expect_unexpected("set", b"SET", b"$-1\r\n")
        self.expect_unexpected("set", b"SET", b"+OKAY\r\n", depth=1)
        self.expect_unexpected("cycle", b"EVALSHA", b":0\r\n")
        self.expect_unexpected("cycle", b"SET", b"-ERR a much longer reply than the right one\r\n")
        self.expect_unexpected("cycle", b"SET", b"*2\r\n+OK\r\n:1\r\n")
        self.expect_unexpected("eval-release", b"EVAL", b":0\r\n")
        self.expect_unexpected("multi", b"EXEC", b"*-1\r\n")
        self.expect_unexpected("multi", b"EXEC", b"*4\r\n+OK\r\n$1\r\nx\r\n:1\r\n:1\r\n")
        self.expect_unexpected("publish", b"PUBLISH", b":1\r\n")

    def test_other_token_is_counted(self):
        with LockServer(alter=lambda args, reply: reply.replace(b"a1f4", b"a1f5")) as server:
            run = load(server, "get", "--operations", "100", "--keys", "100")
        self.assertEqual((run.returncode, json.loads(run.stdout)["unexpected"]), (1, 100))

    def test_messages_must_be_those_published_and_come_once(self):
        for alter_push, text in ((lambda _, data: data.replace(b"a1f4", b"a1f5"), "not a message that was published"),
                                 (lambda _, data: data.replace(b"\r\n$36", b"\r\n$37"), "not a message that was"),
                                 (lambda _, data: data * 2, "did not get each message once"),
                                 (lambda _, data: data[:-10] + b"10000000\r\n", "did not get each message once"),
                                 (lambda _, data: b"", "not answered for 5 s")):
            with self.subTest(text=text), LockServer(alter_push=alter_push) as server:
                run = load(server, "publish-subscribed", "--operations", "100")
                self.assertEqual((run.returncode, run.stdout), (1, ""))
                self.assertIn(text, run.stderr)

    def test_ends_at_once_when_the_stream_makes_no_sense(self):
        for reply, text in ((b"HTTP/1.1 400\r\n", "not RESP"), (b"+OK\r\n+OK\r\n", "more replies than requests"),
                            (None, "closed a connection"), (b"+" + b"x" * 17_000, "longer than 16 kB")):
            with self.subTest(text=text), LockServer(alter=lambda args, right: right if args[0] == b"PING" else reply) \
                    as server:
                run = load(server, "set", "--operations", "3")
                self.assertEqual((run.returncode, run.stdout), (1, ""))
                self.assertIn(text, run.stderr)

    def test_preparation_is_checked_too(self):
        with LockServer(alter=lambda args, right: b"$-1\r\n" if args[0] == b"SET" else right) as server:
            run = load(server, "del", "--operations", "100")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("SET NX was answered by $-1", run.stderr)


class CommandLine(unittest.TestCase):
    def test_mistakes_are_named(self):
        for options, text in (
                ([], "--workload is missing"),
                (["--workload", "set"], "--port is missing"),
                (["--workload", "x", "--port", "1"], "unknown workload x"),
                (["--workload", "set", "--port", "1", "--operations", "5", "--depth", "9"], "less than --depth"),
                (["--depth", "0"], "--depth takes a number from 1 to 1000"),
                (["--depth"], "--depth needs a value"),
                (["--nonsense", "1"], "unknown option --nonsense")):
            with self.subTest(options=options):
                run = subprocess.run([LOADGEN, *options], capture_output=True, text=True, timeout=60)
                self.assertEqual(run.returncode, 2)
                self.assertIn(text, run.stderr.splitlines()[0])


if __name__ == "__main__":
    LOADGEN = sys.argv.pop(1)
    unittest.main()
