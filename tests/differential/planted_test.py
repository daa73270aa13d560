#!/usr/bin/env python3
"""Tests the differential test itself with two of our own servers: two alike show no mismatch, and what is
made different between them is found and cut down to the steps that show it.

    planted_test.py path/to/lockstep [unittest's arguments]
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
    sys.exit(__doc__)
SERVER = os.path.abspath(sys.argv.pop(1))

import servers  # noqa: E402

HERE = Path(__file__).resolve().parent


class PlantedTest(unittest.TestCase):
    def compare(self, commands, *options):
        """(exit status, what was printed) of Lockstep held against a Lockstep with other options."""
        with tempfile.TemporaryDirectory(prefix="planted-") as folder, \
                servers.Server(SERVER, (*servers.EVENTS, *options), os.path.join(folder, "log"),
                               name="lockstep") as other:
            done = subprocess.run([sys.executable, HERE / "differential.py", "--server", SERVER, "--against",
                                   f"127.0.0.1:{other.port}",
                                   "--commands", str(commands), "--mismatches", "1", "--seed", "3"],
                                  capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def test_two_alike(self):
        status, printed = self.compare(5000)
        self.assertEqual(status, 0, printed)
        self.assertIn(": 0 mismatches", printed)

    def test_fewer_databases(self):
        status, printed = self.compare(100_000, "--databases", "15")
        self.assertEqual(status, 1, printed)
        lines = printed.splitlines()
        self.assertTrue(any("DB index is out of range" in line for line in lines), printed)
        sent = [line for line in lines if line[1:3] == "> "]
        self.assertLessEqual(len(sent), 3, printed)
        self.assertIn("# again: ", printed)


if __name__ == "__main__":
    unittest.main()
