"""redis-cli without a command: commands from standard input, and a real session at a terminal."""

import os
import pty
import re
import subprocess
import time

from cli_case import ENVIRONMENT, CliTestCase

TIMEOUT_S = 30
COLOURS = re.compile(r"\x1b\[[0-9;]*m|\r")


class FromInput(CliTestCase):
    def test_commands(self):
        self.assertEqual(self.lines(input="SET k 'a b'\nGET k\nDEL k\n"), ["OK", "a b", "1"])

    def test_transaction(self):
        self.assertEqual(self.lines(input="MULTI\nINCR n\nINCR n\nEXEC\nDISCARD\n"),
                         ["OK", "QUEUED", "QUEUED", "1", "2", "ERR DISCARD without MULTI", ""])

    def test_select_lasts(self):
        self.assertEqual(self.lines(input="SELECT 3\nSET k three\nSELECT 0\nGET k\n"), ["OK", "OK", "OK", ""])
        self.assertEqual(self.cli("-n", 3, "GET", "k"), "three")

    def test_count_before_a_command(self):
        self.assertEqual(self.lines(input="3 INCR n\n"), ["1", "2", "3"])

    def test_quit(self):
        self.assertEqual(self.cli(input="PING\nQUIT\nPING\n").count("PONG"), 1)


class Terminal:
    """redis-cli at a pseudo terminal."""

    def __init__(self, port):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(["redis-cli", "-h", "127.0.0.1", "-p", str(port)], env=ENVIRONMENT,
                                        stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)
        self.seen = ""

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

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


class AtTerminal(CliTestCase):
    def setUp(self):
        super().setUp()
        self.terminal = Terminal(self.server.port)
        self.addCleanup(self.terminal.close)
        self.prompt = f"127.0.0.1:{self.server.port}"
        self.terminal.expect(f"{self.prompt}> ")

    def test_lock_by_hand(self):
        self.terminal.type("SET lock token NX PX 30000", r"\nOK\n")
        self.terminal.type("SET lock other NX PX 30000", r"\n\(nil\)\n")
        self.terminal.type("GET lock", r'\n"token"\n')
        self.terminal.type("INCR lock", r"\n\(error\) ERR value is not an integer or out of range\n")
        self.terminal.type("DEL lock", r"\n\(integer\) 1\n")

    def test_prompt_follows_the_session(self):
        self.terminal.type("SELECT 3", rf"{self.prompt}\[3\]> ")
        self.terminal.type("MULTI", rf"{self.prompt}\[3\]\(TX\)> ")
        self.terminal.type("SET k v", r"QUEUED\n")
        self.terminal.type("EXEC", rf"1\) OK\n{self.prompt}\[3\]> ")
        self.terminal.type("HELLO 3", r'1# "server" => "redis"')

    def test_help_comes_from_the_server(self):
        """At its start redis-cli asks COMMAND DOCS for what it shows here."""
        self.terminal.type("HELP SET", r"SET key value .*\[NX ?\| ?XX\b.*PX milliseconds")
        self.terminal.expect(r"summary: .+\n *since: 1\.0\.0\n *group: string\n")

    def test_quit(self):
        os.write(self.terminal.master, b"QUIT\r")
        self.assertEqual(self.terminal.process.wait(TIMEOUT_S), 0)
