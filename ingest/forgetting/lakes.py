"""Forgetting a player in a lake: all of it is written again, in portions, and the old goes.

As in a folder the list comes first, then the new state, then what users wrote, and the old goes
last. A run holds the lake as a load does; one that was killed is finished by the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from tricklog.ingest.forgetting import assembling, blocks, changes, users
from tricklog.ingest.forgetting.changes import Changes
from tricklog.ingest.forgetting.report import ForgetReport, Run, explained
from tricklog.ingest.forgetting.whom import people_of
from tricklog.ingest.lake import portions, reading, recalling, tables, upkeep
from tricklog.ingest.lake.publish import Begun, Lake, Snapshot, in_words
from tricklog.ingest.reading.progress import OnProgress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import database, publishing
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.study import lakes as study
from tricklog.ingest.study.blocks import Blocks
from tricklog.ingest.upkeep import reauditing_lakes

if TYPE_CHECKING:
    from tricklog.ingest.lake.door import LakeWarehouse
    from tricklog.ingest.lake.tables import File

FORGET: Final = "forget"
"""What a lake is said to be held by while somebody is forgotten in it."""
_REST: Final = ("imports", "rejects")
"""Tables of which no row belongs to a portion."""


def forget(
    player: str,
    lake: LakeWarehouse,
    *,
    also: Sequence[str] = (),
    dry_run: bool = False,
    on_progress: OnProgress | None = None,
) -> ForgetReport:
    """Forget a player in a lake; see ``tricklog.ingest.forgetting.forget``."""
    with explained(), in_words(lake.storage):
        run = _Run(lake, player, also, on_progress)
        return run.rehearse() if dry_run else run.run()


class _Run(Run):
    def __init__(
        self,
        lake: LakeWarehouse,
        player: str,
        also: Sequence[str],
        on_progress: OnProgress | None,
    ) -> None:
        self.storage = lake.storage
        self.lake = Lake(lake.storage, forgetting=True)
        folder = lake.user_folder()
        with closing(reading.open_tables(self.lake, self.lake.opened(), once=True)) as stored:
            people = people_of(stored).with_names(users.people_in(folder))
        super().__init__(player, also, lists.read(self.storage), people, folder, on_progress)

    def rehearse(self) -> ForgetReport:
        """Only tell what would be done."""
        self.report.dry_run = True
        for _ in self._parts(self.lake.opened()):
            continue
        return self.report

    def run(self) -> ForgetReport:
        with self.lake.begin(FORGET) as begun:
            lists.write(self.storage, self.forgotten.listed)
            self._know_what_was(begun)
            self._publish(begun)
        renamed = self._blocks()
        self.report.written = users.rewrite(self.users, self.forgotten, self.hashes)
        self.storage.delete(renamed)
        study.publish_all(self.lake, self.on_progress)
        self.storage.delete_folder(upkeep.STAGING)
        self.report.removed = upkeep.remove_all_old(self.lake)
        done = msgspec.structs.replace(self.forgotten.listed, unfinished=())
        lists.write(self.storage, done)
        current = self.lake.opened()
        self.report.snapshot = f"{self.storage} {current.number}"
        return self.report

    # --- What becomes of the tables

    def _know_what_was(self, begun: Begun) -> None:
        """Learn from what a run that was killed replaced which record each hand had before."""
        if not (self.is_again and begun.before):
            return
        snapshots = self.lake.snapshots()
        ours = [place for place, each in enumerate(snapshots) if each.load == FORGET]
        if ours and ours[-1] > 0:
            for _, stored, found in self._parts(snapshots[ours[-1] - 1]):
                del stored, found

    def _publish(self, begun: Begun) -> None:
        """Write all tables again, and publish them in the place of what was stored."""
        before = begun.before
        assert before
        added: list[File] = []
        try:
            is_other = False
            for number, stored, found in self._parts(before):
                begun.check()
                is_other |= bool(found)
                added += self._written(stored, found, begun.number, number)
            if not is_other:
                begun.drop(added)
                return
            told = {FORGET: self.report.hands}
            begun.publish(added, told, replaced=before.versions.keys())
        except BaseException:
            begun.drop(added)
            raise

    def _parts(self, snapshot: Snapshot) -> Iterator[tuple[int, Path, Changes]]:
        """Give what a snapshot has as warehouses of their own, with what becomes of each.

        The first has no hands: it is what belongs to no game.
        """
        parts = reauditing_lakes.portions_of(self.lake, snapshot)
        for number, portion in enumerate([None, *parts]):
            self.tell(Stage.CHECKING, number, len(parts) + 1)
            with Scratch() as folder:
                stored = Path(folder) / "games.duckdb"
                if portion is None:
                    self._rest(snapshot, stored)
                else:
                    portions.extract(portion, stored)
                found = changes.find(stored, self.forgotten, Path(folder) / "changes.duckdb")
                self.count(found, stored)
                yield number, stored, found

    def _rest(self, snapshot: Snapshot, path: Path) -> None:
        """Write the loads, and the lines in quarantine, into a warehouse of their own."""
        with (
            reading.open_tables(self.lake, snapshot, once=True) as stored,
            database.connect(path, memory_limit=publishing.MEMORY_LIMIT) as made,
        ):
            publishing.create_tables(made)
            for table in _REST:
                rows = stored.sql(f"FROM {table}").to_arrow_table()  # noqa: F841 - DuckDB finds it by its name
                made.execute(f"INSERT INTO {table} BY NAME SELECT DISTINCT * FROM rows")  # noqa: S608 - names of our own
            recalling.insert_texts(stored, made)

    def _written(self, stored: Path, found: Changes, load: int, number: int) -> list[File]:
        """Write a part as files of tables, with the facts of its games."""
        games = stored.with_name("draft.duckdb")
        with database.connect(games, memory_limit=publishing.MEMORY_LIMIT) as connection:
            publishing.create_tables(connection)
            assembling.assemble(connection, stored, found, self.forgotten, stored.parent)
        if number == 0:
            return self._written_as_they_are(games, [*_REST, "long_texts"], load, number)
        added = tables.export(games, self.storage, load, number)
        return added + self._written_as_they_are(games, ["ids"], load, number)

    def _written_as_they_are(
        self, games: Path, names: Sequence[str], load: int, number: int
    ) -> list[File]:
        with database.connect(memory_limit=tables.MEMORY_LIMIT) as connection:
            database.attach(connection, "games", games)
            connection.execute(_VIEWS)
            files = [
                tables.write(self.storage, name, tables.batches(connection, name), load, number)
                for name in names
            ]
        return [file for file in files if file]

    # --- What was found out about hands

    def _blocks(self) -> dict[str, str]:
        renamed = blocks.rewrite(Blocks(self.storage), self.hashes)
        self.report.blocks = len(renamed)
        return renamed


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
