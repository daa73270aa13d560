"""Reads how a suite ended: the closing lines of TAP (`# tests N`, `# pass N`), which node's test runner
and support/run_unittest.py both write. Called by run."""

import re


def read(path):
    """(passed, failed). Whatever was not passed failed: skipped and cancelled tests are no success."""
    text = path.read_text(errors="replace") if path.exists() else ""
    counts = dict(re.findall(r"^# (tests|pass) (\d+)$", text, re.MULTILINE))
    passed = int(counts.get("pass", 0))
    return passed, int(counts.get("tests", 0)) - passed
