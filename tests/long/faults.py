"""A long run of calls that fail: a sentence, exit status 3, the old or the new state, each time.

    python -m tests.long.faults [--scene NAME]... [--every 1]

Lets every call of the system, of DuckDB and of SQLite that a command makes fail once by the disk
and once for want of memory, and then runs the command again. Prints the counts; exit status 1 when
anything was wrong.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.kit.faults import SCENES, Bench


def main() -> None:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    names = [scene.name for scene in SCENES]
    parser.add_argument("--scene", action="append", choices=names)
    parser.add_argument("--every", type=int, default=1, help="leave calls out between two")
    arguments = parser.parse_args()
    print("| command | calls | failed | wrong |\n|---|---:|---:|---:|", flush=True)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for scene in SCENES:
            if scene.name not in (arguments.scene or names):
                continue
            calls = bench.calls_of(scene)
            faults = 0
            bench.failures.clear()
            for number in range(0, len(calls), arguments.every):
                for out_of_memory in (False, True):
                    told = len(bench.failures)
                    bench.fail(scene, number, out_of_memory=out_of_memory)
                    for failure in bench.failures[told:]:
                        print(failure, file=sys.stderr, flush=True)
                    faults += 1
            print(f"| {scene.name} | {len(calls)} | {faults} | {len(bench.failures)} |", flush=True)
            wrong += len(bench.failures)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
