"""Killing and disturbing what publishes into a lake; readers may see the old or the new only."""

import json
import os
import random
import shutil
import subprocess
import sys
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyarrow.fs import copy_files

from ingest.lake import commits
from ingest.lake.publish import Lake, Point
from ingest.lake.storage import storage_of
from tests.kit.lake_child import TABLES
from tests.kit.lake_files import content

REPOSITORY = Path(__file__).parents[2]
Place = tuple[Point, str]
POINTS: tuple[Place, ...] = (
    (Point.BEGUN, ""),
    (Point.RENEWED, ""),
    (Point.CREATED, "findings"),
    *((Point.COMMITTED, table) for table in TABLES),
    (Point.TABLES_COMMITTED, ""),
    (Point.PUBLISHED, ""),
    *((Point.CHECKPOINTED, table) for table in ("games", "hands", "tallies")),
)
AFTER: tuple[Point, ...] = (Point.PUBLISHED, Point.CHECKPOINTED)
"""Where all has been published."""
RECOVERING: tuple[Place, ...] = (
    (Point.BEGUN, ""),
    *((Point.RESTORED, table) for table in TABLES),
    *((Point.COMMITTED, table) for table in TABLES),
)
"""Where the load is killed that takes back what a killed one left."""


_TOLD = {"done", "FencedError", "BusyError", "nothing new"}
"""What a load may say that meets another."""


@dataclass
class Tally:
    """What came of it all."""

    kills: Counter[str] = field(default_factory=Counter)
    """By where they met the load."""
    late: int = 0
    """Times at which the load had ended before the kill."""
    again: int = 0
    """Kills of a load that was mending."""
    zombies: int = 0
    races: int = 0
    came_of: Counter[str] = field(default_factory=Counter)
    """Of races: what each of those who took part was told."""
    looked: int = 0
    """Times at which a reader looked while something was going on."""
    failures: list[str] = field(default_factory=list)


class Child:
    """The process ``tests.kit.lake_child``."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.lake_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=REPOSITORY,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        )

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()

    def ask(self, *tasks: dict[str, Any]) -> list[dict[str, Any]]:
        """Have tasks done at the same time, and return what came of each."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(tasks) + "\n")
        self.process.stdin.flush()
        answer: list[dict[str, Any]] = json.loads(self.process.stdout.readline())
        return answer


