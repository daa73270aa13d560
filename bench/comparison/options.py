"""The command line of bench/compare."""

import argparse
import pathlib

from comparison import figures, workloads

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROUNDS, QUICK_ROUNDS = 7, 3
FIGURE_ROUNDS, QUICK_FIGURE_ROUNDS = 3, 1


def bound(text):
    value = float(text)
    if not 0 < value <= 10:
        raise ValueError
    return value


def count(text):
    value = int(text)
    if not 1 <= value <= 1000:
        raise ValueError
    return value


def add_programs(parser):
    parser.add_argument("--lockstep", default=str(ROOT / "build/release/lockstep"), metavar="PATH")
    parser.add_argument("--redis", default="redis-server", metavar="PATH", help="the baseline (default: from PATH)")
    parser.add_argument("--other", action="append", default=[], metavar="PATH",
                        help="a further Redis-compatible server (may be repeated)")
    parser.add_argument("--load", default=str(ROOT / "build/bench/bench/loadgen"), metavar="PATH")
    parser.add_argument("--calibrate", action="store_true",
                        help="redis-server on both sides: shows which difference the machine lets one see")
    parser.add_argument("--server-core", type=int, default=0)
    parser.add_argument("--load-core", type=int, default=1)


def add_selection(parser):
    parser.add_argument("--workload", action="append", choices=workloads.NAMES, metavar="NAME",
                        help=f"only these workloads (may be repeated): {', '.join(workloads.NAMES)}")
    parser.add_argument("--figure", action="append", choices=figures.NAMES, metavar="NAME",
                        help=f"only these figures (may be repeated): {', '.join(figures.NAMES)}")
    parser.add_argument("--depth", action="append", type=int, choices=workloads.DEPTHS,
                        help="only this depth (may be repeated)")
    parser.add_argument("--connections", action="append", type=count,
                        help="as many connections, at every depth (may be repeated)")
    parser.add_argument("--rounds", type=count, help="runs per server and row (default 7, figures 3; "
                                                     "with --quick 3, figures 1)")
    parser.add_argument("--quick", action="store_true",
                        help="fewer operations, keys and rounds: some minutes for everything")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="compare",
                                     description="Lockstep and redis-server side by side; see bench/README.md.")
    add_programs(parser)
    add_selection(parser)
    parser.add_argument("--json", metavar="FILE", help="write everything that was measured")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables of results")
    parser.add_argument("--check", type=bound, metavar="RATIO",
                        help="exit status 1 if a median of Lockstep's is worse than RATIO of the baseline's: below it "
                             "where more is better, above 1/RATIO where less is")
    options = parser.parse_args(arguments)
    options.figure_rounds = options.rounds or (QUICK_FIGURE_ROUNDS if options.quick else FIGURE_ROUNDS)
    options.rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    if not options.workload and not options.figure:
        options.workload, options.figure = list(workloads.NAMES), list(figures.NAMES)
    return options
