"""Killing whole loads into a lake: readers see what was there or what is new."""

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import ingest
from ingest.lake import reading, upkeep
from ingest.lake.engines import Here
from ingest.lake.load import How, load
from ingest.lake.publish import Lake
from ingest.lake.storage import storage_of
from ingest.store.warehouse import checksum, open_snapshot

BUCKETS = 2
POINTS = (
    "stage_part 1",
    "begun",
    "settle_ids 1",
    "settle_ids 2",
    "store_games 1",
    "store_games 2",
    *(f"committed {table}" for table in ("games", "hands", "ids", "imports", "superseded")),
    "tables committed",
    "published",
)
"""Where a load is killed, which adds to a lake and goes on with games in it."""


def content(db: str) -> str:
    """Return the checksum of what a reader of a lake sees."""
    lake = Lake(storage_of(db))
    with reading.open_tables(lake, lake.opened()) as connection:
        return checksum(connection)


@dataclass
class LoadKiller:
    """Kills the second of two loads into lakes below ``base``."""

    base: str
    logs: Sequence[Path]
    folder: Path
    """For a warehouse of this machine, with which lakes are compared."""
    kills: Counter[str] = field(default_factory=Counter)
    late: int = 0
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Load both halves of the logs into a folder, and see what there is before and after."""
        half = len(self.logs) // 2
        self.first, self.second = self.logs[:half], self.logs[half:]
        self.sums = []
        for part in (self.first, self.second):
            ingest.load(*part, db=self.folder)
            with open_snapshot(self.folder) as connection:
                self.sums.append(checksum(connection))
        self.usual = 5.0
        self._number = 0

    def kill(self, point: str, dice: random.Random) -> None:
        """Kill a load at a point, at ``any time``, and half of those that go on with it, too."""
        self._number += 1
        db = f"{self.base}/{self._number}"
        storage = storage_of(db)
        load(self.first, storage, Here(), how=How(buckets=1))
        if self._killed(db, point, dice):
            self.kills[point] += 1
        elif point == "any time":
            self.late += 1
        else:
            self.failures.append(f"the load did not come to {point}")
        self._judge(db, point, self.sums)
        if dice.random() < 1 / 2:
            self.kills["again"] += self._killed(db, "any time", dice)
            self._judge(db, f"{point}, again", self.sums)
        how = How(buckets=BUCKETS, take_over=True)
        load(self.second, storage, Here(), how=how)
        self._judge(db, f"{point}, then loaded", self.sums[1:])
        again = load(self.logs, storage, Here(), how=how)
        if again.published or again.accepted:
            self.failures.append(f"{point}, then loaded again, it added {again.accepted}")
        upkeep.tidy(storage, keep=0)
        self._judge(db, f"{point}, then tidied", self.sums[1:])
        self._judge_orphans(db, point)
        storage.delete_folder("")

    def _killed(self, db: str, point: str, dice: random.Random) -> bool:
        """Load the second half until the kill; return whether it met the load."""
        named = "-" if point == "any time" else point
        command = [sys.executable, "-m", "tests.kit.lake_load_child", db, named, str(BUCKETS)]
        begun = time.monotonic()
        process = subprocess.Popen(
            [*command, *map(str, self.second)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        )
        try:
            timeout = dice.random() * self.usual if point == "any time" else None
            _, said = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return True
        self.usual = time.monotonic() - begun
        if process.returncode not in (0, -9):
            self.failures.append(f"{point}: {said[-500:]}")
        return process.returncode == -9

    def _judge(self, db: str, when: str, allowed: Sequence[str]) -> None:
        seen = content(db)
        if seen not in allowed:
            self.failures.append(f"{when}: a reader sees {seen}")

    def _judge_orphans(self, db: str, point: str) -> None:
        """After tidying there are the files of the newest snapshot, and those of the logs alone."""
        storage = storage_of(db)
        lake = Lake(storage)
        named = {
            f"{table}/{file.path}"
            for table, files in lake.all_files(lake.opened()).items()
            for file in files
        }
        found = {
            entry.name
            for entry in storage.list()
            if "_delta_log" not in entry.name and not entry.name.startswith("snapshots/")
        }
        if found - named:
            self.failures.append(f"{point}: tidying left {sorted(found - named)[:3]}")

    def report(self) -> str:
        """Return what came of it all."""
        kills = ", ".join(f"{count} {name}" for name, count in sorted(self.kills.items()))
        wrong = "".join(f"\n    {failure}" for failure in self.failures)
        return (
            f"{self.kills.total()} kills ({kills}), {self.late} more came too late; "
            f"wrong: {len(self.failures)}{wrong}"
        )
