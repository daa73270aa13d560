#!/usr/bin/env python3
"""bench/compare without servers: ratios, turns, disturbed rounds, the verdict of --check, missing programs.

Run by ctest. Standard library only.
"""

import argparse
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import types
import unittest

sys.dont_write_bytecode = True
PATH = pathlib.Path(__file__).resolve().parent.parent / "compare"
LOADER = importlib.machinery.SourceFileLoader("compare", str(PATH))
compare = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", LOADER))
LOADER.exec_module(compare)

FIELDS = ("batch_p50_us", "batch_p99_us", "server_busy", "load_busy", "load_cpu_us_per_op", "server_waited",
          "load_waited")


def run(ops, cpu, **fields):
    return {**dict.fromkeys(FIELDS, 0), "ops_per_second": ops, "server_cpu_us_per_op": cpu, **fields}


class Rounds(unittest.TestCase):
    SERVERS = [types.SimpleNamespace(name="redis"), types.SimpleNamespace(name="lockstep")]

    def measure(self, rounds, waited):
        """measure_rounds with runs whose servers waited as `waited` says, run after run."""
        self.order = []

        def fake(server, *_):
            self.order.append(server.name)
            return run(1, 1, server_waited=waited[len(self.order) - 1] if len(self.order) <= len(waited) else 0)

        original, compare.measure = compare.measure, fake
        self.addCleanup(setattr, compare, "measure", original)
        return compare.measure_rounds(self.SERVERS, "set", 1, 100, argparse.Namespace(rounds=rounds))

    def test_servers_take_turns(self):
        self.assertEqual(len(self.measure(3, [])), 3)
        self.assertEqual(self.order, ["redis", "lockstep", "lockstep", "redis", "redis", "lockstep"])

    def test_disturbed_rounds_are_measured_again(self):
        rounds = self.measure(2, [0.2, 0, 0, 0.3])
        self.assertEqual([compare.disturbance(round_) for round_ in rounds], [0, 0])
        self.assertEqual(len(self.order), 8)

    def test_and_the_least_disturbed_count_when_all_are(self):
        rounds = self.measure(2, [0.4, 0, 0.1, 0, 0.3, 0, 0.2, 0])
        self.assertEqual([compare.disturbance(round_) for round_ in rounds], [0.1, 0.2])


class Ratios(unittest.TestCase):
    ROUNDS = [{"redis": run(100, 4), "lockstep": run(150, 2)}, {"redis": run(200, 2), "lockstep": run(200, 3)},
              {"redis": run(50, 8), "lockstep": run(100, 2)}]

    def test_each_round_gives_one_ratio(self):
        row = compare.summarize(self.ROUNDS, "set", 1, "lockstep", "redis")
        self.assertEqual(row["ops_ratio"], {"median": 1.5, "min": 1.0, "max": 2.0, "rounds": [1.5, 1.0, 2.0]})
        self.assertEqual(row["cpu_ratio"], {"median": 0.5, "min": 0.25, "max": 1.5, "rounds": [0.5, 1.5, 0.25]})
        self.assertEqual(row["medians"]["redis"]["ops_per_second"], 100)
        self.assertEqual(row["notes"], [])

    def test_rows_say_what_makes_them_weak(self):
        rounds = [{"redis": run(1, 1), "lockstep": run(1, 1, load_busy=0.99, load_waited=0.06)}]
        row = compare.summarize(rounds, "set", 1, "lockstep", "redis")
        self.assertEqual(row["notes"], ["load-bound", "disturbed"])


class Check(unittest.TestCase):
    def misses(self, ops, cpu, bound, notes=()):
        row = {"workload": "get", "depth": 16, "notes": notes}
        row.update(ops_ratio={"median": ops}, cpu_ratio={"median": cpu})
        return compare.misses([row], bound)

    def test_bound_holds_both_ways(self):
        self.assertEqual(self.misses(1.0, 1.0, 1.0), [])
        self.assertEqual(self.misses(0.8, 1.25, 0.8), [])
        self.assertEqual(self.misses(0.99, 1.0, 1.0),
                         ["get at depth 16: operations per second are 0.990 of the baseline's, below 1"])
        self.assertEqual(self.misses(1.0, 1.3, 0.8),
                         ["get at depth 16: CPU per operation is 1.300 of the baseline's, above 1.25"])
        self.assertEqual(len(self.misses(0.5, 2.0, 1.0)), 2)

    def test_weak_rows_fail_too_and_say_so(self):
        self.assertEqual(self.misses(0.9, 1.0, 1.0, ["disturbed"]),
                         ["disturbed get at depth 16: operations per second are 0.900 of the baseline's, below 1"])


class MissingPrograms(unittest.TestCase):
    def test_are_named_with_the_remedy(self):
        for options, text in (
                (["--load", "/nowhere/loadgen"], "no load generator at /nowhere/loadgen: `cmake"),
                (["--load", "/bin/true", "--redis", "/nowhere/redis"], "no redis-server at /nowhere/redis: install"),
                (["--load", "/bin/true", "--redis", "/bin/true", "--lockstep", "/nowhere/lockstep"],
                 "no Lockstep at /nowhere/lockstep: `cmake")):
            with self.subTest(text=text):
                result = subprocess.run([str(PATH), *options],
                                        capture_output=True, text=True, timeout=60)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(text, result.stderr)


if __name__ == "__main__":
    unittest.main()
