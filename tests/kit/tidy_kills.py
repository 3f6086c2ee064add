"""Killing what tidies a lake: whatever is left, every row is there, and tidying again ends it."""

import random
import shutil
import threading
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from ingest.lake import publish, upkeep
from ingest.lake.publish import Lake
from ingest.lake.storage import storage_of
from tests.kit.lake_kills import Child, copy_lake
from tests.kit.lake_rows import Tables, digests, game_numbers, publish_load

Place = tuple[StrEnum, str]
TABLES = ("hands", "games", "ids", "rejects")
POINTS: tuple[Place, ...] = (
    (publish.Point.BEGUN, ""),
    *((upkeep.Point.REWRITTEN, table) for table in TABLES),
    *((publish.Point.COMMITTED, table) for table in (*TABLES, "superseded")),
    (publish.Point.TABLES_COMMITTED, ""),
    (publish.Point.PUBLISHED, ""),
    (upkeep.Point.FOUND, ""),
    (upkeep.Point.FORGOTTEN, ""),
    (upkeep.Point.REMOVED, ""),
    (publish.Point.RELEASED, ""),
)


class TidyKiller:
    """Prepares a lake of some loads, and kills what tidies copies of it."""

    def __init__(self, folder: Path, rows: Tables) -> None:
        self.folder = folder
        self.child = Child()
        self.kills = Counter[str]()
        self.late = 0
        self.looked = 0
        self.failures: list[str] = []
        start = Lake(storage_of(folder / "start"))
        few = {table: rows[table].slice(0, 30) for table in TABLES}
        for load in range(3):
            publish_load(start, few, game_numbers(few, 1)[:5] if load == 1 else ())
        self.start = start.storage.root
        self.digests = digests(start)
        whole = self._copy()
        (told,) = self.child.ask({"what": "tidy", "lake": whole})
        assert told["said"] == "done"
        self.seconds = float(told["seconds"])
        self._judge(whole, "undisturbed")

    def at_point(self, place: Place) -> None:
        """Kill it at a named point, and tidy again."""
        lake = self._copy()
        (told,) = self.child.ask({"what": "tidy", "lake": lake, "point": place})
        where = " ".join(place).strip()
        self.kills[str(place[0])] += told["killed"]
        if not told["killed"]:
            self.failures.append(f"tidying did not come to {where}: {told['said']}")
        self._mend(lake, f"killed at {where}")

    def at_random(self, dice: random.Random) -> bool:
        """Kill it at any time, tidy again, and return whether the kill met it."""
        lake = self._copy()
        delay = dice.random() * self.seconds
        (told,) = self.child.ask({"what": "tidy", "lake": lake, "delay": delay})
        self.kills["any time"] += told["killed"]
        self.late += not told["killed"]
        self._mend(lake, "killed at any time")
        return bool(told["killed"])

    def beside_a_reader(self) -> None:
        """Tidy while somebody reads; what they have open stays for as long as is told."""
        lake = self._copy()
        ended = threading.Event()

        def look() -> None:
            while not ended.is_set():
                opened = Lake(storage_of(lake))
                snapshot = opened.opened()
                ended.wait(0.1)
                self.looked += 1
                if digests(opened, snapshot) != self.digests:
                    self.failures.append("a reader saw something else")

        reader = threading.Thread(target=look)
        reader.start()
        self.child.ask({"what": "tidy", "lake": lake, "keep": 7})
        ended.set()
        reader.join()
        shutil.rmtree(lake)

    def _mend(self, lake: str, when: str) -> None:
        if digests(Lake(storage_of(lake))) != self.digests:
            self.failures.append(f"{when}, rows were lost")
        (told,) = self.child.ask({"what": "tidy", "lake": lake, "take_over": True})
        if told["said"] != "done":
            self.failures.append(f"{when}, it could not be done again: {told}")
        self._judge(lake, when)

    def _judge(self, uri: str, when: str) -> None:
        """After tidying all rows are there, in few files, and nothing else is."""
        lake = Lake(storage_of(uri))
        if digests(lake) != self.digests:
            self.failures.append(f"{when} and done again, rows were lost")
        files = lake.all_files(lake.opened())
        named = {f"{table}/{file.path}" for table, those in files.items() for file in those}
        if len(named) != len(TABLES):
            self.failures.append(f"{when}, {len(named)} files were left")
        there = {entry.name for table in files for entry in lake.storage.list(table)}
        if left := {name for name in there if "_delta_log" not in name} - named:
            self.failures.append(f"{when}, {len(left)} files were left that nobody needs")
        shutil.rmtree(uri)

    def _copy(self) -> str:
        lake = str(self.folder / uuid.uuid4().hex)
        copy_lake(self.start, lake)
        return lake


@contextmanager
def tidy_killer(folder: Path, rows: Tables) -> Iterator[TidyKiller]:
    """Give a killer for as long as it is needed."""
    killer = TidyKiller(folder, rows)
    try:
        yield killer
    finally:
        killer.child.close()
