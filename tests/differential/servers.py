"""The two servers: started on free ports of 127.0.0.1, or one that runs already; ended by their own process
ids. Talks to a server only to see that it is there."""

import contextlib
import os
import socket
import subprocess
import time

import wire

PATIENCE_S = 30
EVENTS = ("--notify-keyspace-events", "KEA")
# A hash keeps the order of insertion as long as Lockstep's does; see differences.py.
ORACLE_OPTIONS = ("--save", "", "--appendonly", "no", "--hash-max-listpack-entries", "128",
                  "--crash-memcheck-enabled", "no", "--rdbcompression", "no", *EVENTS)


class Asker:
    """One connection that asks and waits for the answer."""

    def __init__(self, port, host="127.0.0.1"):
        self.socket = socket.create_connection((host, port), timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def ask(self, *words):
        return self.ask_all([words])[0]

    def ask_all(self, requests):
        """Sends all, then reads as many replies."""
        self.socket.sendall(b"".join(wire.encode(words) for words in requests))
        replies = []
        while len(replies) < len(requests):
            try:
                reply, end = wire.parse(self.buffer)
            except wire.Incomplete:
                data = self.socket.recv(1 << 20)
                if not data:
                    raise ConnectionError("the server closed the connection") from None
                self.buffer += data
            else:
                replies.append(reply)
                self.buffer = self.buffer[end:]
        return replies

    def close(self):
        self.socket.close()


def free_port():
    """One that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def version_of(ask):
    """("redis" or "lockstep", (8, 0, 2)). Lockstep says the version of Redis it speaks as."""
    lines = dict(line.split(":", 1) for line in ask(b"INFO", b"server").value.decode().splitlines() if ":" in line)
    kind = "lockstep" if "lockstep_version" in lines else "redis"
    return kind, tuple(int(part) for part in lines["redis_version"].split(".")[:3])


class Server:
    """A server process on a free port, or one that somebody else runs (then `program` is None). It is called by
    `name`, which decides what Redis' one program for all does: so Debian's redis-check-rdb serves as well."""

    def __init__(self, program, options, log, running=None, name="redis-server"):
        self.program, self.options, self.log, self.name = program, options, log, name
        self.host, self.port = running or ("127.0.0.1", 0)
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.end()

    def start(self):
        if not self.program:
            return
        self.port = free_port()
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen([self.name, "--port", str(self.port), "--bind", "127.0.0.1", *self.options],
                                            executable=self.program, cwd=os.path.dirname(self.log),
                                            stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=subprocess.STDOUT)
        try:
            self._wait_until_ready()
        except BaseException:
            self.end()
            raise

    def has_ended(self):
        return self.process is not None and self.process.poll() is not None

    def end(self):
        if not self.process or self.process.poll() is not None:
            return
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def last_words(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return "".join(file.readlines()[-30:]).strip() or "(it printed nothing)"

    def _wait_until_ready(self):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(OSError, ConnectionError):
                asker = Asker(self.port)
                ready = asker.ask(b"PING") == wire.Reply("+", b"PONG")
                asker.close()
                if ready and self.process.poll() is None:
                    return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.02)
        raise RuntimeError(f"{self.program} did not start: {self.last_words()}")
