#!/usr/bin/env python3
"""The load generator against a scripted server: what it sends, and that no wrong reply gets past it.

Run by ctest as `loadgen_test.py PATH_OF_LOADGEN`. It needs no real server. Standard library only.
"""

import contextlib
import hashlib
import json
import os
import socket
import subprocess
import sys
import threading
import unittest

LOADGEN = None


def take_request(data):
    """(arguments, rest) of one complete request, or (None, data)."""
    args, rest = [], data
    line, found, rest = rest.partition(b"\r\n")
    if not found:
        return None, data
    for _ in range(int(line[1:])):
        head, found, rest = rest.partition(b"\r\n")
        size = int(head[1:] or 0)
        if not found or len(rest) < size + 2:
            return None, data
        args.append(rest[:size])
        rest = rest[size + 2:]
    return args, rest


class LockServer:
    """Just enough of the five commands, with every request recorded and replies sent in small pieces."""

    def __init__(self, piece=None, alter=lambda args, reply: reply):
        self.piece, self.alter = piece, alter
        self.requests, self.keys = [], {}
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        data = b""
        with connection, contextlib.suppress(ConnectionError):  # the generator may leave before it has read all
            while received := connection.recv(65536):
                data += received
                replies = b""
                while True:
                    args, data = take_request(data)
                    if args is None:
                        break
                    with self._lock:
                        self.requests.append(args)
                        reply = self.alter(args, self._answer(args))
                    if reply is None:
                        return
                    replies += reply
                step = self.piece or len(replies) or 1
                for at in range(0, len(replies), step):
                    connection.sendall(replies[at:at + step])

    def _answer(self, args):
        name = args[0]
        if name == b"PING":
            return b"+PONG\r\n"
        if name == b"SCRIPT":
            return b"$40\r\n%s\r\n" % hashlib.sha1(args[2]).hexdigest().encode()
        if name == b"SET":
            if args[1] in self.keys:
                return b"$-1\r\n"
            self.keys[args[1]] = args[2]
            return b"+OK\r\n"
        if name == b"GET":
            return b"$%d\r\n%s\r\n" % (len(self.keys[args[1]]), self.keys[args[1]])
        if name == b"DEL":
            return b":%d\r\n" % (self.keys.pop(args[1], None) is not None)
        owner = self.keys.get(args[3]) == args[4]  # EVALSHA
        if owner:
            del self.keys[args[3]]
        return b":%d\r\n" % owner


def load(server, workload, *options):
    command = [LOADGEN, "--workload", workload, "--port", str(server.port), "--connections", "3", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def named(server, name):
    return [args for args in server.requests if args[0] == name]


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
        for workload in ("set", "get", "del", "evalsha-release", "cycle"):
            for piece in (None, 1, 3, 17):
                for depth in (1, 16):
                    with self.subTest(workload=workload, piece=piece, depth=depth), LockServer(piece) as server:
                        self.run_clean(server, workload, 480, depth)

    def test_set_takes_a_new_lock_each_time(self):
        with LockServer() as server:
            self.run_clean(server, "set", 3_000, 100)
        sets = named(server, b"SET")
        self.assertEqual(len({args[1] for args in sets}), 3_000)
        self.assertEqual(len({args[2] for args in sets}), 3_000)
        self.assertEqual({(args[1][:5], len(args[2]), *args[3:]) for args in sets},
                         {(b"lock:", 36, b"NX", b"PX", b"30000")})

    def test_release_deletes_every_lock_by_its_own_token(self):
        with LockServer() as server:
            self.run_clean(server, "evalsha-release", 2_000, 100)
        self.assertEqual(server.keys, {})
        self.assertEqual(len(named(server, b"EVALSHA")), 2_000)

    def test_cycle_counts_pairs(self):
        with LockServer() as server:
            self.run_clean(server, "cycle", 800, 16)
        self.assertEqual((len(named(server, b"SET")), len(named(server, b"EVALSHA"))), (800, 800))
        self.assertEqual(server.keys, {})

    def test_get_reads_all_keys_again_and_again(self):
        with LockServer() as server:
            self.run_clean(server, "get", 1_000, 1)
        self.assertEqual(len({args[1] for args in named(server, b"GET")}), 200)


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

    def test_other_token_is_counted(self):
        with LockServer(alter=lambda args, reply: reply.replace(b"a1f4", b"a1f5")) as server:
            run = load(server, "get", "--operations", "100", "--keys", "100")
        self.assertEqual((run.returncode, json.loads(run.stdout)["unexpected"]), (1, 100))

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