class LakeKiller:
    """Prepares lakes below an address, and kills and races what publishes into them."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.child = Child()
        self.tally = Tally()
        self.start = f"{base}/start"
        self.child.ask({"what": "first", "lake": self.start})
        self.old = content(self._lake(self.start))
        whole = self._copy()
        (told,) = self.child.ask({"what": "second", "lake": whole})
        self.new = content(self._lake(whole))
        self.usual = self.seconds = float(told["seconds"])
        assert self.old != self.new
        self._remove(whole)

    def close(self) -> None:
        """End the process."""
        self.child.close()

    def at_point(self, place: Place, dice: random.Random | None = None) -> None:
        """Kill a load at a named point; ``dice`` say how often one that mends is killed, too."""
        lake = self._copy()
        (told,) = self.child.ask({"what": "second", "lake": lake, "point": place})
        where = " ".join(place).strip()
        if not told["killed"]:
            self.tally.failures.append(f"the load did not come to {where}: {told['said']}")
        self.tally.kills[place[0]] += told["killed"]
        allowed = [self.new if place[0] in AFTER else self.old]
        self._mend(lake, f"killed at {where}", allowed, dice)

    def at_random(self, dice: random.Random) -> bool:
        """Kill a load at any time, and return whether the kill met it."""
        lake = self._copy()
        (told,) = self.child.ask(
            {"what": "second", "lake": lake, "delay": dice.random() * self.seconds}
        )
        # A machine is busy now and idle then: follow how long the work takes.
        self.seconds *= 1.03 if told["killed"] else 0.9
        self.tally.kills["any time"] += told["killed"]
        self.tally.late += not told["killed"]
        self._mend(lake, "killed at any time", [self.old, self.new], dice)
        return bool(told["killed"])

    def zombie(self, dice: random.Random) -> None:
        """Let a load be taken over while it believes to hold the lake."""
        lake = self._copy()
        zombie: dict[str, Any] = {"what": "second", "load": "zombie", "lake": lake}
        taker: dict[str, Any] = {"what": "second", "load": "taker", "lake": lake, "take_over": True}
        zombie["pause"] = dice.uniform(0.3, 2) * self.usual
        taker["wait"] = dice.uniform(0.5, 1.2) * self.usual
        taker["pause"] = dice.uniform(0, 1) * self.usual
        with self._reader(lake, "with a zombie"):
            told = self.child.ask(zombie, taker)
        said = [each["said"] for each in told]
        self.tally.zombies += 1
        self.tally.came_of[", ".join(sorted(said))] += 1
        if not set(said) <= _TOLD or said.count("done") > 1:
            self.tally.failures.append(f"with a zombie: {said}")
        self._mend(lake, "with a zombie", [self.new] if "done" in said else [self.old])

    def race(self, writers: int) -> None:
        """Let several loads begin at once: one may publish."""
        lake = self._copy()
        task = {"what": "second", "lake": lake, "pause": self.usual}
        with self._reader(lake, "in a race"):
            told = self.child.ask(*({**task, "load": f"writer {each}"} for each in range(writers)))
        said = Counter(each["said"] for each in told)
        self.tally.races += 1
        self.tally.came_of[", ".join(sorted(said.elements()))] += 1
        # One that begins when another has finished finds its hands stored.
        if said["done"] != 1 or not set(said) <= {"done", "BusyError", "nothing new"}:
            self.tally.failures.append(f"in a race: {said}")
        self._mend(lake, "in a race", [self.new])

    def _mend(
        self, lake: str, when: str, allowed: list[Any], dice: random.Random | None = None
    ) -> None:
        """Judge what a reader sees, then load again where nothing was published, and judge that."""
        seen = content(self._lake(lake))
        if seen not in allowed:
            self.tally.failures.append(f"{when}, it left {seen}")
        again = {"what": "second", "lake": lake, "take_over": True}
        # A kill that comes too late, or at a point that it does not come to, has let it mend.
        while dice and seen == self.old and dice.random() < 2 / 3:
            more: dict[str, Any] = {"delay": dice.uniform(0, 0.8) * self.seconds}
            if dice.random() < 1 / 3:
                more = {"point": dice.choice(RECOVERING)}
            (told,) = self.child.ask(again | more)
            self.tally.again += told["killed"]
            seen = content(self._lake(lake))
            if seen not in (self.old, self.new):
                self.tally.failures.append(f"{when} and again with {more}, it left {seen}")
        if seen == self.old:
            (told,) = self.child.ask(again)
            if told["said"] != "done":
                self.tally.failures.append(f"{when}, then it could not be mended: {told}")
            seen = content(self._lake(lake))
        if seen != self.new:
            self.tally.failures.append(f"{when}, then mended, it is {seen}")
        self._judge_leftovers(lake, when)
        self._remove(lake)

    def _judge_leftovers(self, lake: str, when: str) -> None:
        """The newest version of every table is the published one when the dust has settled."""
        if "zombie" in when:
            # It may have committed to a table after everybody else had finished.
            self.child.ask({"what": "second", "lake": lake, "take_over": True, "gives_up": True})
        opened = self._lake(lake)
        snapshot = opened.opened()
        for table in TABLES:
            published = {file.path for file in opened.files(snapshot, table)}
            if commits.paths_of(commits.table_at(opened.storage, table)) != published:
                self.tally.failures.append(f"{when}, {table} kept what was not published")

    @contextmanager
    def _reader(self, lake: str, when: str) -> Iterator[None]:
        """Look again and again while the block goes on."""
        ended = threading.Event()

        def look() -> None:
            while not ended.is_set():
                seen = content(self._lake(lake))
                self.tally.looked += 1
                if seen not in (self.old, self.new):
                    self.tally.failures.append(f"{when}, a reader saw {seen}")

        reader = threading.Thread(target=look)
        reader.start()
        try:
            yield
        finally:
            ended.set()
            reader.join()

    def _lake(self, uri: str) -> Lake:
        return Lake(storage_of(uri))

    def _copy(self) -> str:
        lake = f"{self.base}/{uuid.uuid4().hex}"
        copy_lake(self.start, lake)
        return lake

    def _remove(self, lake: str) -> None:
        storage = storage_of(lake)
        if storage.is_local:
            shutil.rmtree(storage.root)


def copy_lake(start: str, lake: str) -> None:
    """Copy all files of a lake."""
    here, there = storage_of(start), storage_of(lake)
    if there.is_local:
        Path(there.root).mkdir(parents=True)
    copy_files(here.root, there.root, here.filesystem, there.filesystem, use_threads=False)


@contextmanager
def lake_killer(base: str) -> Iterator[LakeKiller]:
    """Give a killer for as long as it is needed."""
    killer = LakeKiller(base)
    try:
        yield killer
    finally:
        killer.close()
