"""Kill -9 while logs are followed: nothing is lost or repeated, whatever becomes of the log."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.store import warehouse
from ingest.store.publishing import Point
from tests.kit.following import append, lines_of, loaded, shared
from tests.kit.log_lines import generated

pytestmark = pytest.mark.posix

REPOSITORY = Path(__file__).parents[2]
HANDS = generated("pedro", 1)[:8]
FIRST, SECOND, THIRD, FOURTH = shared(HANDS, 4)
RANDOM = 8
"""Kills at any time."""


class Child:
    """A process that follows and is killed."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.follow_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        )

    def follow(self, db: Path, log: Path, lines: int, **more: object) -> dict[str, Any]:
        """Follow until so many lines were taken, or it is killed; return what stands then."""
        assert self.process.stdin
        assert self.process.stdout
        task = {"db": str(db), "paths": [str(log)], "lines": lines, **more}
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def close(self) -> None:
        """End it."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    process = Child()
    yield process
    process.close()


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> dict[int, str]:
    """What a warehouse says that has the first so many parts."""
    folder = tmp_path_factory.mktemp("states")
    parts = [FIRST, SECOND, THIRD, FOURTH]
    found = {}
    for count in (1, 2, 4):
        log = folder / f"{count}.jsonl"
        append(log, b"".join(map(lines_of, parts[:count])))
        found[count] = loaded(folder / f"db-{count}", log)
    return found


@pytest.mark.parametrize("point", Point)
def test_killed_at_each_point_of_a_publish(
    child: Child, states: dict[int, str], tmp_path: Path, point: Point
) -> None:
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    append(log, lines_of(FIRST))
    assert child.follow(db, log, len(FIRST))["stands"] == states[1]
    append(log, lines_of(SECOND))
    told = child.follow(db, log, len(SECOND), point=point)
    assert told["status"] == -9
    is_new = list(Point).index(point) >= list(Point).index(Point.POINTER_REPLACED)
    assert told["stands"] == states[2 if is_new else 1]
    # While nobody follows it, the log is renamed, and a new one begun.
    append(log, lines_of(THIRD))
    log.rename(tmp_path / "server.jsonl.1")
    append(log, lines_of(FOURTH))
    left = len(THIRD) + len(FOURTH) + (0 if is_new else len(SECOND))
    told = child.follow(db, log, left)
    assert (told["status"], told["taken"], told["stands"]) == (0, left, states[4])


@pytest.mark.parametrize("point", [Point.TABLES_WRITTEN, Point.NAMED, Point.POINTER_FLUSHED])
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
    dice = random.Random("follow")
    seconds, kills = 0.0, 0
    for number in range(4 * RANDOM):
        log, db = tmp_path / f"{number}.jsonl", tmp_path / f"db-{number}"
        append(log, lines_of([*FIRST, *SECOND]))
        if not seconds:
            seconds = float(child.follow(db, log, 4)["seconds"])
            shutil.rmtree(db)
        told = child.follow(db, log, 4, delay=dice.random() * seconds)
        kills += told["status"] == -9
        assert told["stands"] in (None, states[2])
        append(log, lines_of([*THIRD, *FOURTH]))
        # A first snapshot without a pointer, which nobody reads yet, is taken up.
        is_there = any(db.glob("games-*.duckdb")) if db.exists() else False
        left = 4 if told["stands"] or is_there else 8
        told = child.follow(db, log, left)
        assert (told["taken"], told["stands"]) == (left, states[4])
        with warehouse.open_snapshot(db) as connection:
            assert connection.execute("SELECT sum(accepted) FROM imports").fetchall() == [(8,)]
        if kills == RANDOM:
            break
    assert kills == RANDOM
