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


def maven_command(reports):
    return lambda folder, tally: [sys.executable, SUPPORT / "run_maven.py", folder, tally, reports]


def node_command(node):
    def command(folder, tally):
        return [node, "--test", "--test-concurrency=1", "--test-timeout=120000",
                "--test-reporter=spec", "--test-reporter-destination=stdout",
                "--test-reporter=tap", f"--test-reporter-destination={tally}", *sorted(folder.glob("*.test.js"))]
    return command


def redis_tools_suite(program):
    def prepare(cache):
        if not shutil.which("redis-cli") or not shutil.which(program):
            raise CannotRun(f"{program} is not installed", "apt-get install redis-tools")
        version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
        return Plan(version, unittest_command(sys.executable))
    return Suite(program, prepare)


def prepare_hiredis(cache):
    """The test compiles its program itself: a program that does not compile is a failure."""
    remedy = "apt-get install g++ pkg-config libhiredis-dev libuv1-dev"
    if not shutil.which("cc") or not shutil.which("pkg-config"):
        raise CannotRun("there is no cc or no pkg-config", remedy)
    versions = subprocess.run(["pkg-config", "--modversion", "hiredis", "libuv"], capture_output=True, text=True)
    if versions.returncode != 0:
        raise CannotRun("the headers of hiredis or libuv are not installed", remedy)
    hiredis, libuv = versions.stdout.split()
    build = cache.path / "hiredis-checks"  # no name that Python could import: redis-py looks for a module `hiredis`
    return Plan(f"hiredis {hiredis}, libuv {libuv}", unittest_command(sys.executable), {"CLIENT_BUILD": str(build)})


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


def prepare_java(cache):
    project = cache.maven_project(SUPPORT.parent / "java")
    libraries = ", ".join(f"{name} {project.version_of(name.lower())}" for name in ("Redisson", "Jedis", "Lettuce"))
    return Plan(f"{libraries}, Java {project.java_version}", maven_command(cache.path / "java/surefire-reports"))


SUITES = [
    redis_tools_suite("redis-cli"),
    redis_tools_suite("redis-benchmark"),
    Suite("hiredis", prepare_hiredis),
    Suite("redis-py", prepare_redis_py),
    node_suite("ioredis", "ioredis"),
    node_suite("node-redis", "redis"),
    Suite("java", prepare_java),
]
