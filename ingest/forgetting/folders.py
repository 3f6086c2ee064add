"""Forgetting a player in a warehouse of one machine.

First they are put on the list, so that no load brings them back; from then until the end nothing
else may write there. Then the next snapshot is written and published, what users wrote is replaced,
and the old goes. Whatever a killed run has not done the next one does: each step finds out by
itself what is left, from files that go last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from tricklog.ingest.facts import files as facts_files
from tricklog.ingest.following import heartbeat
from tricklog.ingest.forgetting import assembling, blocks, changes, users
from tricklog.ingest.forgetting.changes import Changes
from tricklog.ingest.forgetting.report import ForgetReport, Run, explained
from tricklog.ingest.forgetting.whom import People, people_of
from tricklog.ingest.reading.progress import OnProgress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.store import disk, publishing, seals, warehouse
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.store.warehouse import NoSnapshotError, WarehouseError
from tricklog.ingest.study.blocks import of_folder
from tricklog.ingest.study.homes import Home
from tricklog.ingest.warehouses import warehouse_at

Result = TypeVar("Result")
_PUBLISHED: Final = re.compile(r"(games|facts|solved)-\d+")


def forget(
    player: str,
    db: Path,
    *,
    also: Sequence[str] = (),
    dry_run: bool = False,
    wait: float = 0.0,
    on_progress: OnProgress | None = None,
) -> ForgetReport:
    """Forget a player in the folder ``db``; see ``tricklog.ingest.forgetting.forget``.

    Raises ``WarehouseError``: nobody has the id (``UnknownPlayerError``), another run is at work
    (``BusyError``), the disk is full or fails (``StorageError``), or what is stored is damaged.
    """
    if warehouse.current_snapshot(db) is None:
        raise NoSnapshotError(f"{db} holds no warehouse yet: there is nobody to forget.")
    with _held(db, wait, dry_run=dry_run) as scratch, explained():
        return _Run(db, player, also, scratch, on_progress).run(dry_run=dry_run)


@contextmanager
def _held(db: Path, wait: float, *, dry_run: bool) -> Iterator[Path]:
    """Keep everybody else from writing: loads, followers, and runs that solve hands.

    Gives a folder for what is needed meanwhile.
    """
    if dry_run:
        with Scratch() as folder:
            yield Path(folder)
        return
    if at_work := heartbeat.followers(db):
        first = at_work[0]
        raise BusyError(
            f"Process {first.process} on {first.host} follows logs into {db}. Stop it first: it "
            "would write on with what it has read."
        )
    with (
        publishing.writing(db, wait=wait, forgetting=True),
        Home(warehouse_at(db)).alone(wait, None),
        publishing.scratch(db) as scratch,
    ):
        yield scratch


class _Run(Run):
    def __init__(
        self,
        db: Path,
        player: str,
        also: Sequence[str],
        scratch: Path,
        on_progress: OnProgress | None,
    ) -> None:
        self.db = db
        self.scratch = scratch
        super().__init__(player, also, lists.read(db), _people_in(db), db, on_progress)

    def run(self, *, dry_run: bool) -> ForgetReport:
        found = self._find()
        self.report.dry_run = dry_run
        if dry_run:
            return self.report
        self._do("The list of those who were forgotten", self._list)
        renamed = self._do("What was found out about hands", self._blocks)
        self._publish(found)
        self.report.written = users.rewrite(self.db, self.forgotten, self.hashes)
        self._do("A block", lambda: self._remove_old_blocks(renamed))
        blocks.clear_drafts(self.db)
        self.report.removed = self._do("An older state", lambda: _remove_old(self.db))
        self._do("The list of those who were forgotten", self._finish)
        return self.report

    def _do(self, what: str, step: Callable[[], Result]) -> Result:
        """Do a step that writes; say in a sentence when the disk fails."""
        try:
            return step()
        except OSError as error:
            raise StorageError(
                f"{what} cannot be written in {self.db}: {error.strerror}. Check the disk and how "
                "much of it is free, then do the same again: it goes on where it stopped."
            ) from error

    def _blocks(self) -> dict[str, str]:
        renamed = blocks.rewrite(of_folder(self.db), self.hashes)
        blocks.put_on_list(self.db, renamed)
        self.report.blocks = len(renamed)
        return renamed

    def _remove_old_blocks(self, renamed: Mapping[str, str]) -> None:
        blocks.put_on_list(self.db, renamed, without=renamed)
        of_folder(self.db).storage.delete(renamed)

    def _find(self) -> list[Changes]:
        """Find what becomes of the current snapshot; of older ones, too, where a run was killed.

        An older one alone may still say which record a hand had before.
        """
        current = warehouse.current_snapshot(self.db)
        assert current
        others = [path for path in warehouse.snapshots(self.db) if path != current]
        again = others if self.is_again else []
        self.tell(Stage.CHECKING)
        found = [
            changes.find(path, self.forgotten, self.scratch / f"changes-{number}.duckdb")
            for number, path in enumerate([current, *again])
        ]
        self.count(found[0], current)
        for each in found[1:]:
            self.hashes |= changes.hashes_of(each)
        return found

    def _list(self) -> None:
        lists.write(self.db, self.forgotten.listed)

    def _finish(self) -> None:
        lists.write(self.db, msgspec.structs.replace(self.forgotten.listed, unfinished=()))

    def _publish(self, found: Sequence[Changes]) -> None:
        current = warehouse.current_snapshot(self.db)
        assert current
        if found[0]:
            self.tell(Stage.STORING)

            def make_facts(draft: Path, hands: int, state: str) -> None:
                facts_files.make_beside(draft, hands, state, None, self.on_progress)

            with publishing.draft(self.db, fresh=True, make_facts=make_facts) as connection:
                assembling.assemble(connection, current, found[0], self.forgotten, self.scratch)
        self.report.snapshot = warehouse.current_snapshot(self.db)


def _people_in(db: Path) -> People:
    """Return the people of all snapshots, and of evenings that are being recorded.

    After a run that was killed an old snapshot has the names.
    """
    people = People()
    for path in warehouse.snapshots(db):
        try:
            with warehouse.open_file(path, once=True) as tables:
                people = people.with_names(
                    (player, name)
                    for player, names in people_of(tables).names.items()
                    for name in names or [None]
                )
        except WarehouseError:
            if path == warehouse.current_snapshot(db):
                raise
    return people.with_names(users.people_in(db))


def _remove_old(db: Path) -> int:
    """Remove every state but the current one, and what is made of it again when asked for."""
    current = warehouse.current_snapshot(db)
    assert current
    removed = 0
    facts = warehouse.facts_file(current)
    stays = {each.name for path in (current, facts) for each in (path, seals.seal_of(path))}
    for path in list(db.iterdir()):
        if _PUBLISHED.match(path.name) and path.name not in stays and path.is_file():
            path.unlink()
            removed += 1
    with suppress(OSError):
        for sign in (db / heartbeat.FOLDER).glob("*.json"):
            sign.unlink()
    disk.flush(db)
    return removed
