"""A long run of damage to the files of a warehouse: noticed or harmless, and made whole again.

    python -m tests.long.flips [--each 1000] [--seed 1] [--file NAME]

Flips bits of each file of a small warehouse and cuts it off. Each damaged file is read by all that
reads it. Where none before was read alike, and every hundredth time, the warehouse is verified,
asked, loaded into and rebuilt: nothing may crash or raise, what is said must be what was stored or
a sentence about the damage, and a rebuild must give back what there was. Prints the counts; exit
status 1 when anything failed.
"""

import argparse
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.kit.damage import mutations
from tests.kit.flips import Flipper


def main() -> None:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--each", type=int, default=1_000, help="changes of each file")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--file", action="append", help="only this file, or these")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        flipper = Flipper(Path(folder))
        tally = flipper.tally
        chosen = [path for path in flipper.files if path.name in (arguments.file or [path.name])]
        # Whoever interrupts a long run sees what it has found by then.
        with suppress(KeyboardInterrupt):
            for path in chosen:
                told = len(tally.failures)
                for mutation in mutations(path, arguments.each, arguments.seed):
                    flipper.change(mutation)
                    for failure in tally.failures[told:]:
                        print(failure, flush=True)
                    told = len(tally.failures)
                print(f"{path.name}: {tally.mutations[path.name]}", file=sys.stderr, flush=True)
    print("| file | changes | noticed | harmless | all commands |\n|---|---:|---:|---:|---:|")
    for name, count in tally.mutations.items():
        noticed = tally.noticed[name]
        print(f"| {name} | {count} | {noticed} | {count - noticed} | {tally.whole[name]} |")
    print(f"\n{tally.mutations.total()} changes, {len(tally.failures)} failures")
    sys.exit(bool(tally.failures))


if __name__ == "__main__":
    main()
