"""A long run of kill -9 while warehouses are changed: nothing may be lost.

    python -m tests.long.kills [--kills 500] [--seed 1]

Kills loads, reaudits and rebuilds at each named point of a publish and at random times. After each
kill the warehouse must open with the old or the new content, and the same again must give what an
undisturbed run gives. Prints the counts; exit status 1 when anything was lost.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.kit.kills import POINTS, SCENES, killer_in


def main() -> None:
    """Run, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    left = max(0, arguments.kills - len(POINTS) * len(SCENES))
    with tempfile.TemporaryDirectory() as folder:
        for killer in killer_in(Path(folder)):
            for number, scene in enumerate(SCENES):
                killer.at_points(scene)
                killer.at_random(scene, dice, (left + number) // len(SCENES))
                print(f"{killer.tally.kills.total()} kills", file=sys.stderr, flush=True)
            tally = killer.tally
    print("| killed | kills |\n|---|---:|")
    by_scene = Counter[str]()
    for name, count in tally.kills.items():
        work, when = name.split(", ")
        by_scene[f"{work}, {'any time' if when == 'any time' else 'at named points'}"] += count
    for name, count in by_scene.items():
        print(f"| {name} | {count} |")
    print(
        f"\n{tally.kills.total()} kills, {tally.finished} came too late; afterwards "
        f"{tally.old} times the old state, {tally.new} times the new one; "
        f"lost: {len(tally.failures)}"
    )
    for failure in tally.failures:
        print(failure)
    sys.exit(bool(tally.failures))


if __name__ == "__main__":
    main()
