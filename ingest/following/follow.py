"""The follower: looks, takes what is new and publishes it, every few seconds at most.

What is taken is staged, settled and stored as by a load, and the marks with it.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Final, TypeVar

from duckdb import DuckDBPyConnection

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.converting import Conversion, lines_of
from tricklog.ingest.adapters.registry import adapter_named
from tricklog.ingest.following import heartbeat, marks
from tricklog.ingest.following.marks import Identity, Mark
from tricklog.ingest.following.tails import Portion
from tricklog.ingest.following.watched import Watch, is_followable
from tricklog.ingest.loading import workers
from tricklog.ingest.loading.auditing import OnWarning
from tricklog.ingest.loading.loading import Folder, publish
from tricklog.ingest.loading.report import Account, Forecast, LoadReport, OnReject
from tricklog.ingest.loading.staging import Staged, stage, take_in
from tricklog.ingest.loading.workers import Team
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import read
from tricklog.ingest.store import loads, publishing, warehouse
from tricklog.ingest.store.forgotten import known
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.store.warehouse import LostPointerError, WarehouseError

EVERY: Final = 3.0
"""Seconds between the beginnings of two publishes, at least, unless somebody says otherwise."""
LEAST: Final = 0.2
LOOK: Final = 0.25
"""Seconds between two looks at the files."""
REST: Final = 4
"""A publish is followed by a pause of this part of the time it took, for others to get a turn."""
AGAIN: Final = 10.0
"""Seconds until what could not be published is tried again."""
KEEP: Final = 60.0
"""Seconds after which it is published how far files were taken, although no hand came of it."""
LAST_WAIT: Final = 60.0
"""Seconds for which another load is waited for when the follower is to stop."""
SHARED: Final = 1 << 24
"""Bytes from which on the work is shared among processes: a log that was there before."""
_PATIENCE: Final = 1.0
"""Seconds between two looks whether to wait any longer."""
_FIRST_WAIT: Final = 60.0
"""Seconds to wait for the first load into a warehouse."""
_FRESH: Final = timedelta(days=1)
"""How old the mark of a file that is still there may become."""

Done = TypeVar("Done")
Marks = dict[Identity, Mark]


@dataclass(frozen=True, slots=True)
class Told:
    """What a follower says when it has taken lines."""

    report: LoadReport
    seconds: float
    """How long it took to take and publish them."""
    files: int
    waiting: int
    """Bytes that are there and were not taken."""


@dataclass(slots=True)
class Ears:
    """Whom a follower tells."""

    on_taken: Callable[[Told], None] = lambda _: None
    on_note: Callable[[str], None] = lambda _: None
    """Called with a sentence about what becomes of files, or why nothing can be published now."""
    on_reject: OnReject | None = None
    on_warning: OnWarning | None = None
    """Called with a file and what may not be meant of a hand written there as text."""


@dataclass(slots=True)
class Total:
    """What a follower has done so far."""

    report: LoadReport | None = None
    publishes: int = 0
    unfinished: list[tuple[str, int]] = field(default_factory=list)
    """Files with bytes that wait for the rest of their line, and how many."""
    open_records: int = 0
    """Records of several lines that are not complete."""


def follow(
    *paths: str | Path,
    db: str | Path,
    stop: threading.Event,
    every: float = EVERY,
    adapter: str | None = None,
    ears: Ears | None = None,
) -> Total:
    """Load lines as they are appended to logs, as ``tricklog.ingest.warehouses.follow`` says."""
    refuse(paths)
    follower = _Follower([str(path) for path in paths], Path(db), every, adapter, ears or Ears())
    try:
        return follower.run(stop)
    finally:
        follower.watch.close()
        follower.heart.stop()


def refuse(paths: Sequence[str | Path]) -> None:
    """Raise ``WarehouseError`` for what cannot be followed."""
    for path in paths:
        if not is_followable(str(path)):
            raise WarehouseError(
                f"{path} cannot be followed: only a file or a folder of this machine has a place "
                "from which to go on. Write the stream into a file, and follow that."
            )


class _OvertakenError(Exception):
    """What was taken has to be taken again, from what is published.

    A file was cut or written over while lines of it were read, or the warehouse is another one, or
    an older state of it: less was taken than we published.
    """


@dataclass(slots=True)
class _Streams:
    """Conversions of records that may take several lines: one for each log, as it goes on."""

    adapter: Adapter
    _of_log: dict[str, Conversion] = field(default_factory=dict)

    def lines(self, portions: Sequence[Portion], byte_counter: ByteCounter) -> Iterator[LogLine]:
        """Return what became of the records that are complete with the portions."""
        by = self.adapter.group_by
        for portion in portions:
            if portion.surplus is not None:
                yield portion.surplus
            tail = portion.tail
            log = "" if by is not None and by.across_files else tail.name
            conversion = self._of_log.setdefault(log, Conversion(self.adapter))
            read_now = read(portion.source, byte_counter=byte_counter)
            for item in conversion.take(read_now, origin=tail.identity, again=tail.again):
                yield from lines_of(item)

    @property
    def open_records(self) -> int:
        """How many records are not complete."""
        return sum(each.open_records for each in self._of_log.values())

    def kept(self, mark: Mark) -> Mark:
        """Return a mark as it is to be kept, so that lines of open records are read again."""
        held = [
            of_file
            for conversion in self._of_log.values()
            if (of_file := conversion.held().get(mark.identity)) is not None
        ]
        if not held or mark.keys:
            return mark
        return replace(
            mark,
            from_line=min(each.line for each in held),
            from_byte=min(each.byte for each in held),
            keys=tuple(sorted(item for each in held for item in each.keys.items())),
        )


class _Follower:
    def __init__(
        self, paths: list[str], db: Path, every: float, adapter: str | None, ears: Ears
    ) -> None:
        self._ears = ears
        self._adapter = adapter_named(adapter) if adapter is not None else None
        self._name = self._adapter.name if self._adapter else None
        self._every = max(every, LEAST)
        self._db = db
        self._target = Folder(db)
        self.watch = Watch(paths, ears.on_note)
        self._paths = paths
        self._logs = loads.as_named(paths, adapter)
        self._published: Marks = {}
        self._streams: _Streams | None = None
        self._total = Total()
        self.heart = heartbeat.Heart(db)
        self._began = time.time()
        self._published_at: float | None = None
        self._trouble = ""
        """Why nothing can be published now."""
        self._started = 0.0
        """When the last attempt to publish began."""
        self._ending_at: float | None = None
        self._kept_at = time.monotonic()
        """When marks were published last."""
        self._go_on_from_published()

    def _go_on_from_published(self) -> None:
        """Forget what was taken since the last publish: it is taken again."""
        self._published = _published_marks(self._db, self._name)
        self.watch.go_on_from(self._published)
        self._streams = _Streams(self._adapter) if self._adapter else None

    def run(self, stop: threading.Event) -> Total:
        """Follow until ``stop`` is set, then take what is there and end."""
        due = 0.0
        while not stop.is_set():
            self.watch.look()
            if time.monotonic() >= due and self._take(stop):
                ended = time.monotonic()
                due = max(self._started + self._every, ended + (ended - self._started) / REST)
            self._keep_marks(stop)
            self._beat()
            stop.wait(LOOK if not self._trouble else AGAIN)
        self._ending_at = time.monotonic()
        self.watch.look()
        while self._take(stop):
            pass
        self._keep_marks(stop)
        for tail in self.watch.unfinished():
            self._total.unfinished.append((tail.name, tail.waiting))
        self._total.open_records = self._streams.open_records if self._streams else 0
        return self._total

    def _take(self, stop: threading.Event) -> bool:
        """Take what is new; return whether anything was there and has been taken."""
        portions = self.watch.portions()
        if not portions:
            return False
        self._started = time.monotonic()
        done = self._published_by(lambda: self._load(portions), stop)
        if done is None:
            return False
        report, taken = done
        self._trouble = ""
        self.watch.took(portions)
        if report.published:
            self._note_published(taken)
            self._published_at = time.time()
        total = self._total
        total.report = report if total.report is None else total.report.and_then(report)
        total.publishes += report.published
        seconds = time.monotonic() - self._started
        self._ears.on_taken(Told(report, seconds, len(self.watch), self.watch.waiting))
        self._beat(now=report.published)
        return True

    def _keep_marks(self, stop: threading.Event) -> None:
        """Publish how far files were taken while records are open, now and then and at the end.

        So records that are not complete are found again when their log is renamed meanwhile.
        """
        if self._streams is None or not self._streams.open_records:
            return
        if self._ending_at is None and time.monotonic() - self._kept_at < KEEP:
            return
        taken = self._marks_after(())

        def keep() -> Marks:
            if taken:
                with (
                    self._held(),
                    self._target.draft(facts=True, on_progress=lambda _: None) as connection,
                ):
                    self._write_marks(connection, taken, known(self._db))
            return taken

        if self._published_by(keep, stop) is not None:
            self._note_published(taken)

    def _note_published(self, taken: Marks) -> None:
        self._published.update(taken)
        self._kept_at = time.monotonic()

    def _published_by(self, work: Callable[[], Done], stop: threading.Event) -> Done | None:
        """Do work that publishes; ``None`` where it could not, and has to be done over."""
        try:
            return work()
        except _OvertakenError:
            self._go_on_from_published()
        except (BusyError, StorageError) as error:
            # At the end it gives up.
            if stop.is_set():
                raise
            said = str(error)
            if said != self._trouble:
                self._ears.on_note(f"{said} It is tried again every {AGAIN:.0f} seconds.")
            self._trouble = said
            self._go_on_from_published()
            self._beat(now=True)
        except KeyboardInterrupt:
            # The signal to stop has cut a publish short: it is made up for at the end.
            if self._ending_at is not None or not stop.is_set():
                raise
            self._go_on_from_published()
        return None

    def _load(self, portions: Sequence[Portion]) -> tuple[LoadReport, Marks]:
        """Load portions; return what came of it, and the marks published with it, if it was.

        Raises ``_OvertakenError``, then nothing was published, and ``WarehouseError`` as a load.
        """
        sources = [portion.source for portion in portions]
        size = sum(portion.end - portion.start for portion in portions)
        counter = ByteCounter(sources)
        ears = self._ears
        account = Account(Forecast(facts=True), None, ears.on_reject, ears.on_warning)
        cores = workers.cores() if size >= SHARED else 1
        listed = self._target.forgotten()
        forgotten = Forgotten(listed) if listed else None
        with Staged(account, forgotten) as staged, Team(cores) as team:
            if self._streams is not None:
                take_in(self._streams.lines(portions, counter), staged, counter)
            else:
                surplus = (each.surplus for each in portions if each.surplus)
                take_in(surplus, staged, counter)
                stage(sources, staged, counter)
            for portion in portions:
                if not portion.tail.is_whole and not portion.tail.still_holds(portion.end):
                    raise _OvertakenError
            with self._held():
                if self._target.forgotten() != listed:
                    raise _OvertakenError
                logs = forgotten.in_each(self._logs) if forgotten else self._logs
                taken = self._marks_after(portions)

                def also(connection: DuckDBPyConnection, import_id: int) -> None:
                    self._write_marks(connection, taken, forgotten)
                    _gather(connection, import_id, logs)

                return publish(staged, self._target, team, logs, also=also), taken

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep other loads off, and wait for one that is at work, at the end for so long alone."""
        is_told = False
        with ExitStack() as stack:
            while True:
                try:
                    stack.enter_context(self._target.held(_PATIENCE, lambda: None))
                    break
                except BusyError:
                    ending = self._ending_at
                    if ending is not None and time.monotonic() - ending > LAST_WAIT:
                        raise
                    if not is_told:
                        self._ears.on_note("Another load is at work; this one waits its turn.")
                    is_told = True
            yield

    def _marks_after(self, portions: Sequence[Portion]) -> Marks:
        """Return the marks that are other ones than those published when portions are taken."""
        found = {mark.identity: mark for mark in self.watch.marks()}
        found |= {each.tail.identity: each.tail.mark_after(each) for each in portions}
        if self._streams is not None:
            found = {identity: self._streams.kept(mark) for identity, mark in found.items()}
        return {
            identity: mark
            for identity, mark in found.items()
            if not _is_published(mark, self._published.get(identity))
        }

    def _write_marks(
        self, connection: DuckDBPyConnection, taken: Marks, forgotten: Forgotten | None
    ) -> None:
        """Write marks, in which no log is called after somebody who was forgotten."""
        stored = marks.read(connection, self._name)
        for identity, mark in self._published.items():
            there = stored.get(identity)
            if there is None or (there.head == mark.head and there.byte < mark.byte):
                raise _OvertakenError
        found: Iterable[Mark] = taken.values()
        if forgotten:
            found = [marks.without_names(mark, forgotten) for mark in found]
        marks.write(connection, self._name, found)

    def _beat(self, *, now: bool = False) -> None:
        """Give a sign of life."""
        report = self._total.report
        sign = heartbeat.Following(
            paths=[str(Path(path).absolute()) for path in self._paths],
            adapter=self._name,
            every=self._every,
            host=socket.gethostname(),
            process=os.getpid(),
            began=self._began,
            seen=time.time(),
            published=self._published_at,
            files=len(self.watch),
            hands=report.accepted if report else 0,
            rejects=report.quarantined if report else 0,
            waiting=self.watch.waiting,
            trouble=self._trouble,
        )
        self.heart.beat(sign, now=now)


