"""redis-cli at a pseudo terminal, for what it does only there: its prompt, and reports that roll on until it is
ended. Used by test_interactive.py and test_rolling.py."""

import os
import pty
import re
import subprocess
import time

from cli_case import ENVIRONMENT

TIMEOUT_S = 30
COLOURS = re.compile(r"\x1b\[[0-9;]*m|\r")


class Terminal:
    """redis-cli with these arguments, at a terminal of its own."""

    def __init__(self, port, *arguments):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(["redis-cli", "-h", "127.0.0.1", "-p", str(port), *arguments], env=ENVIRONMENT,
                                        stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)
        self.seen = ""

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def wait(self):
        """The status it ends with."""
        return self.process.wait(TIMEOUT_S)

    def expect(self, pattern):
        """Reads on until the pattern appears; forgets what came up to its end."""
        os.set_blocking(self.master, False)
        end = time.monotonic() + TIMEOUT_S
        while not (match := re.search(pattern, self.seen)):
            if time.monotonic() > end:
                raise AssertionError(f"no {pattern!r} within {TIMEOUT_S} s in {self.seen!r}")
            try:
                self.seen = COLOURS.sub("", self.seen + os.read(self.master, 65536).decode(errors="replace"))
            except BlockingIOError:
                time.sleep(0.005)
        self.seen = self.seen[match.end():]
        return match.group()

    def type(self, line, pattern):
        """Types a line and waits for what is expected after it."""
        os.write(self.master, line.encode() + b"\r")
        return self.expect(pattern)
