#!/usr/bin/env python3
"""bench/compare without servers: turns, disturbed rounds, ratios, the choice of rows, the verdict of --check, the
tables, missing programs. Run by ctest. Standard library only.
"""

import contextlib
import io
import pathlib
import subprocess
import sys
import types
import unittest

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCH))

from comparison import figures, markdown, options, report, rounds, workloads  # noqa: E402
from comparison.errors import NotSupported  # noqa: E402

METRICS = (rounds.Metric("ops", "operations", "/s", True, 0), rounds.Metric("cpu", "server CPU", "us/op", False, 2))
SERVERS = [types.SimpleNamespace(name="redis"), types.SimpleNamespace(name="lockstep")]


def run(ops, cpu, **fields):
    return {"server_waited": 0, "load_waited": 0, "ops": ops, "cpu": cpu, **fields}


def case(measure=None, count=3, kind="throughput", remark=lambda medians: ""):
    return rounds.Case(kind, "set", {"depth": 16, "connections": 50}, METRICS, count, measure, remark)


class Rounds(unittest.TestCase):
    def measure(self, count, waited):
        """measure_rounds with runs whose servers waited as `waited` says, run after run."""
        self.order = []

        def fake(server):
            self.order.append(server.name)
            return run(1, 1, server_waited=waited[len(self.order) - 1] if len(self.order) <= len(waited) else 0)
        return rounds.measure_rounds(case(fake, count), SERVERS)

    def test_servers_take_turns(self):
        self.assertEqual(len(self.measure(3, [])), 3)
        self.assertEqual(self.order, ["redis", "lockstep", "lockstep", "redis", "redis", "lockstep"])

    def test_disturbed_rounds_are_measured_again(self):
        measured = self.measure(2, [0.2, 0, 0, 0.3])
        self.assertEqual([rounds.disturbance(round_) for round_ in measured], [0, 0])
        self.assertEqual(len(self.order), 8)

    def test_and_the_least_disturbed_count_when_all_are(self):
        measured = self.measure(2, [0.4, 0, 0.1, 0, 0.3, 0, 0.2, 0])
        self.assertEqual([rounds.disturbance(round_) for round_ in measured], [0.1, 0.2])


class Rows(unittest.TestCase):
    ROUNDS = [{"redis": run(100, 4), "lockstep": run(150, 2)}, {"redis": run(200, 2), "lockstep": run(200, 3)},
              {"redis": run(50, 8), "lockstep": run(100, 2)}]

    def test_each_round_gives_one_ratio(self):
        row = rounds.summarize(case(), self.ROUNDS, "lockstep", "redis")
        ratios = {key: metric["ratio"] for key, metric in row["metrics"].items()}
        self.assertEqual(ratios["ops"], {"median": 1.5, "min": 1.0, "max": 2.0, "rounds": [1.5, 1.0, 2.0]})
        self.assertEqual(ratios["cpu"], {"median": 0.5, "min": 0.25, "max": 1.5, "rounds": [0.5, 1.5, 0.25]})
        self.assertEqual((row["medians"]["redis"]["ops"], row["medians"]["lockstep"]["cpu"]), (100, 2))
        self.assertEqual((row["title"], row["notes"]), ("set, depth 16, 50 connections", []))

    def test_rows_say_what_makes_them_weak(self):
        weak = [{"redis": run(1, 1), "lockstep": run(1, 1, load_busy=0.99, load_waited=0.06)}]
        row = rounds.summarize(case(), weak, "lockstep", "redis")
        self.assertEqual(row["notes"], ["load-bound", "disturbed"])

    def test_remarks_are_made_of_medians(self):
        row = rounds.summarize(case(remark=lambda medians: medians["ops"] < 120 and f"{medians['ops']} only"),
                               self.ROUNDS, "lockstep", "redis")
        self.assertEqual(row["notes"], ["redis: 100 only"])

    def test_what_a_server_cannot_do_is_a_row_without_values(self):
        def measure(server):
            raise NotSupported("not supported by lockstep: no")
        rows = rounds.rows_of(case(measure), SERVERS)
        self.assertEqual([(row["server"], row["metrics"], row["notes"]) for row in rows],
                         [("lockstep", {}, ["not supported by lockstep: no"])])


def sample_row(ops=1.0, cpu=1.0, notes=(), kind="throughput"):
    row = rounds.summarize(case(kind=kind), [{"redis": run(1000, 1), "lockstep": run(1000 * ops, cpu)}], "lockstep",
                           "redis")
    row["notes"] = list(notes)
    return row


