"""Kill -9 while logs are followed: nothing is lost or repeated, whatever becomes of the log."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ingest.store import warehouse
from ingest.store.publishing import Point
from schemas.hand import Hand
from tests.kit.following import append, lines_of, loaded, published, shared
from tests.kit.log_lines import generated

pytestmark = pytest.mark.posix

REPOSITORY: Final = Path(__file__).parents[2]
KILLS: Final = 100
"""At any time."""
LATEST: Final = 4
"""Kills are tried so many times as often as they are wanted: some come too late."""


@pytest.fixture(scope="module")
def parts() -> list[list[Hand]]:
    """What the server writes, part by part."""
    return shared(generated("pedro", 1)[:8], 4)


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
    """A process for all kills."""
    process = Child()
    yield process
    process.close()


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory, parts: list[list[Hand]]) -> dict[int, str]:
    """What a warehouse says that has the first so many parts."""
    folder, found = tmp_path_factory.mktemp("states"), {}
    for count in (1, 2, 4):
        log = folder / f"{count}.jsonl"
        append(log, b"".join(map(lines_of, parts[:count])))
        found[count] = loaded(folder / f"db-{count}", log)
    return found


@pytest.mark.slow("a process is killed at fifteen points")
def test_killed_at_each_point_of_a_publish(child: Child, tmp_path: Path) -> None:
    """Each follower takes what the one before it left, and is killed a point later."""
    hands = generated("pedro", 3)[: len(Point) + 2]
    log, db, logs = tmp_path / "server.jsonl", tmp_path / "db", []
    append(log, lines_of(hands[:1]))
    stands = child.follow(db, log, 1)["stands"]
    for number, point in enumerate(Point, 1):
        append(log, lines_of(hands[number : number + 1]))
        if number % 5 == 0:
            # While nobody follows it, the log is renamed, and a new one begun.
            logs.append(log.rename(tmp_path / f"server.jsonl.{number}"))
            log.touch()
        told = child.follow(db, log, number + 1 - published(db), point=point)
        assert told["status"] == -9, point
        is_new = list(Point).index(point) >= list(Point).index(Point.POINTER_REPLACED)
        assert (told["stands"] != stands) == is_new, point
        stands = told["stands"]
    append(log, lines_of(hands[-1:]))
    left = len(hands) - published(db)
    told = child.follow(db, log, left)
    whole = loaded(tmp_path / "once", *logs, log)
    assert (told["status"], told["taken"], told["stands"]) == (0, left, whole)


@pytest.mark.parametrize("point", [Point.TABLES_WRITTEN, Point.NAMED])
def test_killed_in_the_first_publish_of_all(
    child: Child, states: dict[int, str], parts: list[list[Hand]], tmp_path: Path, point: Point
) -> None:
    first, second, third, fourth = parts
    log, db = tmp_path / "server.jsonl", tmp_path / "db"
    append(log, lines_of([*first, *second]))
    told = child.follow(db, log, 4, point=point)
    assert (told["status"], told["stands"]) == (-9, None)
    append(log, lines_of([*third, *fourth]))
    # A snapshot that was complete when it was killed is taken up, with how far the log was taken.
    left = 8 if point == Point.TABLES_WRITTEN else 4
    told = child.follow(db, log, left)
    assert (told["status"], told["taken"], told["stands"]) == (0, left, states[4])


@pytest.mark.thorough("kills come when chance has it")
def test_killed_at_any_time(
    child: Child, states: dict[int, str], parts: list[list[Hand]], tmp_path: Path
) -> None:
    first, second, third, fourth = parts
    dice = random.Random("follow")
    seconds, kills = 0.0, 0
    for number in range(LATEST * KILLS):
        log, db = tmp_path / f"{number}.jsonl", tmp_path / f"db-{number}"
        append(log, lines_of([*first, *second]))
        if not seconds:
            seconds = float(child.follow(db, log, 4)["seconds"])
            shutil.rmtree(db)
        told = child.follow(db, log, 4, delay=dice.random() * seconds)
        kills += told["status"] == -9
        assert told["stands"] in (None, states[2])
        append(log, lines_of([*third, *fourth]))
        # A first snapshot without a pointer, which nobody reads yet, is taken up.
        is_there = any(db.glob("games-*.duckdb")) if db.exists() else False
        left = 4 if told["stands"] or is_there else 8
        told = child.follow(db, log, left)
        assert (told["taken"], told["stands"]) == (left, states[4])
        with warehouse.open_snapshot(db) as connection:
            assert connection.execute("SELECT sum(accepted) FROM imports").fetchall() == [(8,)]
        if kills == KILLS:
            break
    assert kills
