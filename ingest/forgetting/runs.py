"""Forgetting a player, wherever their hands are stored: what a run does, and what it did.

First they are put on the list, so that no load brings them back; from then until the end nothing
else may write there. Then the next state is written and published, what users wrote is replaced,
and the old goes. Whatever a killed run has not done the next one does: each step finds out by
itself what is left, from files that go last.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from tricklog.ingest.facts import files as facts_files
from tricklog.ingest.facts import kept
from tricklog.ingest.facts.kept import Listed
from tricklog.ingest.following import heartbeat
from tricklog.ingest.forgetting import assembling, changes, users
from tricklog.ingest.forgetting.changes import Changes
from tricklog.ingest.forgetting.users import Written
from tricklog.ingest.forgetting.whom import People, people, people_of, whom, with_whom
from tricklog.ingest.reading.forgotten import Forgotten, new_list
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.recording.keeping import KeepingError
from tricklog.ingest.store import disk, publishing, seals, userdata, warehouse
from tricklog.ingest.store import forgotten as lists
from tricklog.ingest.store.aliases import aliases
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.store.warehouse import NoSnapshotError, WarehouseError
from tricklog.ingest.study import blocks
from tricklog.ingest.study.blocks import Blocks, of_folder
from tricklog.ingest.study.homes import Home
from tricklog.ingest.warehouses import lake_at, warehouse_at

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tricklog.ingest.lake.storage import Storage

_HASH: Final = "content_hash"
_PUBLISHED: Final = re.compile(r"(games|facts|solved)-\d+")


@dataclass(slots=True)
class ForgetReport:
    """What was done, or would be, and what is left."""

    ids: dict[str, str] = field(default_factory=dict)
    """Each id that was forgotten, and the one in its place."""
    names: int = 0
    """Names beside the ids that were looked for."""
    hands: int = 0
    """Hands with another record: a player sat there, or a text named them."""
    sat: int = 0
    rejects: int = 0
    paths: int = 0
    blocks: int = 0
    """Files with what was found out about hands that were written again."""
    written: Written = field(default_factory=Written)
    logs: dict[str, int] = field(default_factory=dict)
    """Logs that name the player, and how many hands of each; they stay as they are."""
    snapshot: Path | str | None = None
    removed: int = 0
    """Files of older states that are gone."""
    dry_run: bool = False


def forget(
    player: str,
    *,
    db: str | Path,
    also: Sequence[str] = (),
    dry_run: bool = False,
    wait: float = 0.0,
    on_progress: OnProgress | None = None,
) -> ForgetReport:
    """Forget a player: their hands stay in the warehouse, under an id that names nobody.

    Args:
        player: the id of the player; ids that are merged with it are forgotten as well.
        db: the warehouse's folder, or the address of a lake.
        also: further names to be looked for in texts.
        dry_run: only tell what would be done.
        wait: seconds to wait for another run that is changing the warehouse; a lake that is held is
            not waited for.
        on_progress: called now and then with how far the run is.

    Raises ``WarehouseError``: nobody has the id (``UnknownPlayerError``), another run is at work
    (``BusyError``), the disk is full or fails (``StorageError``), or what is stored is damaged.
    Before the first step the warehouse is then as it was; later on the same call finishes what was
    begun.
    """
    try:
        if lake := lake_at(db):
            from tricklog.ingest.forgetting import lakes

            return lakes.forget(player, lake, also, on_progress, dry_run=dry_run)
        folder = Path(db)
        if warehouse.current_snapshot(folder) is None:
            raise NoSnapshotError(f"{db} holds no warehouse yet: there is nobody to forget.")
        with _held(folder, wait, dry_run=dry_run) as scratch:
            return _OfFolder(folder, scratch, player, also, on_progress).run(dry_run=dry_run)
    except (userdata.UserDataError, KeepingError) as error:
        raise StorageError(f"{error} Do the same again when that is mended.") from error


class Run(ABC):
    """Who is to be forgotten, what was found of them so far, and the steps in their order."""

    def __init__(
        self,
        player: str,
        also: Sequence[str],
        place: Path | Storage,
        found_in: Blocks,
        here: People,
        folder: Path,
        on_progress: OnProgress | None,
    ) -> None:
        """The list lies in ``place``, what users wrote in ``folder``."""
        before = lists.read(place)
        known = Forgotten(before or new_list())
        meant = whom(player, here, aliases(folder), known, also)
        self.is_again = before is not None and bool(before.unfinished)
        """Whether a run that was killed is finished."""
        self.forgotten = Forgotten(with_whom(known, meant, here))
        self.hashes: dict[str, str] = {}
        """The hash of the new record of each hand by that of the old one."""
        self.report = ForgetReport(
            ids={each: self.forgotten.id_of(each) for each in meant.names},
            names=len(set().union(*meant.names.values()) - meant.names.keys()),
        )
        self._place, self._blocks, self._folder = place, found_in, folder
        self.on_progress = on_progress

    def run(self, *, dry_run: bool) -> ForgetReport:
        """Do what a run does, or only find out what it would do."""
        self.report.dry_run = dry_run
        if dry_run:
            self.find()
            return self.report
        renamed = self.publish()
        self.report.written = users.rewrite(self._folder, self.forgotten, self.hashes)
        with self.writing("A block"):
            self.remove_blocks(renamed)
        with self.writing("An older state"):
            self.report.removed = self.remove_old()
        self.finish()
        return self.report

    @abstractmethod
    def find(self) -> None:
        """Find and count what becomes of what is published now."""

    @abstractmethod
    def publish(self) -> dict[str, str]:
        """Put them on the list, and publish a state without them where the newest has them.

        Returns the new names of blocks by their places, as ``write_blocks`` does.
        """

    @abstractmethod
    def remove_blocks(self, renamed: dict[str, str]) -> None:
        """Remove the blocks in whose place there are new ones, by their places."""

    @abstractmethod
    def remove_old(self) -> int:
        """Remove every state but the current one; return how many files that were."""

    def writing(self, what: str) -> AbstractContextManager[None]:
        """Say in a sentence what cannot be written; a folder has one for the whole run."""
        del what
        return nullcontext()

    def put_on_list(self) -> None:
        """Have loads, and whatever else reads logs, meet them no more."""
        with self.writing("The list of those who were forgotten"):
            lists.write(self._place, self.forgotten.listed)

    def write_blocks(self) -> dict[str, str]:
        """Write what was found out about hands beside the old; return the new names by place."""
        with self.writing("What was found out about hands"):
            renamed = _write_blocks(self._blocks, self.hashes)
        self.report.blocks = len(renamed)
        return renamed

    def finish(self) -> None:
        """Let others write again."""
        with self.writing("The list of those who were forgotten"):
            done = msgspec.structs.replace(self.forgotten.listed, unfinished=())
            lists.write(self._place, done)

    def tell(self, stage: Stage, done: int = 0, total: int | None = None) -> None:
        """Say how far the run is."""
        if self.on_progress:
            self.on_progress(Progress(stage, done=done, total=total))

    def count(self, found: Changes, stored: Path) -> None:
        """Take in what becomes of a snapshot, or of a portion of one."""
        told = self.report
        told.hands += found.hands
        told.sat += found.sat
        told.rejects += found.rejects
        told.paths = max(told.paths, found.paths)
        for file, hands in changes.logs_of(found, stored).items():
            told.logs[file] = told.logs.get(file, 0) + hands
        self.hashes |= changes.hashes_of(found)


def _write_blocks(found: Blocks, hashes: Mapping[str, str]) -> dict[str, str]:
    """Write blocks with other hashes of hands; return the name of each by the place of the old.

    With the rest of a record anybody could try names until its hash is met, so the hashes of old
    records go as well, and with them blocks of other versions.
    """
    renamed: dict[str, str] = {}
    for entry in list(found.storage.list(kept.FOLDER)):
        folder, _, name = entry.name.rpartition("/")
        if not kept.is_block(name):
            continue
        table = pq.read_table(pa.BufferReader(found.storage.read(entry.name)))
        if _HASH not in table.column_names:
            continue
        field = table.schema.field(_HASH)
        old = [value.hex() for value in table[_HASH].cast(pa.binary(16)).to_pylist()]
        new = [hashes.get(value, value) for value in old]
        if new != old:
            column = pa.array(map(bytes.fromhex, new), field.type)
            changed = table.set_column(table.column_names.index(_HASH), field, column)
            renamed[entry.name], content = blocks.packed(changed)
            found.put(folder, renamed[entry.name], content)
    return renamed


# --- A warehouse of one machine


@contextmanager
def _held(db: Path, wait: float, *, dry_run: bool) -> Iterator[Path]:
    """Keep loads, followers and runs that solve hands away; give a folder for the meantime."""
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


class _OfFolder(Run):
    """A run in a folder, which is held from its beginning to its end."""

    def __init__(
        self,
        db: Path,
        scratch: Path,
        player: str,
        also: Sequence[str],
        on_progress: OnProgress | None,
    ) -> None:
        self._db, self._scratch = db, scratch
        super().__init__(player, also, db, of_folder(db), _people_in(db), db, on_progress)

    def find(self) -> None:
        """See ``Run.find``; a killed run left older states, which say what records hands had."""
        current = self._current()
        older = [path for path in warehouse.snapshots(self._db) if path != current]
        self.tell(Stage.CHECKING)
        found = [
            changes.find(path, self.forgotten, self._scratch / f"changes-{number}.duckdb")
            for number, path in enumerate([current, *(older if self.is_again else [])])
        ]
        self.count(found[0], current)
        for each in found[1:]:
            self.hashes |= changes.hashes_of(each)
        self._found = found[0]

    def publish(self) -> dict[str, str]:
        """See ``Run.publish``; solved hands of the new state are read from the new blocks."""
        self.find()
        self.put_on_list()
        renamed = self.write_blocks()
        if self._found:
            self.tell(Stage.STORING)

            def make_facts(draft: Path, hands: int, state: str) -> None:
                facts_files.make_beside(draft, hands, state, None, self.on_progress)

            current, found, scratch = self._current(), self._found, self._scratch
            with publishing.draft(self._db, fresh=True, make_facts=make_facts) as connection:
                assembling.assemble(connection, current, found, self.forgotten, scratch)
        self.report.snapshot = self._current()
        return renamed

    def write_blocks(self) -> dict[str, str]:
        renamed = super().write_blocks()
        with self.writing("What was found out about hands"):
            self._count_blocks(renamed)
        return renamed

    def remove_blocks(self, renamed: dict[str, str]) -> None:
        self._count_blocks(renamed, without=renamed)
        self._blocks.storage.delete(renamed)
        # What runs that were killed have left goes as well, that of other versions too.
        for folder in (self._db / kept.FOLDER).glob("*"):
            blocks.clear(folder)
        for draft in (self._db / kept.FOLDER).glob("*.draft"):
            draft.unlink()

    def remove_old(self) -> int:
        """See ``Run.remove_old``; what is made of a state when asked for goes as well."""
        removed = 0
        snapshot = self._current()
        facts = warehouse.facts_file(snapshot)
        stays = {each.name for path in (snapshot, facts) for each in (path, seals.seal_of(path))}
        for path in list(self._db.iterdir()):
            if _PUBLISHED.match(path.name) and path.name not in stays and path.is_file():
                path.unlink()
                removed += 1
        with suppress(OSError):
            for sign in (self._db / heartbeat.FOLDER).glob("*.json"):
                sign.unlink()
        disk.flush(self._db)
        return removed

    @contextmanager
    def writing(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StorageError(
                f"{what} cannot be written in {self._db}: {error.strerror}. Check the disk and how "
                "much of it is free, then do the same again: it goes on where it stopped."
            ) from error

    def _count_blocks(self, renamed: Mapping[str, str], *, without: Collection[str] = ()) -> None:
        """Have new blocks count, beside the old ones or ``without`` these."""
        try:
            listed = kept.read_list(self._db)
        except ValueError:
            # Without a list that can be trusted all blocks count.
            return
        if listed and renamed:
            new = {place.rpartition("/")[2]: name for place, name in renamed.items()}
            gone = {place.rpartition("/")[2] for place in without}
            counting = {
                digest: sorted({*names, *(new[name] for name in names if name in new)} - gone)
                for digest, names in listed.blocks.items()
            }
            kept.put_on_list(self._db, Listed(counting))

    def _current(self) -> Path:
        current = warehouse.current_snapshot(self._db)
        assert current
        return current


def _people_in(db: Path) -> People:
    """Return the people of all snapshots, as after a kill, and of evenings being recorded."""
    found = [*users.people_in(db)]
    for path in warehouse.snapshots(db):
        try:
            with warehouse.open_file(path, once=True) as tables:
                found += people_of(tables)
        except WarehouseError:
            if path == warehouse.current_snapshot(db):
                raise
    return people(found)
