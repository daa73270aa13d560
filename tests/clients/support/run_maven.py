"""Runs the tests of a Maven project and writes the tally that harness/tally.py reads.
Started by run as `run_maven.py FOLDER TALLY_FILE REPORTS`; what the project needs has been downloaded by then, so Maven
stays off the network. It compiles here, so that tests which do not compile are a failure. The counts are those of
surefire's reports; a fixture that fails counts as a failed test."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def count(reports):
    """(tests, passed) of all classes."""
    tests = passed = 0
    for report in reports.glob("TEST-*.xml"):
        suite = ElementTree.parse(report).getroot()
        ran = int(suite.get("tests"))
        tests += ran
        passed += ran - sum(int(suite.get(what)) for what in ("errors", "failures", "skipped"))
    return tests, passed


def main(folder, tally_file, reports):
    reports = Path(reports)
    for old in reports.glob("TEST-*.xml"):
        old.unlink()
    maven = subprocess.run(["mvn", "--offline", "--batch-mode", "--file", folder, "test"])
    print(flush=True)  # Maven leaves the last line open
    tests, passed = count(reports)
    Path(tally_file).write_text(f"# tests {tests}\n# pass {passed}\n")
    return maven.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
