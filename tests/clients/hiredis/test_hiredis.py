"""Programs written with hiredis: sync.c and async.c are compiled here, and each check in them is a test."""

import os
import subprocess
from pathlib import Path

from lockstep_server import ServerTestCase

HERE = Path(__file__).resolve().parent
TIMEOUT_S = 60


def compile_checks():
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "hiredis", "libuv"], capture_output=True, text=True,
                           check=True)
    build = Path(os.environ["CLIENT_BUILD"])
    build.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["cc", "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-o", build / "checks",
                           *sorted(HERE.glob("*.c")), *flags.stdout.split()], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return build / "checks"


class Hiredis(ServerTestCase):
    @classmethod
    def setUpClass(cls):
        cls.checks = compile_checks()
        super().setUpClass()

    def setUp(self):
        for command in (["FLUSHALL"], ["SCRIPT", "FLUSH"]):
            subprocess.run(["redis-cli", "-h", "127.0.0.1", "-p", str(self.server.port), *command], check=True,
                           capture_output=True, timeout=TIMEOUT_S)

    def check(self, name):
        done = subprocess.run([self.checks, name, str(self.server.port)], capture_output=True, text=True, timeout=TIMEOUT_S)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_replies(self):
        self.check("replies")

    def test_token_lock(self):
        self.check("token_lock")

    def test_script_by_digest(self):
        self.check("script_by_digest")

    def test_pipeline(self):
        self.check("pipeline")

    def test_transaction(self):
        self.check("transaction")

    def test_reply_off(self):
        self.check("reply_off")

    def test_blocking(self):
        self.check("blocking")

    def test_time_out(self):
        self.check("time_out")

    def test_async_commands(self):
        self.check("async_commands")

    def test_async_pub_sub(self):
        self.check("async_pub_sub")

    def test_async_lock_hand_over(self):
        self.check("async_lock_hand_over")
