"""A server process and plain sockets to it, for the tests of this folder. Python's standard library only;
no client library, since what goes over the wire byte by byte is what is tested here."""

import contextlib
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SERVER = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else None
PATIENCE_S = 60  # for what takes milliseconds, on a machine that does ten other things

LOG_LINE = re.compile(r"^\d+:M \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d\.\d{3} [.*#-] ")
READY_TCP = re.compile(r"^lockstep ready redis://(127\.0\.0\.1|\[::1\]|[0-9.]+):(\d+)$")


def eventually(check, what):
    """Polls for a state that another process brings about."""
    end = time.monotonic() + PATIENCE_S
    while not (value := check()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {PATIENCE_S} s: {what}")
        time.sleep(0.005)
    return value


def run(*arguments, standard_input="", **options):
    """Runs the server to its end: for starts that fail and for --version."""
    return subprocess.run([SERVER, *arguments], input=standard_input, capture_output=True, text=True,
                          timeout=PATIENCE_S, **options)


class Server:
    """with Server("--requirepass", "x") as server: ... Listens on 127.0.0.1 and a free port unless told otherwise."""

    def __init__(self, *options, listen=("--port", "auto", "--bind", "127.0.0.1"), standard_input=None, cwd=None):
        self.lines = []
        self.status = None
        self._fresh = queue.SimpleQueue()
        self.process = subprocess.Popen([SERVER, *options, *listen], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, cwd=cwd)
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(standard_input or "")
        self.process.stdin.close()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            self._fresh.put(line)
        self._fresh.put(None)

    def __enter__(self):
        try:
            self.wait_for_line("lockstep ready ")
        except BaseException:
            self.process.kill()
            raise
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end(signal.SIGTERM)
        self.process.stdout.close()

    def wait_for_line(self, text):
        """The first line with `text` in it that the server has printed or will print."""
        end = time.monotonic() + PATIENCE_S
        while True:
            for line in self.lines:
                if text in line:
                    return line
            with contextlib.suppress(queue.Empty):
                if self._fresh.get(timeout=max(0.0, end - time.monotonic())) is not None:
                    continue
            self._reader.join(1)
            if not any(text in line for line in self.lines):
                raise AssertionError(f"no line with {text!r}, but:\n" + "\n".join(self.lines))

    @property
    def port(self):
        ports = [int(match[2]) for line in self.lines if (match := READY_TCP.match(line))]
        return ports[0] if ports else None

    def end(self, signal_number=None):
        """The exit status, after sending a signal if one is given."""
        if signal_number is not None:
            self.process.send_signal(signal_number)
        self.status = self.process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        return self.status

    @contextlib.contextmanager
    def suspended(self):
        """What happens meanwhile, the server meets all at once."""
        self.process.send_signal(signal.SIGSTOP)
        eventually(lambda: self._state() == "T", "the server is stopped")
        yield
        self.process.send_signal(signal.SIGCONT)

    def _state(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as stat:
            return stat.read().rpartition(") ")[2][0]

    def connect(self, path=None):
        return Connection(self.port, path)


class Connection:
    """One client, in bytes."""

    def __init__(self, port=None, path=None, host="127.0.0.1"):
        if path is not None:
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.socket.connect(path)
        else:
            self.socket = socket.create_connection((host, port))
        self.socket.settimeout(PATIENCE_S)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def receive(self, size):
        """Exactly so many bytes, or fewer when the other end closes."""
        while len(self.buffer) < size:
            try:
                data = self.socket.recv(1 << 20)
            except ConnectionResetError:
                data = b""
            if not data:
                break
            self.buffer += data
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def ask(self, *words):
        """Sends one command; the reply's first line, or a bulk string's bytes."""
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.send(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        return self.reply()

    def reply(self):
        line = self.line()
        if line.startswith(b"$") and line != b"$-1":
            return self.receive(int(line[1:]) + 2)[:-2]
        return line

    def line(self):
        line = b""
        while not line.endswith(b"\r\n"):
            byte = self.receive(1)
            if not byte:
                return line
            line += byte
        return line[:-2]

    def at_end(self):
        """Whether the server closes the connection, and says nothing before."""
        return self.receive(1) == b""


class ServerTest(unittest.TestCase):
    """A test case with a folder of its own that goes with it."""

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="lockstep-"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)


if not hasattr(unittest.TestCase, "enterContext"):  # Python before 3.11

    def _enter_context(self, manager):
        value = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return value

    unittest.TestCase.enterContext = _enter_context


def free_port():
    """One that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


if SERVER is None:
    sys.exit(f"usage: {os.path.basename(sys.argv[0])} path/to/lockstep [unittest's arguments]")
