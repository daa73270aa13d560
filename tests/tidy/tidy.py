#!/usr/bin/env python3
"""Holds the project to its own rules: who includes whom, lengths, clocks, sleeps, openings, transcripts.

    tidy.py ROOT          checks the project in ROOT; prints `file:line: rule` for each fault
    tidy.py --self-test   plants each fault in a small project and looks whether it is found

Run by ctest. Rules about includes are in layers.py.
"""

import ast
import os
import re
import sys

import cxx
import layers

SKIPPED = {".git", "build", "corpus", "node_modules", "__pycache__"}
CXX = (".cc", ".h", ".inc")
CODE = CXX + (".py", ".js", ".sh", ".cmake")
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60

# What the server is made of; tests and benchmarks may look at real clocks.
PRODUCT = ("protocol/", "server/", "scripting/")
CLOCKS = re.compile(
    r"\b(system_clock|steady_clock|high_resolution_clock|clock_gettime|gettimeofday|timespec_get|ftime"
    r"|CLOCK_\w+|uv_hrtime|uv_gettimeofday|uv_clock_gettime)\b|\bstd::time\s*\(|(?<![\w.>:])time\s*\(\s*(NULL|nullptr|0|&)")
RANDOM = re.compile(r"\b(random_device|getrandom|getentropy|arc4random\w*)\b|\bstd::s?rand\s*\(|(?<![\w.>:])s?rand\s*\(")
SLEEPS = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep|uv_sleep)\b|(?<![\w.>])sleep\s*\(")

# Put together so that this file does not hold what it looks for.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b|//!" "!")
MACHINE_PATH = re.compile(r"(?<![\w.~$}/-])/((wo" r"rk|ro" r"ot)(?![\w-])|home/\w)")

ROW = re.compile(r'\.name\s*=\s*"([a-z|_-]+)"\s*,\s*\.arity')
# Transcripts of the wire itself, not of a command.
GENERAL_TRANSCRIPTS = {"protocol", "events", "events-classes"}


class Project:
    """The files of one checkout, by path from its root."""

    def __init__(self, root):
        self.root = root
        self.paths = sorted(self._walk())

    def _walk(self):
        for folder, names, files in os.walk(self.root):
            names[:] = [name for name in names if name not in SKIPPED]
            for name in files:
                if name in SKIPPED:  # .git is a file in a worktree
                    continue
                yield os.path.relpath(os.path.join(folder, name), self.root).replace(os.sep, "/")

    def text(self, path):
        """None for what is no text."""
        with open(os.path.join(self.root, path), "rb") as file:
            raw = file.read()
        if b"\0" in raw:
            return None
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return None


def is_script(path, text):
    """Programs without an ending: tools/serve and their like."""
    return "." not in os.path.basename(path) and text.startswith("#!")


def is_code(path, text):
    return path.endswith(CODE) or os.path.basename(path) == "CMakeLists.txt" or is_script(path, text)


def is_python(path, text):
    return path.endswith(".py") or (is_script(path, text) and "python" in text.split("\n", 1)[0])


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def check_lengths(path, text):
    lines = text.count("\n") + (0 if text.endswith("\n") or not text else 1)
    if lines > MAX_FILE_LINES:
        yield MAX_FILE_LINES + 1, f"{lines} lines; a file has up to {MAX_FILE_LINES}"
    for first, last in function_spans(path, text):
        if last - first + 1 > MAX_FUNCTION_LINES:
            yield first, f"a function of {last - first + 1} lines; it may have {MAX_FUNCTION_LINES}"


def function_spans(path, text):
    if path.endswith(CXX):
        yield from cxx.functions(text)
    elif is_python(path, text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node.lineno, node.end_lineno


def check_opening(path, text):
    """A file opens by saying what it is. A .cc may leave that to its own header, if it includes it first."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#!")]
    if not lines or lines[0].lstrip().startswith(("//", "/*", '"""', 'r"""', "'use strict'")):
        return
    if lines[0].startswith("#") and not path.endswith(CXX):
        return
    own_header = f'#include "{path[:-3]}.h"'
    opening = [line for line in lines if not line.startswith("#define")]
    if path.endswith(".cc") and opening and opening[0] == own_header:
        return
    yield 1, "does not open with a comment that says what it is"


def check_forbidden_names(path, text):
    if not path.endswith(CXX):
        return
    code = cxx.blank_literals(text)
    if path.startswith(PRODUCT) and not path.startswith("server/net/wall_clock."):
        for found in CLOCKS.finditer(code):
            yield line_of(code, found.start()), "names a system clock; only server/net/wall_clock may"
    if path.startswith(PRODUCT) and not path.startswith("server/net/"):
        for found in RANDOM.finditer(code):
            yield line_of(code, found.start()), "takes random numbers from elsewhere than the engine's generator"
    if path.startswith(PRODUCT + ("tests/",)) and not path.startswith("server/net/wall_clock."):
        for found in SLEEPS.finditer(code):
            yield line_of(code, found.start()), "sleeps"


def check_text(text):
    for pattern, fault in ((UNFINISHED, "marks something unfinished"), (MACHINE_PATH, "names a path of one machine")):
        for found in pattern.finditer(text):
            yield line_of(text, found.start()), fault


def check_transcripts(project):
    """Every command has its transcript, every transcript its command (or a subject of one)."""
    rows = {}
    for path in project.paths:
        if path.startswith("server/commands/") and path.endswith(".cc"):
            text = project.text(path)
            for found in ROW.finditer(text):
                rows[found[1].replace("|", "-")] = (path, line_of(text, found.start()))
    transcripts = {path[len("tests/scripts/"):-len(".txt")]: path for path in project.paths
                   if re.fullmatch(r"tests/scripts/[^/]+\.txt", path)}
    for name, (path, line) in rows.items():
        if name not in transcripts:
            yield path, line, f"no transcript tests/scripts/{name}.txt"
    for name, path in transcripts.items():
        of_command = any(name == row or name.startswith(row + "-") for row in rows)
        if not of_command and name not in GENERAL_TRANSCRIPTS:
            yield path, 1, "a transcript of no command"


def check_file(path, text):
    if is_code(path, text):
        yield from check_lengths(path, text)
        yield from check_opening(path, text)
    if path.endswith(CXX):
        yield from layers.check_includes(path, text.split("\n"))
        yield from check_forbidden_names(path, text)
    yield from check_text(text)


def check(root):
    """All faults as (path, line, rule)."""
    project = Project(root)
    faults = list(check_transcripts(project))
    for path in project.paths:
        text = project.text(path)
        if text is not None:
            faults += [(path, line, fault) for line, fault in check_file(path, text)]
    return sorted(faults)


def main(arguments):
    if arguments == ["--self-test"]:
        import self_test
        return self_test.run()
    if len(arguments) != 1:
        sys.exit(__doc__)
    faults = check(arguments[0])
    for path, line, fault in faults:
        print(f"{path}:{line}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
