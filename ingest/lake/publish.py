"""Publishing into a lake: many commits to single tables, which one commit makes visible together.

The table ``snapshots`` has one row for each load. A load begins by adding its row, *begun*: a lease
that keeps others away until it runs out, and a fence, since whoever began before cannot publish any
more. It writes files that nobody sees, commits them to their tables, and turns its row into
*published* with the version of each table. Readers look at published rows only. Each commit follows
the version that its writer knows, or fails; so of any number of writers one publishes at a time, on
a folder as on an object store, and a killed one leaves the lake as it was. What it left in a
single table goes with the next commit there, which has the files that were published and its own.
"""

from __future__ import annotations

import getpass
import os
import re
import socket
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
from deltalake import DeltaTable

from tricklog.ingest.lake import commits
from tricklog.ingest.lake.commits import (
    TROUBLE,
    Head,
    Ledger,
    LostError,
    Place,
    Row,
    State,
    this_process,
)
from tricklog.ingest.lake.storage import LOG, SNAPSHOTS, Storage, at_once
from tricklog.ingest.lake.tables import LAYOUTS, File, tables_of_this_version
from tricklog.ingest.store import forgotten
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.store.warehouse import (
    POINTER,
    DamagedError,
    NoSnapshotError,
    WarehouseError,
    first_line,
)

LEASE: Final = 600.0
"""Seconds for which a load is taken to be alive when nothing more is heard of it."""
_RENEWALS: Final = 3
"""How often a lease is renewed before it would have run out."""
_ATTEMPTS: Final = 8
"""How often the owner of a lake clears away what a fenced load commits in between."""
_LONG: Final = 3_600
"""Seconds from which on it is said until when a lake is held, and not for how long."""
_TREE: Final = re.compile("\x1b\\[[0-9;]*m|[\u2500-\u257f\u21b3]")
"""How the causes of an error are drawn, one below the other."""


class FencedError(WarehouseError):
    """Another load has taken the lake over, so what this one made cannot be published."""


HANDS: Final = "hands"
"""What the counts of a snapshot call all hands that are stored."""
UNDONE: Final = "undone"
"""What they call the number of the snapshot of a load that was undone by it."""
Snapshot: TypeAlias = Row
"""A row of a load that is published: the lake as a reader sees it."""


