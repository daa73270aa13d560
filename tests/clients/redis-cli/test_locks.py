"""The locks of the articles, typed command by command: SETNX, SET NX EX, and both ways of releasing."""

from lockstep_server import eventually
from cli_case import RELEASE, CliTestCase

KEY = "lock:order:123"


class Locks(CliTestCase):
    def test_setnx_and_what_a_crash_leaves(self):
        self.assertEqual(self.cli("SETNX", KEY, "true"), "1")
        self.assertEqual(self.cli("SETNX", KEY, "true"), "0")
        self.assertEqual(self.cli("TTL", KEY), "-1", "nobody but a DEL frees it")
        self.assertEqual(self.cli("DEL", KEY), "1")
        self.assertEqual(self.cli("SETNX", KEY, "true"), "1")

    def test_set_nx_ex(self):
        self.assertEqual(self.cli("SET", KEY, "true", "NX", "EX", 10), "OK")
        self.assertEqual(self.cli("SET", KEY, "true", "NX", "EX", 10), "")
        self.assertIn(int(self.cli("TTL", KEY)), range(1, 11))

    def second_owner(self):
        """A's lock is over before its work is, and B has taken it."""
        self.assertEqual(self.cli("SET", KEY, "A_UUID", "NX", "PX", 100), "OK")
        eventually(lambda: self.cli("SET", KEY, "B_UUID", "NX", "PX", 60_000) == "OK", "A's lock expires")

    def test_plain_del_takes_the_second_owners_lock(self):
        self.second_owner()
        self.assertEqual(self.cli("DEL", KEY), "1")
        self.assertEqual(self.cli("SET", KEY, "C_UUID", "NX", "PX", 60_000), "OK")

    def test_compared_del_does_not(self):
        self.second_owner()
        self.assertEqual(self.cli("EVAL", RELEASE, 1, KEY, "A_UUID"), "0")
        self.assertEqual(self.cli("GET", KEY), "B_UUID")
        sha = self.cli("SCRIPT", "LOAD", RELEASE)
        self.assertEqual(self.cli("EVALSHA", sha, 1, KEY, "B_UUID"), "1")

    def test_fencing_numbers(self):
        self.assertEqual(self.cli(input="INCR fence\nINCR fence\nINCR fence\n"), "1\n2\n3")
