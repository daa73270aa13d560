#!/usr/bin/env python3
"""Sends the same random commands to Lockstep and to a Redis, and compares every byte that comes back and, now
and then, all keys. Run by ctest and by people; README.md beside this file says how to read what it prints."""

import argparse
import os
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.dont_write_bytecode = True

import command_table  # noqa: E402
from calls import expires_soon, is_safe, names_deadline, waits_briefly  # noqa: E402
import report  # noqa: E402
import servers  # noqa: E402
from differences import Rules  # noqa: E402
from episodes import Episode, Setting  # noqa: E402
from player import Endpoint, Player  # noqa: E402
from shrink import Shrinker  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
EPISODE_STEPS = 600
SKIPPED = 77  # ctest: could not run


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", default=ROOT / "build/release/lockstep", metavar="PATH", help="Lockstep's binary")
    parser.add_argument("--lockstep", metavar="HOST:PORT", help="a Lockstep that runs already and may be emptied")
    parser.add_argument("--oracle", metavar="PATH",
                        help="the redis-server to hold it against (default: the one installed)")
    parser.add_argument("--against", metavar="HOST:PORT", help="a Redis that runs already and may be emptied")
    parser.add_argument("--commands", type=int, default=100_000, metavar="N", help="how many commands at least")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--episode", type=int, metavar="E", help="this one only")
    parser.add_argument("--mismatches", type=int, default=10, metavar="N", help="stop after so many different ones")
    parser.add_argument("--shrink-seconds", type=float, default=20, metavar="S", help="for each (default: 20)")
    parser.add_argument("--only", metavar="NAME[,NAME]", help="these commands, or groups of them, only")
    return parser.parse_args()


def address(text):
    host, _, port = text.rpartition(":")
    return host or "127.0.0.1", int(port)


def server(running, paths, folder, name, options):
    """One that runs already, or the first there is, to be started."""
    if running:
        return servers.Server(None, (), "", address(running))
    program = next(filter(None, (shutil.which(str(path)) for path in paths)), None)
    if not program:
        print(f"skipped: there is no {name} at {' or '.join(map(str, paths))}")
        sys.exit(SKIPPED)
    return servers.Server(os.path.abspath(program), options, os.path.join(folder, name + ".log"), name=name)


class Run:
    """All episodes of one seed."""

    def __init__(self, arguments, ours, theirs):
        self.arguments = arguments
        self.ours, self.theirs = Endpoint(ours), Endpoint(theirs)
        self.kind, version = servers.version_of(self.theirs.control.ask)
        self.oracle = f"{self.kind.title()} {'.'.join(map(str, version))}"
        rules = Rules(version)
        self.player = Player(self.ours, self.theirs, rules)
        mine = command_table.read(self.ours.control.ask)
        others = command_table.read(self.theirs.control.ask)
        table = command_table.common(mine, others)
        if arguments.only:
            chosen = set(arguments.only.split(","))
            table = {name: command for name, command in table.items() if chosen & {name, command.group}}
        self.setting = Setting(table, others, rules, version)
        self.seen = {}
        if version >= (8, 0, 0):
            self._compare_facts(command_table.differing_facts(mine, others))

    def _compare_facts(self, facts):
        for name, fact, value, other in facts:
            print(f"== differs from {self.oracle}: COMMAND INFO {name}: {fact}")
            print(f"#   {self.oracle}: {other}\n#   lockstep: {value}\n")
            self.seen["COMMAND INFO", name, fact] = 1

    def episode(self, number):
        episode = Episode(self.setting, self.arguments.seed, number)
        self.player.rules.hashes_are_small = episode.only_short
        steps = episode.make(EPISODE_STEPS)
        mismatch = self.player.play(steps)
        if mismatch is None:
            return
        key = signature(mismatch)
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.seen[key] == 1:
            print(self._explain(number, steps[:mismatch.at + 1], mismatch), flush=True)

    def _explain(self, number, steps, mismatch):
        again = (f"{sys.argv[0]} --seed {self.arguments.seed} --episode {number}"
                 + (f" --only {self.arguments.only}" if self.arguments.only else ""))
        shrinker = Shrinker(self.player.play, lambda other: signature(other) == signature(mismatch), may_replace,
                            self.arguments.shrink_seconds)
        if not shrinker.still(steps):
            return report.seen_once(mismatch, self.oracle, again)
        steps = shrinker.shrink(steps)
        self.player.record = []
        last = self.player.play(steps) or mismatch
        record, self.player.record = self.player.record, None
        text = report.describe(last, record, self.oracle, again)
        for endpoint, ended in zip(self.player.both, (last.difference.ours, last.difference.theirs)):
            if ended == b"ended":
                text += endpoint.server.last_words() + "\n"
        return text

    def all_episodes(self):
        arguments = self.arguments
        if arguments.episode is not None:
            self.episode(arguments.episode)
            return
        number = 0
        while self.player.commands < arguments.commands and len(self.seen) < arguments.mismatches:
            self.episode(number)
            number += 1

    def end(self):
        self.ours.end()
        self.theirs.end()


def signature(mismatch):
    """Two mismatches with the same one are taken for the same fault."""
    difference = mismatch.difference

    def kind(it):
        return type(it).__name__ if not hasattr(it, "kind") else it.kind
    return mismatch.command(), bool(mismatch.connection), kind(difference.ours), kind(difference.theirs)


def may_replace(words, other):
    """Whether a command may be tried in place of another: not what this generator would not make."""
    return not is_ours(other) or is_ours(words) and not names_deadline(plain_words(other))


def plain_words(words):
    return [word if isinstance(word, bytes) else b"999999" for word in words]


def is_ours(words):
    plain = plain_words(words)
    return is_safe(plain) and not expires_soon(plain) and not waits_briefly(plain)


def main():
    arguments = parse_arguments()
    begun = time.monotonic()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="differential-"))
        # Debian's redis-tools has the server, too, under another name; see servers.Server.
        oracles = [arguments.oracle] if arguments.oracle else ["redis-server", "redis-check-rdb"]
        ours = stack.enter_context(server(arguments.lockstep, [arguments.server], folder, "lockstep", servers.EVENTS))
        theirs = stack.enter_context(server(arguments.against, oracles, folder, "redis-server", servers.ORACLE_OPTIONS))
        run = Run(arguments, ours, theirs)
        stack.callback(run.end)
        run.all_episodes()
        print(f"differential: {run.player.commands} commands against {run.oracle} in {time.monotonic() - begun:.0f} s,"
              f" seed {arguments.seed}: {len(run.seen)} mismatches")
    return 1 if run.seen else 0


if __name__ == "__main__":
    sys.exit(main())