class Check(unittest.TestCase):
    def misses(self, ops, cpu, bound, notes=()):
        return report.misses([sample_row(ops, cpu, notes)], bound)

    def test_bound_holds_both_ways(self):
        self.assertEqual(self.misses(1.0, 1.0, 1.0), [])
        self.assertEqual(self.misses(0.8, 1.25, 0.8), [])
        self.assertEqual(self.misses(0.99, 1.0, 1.0),
                         ["set, depth 16, 50 connections: operations is 0.990 of the baseline's, below 1"])
        self.assertEqual(self.misses(1.0, 1.3, 0.8),
                         ["set, depth 16, 50 connections: server CPU is 1.300 of the baseline's, above 1.25"])
        self.assertEqual(len(self.misses(0.5, 2.0, 1.0)), 2)

    def test_weak_rows_fail_too_and_say_so(self):
        self.assertEqual(
            self.misses(0.9, 1.0, 1.0, ["disturbed"]),
            ["set, depth 16, 50 connections (disturbed): operations is 0.900 of the baseline's, below 1"])

    def test_what_could_not_be_measured_has_not_passed(self):
        row = {**sample_row(notes=["not supported by lockstep: no"]), "metrics": {}}
        self.assertEqual(report.misses([row], 0.5), ["set, depth 16, 50 connections (not supported by lockstep: no)"])


class Tables(unittest.TestCase):
    def report(self, *rows):
        return {"quick": False, "date": "2024-02-29", "rounds": 7, "figure_rounds": 3, "baseline": "redis",
                "machine": {"cpu": "CPU", "cores": 2, "system": "Debian", "kernel": "6.1"}, "rows": rows,
                "versions": {"redis": "Redis server v=7.0.15 sha=0", "lockstep": "Lockstep server v=7.4.0 lockstep=0.2"}}

    def test_markdown_has_a_line_for_each_row_or_metric(self):
        unsupported = {**sample_row(kind="figure", notes=["not supported"]), "metrics": {}}
        text = markdown.render(self.report(sample_row(1.5, 0.25), sample_row(2, 0.0123, kind="handover"), unsupported))
        for line in ("## lockstep 0.2 beside redis 7.0.15",
                     "| `set` | 16 | 50 | 1.50 [1.50..1.50] | 0.25 [0.25..0.25] |  |",
                     "| `set`, depth 16, 50 connections | operations | 2,000 /s | 1,000 /s | 2.00 [2.00..2.00] |  |",
                     "| `set`, depth 16, 50 connections | server CPU | 0.01 us/op | 1.00 us/op | "
                     "0.0123 [0.0123..0.0123] |  |",
                     "| `set`, depth 16, 50 connections |  |  |  |  | not supported |"):
            self.assertIn(line + "\n", text)

    def test_screen_shows_each_metric(self):
        with contextlib.redirect_stdout(io.StringIO()) as screen:
            report.print_row(sample_row(1.5, 0.25, ["disturbed"]), "redis")
        lines = screen.getvalue().splitlines()
        self.assertRegex(lines[0], r"^set, depth 16, 50 connections +operations/s +1,500 +1,000  1.50 .*disturbed$")
        self.assertRegex(lines[1], r"^ +server CPU, us/op +0.25 +1.00  0.25 \[0.25..0.25\]$")


class Choice(unittest.TestCase):
    def titles(self, *arguments):
        chosen = options.parse(arguments)
        return [each.title() for part, names in ((workloads, chosen.workload), (figures, chosen.figure))
                for each in (part.cases(names, chosen) if names else ())]

    def test_everything_without_a_choice(self):
        names = {title.split(",")[0] for title in self.titles()}
        self.assertEqual(names, {*workloads.NAMES, *figures.NAMES})

    def test_workloads_by_name_depth_and_connections(self):
        self.assertEqual(self.titles("--workload", "set"),
                         ["set, depth 1, 1 connection", "set, depth 1, 50 connections", "set, depth 16, 50 connections",
                          "set, depth 100, 50 connections"])
        self.assertEqual(self.titles("--workload", "get", "--depth", "16", "--connections", "7"),
                         ["get, depth 16, 7 connections"])
        self.assertEqual(self.titles("--workload", "contended-lock"),
                         ["contended-lock, 2 waiters", "contended-lock, 50 waiters"])

    def test_figures_by_name(self):
        self.assertEqual(self.titles("--figure", "lock-rss", "--figure", "start"),
                         ["start", "lock-rss, 1,000,000 locks"])
        self.assertEqual(self.titles("--figure", "expiry-stall", "--quick"), ["expiry-stall, 200,000 keys"])


class MissingPrograms(unittest.TestCase):
    def test_are_named_with_the_remedy(self):
        for arguments, text in (
                (["--load", "/nowhere/loadgen"], "no load generator at /nowhere/loadgen: `cmake"),
                (["--load", "/bin/true", "--redis", "/nowhere/redis"], "no redis-server at /nowhere/redis: install"),
                (["--load", "/bin/true", "--redis", "/bin/true", "--lockstep", "/nowhere/lockstep"],
                 "no Lockstep at /nowhere/lockstep: `cmake")):
            with self.subTest(text=text):
                result = subprocess.run([str(BENCH / "compare"), *arguments],
                                        capture_output=True, text=True, timeout=60)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(text, result.stderr)


if __name__ == "__main__":
    unittest.main()
