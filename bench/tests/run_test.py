#!/usr/bin/env python3
"""bench/compare as a whole, small, with Lockstep on both sides: what it prints and writes, and its exit status.
Run by ctest as `run_test.py PATH_OF_LOADGEN PATH_OF_LOCKSTEP`. Standard library only.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMPARE = pathlib.Path(__file__).resolve().parent.parent / "compare"
LOADGEN, LOCKSTEP = None, None


@unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "needs two cores")
class Run(unittest.TestCase):
    def compare(self, directory, *arguments):
        cores = sorted(os.sched_getaffinity(0))
        command = [COMPARE, "--redis", LOCKSTEP, "--lockstep", LOCKSTEP, "--load", LOADGEN, "--quick", "--rounds", "1",
                   "--server-core", str(cores[0]), "--load-core", str(cores[1]), "--json", f"{directory}/out.json",
                   "--markdown", f"{directory}/out.md", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)

    def test_rows_tables_and_verdict(self):
        with tempfile.TemporaryDirectory() as directory:
            run = self.compare(directory, "--workload", "publish-subscribed", "--depth", "16", "--workload",
                               "contended-lock", "--figure", "idle-rss", "--check", "0.01")
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            results = json.loads(pathlib.Path(directory, "out.json").read_text())
            tables = pathlib.Path(directory, "out.md").read_text()
        titles = ["publish-subscribed, depth 16, 50 connections", "contended-lock, 2 waiters",
                  "contended-lock, 50 waiters", "idle-rss"]
        self.assertEqual([row["title"] for row in results["rows"]], titles)
        self.assertEqual([row["kind"] for row in results["rows"]], ["throughput", "handover", "handover", "figure"])
        for title in titles:
            self.assertIn(title, run.stdout)
        for line in ("| `publish-subscribed` | 16 | 50 | ", "| `contended-lock`, 50 waiters | p99 | ",
                     "| `idle-rss` | RSS | "):
            self.assertIn(line, tables)
        self.assertEqual(run.stdout.splitlines()[-1], "check: passed (bound 0.01)")

    def test_a_bound_that_is_not_kept_is_the_exit_status(self):
        with tempfile.TemporaryDirectory() as directory:
            run = self.compare(directory, "--figure", "idle-rss", "--check", "10")
        self.assertEqual((run.returncode, run.stderr), (1, ""))
        self.assertEqual(run.stdout.splitlines()[-1], "check: failed (bound 10)")


if __name__ == "__main__":
    LOCKSTEP, LOADGEN = os.path.abspath(sys.argv.pop(2)), os.path.abspath(sys.argv.pop(1))
    unittest.main()
