"""A long run of kills, zombies and races while loads are published into a lake.

    python -m tests.long.lake_publish [--kills 60] [--on-store 20] [--zombies 20] [--races 20]

Kills loads at each named point of a publish and at random times, on a folder and on an object store
of this machine, and half of those that take back what they left; lets loads be taken over that
believe to hold the lake; and lets four loads begin at once, while a reader looks again and again,
on the store a quarter as often as it kills there. A reader must see the old or the new state only,
of four loads one publishes, and loading again must give what an undisturbed load gives. Prints the
counts; exit status 1 when anything was wrong.
"""

import argparse
import os
import random
import sys
import tempfile
import time

from tests.kit.lake_kills import POINTS, LakeKiller, lake_killer
from tests.kit.object_store import BUCKET, MISSING, PROGRAM, running_store


def kill(killer: LakeKiller, kills: int, dice: random.Random) -> None:
    """Kill so many times: at every named point, as far as it goes, and then at any time."""
    for number, place in enumerate(dice.sample(POINTS, k=min(len(POINTS), kills))):
        killer.at_point(place, dice)
        note(killer, number)
    while killer.tally.kills.total() < kills:
        killer.at_random(dice)
        note(killer, killer.tally.kills.total())


def note(killer: LakeKiller, number: int) -> None:
    """Say on the way how far it is."""
    print(
        f"{killer.base} {number}: {len(killer.tally.failures)} wrong", file=sys.stderr, flush=True
    )


def report(where: str, killer: LakeKiller, seconds: float) -> bool:
    """Print what came of it, and return whether anything was wrong."""
    tally = killer.tally
    kills = ", ".join(f"{count} {name}" for name, count in sorted(tally.kills.items()))
    races = "; ".join(f"{count} x {said}" for said, count in sorted(tally.came_of.items()))
    print(f"{where}, {seconds:.0f} s:")
    print(f"  {tally.kills.total()} kills ({kills}), {tally.late} more came too late")
    print(f"  {tally.again} kills of loads that were mending")
    print(f"  {tally.zombies} zombies, {tally.races} races: {races or 'none'}")
    print(f"  {tally.looked} looks of readers meanwhile")
    print(f"  wrong: {len(tally.failures)}")
    for failure in tally.failures:
        print(f"    {failure}")
    return bool(tally.failures)


def main() -> None:
    """Run, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--on-store", type=int, default=20)
    parser.add_argument("--zombies", type=int, default=20)
    parser.add_argument("--races", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    wrong = False
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, lake_killer(folder) as killer:
        kill(killer, arguments.kills, dice)
        for number in range(arguments.zombies):
            killer.zombie(dice)
            note(killer, number)
        for number in range(arguments.races):
            killer.race(4)
            note(killer, number)
        wrong |= report("On a folder", killer, time.monotonic() - begun)
    if arguments.on_store:
        if not PROGRAM.exists():
            sys.exit(MISSING)
        begun = time.monotonic()
        with running_store() as store:
            os.environ.update(store.environment)
            with lake_killer(f"s3://{BUCKET}/kills") as killer:
                kill(killer, arguments.on_store, dice)
                for _ in range(arguments.on_store // 4):
                    killer.zombie(dice)
                    killer.race(4)
                    note(killer, killer.tally.races)
                wrong |= report("On an object store", killer, time.monotonic() - begun)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
