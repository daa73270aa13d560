"""The programs that are compared, and one running process of one of them. A server is started pinned to its
core, on a free port of 127.0.0.1, without persistence, and ended by its process id."""

import contextlib
import dataclasses
import os
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile
import time

from comparison.client import Client
from comparison.errors import BenchError

START_SECONDS = 10
STOP_SECONDS = 5
PORTS = range(20_000, 32_000)


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    path: str
    options: tuple  # beside those that say where to listen

    def version(self):
        run = subprocess.run([self.path, "--version"], capture_output=True, text=True, timeout=START_SECONDS)
        return run.stdout.strip()


def lockstep(name, path):
    return Program(name, path, ())


def redis_like(name, path):
    """Any server that takes redis-server's options."""
    return Program(name, path, ("--save", "", "--appendonly", "no"))


class Server:
    """One server process, from start to end."""

    def __init__(self, program, core, directory, more_options=(), before_exec=lambda: None):
        self.name = program.name
        self.port = free_port()
        self._log = pathlib.Path(directory) / f"{self.name}-{self.port}.log"

        def enter_core():
            os.sched_setaffinity(0, {core})
            before_exec()
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [program.path, "--port", str(self.port), "--bind", "127.0.0.1", *program.options, *more_options],
                cwd=directory, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                preexec_fn=enter_core, close_fds=False)  # descriptors are not inherited anyway
        self.pid = self._process.pid

    def wait_ready(self):
        """Returns when it has answered a PING."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(ConnectionError), self.client() as client:
                if client.command("PING") == "PONG":
                    return
            if self._process.poll() is not None:
                raise BenchError(f"{self.name} ended with status {self._process.returncode}:\n{self.log()}")
            time.sleep(0.0001)
        raise BenchError(f"{self.name} was not ready after {START_SECONDS} s:\n{self.log()}")

    def client(self):
        return Client(self.port)

    def flush(self):
        with self.client() as client:
            reply = client.command("FLUSHALL")
        if reply != "OK":
            raise BenchError(f"{self.name} answered FLUSHALL with {reply!r}")

    def log(self):
        return self._log.read_text(errors="replace")[-2000:]

    def stop(self):
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def free_port():
    """Below the range that the system gives to clients: a connection to a port of that range, made before the
    server listens, may get the same port as its own and then talks to itself."""
    for port in random.sample(PORTS, len(PORTS)):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise BenchError(f"no free port from {PORTS.start} to {PORTS.stop - 1}")


@contextlib.contextmanager
def running(program, core, more_options=()):
    """A server that answers; it ends with the block."""
    with tempfile.TemporaryDirectory(prefix="lockstep-bench-") as directory:
        server = Server(program, core, directory, more_options)
        try:
            server.wait_ready()
            yield server
        finally:
            server.stop()


def require_program(path, what, remedy):
    found = shutil.which(path)
    if not found:
        raise BenchError(f"no {what} at {path}: {remedy}")
    return os.path.abspath(found)
