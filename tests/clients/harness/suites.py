"""The table of suites: a name, which is also the folder of its tests, and how to prepare what it runs on.
Called by run. A new suite is one function and one row here, and a folder beside this one."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness.toolchain import CannotRun

SUPPORT = Path(__file__).resolve().parent.parent / "support"


@dataclass(frozen=True)
class Plan:
    """How to run a prepared suite: versions for people to read, and command(folder, tally file)."""
    versions: str
    command: Callable[[Path, Path], list]
    environment: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Suite:
    name: str
    prepare: Callable  # (Cache) -> Plan; raises CannotRun


def unittest_command(python):
    return lambda folder, tally: [python, SUPPORT / "run_unittest.py", folder, tally]


def node_command(node):
    def command(folder, tally):
        return [node, "--test", "--test-concurrency=1", "--test-timeout=120000",
                "--test-reporter=spec", "--test-reporter-destination=stdout",
                "--test-reporter=tap", f"--test-reporter-destination={tally}", *sorted(folder.glob("*.test.js"))]
    return command


def prepare_redis_cli(cache):
    if not shutil.which("redis-cli"):
        raise CannotRun("redis-cli is not installed", "apt-get install redis-tools")
    version = subprocess.run(["redis-cli", "--version"], capture_output=True, text=True).stdout.strip()
    return Plan(version, unittest_command(sys.executable))


def prepare_redis_py(cache):
    venv = cache.venv("redis-py", "redis")
    return Plan(f"redis-py {venv.version_of('redis')}, Python {venv.python_version()}", unittest_command(venv.python))


def node_suite(name, package):
    def prepare(cache):
        node = cache.node()
        modules = cache.node_modules(name, node, package)
        versions = f"{package} {modules.version_of(package)}, Node {node.version}"
        return Plan(versions, node_command(node.path), {"NODE_PATH": str(modules.path)})
    return Suite(name, prepare)


SUITES = [
    Suite("redis-cli", prepare_redis_cli),
    Suite("redis-py", prepare_redis_py),
    node_suite("ioredis", "ioredis"),
    node_suite("node-redis", "redis"),
]
