"""A server process for tests in Python: started on a free port, ended by SIGTERM, which must end it cleanly.
Used by the suites redis-cli and redis-py; knows the binary's command line and its ready line, no client."""

import os
import queue
import re
import subprocess
import threading
import time
import unittest

START_TIMEOUT_S = 30
STOP_TIMEOUT_S = 30
READY = re.compile(r"^lockstep ready redis://127\.0\.0\.1:(\d+)$")


class LockstepServer:
    """with LockstepServer("--requirepass", "secret") as server: ... server.port ..."""

    def __init__(self, *options):
        self.options = options
        self.port = None
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """On the port it had before, if it had one."""
        self.output = []
        self.ready = queue.SimpleQueue()
        self.process = subprocess.Popen(
            [os.environ["LOCKSTEP_SERVER"], "--port", str(self.port or "auto"), "--bind", "127.0.0.1", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        try:
            self.port = self.ready.get(timeout=START_TIMEOUT_S)
        except queue.Empty:
            self.port = None
        if not self.port:
            self.process.kill()
            raise AssertionError(f"the server did not become ready:\n{self.said()}")

    def stop(self):
        """Ends it by SIGTERM; harmless when it has ended already."""
        if self.process is None:
            return
        process, self.process = self.process, None
        process.terminate()
        try:
            status = process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            status = "none: had to be killed"
        self.reader.join(STOP_TIMEOUT_S)
        process.stdout.close()
        if status != 0:
            raise AssertionError(f"SIGTERM ended the server with status {status}:\n{self.said()}")

    def restart(self):
        self.stop()
        self.start()

    def said(self):
        return "".join(self.output)

    def _read(self):
        """Ready means both lines are there: Lockstep's own, and the one that tools made for Redis wait for."""
        port, accepts = None, False
        for line in self.process.stdout:
            self.output.append(line)
            match = READY.match(line.strip())
            port = int(match.group(1)) if match else port
            accepts = accepts or "Ready to accept connections" in line
            if port and accepts:
                self.ready.put(port)
        self.ready.put(None)


class ServerTestCase(unittest.TestCase):
    """A test case with one server for all its tests: cls.server. Give `options` for more of its options."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = LockstepServer(*cls.options)
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)


def eventually(check, what, timeout_s=20):
    """Polls until check() is true and gives its value: for a state that another process brings about."""
    end = time.monotonic() + timeout_s
    while True:
        value = check()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {timeout_s} s: {what}")
        time.sleep(0.005)
