"""redis-cli's reports that go on until it is ended: --stat, --latency and its kin, --lru-test, and -r with -i."""

import re

from cli_case import CliTestCase
from terminal import Terminal


class Rolling(CliTestCase):
    def terminal(self, *arguments):
        terminal = Terminal(self.server.port, *arguments)
        self.addCleanup(terminal.close)
        return terminal

    def test_stat(self):
        """One line of INFO's numbers each interval: keys, memory, clients, blocked, requests, connections."""
        self.cli("MSET", "a", 1, "b", 2, "c", 3)
        terminal = self.terminal("--stat", "-i", "0.1")
        terminal.expect(r"keys +mem +clients blocked requests +connections +\n")
        terminal.expect(r"3 +[\d.]+[BKMG] +1 +0 +\d+ \(\+0\) +\d+ +\n")
        terminal.expect(r"3 +[\d.]+[BKMG] +1 +0 +\d+ \(\+1\) +\d+ +\n")
        self.cli("SET", "d", 4)
        terminal.expect(r"\n4 +[\d.]+[BKMG] +")

    def test_stat_counts_who_waits(self):
        self.start_cli("BLPOP", "nothing", "60")
        terminal = self.terminal("--stat", "-i", "0.05")
        terminal.expect(r"\n\d+ +[\d.]+[BKMG] +2 +1 +")

    def test_latency(self):
        """Not at a terminal: one line when the interval is over."""
        self.assertRegex(self.cli("--latency", "-i", 0.1), r"^\d+ \d+ \d+\.\d\d [1-9]\d*\n?$")
        self.assertRegex(self.cli("--latency", "--csv", "-i", 0.1), r"^\d+,\d+,\d+\.\d\d,[1-9]\d*$")

    def test_latency_at_a_terminal(self):
        terminal = self.terminal("--latency")
        terminal.expect(r"min: \d+, max: \d+, avg: \d+\.\d\d \(5 samples\)")

    def test_latency_history(self):
        terminal = self.terminal("--latency-history", "-i", "0.2")
        for _ in range(2):
            terminal.expect(r"\([1-9]\d* samples\) -- 0\.2\d seconds range\n")

    def test_latency_dist(self):
        terminal = self.terminal("--latency-dist", "-i", "0.1")
        terminal.expect(r"From 0 to 100%:")
        terminal.expect(r"\n\.-\*#123456789ABCDEFGHIJKLMNOPQ\?")

    def test_lru(self):
        terminal = self.terminal("--lru-test", "500")
        gets = terminal.expect(r"\d+ Gets/sec \| Hits: \d+ \([\d.]+%\) \| Misses: \d+ \([\d.]+%\)\n")
        self.assertGreater(int(re.match(r"\d+", gets).group()), 0)

    def test_repeat_with_pauses(self):
        self.assertEqual(self.lines("-r", 3, "-i", 0.01, "INCR", "n"), ["1", "2", "3"])

    def test_repeat_for_ever(self):
        process = self.start_cli("-r", "-1", "-i", "0.01", "INCR", "n")
        self.expect(process, "1", "2", "3")