class Lake:
    """The snapshots of a lake, and the way to a new one.

    What it is asked for raises ``StorageError`` when the store fails, and ``DamagedError`` when
    something is not there that was published.
    """

    def __init__(self, storage: Storage, *, forgetting: bool = False) -> None:
        """``forgetting``: whether it is written to although somebody is only half forgotten."""
        self.storage = storage
        self._ledger = Ledger(storage)
        self._forgetting = forgetting

    def current(self) -> Snapshot | None:
        """Return the newest snapshot, ``None`` when nothing has been published."""
        with in_words(self.storage):
            return next(self._ledger.published(self._ledger.head()), None)

    def opened(self) -> Snapshot:
        """Return the newest snapshot; raises ``NoSnapshotError`` when nothing was published."""
        snapshot = self.current()
        if snapshot is None:
            with in_words(self.storage):
                self._want_room()
            raise NoSnapshotError(
                f"{self.storage} holds no lake yet. tricklog load LOGS {db_option(self.storage)} "
                "makes one."
            )
        self.want_readable(snapshot)
        return snapshot

    def want_readable(self, snapshot: Snapshot) -> None:
        """Raise ``WarehouseError`` when a snapshot has other tables than this program knows."""
        if snapshot.tables != tables_of_this_version():
            raise WarehouseError(
                f"{self.storage} was written by another version of Tricklog, whose tables are "
                "others. Use that version, or make the lake again with this one: tricklog db "
                f"rebuild {db_option(self.storage)}."
            )

    def snapshots(self) -> list[Snapshot]:
        """Return all snapshots that are still known, the oldest first."""
        with in_words(self.storage):
            return [*self._ledger.published(self._ledger.head())][::-1]

    def head(self) -> Head:
        """Return which rows ``snapshots`` has; it must be there."""
        with in_words(self.storage):
            return self._ledger.made()

    def files(self, snapshot: Snapshot, table: str) -> list[File]:
        """Return the files of a table as of a snapshot, none when it has no rows."""
        version = snapshot.versions.get(table)
        if version is None:
            return []
        with in_words(self.storage, table):
            return commits.files_of(table, commits.table_at(self.storage, table, version))

    def all_files(self, snapshot: Snapshot) -> dict[str, list[File]]:
        """Return the files of every table of a snapshot, asking for several at a time."""
        tables = sorted(snapshot.versions)
        return dict(zip(tables, at_once(lambda t: self.files(snapshot, t), tables), strict=True))

    def schema(self, snapshot: Snapshot, table: str) -> pa.Schema:
        """Return the columns of a table as of a snapshot that has it."""
        with in_words(self.storage, table):
            version = snapshot.versions[table]
            return commits.arrow_schema(commits.table_at(self.storage, table, version))

    def want_free(self, *, take_over: bool = False) -> None:
        """Raise what ``begin`` would raise now: for long work that would come to nothing."""
        with in_words(self.storage):
            self._want_room()
            self._want_unheld(self._ledger.last(self._ledger.head()), take_over=take_over)

    def begin(
        self,
        load_id: str,
        lease: float = LEASE,
        *,
        take_over: bool = False,
        outdated: bool = False,
    ) -> Begun:
        """Begin a load: from here on no other can publish, until this one ends or is taken over.

        The lease, in seconds, is renewed while this process lives. ``take_over`` does not wait for
        the load that holds the lake now.

        Raises ``BusyError`` when another load holds the lake, ``UnfinishedError`` where somebody is
        only half forgotten, and ``WarehouseError`` when another version of the program published
        it, unless an ``outdated`` lake will do.
        """
        if not outdated and (published := self.current()):
            self.want_readable(published)
        with in_words(self.storage):
            self._want_room()
            if not self._forgetting:
                forgotten.require_finished(self.storage)
            taken: int | None = None
            for _ in range(_ATTEMPTS):
                head = self._ledger.made()
                last = self._ledger.last(head)
                if last and last.is_held(datetime.now(UTC)):
                    taken = last.number if take_over and taken is None else taken
                    self._want_unheld(last, take_over=last.number == taken)
                # Who lost may have lost to a load that is taken over, which just renewed its lease.
                with suppress(LostError):
                    return self._entered(head, last, load_id, lease)
        raise BusyError(
            f"Other loads begin to write {self.storage} all the time. Try again when they have "
            "finished."
        )

    def _entered(self, head: Head, last: Row | None, load_id: str, lease: float) -> Begun:
        """Add the row of a load behind the one that began last."""
        before = next(self._ledger.published(head), None)
        now = datetime.now(UTC)
        try:
            user = getpass.getuser()
        except (KeyError, OSError):
            user = str(os.getuid())
        row = Row(
            number=last.number + 1 if last else 1,
            state=State.BEGUN,
            load=load_id,
            holder=f"{user}@{socket.gethostname()}, process {os.getpid()}",
            at=now,
            lease_until=now + timedelta(seconds=lease),
            versions=before.versions if before else {},
            counts=this_process(),
        )
        # A row that is not published has said all that it had to say when another begins.
        gone = head.last if last and last.state != State.PUBLISHED else None
        head = self._ledger.follow(head, row, gone)
        return Begun(self.storage, head, row, lease, before)

    def _want_unheld(self, last: Row | None, *, take_over: bool) -> None:
        now = datetime.now(UTC)
        if last and last.is_held(now) and not take_over:
            left = max(1, round((last.lease_until - now).total_seconds()))
            until = f"until {last.lease_until:%Y-%m-%d %H:%M} UTC"
            raise BusyError(
                f"{self.storage} is held by {last.load}, begun by {last.holder}, "
                f"{f'for up to {left} seconds more' if left < _LONG else until}. "
                "Try again when it has finished; if it no longer runs, tricklog db tidy --db "
                f"{self.storage} --take-over ends that."
            )

    def _want_room(self) -> None:
        """Refuse the folder of a warehouse of one machine, and a lake without its ledger."""
        if self._ledger.head() is None and any(self.storage.list(f"hands/{LOG}")):
            raise DamagedError(
                f"{self.storage} has tables, and no snapshots, which says what of them is "
                f"published. Bring {SNAPSHOTS} back from a copy, or load the logs into a new lake."
            )
        if self.storage.is_local and Path(self.storage.root, POINTER).exists():
            raise WarehouseError(
                f"{self.storage.root} holds a warehouse of one machine. Give the lake a folder of "
                "its own."
            )


