"""Memory that each step takes with logs made to fill it: ``python -m tests.long.memory [NAME...]``.

A log has 800 texts of 0.9 MB, 0.7 GB together, or as much of something else. Each step is taken in
a process of its own, which may take 1 GB. Prints a table row for each log, in MB; exit status 1
where a step took more.
"""

import sys
import tempfile
from pathlib import Path

from tests.load.test_memory import CASES, each_step

TEXTS = 800
MOST = 10**9
"""Bytes that a step may take."""


def main() -> int:
    """Run, and print what was taken."""
    too_much = False
    for name in sys.argv[1:] or CASES:
        with tempfile.TemporaryDirectory() as folder:
            taken = dict(each_step(name, TEXTS, Path(folder)))
        too_much = too_much or max(taken.values()) > MOST
        print(f"| {name} |", " | ".join(f"{step} {size >> 20}" for step, size in taken.items()))
    return int(too_much)


if __name__ == "__main__":
    sys.exit(main())
