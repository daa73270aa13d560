"""MONITOR in redis-cli: a line for each command that the server runs, with its time, database and who sent it."""

import re

from cli_case import CliTestCase
from terminal import Terminal

LINE = re.compile(r"^(\d+\.\d{6}) \[(\d+) (lua|127\.0\.0\.1:\d+)\] (.*)$")


class Monitor(CliTestCase):
    def monitor(self, *arguments):
        process = self.start_cli(*arguments, "MONITOR")
        self.expect(process, "OK")
        return process

    def seen(self, process, count):
        """The next lines as (database, "lua" or "client", words)."""
        lines = [process.stdout.readline().rstrip("\n") for _ in range(count)]
        matches = [LINE.match(line) for line in lines]
        self.assertTrue(all(matches), lines)
        times = [float(match.group(1)) for match in matches]
        self.assertEqual(times, sorted(times))
        return [(int(m.group(2)), "lua" if m.group(3) == "lua" else "client", m.group(4)) for m in matches]

    def test_commands(self):
        process = self.monitor()
        self.cli("SET", "lock", "token", "NX", "PX", 30000)
        self.cli("-n", 3, "get", "lock")
        self.cli("NOSUCH", "x")
        self.cli("INCR", "lock")
        self.cli("PING")
        self.assertEqual(self.seen(process, 5), [
            (0, "client", '"SET" "lock" "token" "NX" "PX" "30000"'),
            (3, "client", '"SELECT" "3"'),
            (3, "client", '"get" "lock"'),
            (0, "client", '"INCR" "lock"'),
            (0, "client", '"PING"'),
        ])

    def test_bytes_are_escaped(self):
        process = self.monitor()
        self.cli("--quoted-input", "SET", r'"a\x00b"', r'"\"\\\r\n\t\x07\x80"')
        self.assertEqual(self.seen(process, 1), [(0, "client", r'"SET" "a\x00b" "\"\\\r\n\t\a\x80"')])

    def test_scripts_show_what_they_call(self):
        process = self.monitor()
        self.cli("EVAL", "redis.call('set', KEYS[1], 1) return redis.call('get', KEYS[1])", 1, "k")
        self.assertEqual(self.seen(process, 3), [
            (0, "client", '''"EVAL" "redis.call('set', KEYS[1], 1) return redis.call('get', KEYS[1])" "1" "k"'''),
            (0, "lua", '"set" "k" "1"'),
            (0, "lua", '"get" "k"'),
        ])

    def test_transactions(self):
        process = self.monitor()
        self.cli(input="MULTI\nINCR n\nINCR n\nEXEC\n")
        self.assertEqual([words for _, _, words in self.seen(process, 5)],
                         ['"COMMAND" "DOCS"', '"MULTI"', '"INCR" "n"', '"INCR" "n"', '"EXEC"'])

    def test_what_is_not_shown(self):
        """Neither what administers the server, nor a password."""
        process = self.monitor()
        self.cli("CONFIG", "GET", "databases")
        self.cli("CLIENT", "LIST")
        self.cli("AUTH", "a password")
        self.cli("ECHO", "end")
        self.assertEqual([words for _, _, words in self.seen(process, 2)], ['"AUTH" "(redacted)"', '"ECHO" "end"'])

    def test_resp3(self):
        process = self.monitor("-3")
        self.cli("ECHO", "x")
        self.assertEqual(self.seen(process, 1), [(0, "client", '"ECHO" "x"')])

    def test_two_monitors(self):
        first, second = self.monitor(), self.monitor()
        self.cli("ECHO", "x")
        for process in (first, second):
            self.assertEqual(self.seen(process, 1), [(0, "client", '"ECHO" "x"')])

    def test_at_a_terminal(self):
        terminal = Terminal(self.server.port)
        self.addCleanup(terminal.close)
        terminal.expect(f"127.0.0.1:{self.server.port}> ")
        terminal.type("MONITOR", r"\nOK\n")
        self.cli("ECHO", "x")
        terminal.expect(r'\d+\.\d{6} \[0 127\.0\.0\.1:\d+\] "ECHO" "x"\n')
