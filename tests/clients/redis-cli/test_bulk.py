"""redis-cli's tools: --pipe, --eval, --scan, --bigkeys, --memkeys, --hotkeys."""

import tempfile
from pathlib import Path

from cli_case import RELEASE, CliTestCase


def resp(*words):
    return f"*{len(words)}\r\n" + "".join(f"${len(w)}\r\n{w}\r\n" for w in map(str, words))


class Pipe(CliTestCase):
    """--pipe ends with an ECHO of 20 random bytes, which must come back as they were."""

    def test_inline(self):
        done = self.cli("--pipe", input="".join(f"SET k{i} v{i}\r\n" for i in range(1000)))
        self.assertIn("errors: 0, replies: 1000", done)
        self.assertEqual((self.cli("DBSIZE"), self.cli("GET", "k999")), ("1000", "v999"))

    def test_inline_with_quotes(self):
        done = self.cli("--pipe", input="SET 'a key' \"x\\x00\\ty\"\nSET b 'it\\'s'\n")
        self.assertIn("errors: 0, replies: 2", done)
        self.assertEqual(self.cli("--no-raw", "MGET", "a key", "b"), '1) "x\\x00\\ty"\n2) "it\'s"')

    def test_resp(self):
        done = self.cli("--pipe", input="".join(resp("SET", f"k{i}", "x" * i) for i in range(1000)))
        self.assertIn("errors: 0, replies: 1000", done)
        self.assertEqual((self.cli("DBSIZE"), self.cli("STRLEN", "k999")), ("1000", "999"))

    def test_inline_and_resp_mixed(self):
        done = self.cli("--pipe", input="SET a 1\r\n" + resp("INCR", "a") + "INCR a\r\n" + resp("INCR", "a"))
        self.assertIn("errors: 0, replies: 4", done)
        self.assertEqual(self.cli("GET", "a"), "4")

    def test_errors_are_counted(self):
        done = self.run_cli("--pipe", input="SET a\r\nSET a 1\r\nNOSUCH\r\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("errors: 2, replies: 3", done.stdout)
        self.assertIn("ERR wrong number of arguments for 'set' command", done.stderr)


class Eval(CliTestCase):
    def script(self, text):
        path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "script.lua"
        path.write_text(text)
        return path

    def test_keys_and_arguments(self):
        script = self.script("return {#KEYS, KEYS[1], KEYS[2], #ARGV, ARGV[1]}")
        self.assertEqual(self.lines("--eval", script, "k1", "k2", ",", "a"), ["2", "k1", "k2", "1", "a"])

    def test_release(self):
        script = self.script(RELEASE)
        self.cli("SET", "lock", "token")
        self.assertEqual(self.cli("--eval", script, "lock", ",", "other"), "0")
        self.assertEqual(self.cli("--eval", script, "lock", ",", "token"), "1")

    def test_error_names_the_line(self):
        script = self.script("local x = 1\nreturn redis.call('incr')\n")
        self.assertRegex(self.cli("--eval", script), r"script: [0-9a-f]{40}, on @user_script:2\.")


class Keys(CliTestCase):
    def setUp(self):
        super().setUp()
        self.cli("--pipe", input="".join(f"SET lock:{i} 1\nSET stock:{i} {i}\n" for i in range(200)))

    def test_scan(self):
        self.assertEqual(len(set(self.lines("--scan"))), 400)
        self.assertEqual(set(self.lines("--scan", "--pattern", "lock:*")), {f"lock:{i}" for i in range(200)})
        self.assertEqual(set(self.lines("--scan", "--pattern", "lock:?")), {f"lock:{i}" for i in range(10)})
        self.cli("--quoted-input", "SET", r'"a\x00b"', 1)
        self.assertEqual(self.lines("--no-raw", "--scan", "--quoted-pattern", r'"a\x00*"'), [r'"a\x00b"'])

    def test_bigkeys(self):
        self.cli("SET", "big", "x" * 5000)
        report = self.cli("--bigkeys")
        self.assertIn("Sampled 401 keys in the keyspace!", report)
        self.assertIn("""Biggest string found '"big"' has 5000 bytes""", report)

    def test_bigkeys_of_every_type(self):
        self.cli("RPUSH", "queue", "a", "b", "c")
        self.cli("HSET", "lock", "owner", 1, "fence", 2)
        report = self.cli("--bigkeys")
        self.assertIn("""Biggest   list found '"queue"' has 3 items""", report)
        self.assertIn("""Biggest   hash found '"lock"' has 2 fields""", report)
        self.assertRegex(report, r"\n400 strings with \d+ bytes \(99\.50% of keys, avg size [\d.]+\)\n")

    def test_memkeys(self):
        self.cli("SET", "big", "x" * 5000)
        report = self.cli("--memkeys")
        self.assertIn("Sampled 401 keys in the keyspace!", report)
        self.assertRegex(report, r"""Biggest string found '"big"' has [5-9]\d{3} bytes""")
        self.assertIn("Sampled 401 keys", self.cli("--memkeys-samples", 3))

    def test_hotkeys(self):
        """Needs a policy that counts accesses; the server says so."""
        done = self.run_cli("--hotkeys")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Error: ERR An LFU maxmemory policy is not selected, access frequency not tracked.", done.stderr)
