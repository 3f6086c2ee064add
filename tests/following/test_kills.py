"""Kill -9 while logs are followed: nothing is lost or repeated, whatever becomes of the log."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from tests.kit.following import append, follow_until, lines_of, loaded, shared
from tests.kit.kills import Stage, content, stage
from tests.kit.log_lines import generated
from tests.kit.publish_points import Point
from tests.kit.stored import rows
from tests.kit.tiers import some
from tricklog.schemas.hand import Hand

pytestmark = pytest.mark.posix

POINTS = (Point.POINTER_REPLACED, Point.NAMED)
"""The first point that leaves the new state, and the last that leaves the old one. A follower
publishes by the same code as a load, which is killed at every point."""
KILLS = 20
SIZE = 2
"""Hands of each of four parts of a log."""


def parts() -> Sequence[Sequence[Hand]]:
    return shared(generated("pedro", 1)[: 4 * SIZE], 4)


def text_of(*numbers: int) -> bytes:
    return b"".join(lines_of(parts()[number - 1]) for number in numbers)


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A process whose forks follow; what they import late is there for all of them."""
    folder = tmp_path_factory.mktemp("rehearsal")
    append(folder / "log.jsonl", text_of(1))
    with stage() as given:
        given.run(follow_until, folder / "db", folder / "log.jsonl", SIZE)
        yield given


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What a warehouse says that has the first so many parts."""
    folder = tmp_path_factory.mktemp("states")
    found = {}
    for count in (1, 2, 4):
        log = folder / f"{count}.jsonl"
        append(log, text_of(*range(1, count + 1)))
        found[count] = loaded(folder / f"db-{count}", log)
    return found


@pytest.mark.parametrize("point", some(POINTS, 1))
def test_killed_at_each_point_of_a_publish(
    forks: Stage, states: dict[int, str], tmp_path: Path, point: Point
) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    append(log, text_of(1))
    assert follow_until(db, log, SIZE) == SIZE
    append(log, text_of(2))
    assert forks.run(follow_until, db, log, SIZE, at=point).killed
    is_new = point == Point.POINTER_REPLACED
    assert content(db) == states[2 if is_new else 1]
    # While nobody follows it, the log is renamed, and a new one begun.
    append(log, text_of(3))
    log.rename(tmp_path / "server.jsonl.1")
    append(log, text_of(4))
    left = SIZE * (2 if is_new else 3)
    assert follow_until(db, log, left) == left
    assert content(db) == states[4]


@pytest.mark.thorough("a later publish is killed in the first tier")
@pytest.mark.parametrize("point", [Point.TABLES_WRITTEN, Point.NAMED])
def test_killed_in_the_first_publish_of_all(
    forks: Stage, states: dict[int, str], tmp_path: Path, point: Point
) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    append(log, text_of(1, 2))
    assert forks.run(follow_until, db, log, 2 * SIZE, at=point).killed
    assert content(db) is None
    append(log, text_of(3, 4))
    # A snapshot that was complete when it was killed is taken up, with how far the log was taken.
    left = SIZE * (4 if point == Point.TABLES_WRITTEN else 2)
    assert follow_until(db, log, left) == left
    assert content(db) == states[4]


@pytest.mark.thorough("a follower publishes by the code of loads: each named point is enough")
def test_killed_at_any_time(forks: Stage, states: dict[int, str], tmp_path: Path) -> None:
    dice = Random("follow")
    seconds, kills = 0.0, 0
    # Some kills come too late.
    for number in range(4 * KILLS):
        log, db = tmp_path / f"{number}.jsonl", tmp_path / f"db-{number}"
        append(log, text_of(1, 2))
        if not seconds:
            seconds = forks.run(follow_until, tmp_path / "whole", log, 2 * SIZE).seconds
        kills += forks.run(follow_until, db, log, 2 * SIZE, after=dice.random() * seconds).killed
        stands = content(db)
        assert stands in (None, states[2])
        append(log, text_of(3, 4))
        # A first snapshot without a pointer, which nobody reads yet, is taken up.
        left = SIZE * (2 if stands or any(db.glob("games-*.duckdb")) else 4)
        assert (follow_until(db, log, left), content(db)) == (left, states[4])
        assert rows(db, "SELECT sum(accepted) FROM imports") == [(8,)]
        if kills == KILLS:
            return
    pytest.fail(f"only {kills} of {KILLS} kills met the work")
