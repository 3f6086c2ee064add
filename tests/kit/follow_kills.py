"""Killing what follows logs, at the named points of a publish and at any time."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ingest.store import warehouse
from ingest.store.publishing import Point
from tests.kit.following import append, lines_of, loaded, shared
from tests.kit.log_lines import generated

REPOSITORY: Final = Path(__file__).parents[2]
HANDS: Final = generated("pedro", 1)[:8]
FIRST, SECOND, THIRD, FOURTH = shared(HANDS, 4)


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


def child_process() -> Iterator[Child]:
    """Give a process for as long as it is needed."""
    process = Child()
    yield process
    process.close()


def states_in(folder: Path) -> dict[int, str]:
    """Return what a warehouse says that has the first so many parts."""
    parts = [FIRST, SECOND, THIRD, FOURTH]
    found = {}
    for count in (1, 2, 4):
        log = folder / f"{count}.jsonl"
        append(log, b"".join(map(lines_of, parts[:count])))
        found[count] = loaded(folder / f"db-{count}", log)
    return found


def kill_at(child: Child, states: dict[int, str], folder: Path, point: Point) -> None:
    """Kill a follower at a point; look what stands, and what the next follower makes of it."""
    log, db = folder / "server.jsonl", folder / "db"
    append(log, lines_of(FIRST))
    assert child.follow(db, log, len(FIRST))["stands"] == states[1]
    append(log, lines_of(SECOND))
    told = child.follow(db, log, len(SECOND), point=point)
    assert told["status"] == -9
    is_new = list(Point).index(point) >= list(Point).index(Point.POINTER_REPLACED)
    assert told["stands"] == states[2 if is_new else 1]
    # While nobody follows it, the log is renamed, and a new one begun.
    append(log, lines_of(THIRD))
    log.rename(folder / "server.jsonl.1")
    append(log, lines_of(FOURTH))
    left = len(THIRD) + len(FOURTH) + (0 if is_new else len(SECOND))
    told = child.follow(db, log, left)
    assert (told["status"], told["taken"], told["stands"]) == (0, left, states[4])


def kill_at_any_time(child: Child, states: dict[int, str], folder: Path, wanted: int) -> None:
    """Kill followers so many times while they work, and look likewise."""
    dice = random.Random("follow")
    seconds, kills = 0.0, 0
    # Some kills come too late.
    for number in range(max(12, 4 * wanted)):
        log, db = folder / f"{number}.jsonl", folder / f"db-{number}"
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
        if kills == wanted:
            break
    assert kills == wanted
