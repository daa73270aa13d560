"""One command a call: replies in raw and formatted form, error texts, exit statuses."""

from cli_case import RELEASE, CliTestCase


class OneShot(CliTestCase):
    def test_ping(self):
        self.assertEqual(self.cli("PING"), "PONG")
        self.assertEqual(self.cli("PING", "hello world"), "hello world")

    def test_lock_taken_and_released(self):
        self.assertEqual(self.cli("SET", "lock", "token", "NX", "PX", 30000), "OK")
        self.assertEqual(self.cli("SET", "lock", "other", "NX", "PX", 30000), "")
        self.assertEqual(self.cli("GET", "lock"), "token")
        self.assertEqual(self.cli("EVAL", RELEASE, 1, "lock", "other"), "0")
        self.assertEqual(self.cli("EVAL", RELEASE, 1, "lock", "token"), "1")
        self.assertEqual(self.cli("EXISTS", "lock"), "0")

    def test_formatted_replies(self):
        self.cli("SET", "k", 'a"b\n')
        self.assertEqual(self.cli("--no-raw", "GET", "k"), r'"a\"b\n"')
        self.assertEqual(self.cli("--no-raw", "GET", "none"), "(nil)")
        self.assertEqual(self.cli("--no-raw", "STRLEN", "k"), "(integer) 4")
        self.assertEqual(self.cli("--no-raw", "MGET", "k", "none"), '1) "a\\"b\\n"\n2) (nil)')
        self.assertEqual(self.cli("--no-raw", "KEYS", "none*"), "(empty array)")

    def test_errors(self):
        """Without -e an error is only printed; with -e it goes to standard error and sets the status."""
        for command, text in [
            (["SET", "k"], "ERR wrong number of arguments for 'set' command"),
            (["SET", "k", "v", "PX", "soon"], "ERR value is not an integer or out of range"),
            (["SET", "k", "v", "EX", 0], "ERR invalid expire time in 'set' command"),
            (["SET", "k", "v", "NX", "XX"], "ERR syntax error"),
            (["NOSUCH", "a", "b"], "ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b' "),
            (["CLIENT", "NOSUCH"], "ERR unknown subcommand 'NOSUCH'. Try CLIENT HELP."),
            (["EXEC"], "ERR EXEC without MULTI"),
            (["EVALSHA", "0" * 40, 0], "NOSCRIPT No matching script. Please use EVAL."),
            (["EVAL", "return 1", "x"], "ERR value is not an integer or out of range"),
            (["SELECT", 99], "ERR DB index is out of range"),
        ]:
            with self.subTest(command=command):
                self.assertEqual(self.cli(*command), text + "\n")
                with_e = self.run_cli("-e", *command)
                self.assertEqual((with_e.returncode, with_e.stdout, with_e.stderr), (1, "", text + "\n"))

    def test_nobody_listens(self):
        """Port 1 of the loopback address is nobody's."""
        done = self.run_cli("-p", 1, "PING")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Could not connect to Redis", done.stderr)

    def test_expiry(self):
        self.cli("SET", "k", "v", "EX", 100)
        self.assertIn(int(self.cli("TTL", "k")), range(50, 101))
        self.assertEqual(self.cli("PERSIST", "k"), "1")
        self.assertEqual((self.cli("TTL", "k"), self.cli("TTL", "none")), ("-1", "-2"))

    def test_info(self):
        info = dict(line.split(":", 1) for line in self.cli("INFO").replace("\r", "").split("\n") if ":" in line)
        self.assertEqual((info["role"], info["redis_mode"], info["loading"]), ("master", "standalone", "0"))
        self.assertEqual(info["tcp_port"], str(self.server.port))

    def test_config_get(self):
        self.assertEqual(self.lines("CONFIG", "GET", "databases"), ["databases", "16"])
        self.assertEqual(self.cli("CONFIG", "GET", "no-such-option"), "")