class Begun:
    """A load that holds a lake until ``publish``, ``release`` or the end of its ``with`` block.

    What it is asked for raises ``FencedError`` when another load has taken over.
    """

    def __init__(
        self, storage: Storage, head: Head, row: Row, lease: float, before: Snapshot | None
    ) -> None:
        self.before = before
        """What was published when the load began, and still is."""
        self.written: list[File] = []
        """Files that go at the end of the ``with`` block where it is sure that nobody publishes
        them; where it is not, tidying finds out."""
        self._storage = storage
        self._ledger = Ledger(storage)
        self._head = head
        self._row = row
        self._lease = lease
        self._fenced = False
        self._ended = threading.Event()
        self._one_at_a_time = threading.Lock()
        self._renewing = threading.Thread(target=self._renew_in_time, daemon=True)
        self._renewing.start()

    @property
    def number(self) -> int:
        """The number of this load, which no other has or will have."""
        return self._row.number

    def __enter__(self) -> Begun:
        return self

    def __exit__(self, *_: object) -> None:
        if self.written and not self._ended.is_set():
            with suppress(WarehouseError, OSError):
                if Lake(self._storage).current() == self.before:
                    self._storage.delete(each.name for each in self.written)
        # Whatever went wrong says more than that the lease could not be given back.
        with suppress(WarehouseError):
            self.release()

    def check(self) -> None:
        """Raise ``FencedError`` when it is known that another load has taken over."""
        if self._fenced:
            raise _fenced(self._storage)

    def check_now(self) -> None:
        """Raise ``FencedError`` when another load has taken over by now."""
        with in_words(self._storage), self._one_at_a_time:
            self._fenced = self._fenced or self._ledger.made().version != self._head.version
            self.check()

    def forget(self, numbers: Collection[int]) -> None:
        """Have old snapshots go, by their numbers; not the newest."""
        assert self.before is None or self.before.number not in numbers, "it is being read"
        with in_words(self._storage), self._one_at_a_time:
            self._follow(self._row, [each for each in self._head.places if each.number in numbers])

    def renew(self) -> None:
        """Make the lease last from now on; a thread does so by itself, long before it runs out."""
        until = datetime.now(UTC) + timedelta(seconds=self._lease)
        with in_words(self._storage), self._one_at_a_time:
            if not self._ended.is_set():
                self._follow(self._row.with_state(State.BEGUN, until))

    def publish(
        self,
        added: Sequence[File],
        counts: Mapping[str, Any],
        *,
        replaced: Collection[str] = (),
        gone: Iterable[File] = (),
    ) -> Snapshot:
        """Make files part of their tables, all at once, and return the snapshot; the load ends.

        Of each ``replaced`` table all rows go that were published before, and so do those of the
        files ``gone``. A table is made with the columns of the first file that it gets; one that is
        replaced takes those of its new files.
        """
        known = self.before.versions if self.before else {}
        more: dict[str, list[File]] = defaultdict(list)
        less: dict[str, set[str]] = defaultdict(set)
        for file in added:
            more[file.table].append(file)
        for file in gone:
            less[file.table].add(file.path)
        changed = sorted(more.keys() | (known.keys() & (less.keys() | set(replaced))))
        assert not self._ended.is_set(), "the load has ended"
        assert not any(each == SNAPSHOTS or each[0] in "_." for each in changed), changed
        with in_words(self._storage):
            self._want_files(added)
            heads = at_once(lambda name: commits.newest(self._storage, name), changed)
            # Whoever takes over from here on commits behind these, and not between them and ours.
            self.check_now()

            def committed(place: int) -> int:
                name = changed[place]
                is_whole = name in replaced or name not in known
                files = more.get(name, []), less.get(name, set())
                return self._commit(name, heads[place], *files, whole=is_whole)

            made = zip(changed, at_once(committed, range(len(changed))), strict=True)
            # What earlier versions kept beside these tables nobody would keep right.
            versions = {name: at for name, at in known.items() if name in LAYOUTS} | dict(made)
            before = self.before.counts if self.before else {}
            # As many hands are stored as before where nothing else is said.
            hands = {HANDS: before[HANDS]} if HANDS in before else {}
            return self._published(versions, {**hands, **counts})

    def publish_again(self, earlier: Snapshot | None) -> Snapshot:
        """Have readers see what they saw in a snapshot before, or nothing; the load ends."""
        assert self.before
        versions, counts = (earlier.versions, earlier.counts) if earlier else ({}, {HANDS: 0})
        with in_words(self._storage):
            return self._published(versions, {**counts, UNDONE: self.before.number})

    def release(self) -> None:
        """End the load without publishing; nothing is done when it has ended."""
        with in_words(self._storage), self._one_at_a_time:
            if not self._ended.is_set():
                self._ended.set()
                self._follow(self._row.with_state(State.RELEASED, datetime.now(UTC), counts={}))

    def _published(self, versions: Mapping[str, int], counts: Mapping[str, Any]) -> Snapshot:
        row = self._row.with_state(
            State.PUBLISHED,
            datetime.now(UTC),
            versions=versions,
            counts=counts,
            tables=tables_of_this_version(),
        )
        with self._one_at_a_time:
            self._follow(row)
            self._ended.set()
        return row

    # --- The lease

    def _follow(self, row: Row, gone: Iterable[Place] = ()) -> None:
        self.check()
        try:
            self._head = self._ledger.follow(self._head, row, self._head.last, *gone)
        except LostError:
            self._fenced = True
            raise _fenced(self._storage) from None
        self._row = row

    def _renew_in_time(self) -> None:
        wait = usual = self._lease / _RENEWALS
        while not self._ended.wait(wait):
            wait = usual
            try:
                self.renew()
            except FencedError:
                return
            except WarehouseError:
                # The store may be back soon; and the fence holds without a lease, too.
                wait = usual / 4

    # --- Tables

    def _commit(
        self,
        name: str,
        head: DeltaTable | None,
        added: Sequence[File],
        gone: Collection[str],
        *,
        whole: bool,
    ) -> int:
        """Commit behind the newest version, which may hold what a dead load left; return it."""
        known = self.before.versions.get(name) if self.before else None
        before = None if known is None else commits.table_at(self._storage, name, known)
        files = commits.files_of(name, before) if before and not whole else []
        stay = {file.path: file for file in files if file.path not in gone}
        if before and not (whole and added):
            columns = commits.arrow_schema(before)
        else:
            with self._storage.open_input(added[0].name) as stream:
                # All of them may be null.
                columns = pa.schema([(each.name, each.type) for each in pq.read_schema(stream)])
        for _ in range(_ATTEMPTS):
            head = head or commits.create(self._storage, name, columns)
            there = commits.paths_of(head)
            version = commits.commit(
                self._storage,
                name,
                head,
                [*(file for path, file in stay.items() if path not in there), *added],
                gone=there - stay.keys(),
                schema=None if commits.arrow_schema(head) == columns else columns,
            )
            if version is not None:
                return version
            head = commits.newest(self._storage, name)
            self.check_now()
        raise _fenced(self._storage)

    def _want_files(self, added: Iterable[File]) -> None:
        """Make sure that what is to be published is there; a manifest can outlive its files."""

        def trouble(file: File) -> str:
            try:
                size = self._storage.size(file.name)
            except FileNotFoundError:
                return f"{file.name} is gone"
            return f"{file.name} has {size} bytes in the place of {file.size}" * (size != file.size)

        for wrong in filter(None, at_once(trouble, list(added))):
            raise StorageError(
                f"{self._storage} could not be written: {wrong}. Nothing was published. Load the "
                "same logs again."
            )


