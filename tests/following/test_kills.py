"""Kill -9 while logs are followed: nothing is lost or repeated, whatever becomes of the log."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.store.publishing import Point
from tests.kit.follow_kills import (
    FIRST,
    FOURTH,
    SECOND,
    THIRD,
    Child,
    child_process,
    kill_at,
    kill_at_any_time,
    states_in,
)
from tests.kit.following import append, lines_of

pytestmark = pytest.mark.posix

RANDOM = 1
"""Kills at any time. ``python -m tests.long.follow_kills`` has more, and has the other points."""
POINTS = (Point.NAMED, Point.POINTER_REPLACED)
"""The last point that leaves the old state, and the first that leaves the new one. A follower
publishes by the same code as a load, which is killed at every point."""


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    yield from child_process()


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    return states_in(tmp_path_factory.mktemp("states"))


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_each_point_of_a_publish(
    child: Child, states: dict[int, str], tmp_path: Path, point: Point
) -> None:
    kill_at(child, states, tmp_path, point)


@pytest.mark.parametrize("point", [Point.TABLES_WRITTEN, Point.NAMED])
def test_killed_in_the_first_publish_of_all(
    child: Child, states: dict[int, str], tmp_path: Path, point: Point
) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    append(log, lines_of([*FIRST, *SECOND]))
    told = child.follow(db, log, 4, point=point)
    assert (told["status"], told["stands"]) == (-9, None)
    append(log, lines_of([*THIRD, *FOURTH]))
    # A snapshot that was complete when it was killed is taken up, with how far the log was taken.
    left = 8 if point == Point.TABLES_WRITTEN else 4
    told = child.follow(db, log, left)
    assert (told["status"], told["taken"], told["stands"]) == (0, left, states[4])


def test_killed_at_any_time(child: Child, states: dict[int, str], tmp_path: Path) -> None:
    kill_at_any_time(child, states, tmp_path, RANDOM)
