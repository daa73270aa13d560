"""Runs the unittest files of a folder and writes the tally that harness/tally.py reads.
Started by run as `run_unittest.py FOLDER TALLY_FILE`; a fixture that fails counts as a failed test."""

import sys
import unittest
from pathlib import Path


class CountingResult(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main(folder, tally_file):
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    tests = unittest.defaultTestLoader.discover(folder)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=CountingResult).run(tests)
    not_passed = len(result.failures) + len(result.errors) + len(result.skipped) + len(result.unexpectedSuccesses)
    Path(tally_file).write_text(f"# tests {result.passed + not_passed}\n# pass {result.passed}\n")
    return 1 if not_passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
