"""Taking what is new: it is staged, settled and stored as by a load, and the marks with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.adapters.contract import Adapter
from tricklog.ingest.adapters.converting import Conversion, lines_of
from tricklog.ingest.following import marks
from tricklog.ingest.following.marks import Identity, Mark
from tricklog.ingest.following.tails import Portion, Tail
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
from tricklog.ingest.store.publishing import BusyError
from tricklog.ingest.store.warehouse import LostPointerError

_PATIENCE: Final = 1.0
"""Seconds between two looks whether to wait any longer."""
_FIRST_WAIT: Final = 60.0
"""Seconds to wait for the first load into a warehouse."""
_FRESH: Final = timedelta(days=1)
"""How old the mark of a file that is still there may become."""
SHARED: Final = 1 << 24
"""Bytes from which on the work is shared among processes: a log that was there before."""


class ReplacedError(Exception):
    """The warehouse is another one, or an older state of it: less was taken than we published."""


class CutError(Exception):
    """A file was cut or written over while lines of it were read."""


@dataclass(slots=True)
class Streams:
    """Conversions of records that may take several lines: one for each log, as it goes on."""

    adapter: Adapter
    _of_log: dict[str, Conversion] = field(default_factory=dict)

    def lines(self, portions: Sequence[Portion], byte_counter: ByteCounter) -> Iterator[LogLine]:
        """Return what became of the records that are complete with the portions."""
        for portion in portions:
            if portion.surplus is not None:
                yield portion.surplus
            conversion = self._conversion(portion.tail)
            read_now = read(portion.source, byte_counter=byte_counter)
            tail = portion.tail
            for item in conversion.take(read_now, origin=tail.identity, again=tail.again):
                yield from lines_of(item)

    def _conversion(self, tail: Tail) -> Conversion:
        by = self.adapter.group_by
        log = "" if by is not None and by.across_files else tail.name
        return self._of_log.setdefault(log, Conversion(self.adapter))

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


@dataclass(frozen=True, slots=True)
class Place:
    """Where hands go, and under which name they are noted."""

    target: Folder
    logs: list[str]
    """What is followed, as table imports has it."""
    adapter: str | None
    published: Mapping[Identity, Mark]
    """The marks that this follower published last."""
    on_reject: OnReject | None
    on_warning: OnWarning | None
    marks: Callable[[], Iterable[Mark]]
    """How far all files were taken before."""
    gives_up: Callable[[], bool]
    """Whether another load is not waited for any longer, asked again and again."""
    on_wait: Callable[[], None]
    """Called when another load is waited for."""


def take(
    portions: Sequence[Portion],
    streams: Streams | None,
    place: Place,
) -> tuple[LoadReport, dict[Identity, Mark] | None]:
    """Load portions; return what came of it, and the marks that were published with it if any.

    Raises ``CutError`` and ``ReplacedError``, then nothing was published and what was taken has to
    be taken again; and ``WarehouseError`` as a load does.
    """
    size = sum(portion.end - portion.start for portion in portions)
    counter = ByteCounter([portion.source for portion in portions])
    account = Account(Forecast(facts=True), None, place.on_reject, place.on_warning)
    cores = workers.cores() if size >= SHARED else 1
    listed = place.target.forgotten()
    forgotten = Forgotten(listed) if listed else None
    with Staged(account, forgotten) as staged, Team(cores) as team:
        if streams is not None:
            take_in(streams.lines(portions, counter), staged, counter)
        else:
            take_in((each.surplus for each in portions if each.surplus), staged, counter)
            stage([portion.source for portion in portions], staged, counter)
        for portion in portions:
            if not portion.tail.is_whole and not portion.tail.still_holds(portion.end):
                raise CutError
        with _held(place):
            if place.target.forgotten() != listed:
                raise ReplacedError
            logs = forgotten.in_each(place.logs) if forgotten else place.logs
            taken = _marks_after(portions, streams, place)

            def also(connection: DuckDBPyConnection, import_id: int) -> None:
                _require_ours(connection, place)
                _gather(connection, import_id, logs)
                marks.write(connection, place.adapter, _as_kept(taken.values(), forgotten))

            report = publish(staged, place.target, team, logs, also=also)
            return report, taken if report.published else None


def keep_marks(streams: Streams, place: Place) -> dict[Identity, Mark]:
    """Publish how far files were taken, although no hand came of it; return these marks.

    So records that are not complete are found again when their log is renamed meanwhile. Raises
    what ``take`` raises.
    """
    taken = _marks_after((), streams, place)
    if taken:
        with (
            _held(place),
            place.target.draft(facts=True, on_progress=lambda _: None) as connection,
        ):
            _require_ours(connection, place)
            listed = place.target.forgotten()
            forgotten = Forgotten(listed) if listed else None
            marks.write(connection, place.adapter, _as_kept(taken.values(), forgotten))
    return taken


def _as_kept(found: Iterable[Mark], forgotten: Forgotten | None) -> Iterable[Mark]:
    """Return marks in which no log is called after somebody who was forgotten."""
    return [marks.without_names(mark, forgotten) for mark in found] if forgotten else found


@contextmanager
def _held(place: Place) -> Iterator[None]:
    """Keep other loads off, and wait for one that is at work for as long as it takes.

    Raises ``BusyError`` when it is waited for no longer.
    """
    with ExitStack() as stack:
        is_told = False
        while True:
            try:
                stack.enter_context(place.target.held(_PATIENCE, lambda: None))
                break
            except BusyError:
                if place.gives_up():
                    raise
                if not is_told:
                    place.on_wait()
                is_told = True
        yield


def _marks_after(
    portions: Sequence[Portion], streams: Streams | None, place: Place
) -> dict[Identity, Mark]:
    """Return the marks that are other ones than those published when the portions are taken."""
    found = {mark.identity: mark for mark in place.marks()}
    found |= {each.tail.identity: each.tail.mark_after(each) for each in portions}
    if streams is not None:
        found = {identity: streams.kept(mark) for identity, mark in found.items()}
    return {
        identity: mark
        for identity, mark in found.items()
        if not _is_published(mark, place.published.get(identity))
    }


def _is_published(mark: Mark, before: Mark | None) -> bool:
    """Whether a mark says what is published already, and that not so long ago."""
    if before is None or before.taken_at < mark.taken_at - _FRESH:
        return False
    return replace(before, taken_at=mark.taken_at) == mark


def _require_ours(connection: DuckDBPyConnection, place: Place) -> None:
    stored = marks.read(connection, place.adapter)
    for identity, mark in place.published.items():
        there = stored.get(identity)
        if there is None or (there.head == mark.head and there.byte < mark.byte):
            raise ReplacedError


def _gather(connection: DuckDBPyConnection, import_id: int, logs: list[str]) -> None:
    """Make one load of this one and the one before, if that was of the same logs on the same day.

    So the list of loads does not grow with every publish.
    """
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


def published_marks(db: Path, adapter: str | None) -> dict[Identity, Mark]:
    """Return the marks that are published in the warehouse ``db``.

    A first publish that was killed may have left a snapshot without a pointer: it is taken up.
    """
    try:
        is_empty = warehouse.current_snapshot(db) is None
    except LostPointerError:
        with publishing.writing(db, wait=_FIRST_WAIT):
            is_empty = warehouse.current_snapshot(db) is None
    if is_empty:
        return {}
    with warehouse.open_snapshot(db, once=True) as connection:
        return marks.read(connection, adapter)
