"""redis-cli's options: database, password, protocol, output forms, unix socket, input for the last argument."""

import json
import tempfile

from cli_case import CliTestCase


class Options(CliTestCase):
    def test_database(self):
        self.assertEqual(self.cli("-n", 5, "SET", "k", "five"), "OK")
        self.assertEqual(self.cli("-n", 5, "GET", "k"), "five")
        self.assertEqual(self.cli("GET", "k"), "")
        self.assertEqual(self.cli("-u", f"redis://127.0.0.1:{self.server.port}/5", "GET", "k", address=False), "five")

    def test_database_out_of_range(self):
        self.assertIn("SELECT 99 failed: ERR DB index is out of range", self.run_cli("-n", 99, "PING").stderr)

    def test_resp3(self):
        self.assertIn(" resp=3", self.cli("-3", "CLIENT", "INFO"))
        self.assertIn(" resp=2", self.cli("CLIENT", "INFO"))
        self.assertEqual(self.cli("-3", "--no-raw", "CONFIG", "GET", "databases"), '1# "databases" => "16"')
        self.assertEqual(self.cli("-3", "--no-raw", "GET", "none"), "(nil)")

    def test_hello(self):
        hello = json.loads(self.cli("--json", "HELLO"))
        self.assertEqual((hello["server"], hello["proto"], hello["mode"], hello["role"]),
                         ("redis", 3, "standalone", "master"))
        self.assertIsInstance(hello["modules"], list)
        self.assertIn("NOPROTO unsupported protocol version", self.cli("HELLO", 4))

    def test_output_forms(self):
        self.cli("MSET", "a", "1", "b", 'x"y')
        self.assertEqual(self.cli("--csv", "MGET", "a", "b", "none"), r'"1","x\"y",NULL')
        self.assertEqual(self.cli("--json", "MGET", "a", "b", "none"), r'["1","x\"y",null]')

    def test_json(self):
        self.cli("HSET", "h", "field", 'x"y')
        self.assertEqual(self.cli("--json", "HGETALL", "h"), r'{"field":"x\"y"}')
        self.assertEqual(self.cli("--json", "-2", "HGETALL", "h"), r'["field","x\"y"]')
        self.assertEqual(self.cli("--quoted-json", "ECHO", "é"), r'"\\xc3\\xa9"')
        self.assertIn("syntax error", self.cli("--json", "SET", "k", "v", "NX", "XX"))

    def test_delimiters(self):
        self.cli("MSET", "a", 1, "b", 2)
        self.assertEqual(self.cli("-d", ";", "MGET", "a", "b"), "1;2")
        self.assertEqual(self.cli("-D", "|", "-r", 2, "MGET", "a", "b"), "1\n2|1\n2|")

    def test_cluster(self):
        """Its cluster manager finds no cluster; with -c a single server serves as ever."""
        address = f"127.0.0.1:{self.server.port}"
        for command in ("info", "check", "fix"):
            done = self.run_cli("--cluster", command, address, address=False)
            self.assertEqual((done.returncode, done.stdout + done.stderr),
                             (1, f"[ERR] Node {address} is not configured as a cluster node.\n"))
        self.assertEqual(self.cli("-c", "SET", "k", "v"), "OK")

    def test_repeat(self):
        self.assertEqual(self.lines("-r", 3, "INCR", "n"), ["1", "2", "3"])

    def test_last_argument_from_input(self):
        self.assertEqual(self.cli("-x", "SET", "k", input="line 1\r\nline 2\n"), "OK")
        self.assertEqual(self.cli("--no-raw", "GET", "k"), r'"line 1\r\nline 2\n"')
        self.assertEqual(self.cli("-X", "here", "SET", "k2", "here", "NX", input="middle"), "OK")
        self.assertEqual(self.cli("GET", "k2"), "middle")


class Password(CliTestCase):
    options = ("--requirepass", "secret")

    def run_cli(self, *arguments, password="secret", **how):
        return super().run_cli(*(["--no-auth-warning", "-a", password] if password else []), *arguments, **how)

    def test_with_password(self):
        self.assertEqual(self.cli("-n", 2, "SET", "k", "v"), "OK")
        self.assertEqual(self.cli("PING", password=None, environment={"REDISCLI_AUTH": "secret"}), "PONG")
        self.assertEqual(self.cli("--user", "default", "PING"), "PONG")
        self.assertEqual(self.cli("-3", "PING"), "PONG")
        url = f"redis://default:secret@127.0.0.1:{self.server.port}/2"
        self.assertEqual(self.cli("-u", url, "GET", "k", password=None, address=False), "v")

    def test_without_password(self):
        self.assertEqual(self.cli("PING", password=None), "NOAUTH Authentication required.\n")
        self.assertEqual(self.cli("AUTH", "secret", password=None), "OK")

    def test_wrong_password(self):
        done = self.run_cli("PING", password="wrong")
        self.assertIn("AUTH failed: WRONGPASS invalid username-password pair or user is disabled.", done.stderr)
        self.assertEqual(done.stdout, "NOAUTH Authentication required.\n\n")


class NoPasswordAsked(CliTestCase):
    def test_password_where_none_is_set(self):
        done = self.run_cli("--no-auth-warning", "-a", "secret", "PING")
        self.assertIn("AUTH failed: ERR AUTH <password> called without any password configured for the default user. "
                      "Are you sure your configuration is correct?", done.stderr)
        self.assertEqual(done.stdout, "PONG\n")


class UnixSocket(CliTestCase):
    @classmethod
    def setUpClass(cls):
        directory = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.socket = f"{directory}/server.sock"
        cls.options = ("--unixsocket", cls.socket)
        super().setUpClass()

    def test_both_ways_lead_to_the_same_keys(self):
        self.assertEqual(self.cli("-s", self.socket, "SET", "k", "v", address=False), "OK")
        self.assertEqual(self.cli("GET", "k"), "v")

    def test_connections_over_the_socket_are_told_apart(self):
        first, second = (self.cli("-s", self.socket, "CLIENT", "ID", address=False) for _ in range(2))
        self.assertGreater(int(second), int(first))
