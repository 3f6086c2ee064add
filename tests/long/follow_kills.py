"""A long run of kill -9 while logs are followed: nothing is lost or repeated.

    python -m tests.long.follow_kills [--kills 100]

Kills a follower at each named point of a publish and at random times. What stands then must be the
old or the new content, and the next follower must take the rest, once, though the log was renamed
meanwhile. Stops with the first assertion that does not hold.
"""

import argparse
import tempfile
from pathlib import Path

from ingest.store.publishing import Point
from tests.kit.follow_kills import child_process, kill_at, kill_at_any_time, states_in


def main() -> None:
    """Run, and print how many kills there were."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=100, help="kills at random times")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="follow-kills-") as name:
        folder = Path(name)
        (folder / "states").mkdir()
        states = states_in(folder / "states")
        for child in child_process():
            for point in Point:
                (folder / str(point)).mkdir()
                kill_at(child, states, folder / str(point), point)
            (folder / "any time").mkdir()
            kill_at_any_time(child, states, folder / "any time", arguments.kills)
    print(f"{len(Point)} kills at named points, {arguments.kills} at any time; nothing lost")


if __name__ == "__main__":
    main()
