"""Forgetting a player in a lake: all of it is written again, in portions, and the old goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tricklog.ingest.forgetting import assembling, changes, users
from tricklog.ingest.forgetting.changes import Changes
from tricklog.ingest.forgetting.runs import ForgetReport, Run
from tricklog.ingest.forgetting.whom import people, people_of
from tricklog.ingest.lake import portions, reading, recalling, tables, upkeep
from tricklog.ingest.lake.publish import Lake, Snapshot, in_words
from tricklog.ingest.reading.progress import OnProgress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database, publishing
from tricklog.ingest.study import lakes as study
from tricklog.ingest.study.blocks import Blocks

if TYPE_CHECKING:
    from tricklog.ingest.lake.door import LakeWarehouse

FORGET: Final = "forget"
"""What a lake is said to be held by while somebody is forgotten in it."""
_REST: Final = ("imports", "rejects")
"""Tables of which no row belongs to a portion."""


def forget(
    player: str,
    lake: LakeWarehouse,
    also: Sequence[str],
    on_progress: OnProgress | None,
    *,
    dry_run: bool,
) -> ForgetReport:
    """Forget a player in a lake; see ``tricklog.ingest.forgetting.forget``."""
    with in_words(lake.storage):
        return _OfLake(lake, player, also, on_progress).run(dry_run=dry_run)


class _OfLake(Run):
    """A run in a lake, which is held as by a load until the new state is published."""

    def __init__(
        self,
        lake: LakeWarehouse,
        player: str,
        also: Sequence[str],
        on_progress: OnProgress | None,
    ) -> None:
        self._storage = storage = lake.storage
        self._lake = Lake(storage, forgetting=True)
        folder = lake.user_folder()
        with closing(reading.open_tables(self._lake, self._lake.opened(), once=True)) as stored:
            here = people([*people_of(stored), *users.people_in(folder)])
        blocks = Blocks(storage)
        super().__init__(player, also, storage, blocks, here, folder, on_progress)

    def find(self) -> None:
        for _ in self._parts(self._lake.opened()):
            continue

    def publish(self) -> dict[str, str]:
        with self._lake.begin(FORGET) as begun:
            self.put_on_list()
            assert begun.before
            self._know_what_was()
            is_other = False
            for number, stored, found in self._parts(begun.before):
                begun.check()
                is_other |= bool(found)
                begun.written += self._written(stored, found, begun.number, number)
            if is_other:
                told, replaced = {FORGET: self.report.hands}, begun.before.versions.keys()
                begun.publish(begun.written, told, replaced=replaced)
        return self.write_blocks()

    def remove_blocks(self, renamed: dict[str, str]) -> None:
        self._storage.delete(renamed)
        study.publish_all(self._lake, self.on_progress)
        self._storage.delete_folder(upkeep.STAGING)

    def remove_old(self) -> int:
        self.report.snapshot = f"{self._storage} {self._lake.opened().number}"
        return upkeep.remove_all_old(self._lake)

    def _know_what_was(self) -> None:
        """Learn from what a run that was killed replaced which record each hand had before."""
        snapshots = self._lake.snapshots() if self.is_again else []
        ours = [place for place, each in enumerate(snapshots) if each.load == FORGET]
        if ours and ours[-1] > 0:
            for _ in self._parts(snapshots[ours[-1] - 1]):
                continue

    def _parts(self, snapshot: Snapshot) -> Iterator[tuple[int, Path, Changes]]:
        """Give what a snapshot has as warehouses of their own, first what belongs to no game."""
        parts = portions.buckets(self._lake, snapshot)
        for number, portion in enumerate([None, *parts]):
            self.tell(Stage.CHECKING, number, len(parts) + 1)
            with portions.extracted(portion) if portion else self._rest(snapshot) as stored:
                found = changes.find(stored, self.forgotten, stored.with_name("changes.duckdb"))
                self.count(found, stored)
                yield number, stored, found

    @contextmanager
    def _rest(self, snapshot: Snapshot) -> Iterator[Path]:
        """Give the loads, and the lines in quarantine, as a warehouse of their own."""
        with Scratch() as folder:
            path = Path(folder) / "games.duckdb"
            with (
                reading.open_tables(self._lake, snapshot, once=True) as stored,
                database.connect(path, memory_limit=publishing.MEMORY_LIMIT) as made,
            ):
                publishing.create_tables(made)
                for table in _REST:
                    rows = stored.sql(f"FROM {table}").to_arrow_table()  # noqa: F841 - DuckDB finds it by its name
                    made.execute(f"INSERT INTO {table} BY NAME SELECT DISTINCT * FROM rows")  # noqa: S608 - names of our own
                recalling.insert_texts(stored, made)
            yield path

    def _written(self, stored: Path, found: Changes, load: int, number: int) -> list[tables.File]:
        """Write a part as files of tables, with the facts of its games."""
        games = stored.with_name("draft.duckdb")
        with database.connect(games, memory_limit=publishing.MEMORY_LIMIT) as connection:
            publishing.create_tables(connection)
            assembling.assemble(connection, stored, found, self.forgotten, stored.parent)
        added = tables.export(games, self._storage, load, number) if number else []
        with database.connect(memory_limit=tables.MEMORY_LIMIT) as connection:
            database.attach(connection, "games", games)
            connection.execute(_VIEWS)
            written = (
                tables.write(self._storage, name, tables.batches(connection, name), load, number)
                for name in (["ids"] if number else [*_REST, "long_texts"])
            )
            return [*added, *filter(None, written)]


_VIEWS: Final = """
CREATE VIEW imports AS FROM games.imports;
CREATE VIEW rejects AS FROM games.rejects;
CREATE VIEW long_texts AS FROM games.long_texts;
CREATE VIEW ids AS
    SELECT
        md5_number_lower(hand_id) AS id_hash,
        unhex(replace(content_hash::VARCHAR, '-', '')) AS content,
        hand_no
    FROM games.hands;
"""
