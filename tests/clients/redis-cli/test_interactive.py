"""redis-cli without a command: commands from standard input, and a real session at a terminal."""

import os

from cli_case import CliTestCase
from lockstep_server import eventually
from terminal import Terminal


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

    def test_help_of_a_group_and_of_a_subcommand(self):
        self.terminal.type("HELP @list", r"\n +BLPOP key \[key \.\.\.\] timeout\n")
        self.terminal.type("HELP CLIENT GETNAME", r"\n +CLIENT GETNAME ?.*\n +summary: .+\n")

    def test_subscribe(self):
        self.terminal.type("SUBSCRIBE news", r'1\) "subscribe"\n2\) "news"\n3\) \(integer\) 1\n')
        self.assertEqual(self.cli("PUBLISH", "news", "released"), "1")
        self.terminal.expect(r'1\) "message"\n2\) "news"\n3\) "released"\n')

    def test_blocked(self):
        os.write(self.terminal.master, b"BLPOP turn 60\r")
        eventually(lambda: "blocked_clients:1" in self.cli("INFO", "clients"), "it waits")
        self.cli("RPUSH", "turn", "yours")
        self.terminal.expect(r'1\) "turn"\n2\) "yours"\n')

    def test_quit(self):
        os.write(self.terminal.master, b"QUIT\r")
        self.assertEqual(self.terminal.wait(), 0)