# --- What users are told when something is wrong


@contextmanager
def in_words(storage: Storage, table: str = "") -> Iterator[None]:
    """Turn trouble with the store, or with a published version of a ``table``, into a sentence."""
    try:
        yield
    except (FileNotFoundError, pa.ArrowInvalid) as error:
        raise damaged(storage, table, error) from error
    except OSError as error:
        if storage.is_local:
            raise StorageError(f"{storage} cannot be reached: {first_line(error)}.") from error
        raise StorageError(
            f"{storage} cannot be reached: {_cause(error)}. Look at the address, at what "
            "AWS_ENDPOINT_URL names, and at the credentials; what is asked for must be allowed."
        ) from error
    except TROUBLE as error:
        if table:
            raise damaged(storage, table, error) from error
        raise StorageError(f"{storage} could not be used: {_cause(error)}.") from error


def _cause(error: Exception) -> str:
    """Return what an error of a store comes from, which stands at its end."""
    lines = [_TREE.sub("", line).strip() for line in str(error).splitlines()]
    return ([line for line in lines if line] or [type(error).__name__])[-1].rstrip(".")


def _fenced(storage: Storage) -> FencedError:
    return FencedError(
        f"Another load has taken over {storage}, so this one published nothing. Do the same again "
        "when the other has finished."
    )


def damaged(storage: Storage, table: str, error: Exception) -> DamagedError:
    """Return what to raise for something that is not there, or not whole, that was published."""
    where = f"The table {table} of {storage}" if table else str(storage)
    says = error.strerror if isinstance(error, OSError) and error.strerror else first_line(error)
    name = getattr(error, "filename", None)
    says = f"{name}: {says}" if name else says
    return DamagedError(
        f"{where} is damaged: {says}. Bring it back from a copy, or make the lake again: "
        f"tricklog db rebuild {db_option(storage)}."
    )


def damaged_file(lake: str, name: str, wrong: str) -> DamagedError:
    """Return what to raise for a file that is not what was published."""
    return DamagedError(
        f"{lake} is damaged: {wrong} Bring {name} back from a copy, or make the lake again from "
        f"its logs: tricklog db rebuild {db_option(lake)}."
    )
