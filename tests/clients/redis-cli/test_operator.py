"""What an operator asks by redis-cli while locks are in use: who is connected, who waits, what is slow, what is stored,
settings that change while the server runs, events of keys."""

import re

from cli_case import CliTestCase
from lockstep_server import eventually
from terminal import Terminal


class Operator(CliTestCase):
    def client_ids(self, command):
        """The connections whose last command was this."""
        return re.findall(rf"^id=(\d+) .* cmd={re.escape(command)} ", self.cli("CLIENT", "LIST"), re.MULTILINE)

    def waiting(self, command):
        return eventually(lambda: self.client_ids(command), f"a client's last command is {command}")[0]

    def set_config(self, name, value):
        before = self.lines("CONFIG", "GET", name)[1]
        self.assertEqual(self.cli("CONFIG", "SET", name, value), "OK")
        self.addCleanup(self.cli, "CONFIG", "SET", name, before)

    def test_kill_by_id(self):
        subscriber = self.start_cli("SUBSCRIBE", "news")
        self.expect(subscriber, "subscribe", "news", "1")
        self.assertEqual(self.cli("CLIENT", "KILL", "ID", self.waiting("subscribe")), "1")
        self.expect(subscriber, "Error: Server closed the connection")
        self.assertEqual(self.lines("PUBSUB", "NUMSUB", "news"), ["news", "0"])

    def test_kill_by_address(self):
        waiter = self.start_cli("BLPOP", "turn", "60")
        number = self.waiting("blpop")
        address = re.search(rf"^id={number} addr=(\S+)", self.cli("CLIENT", "LIST"), re.MULTILINE).group(1)
        self.assertEqual(self.cli("CLIENT", "KILL", address), "OK")
        self.expect(waiter, "Error: Server closed the connection")
        self.assertEqual(self.cli("RPUSH", "turn", "still here"), "1")

    def test_kill_nobody(self):
        self.assertEqual(self.cli("CLIENT", "KILL", "127.0.0.1:1"), "ERR No such client\n")
        self.assertEqual(self.cli("CLIENT", "KILL", "TYPE", "pubsub"), "0")

    def test_unblock(self):
        waiter = self.start_cli("BLPOP", "turn", "60")
        self.assertEqual(self.cli("CLIENT", "UNBLOCK", self.waiting("blpop")), "1")
        self.expect(waiter, "")
        waiter = self.start_cli("BLPOP", "turn", "60")
        self.assertEqual(self.cli("CLIENT", "UNBLOCK", self.waiting("blpop"), "ERROR"), "1")
        self.expect(waiter, "UNBLOCKED client unblocked via CLIENT UNBLOCK")
        self.assertEqual(self.cli("CLIENT", "UNBLOCK", self.cli("CLIENT", "ID")), "0")

    def test_pause(self):
        self.assertEqual(self.cli("CLIENT", "PAUSE", 60_000, "WRITE"), "OK")
        self.addCleanup(self.cli, "CLIENT", "UNPAUSE")
        writer = self.start_cli("SET", "k", "v")
        self.waiting("set")
        self.assertEqual(self.cli("GET", "k"), "", "the write waits, reads go on")
        self.assertEqual(self.cli("CLIENT", "UNPAUSE"), "OK")
        self.expect(writer, "OK")
        self.assertEqual(self.cli("GET", "k"), "v")

    def test_client_list(self):
        listed = self.cli("CLIENT", "LIST", "TYPE", "normal").strip().split("\n")
        self.assertEqual(len(listed), 1)
        self.assertRegex(listed[0], r"^id=\d+ addr=127\.0\.0\.1:\d+ laddr=127\.0\.0\.1:\d+ fd=\d+ "
                                    r"name= age=\d+ idle=\d+ flags=N db=0 ")
        self.assertEqual(self.cli("CLIENT", "LIST", "TYPE", "replica"), "")
        self.assertEqual(self.cli(input="CLIENT SETNAME shop\nCLIENT GETNAME\n"), "OK\nshop")

    def test_config_set(self):
        self.set_config("notify-keyspace-events", "Egx")
        self.assertEqual(self.lines("CONFIG", "GET", "notify-keyspace-events"), ["notify-keyspace-events", "gxE"])
        self.assertEqual(self.cli("CONFIG", "SET", "no-such-option", 1),
                         "ERR Unknown option or number of arguments for CONFIG SET - 'no-such-option'\n")
        self.assertEqual(self.cli("CONFIG", "SET", "port"), "ERR wrong number of arguments for 'config|set' command\n")
        self.assertIn("can't set immutable config", self.cli("CONFIG", "SET", "databases", 3))
        self.assertEqual(self.cli("CONFIG", "RESETSTAT"), "OK")

    def test_events_of_a_lock(self):
        """The expired event comes at the deadline, though nobody asks for the key."""
        self.set_config("notify-keyspace-events", "KEA")
        listener = self.start_cli("PSUBSCRIBE", "__key*__:*")
        self.expect(listener, "psubscribe", "__key*__:*", "1")
        self.cli("SET", "lock", "token", "NX", "PX", 50)

        def event(name):
            pattern = ["pmessage", "__key*__:*"]
            return [*pattern, "__keyspace@0__:lock", name, *pattern, f"__keyevent@0__:{name}", "lock"]

        self.expect(listener, *event("set"), *event("expire"), *event("expired"))
        self.cli("SET", "lock", "token")
        self.cli("DEL", "lock")
        self.expect(listener, *event("set"), *event("del"))

    def test_slow_log(self):
        self.set_config("slowlog-log-slower-than", 0)
        self.assertEqual(self.cli("SLOWLOG", "RESET"), "OK")
        self.cli("SET", "lock", "token")
        number, at, duration, *words = self.lines("SLOWLOG", "GET", 1)
        self.assertTrue(number.isdigit() and int(at) > 1_700_000_000 and duration.isdigit())
        self.assertEqual(words[:3], ["SET", "lock", "token"])
        self.assertRegex(words[3], r"^127\.0\.0\.1:\d+$")
        self.assertGreaterEqual(int(self.cli("SLOWLOG", "LEN")), 2)
        self.set_config("slowlog-log-slower-than", -1)
        self.assertEqual(self.cli("SLOWLOG", "RESET"), "OK")
        self.assertEqual(self.cli("SLOWLOG", "LEN"), "0")

    def test_memory_usage(self):
        self.cli("MSET", "small", "x", "large", "x" * 10_000)
        small, large = (int(self.cli("MEMORY", "USAGE", key)) for key in ("small", "large"))
        self.assertTrue(0 < small < 200 and 10_000 <= large < 20_000, (small, large))
        self.assertEqual(self.cli("--no-raw", "MEMORY", "USAGE", "none"), "(nil)")

    def test_object(self):
        self.cli("MSET", "number", 17, "short", "token", "long", "x" * 100)
        self.cli("HSET", "hash", "owner", 1)
        self.assertEqual([self.cli("OBJECT", "ENCODING", key) for key in ("number", "short", "long", "hash")],
                         ["int", "embstr", "raw", "listpack"])
        self.assertEqual(self.cli("OBJECT", "REFCOUNT", "short"), "1")
        self.assertIn("An LFU maxmemory policy is not selected", self.cli("OBJECT", "FREQ", "short"))

    def test_latency_and_debug(self):
        self.assertEqual(self.cli("LATENCY", "RESET"), "0")
        self.assertEqual(self.cli("LATENCY", "LATEST"), "")
        self.assertIn("ERR DEBUG command not allowed.", self.cli("DEBUG", "SLEEP", 0))

    def test_command_tables(self):
        self.assertGreater(int(self.cli("COMMAND", "COUNT")), 100)
        self.assertEqual(self.lines("COMMAND", "GETKEYS", "EVAL", "return 1", 2, "a", "b", "c"), ["a", "b"])
        self.assertIn("blpop", self.lines("COMMAND", "LIST"))
        self.assertIn("CLIENT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", self.cli("CLIENT", "HELP"))

    def test_info_sections(self):
        self.cli("CONFIG", "RESETSTAT")
        self.cli("SET", "k", "v", "EX", 100)
        self.assertRegex(self.cli("INFO", "commandstats"),
                         r"cmdstat_set:calls=1,usec=\d+,usec_per_call=\d+\.\d\d,rejected_calls=0,failed_calls=0")
        self.assertRegex(self.cli("INFO", "keyspace"), r"db0:keys=1,expires=1,avg_ttl=\d+")
        self.cli("INCR", "k")
        self.assertIn("errorstat_ERR:count=1", self.cli("INFO", "errorstats"))

    def test_role_and_cluster(self):
        self.assertEqual(self.lines("ROLE")[:2], ["master", "0"])
        self.assertEqual(self.cli("CLUSTER", "INFO"), "ERR This instance has cluster support disabled")
        self.assertEqual(self.cli("WAIT", 0, 100), "0")

    def test_server_ends_while_a_terminal_is_open(self):
        terminal = Terminal(self.server.port)
        self.addCleanup(terminal.close)
        prompt = f"127.0.0.1:{self.server.port}> "
        terminal.expect(prompt)
        terminal.type("SET k v", rf"OK\n{prompt}")
        self.server.restart()
        terminal.type("PING", r"\nError: Server closed the connection\nnot connected> ")
        terminal.type("PING", rf"\nPONG\n{prompt}")
        terminal.type("GET k", r"\n\(nil\)\n")