def _is_published(mark: Mark, before: Mark | None) -> bool:
    """Whether a mark says what is published already, and that not so long ago."""
    if before is None or before.taken_at < mark.taken_at - _FRESH:
        return False
    return replace(before, taken_at=mark.taken_at) == mark


def _gather(connection: DuckDBPyConnection, import_id: int, logs: list[str]) -> None:
    """Add this load to the one before of the same logs and day, so that the list does not grow."""
    found = connection.execute(_BEFORE, {"import": import_id, "logs": logs}).fetchall()
    if not found:
        return
    both = {"import": import_id, "before": found[0][0]}
    for table in ("hands", "rejects"):
        connection.execute(
            f"UPDATE {table} SET import_id = $before WHERE import_id = $import",  # noqa: S608 - our own names
            both,
        )
    connection.execute(_ADD_UP, both)
    connection.execute("DELETE FROM imports WHERE import_id = ?", [import_id])


_BEFORE: Final = """
SELECT before.import_id
FROM imports AS before JOIN imports AS this ON this.import_id = $import
WHERE before.import_id = (SELECT max(import_id) FROM imports WHERE import_id < $import)
    AND before.paths = $logs
    AND before.loaded_at::DATE = this.loaded_at::DATE
"""
_ADD_UP: Final = f"""
UPDATE imports AS before
SET loaded_at = this.loaded_at,
    {", ".join(f"{name} = before.{name} + this.{name}" for name in loads.COUNTS)}
FROM (FROM imports WHERE import_id = $import) AS this
WHERE before.import_id = $before
"""  # noqa: S608 - names of our own


def _published_marks(db: Path, adapter: str | None) -> Marks:
    """Return the marks in a warehouse; a snapshot that lost its pointer to a kill is taken up."""
    try:
        is_empty = warehouse.current_snapshot(db) is None
    except LostPointerError:
        with publishing.writing(db, wait=_FIRST_WAIT):
            is_empty = warehouse.current_snapshot(db) is None
    if is_empty:
        return {}
    with warehouse.open_snapshot(db, once=True) as connection:
        return marks.read(connection, adapter)
