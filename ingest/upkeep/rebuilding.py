"""Rebuilding a warehouse from the logs it was made from, losing nothing that only it has.

The logs are loaded into a warehouse that nobody sees. Hands and lines in quarantine that the old
warehouse has and the logs do not give any more are then taken over from what is stored of them.
Only the whole is published. What is damaged is replaced from what is not: nothing is needed but the
logs, and where these are gone, too, the report says so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import kept
from tricklog.ingest.loading import games, storing
from tricklog.ingest.loading.auditing import Counts
from tricklog.ingest.loading.foreign import KEPT, is_known, kept_line
from tricklog.ingest.loading.report import OnReject
from tricklog.ingest.reading import object_stores
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.intake import reject_key
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.reading.reader import parse_line
from tricklog.ingest.reading.rejects import Reject, RejectCode, Trouble
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.reading.sources import STDIN, find_sources
from tricklog.ingest.store import (
    database,
    forgotten,
    loads,
    long_texts,
    publishing,
    quarantine,
    userdata,
    warehouse,
)
from tricklog.ingest.store.absent import db_option, no_warehouse
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import (
    POINTER,
    DamagedError,
    NoSnapshotError,
    RecordError,
    WarehouseError,
)
from tricklog.ingest.study.homes import copy_solved
from tricklog.ingest.upkeep import rederive
from tricklog.ingest.upkeep.salvaging import Remains, remains_of
from tricklog.ingest.warehouses import lake_at
from tricklog.schemas.hand import content_hash

Numbers = np.ndarray[Any, np.dtype[np.int64]]
_BATCH: Final = 1_000
_MANY: Final = 100_000


@dataclass(slots=True)
class RebuildReport:
    """What a rebuild did: ``from_logs + kept + unplayable`` hands were stored before.

    Of a damaged warehouse, these are the hands that could still be read, or as many as it is known
    to have had when none could; what the logs gave beside them counts as new.
    """

    snapshot: Path | str | None = None
    """The snapshot that was published; of a lake its address and a number."""
    hands: int = 0
    """Hands stored now."""
    from_logs: int = 0
    """Hands stored before that the logs gave again."""
    new: int = 0
    """Hands that the logs have and the warehouse did not."""
    kept: int = 0
    """Hands that no log gave: made from their stored records."""
    unplayable: int = 0
    """Hands that cannot be replayed any more: taken over with all that was stored of them."""
    kept_rejects: int = 0
    """Lines in quarantine that no log gave."""
    missing: list[str] = field(default_factory=list)
    """Logs of earlier loads that are not where they were."""
    files_of_kept: dict[str, int] = field(default_factory=dict)
    """Where the kept and unplayable hands were read from, and how many from each."""
    unreadable: list[str] = field(default_factory=list)
    """Snapshots that could not be read whole, the newest first; of a lake files and hands."""
    knows_all_logs: bool = True
    """Whether it is known from which logs the warehouse was made."""
    lost: int = 0
    """Hands that were stored, could not be read any more, and are in none of the logs."""
    moved: str = ""
    """Where a folder was moved that stood in the place of the pointer."""
    views: str = ""
    """What was done about saved views that were damaged."""
    before: str = ""
    """Checksum of the warehouse before; empty when nothing of it could be read."""
    after: str = ""

    @property
    def complete(self) -> bool:
        """Whether the logs alone gave everything that the warehouse had."""
        return not any((self.kept, self.unplayable, self.kept_rejects, self.unreadable, self.lost))

    @property
    def equal(self) -> bool:
        """Whether the warehouse says exactly what it said before."""
        return self.before == self.after


def rebuild(
    *logs: str | Path,
    db: str | Path,
    to: str | Path | None = None,
    on_progress: OnProgress | None = None,
    wait: float = publishing.WAIT,
    on: str | None = None,
    take_over: bool = False,
) -> RebuildReport:
    """Rebuild the warehouse in ``db`` from its logs, in its place or in a new folder.

    Args:
        logs: where further logs are, such as those that were moved; they are read after those the
            warehouse was made from. A relative path starts in the working folder, as when loading.
        db: the warehouse's folder, or the address of a lake. Any of its files may be damaged or
            lost: the names of the logs are taken from a seal or a snapshot, hands from whatever can
            be read of the snapshots. Of a lake ``snapshots`` has to be readable.
        to: a folder without a warehouse, or a new lake, for the result; ``db`` is then left alone.
        on_progress: called now and then with how far the run is.
        wait: seconds to wait for another run that is changing the warehouse; a lake that is held
            is not waited for.
        on: what does the work on a lake, as for ``tricklog.load``.
        take_over: whether to begin although another run that changes a lake has not finished.

    Raises ``WarehouseError`` as ``tricklog.load`` does, ``DamagedError`` when neither a snapshot
    nor any log gives anything, and ``StorageError`` for a log that is there and cannot be read,
    unless the warehouse was made so. The warehouse is then as it was before.
    """
    lake, other = (
        lake_at(each, on=on, take_over=take_over) for each in (db, db if to is None else to)
    )
    if lake and other:
        from tricklog.ingest.upkeep import rebuilding_lakes

        return rebuilding_lakes.rebuild(
            lake, other, list(map(str, logs)), on=on, take_over=take_over, on_progress=on_progress
        )
    if lake or other:
        raise WarehouseError(
            f"Of {db} and {to} one is a lake and the other is not. Name two of a kind, or load the "
            "logs: tricklog load LOGS --db ADDRESS."
        )
    source, target = Path(db), Path(to or db)
    report = RebuildReport()
    if not (logs or (source.is_dir() and any(source.glob("games-*")))):
        raise NoSnapshotError(no_warehouse(db))
    if to is not None and target.is_dir() and warehouse.snapshots(target):
        raise WarehouseError(f"{to} holds a warehouse already. Name a new folder with --output.")
    with publishing.writing(target, wait=wait, mending=True), publishing.scratch(target) as scratch:
        remains = remains_of(source, scratch)
        run = _Rebuild(remains, scratch, report, on_progress, forgotten.known(source))
        if remains.stored is None and not (run.recorded or logs):
            lacking = ", ".join(report.missing)
            says = f" The logs it was made from are not there: {lacking}." if lacking else ""
            raise DamagedError(
                f"No snapshot in {source} can be read.{says} Name the logs: tricklog db rebuild "
                f"LOGS {db_option(source)}."
            )
        run.make(map(str, logs))
        if to is not None:
            _keep_solved(source, target)
            if run.forgotten:
                forgotten.write(target, run.forgotten.listed)
        report.moved = str(publishing.move_aside(target / POINTER) or "")
        with publishing.draft(target, fresh=True) as connection:
            run.assemble(connection)
            report.after = warehouse.checksum(connection)
        report.snapshot = warehouse.current_snapshot(target)
        try:
            report.views = userdata.mend(target)
        except userdata.UserStorageError as error:
            raise StorageError(str(error)) from error
    return report


def _keep_solved(source: Path, target: Path) -> None:
    """Have the new warehouse keep what was found out about hands of the old one."""
    try:
        copy_solved(source, target)
    except OSError as error:
        raise StorageError(
            f"What is kept below {source / kept.FOLDER} cannot be copied to {target}: "
            f"{error.strerror}. Nothing was published. Check the disk and how much of it is free, "
            "then do the same again."
        ) from error


# --- What every rebuild does


class Log(NamedTuple):
    """A log of an earlier load, or another that was named."""

    path: str
    adapter: str | None = None
    """Whose it is; ``None`` for a hand log."""

    @property
    def can_be_read(self) -> bool:
        """Whether it is still there, and so is what reads it."""
        if self.path == STDIN or not (self.adapter is None or is_known(self.adapter)):
            return False
        if "://" not in self.path:
            return Path(self.path).exists()
        opener = next(find_sources([self.path])).opener
        if isinstance(opener, object_stores.Unreadable):
            is_gone = opener.error.message.endswith("does not exist.")
            return opener.error.code is not RejectCode.NO_LOGS and not is_gone
        return True


class Rebuilding(ABC):
    """A rebuild: the logs are loaded where nobody sees it, then what only the old warehouse has."""

    def __init__(
        self, report: RebuildReport, named: Iterable[Sequence[str]], hands_before: int
    ) -> None:
        """Begin with the logs of earlier loads, ``named`` as table imports has them.

        ``hands_before``: hands that are known to have been stored, whether they can be read or not.
        """
        self.report = report
        self.hands_before = hands_before
        self.is_damaged = bool(report.unreadable)
        logs = dict.fromkeys(Log(*log) for paths in named for log in loads.logs_of(paths))
        self.recorded = [log for log in logs if log.can_be_read]
        """The logs of earlier loads that are still there, in the order of loading."""
        gone = [log for log in logs if log not in self.recorded]
        report.missing = [log.path for log in gone]
        self.missing = loads.all_named(gone)
        """The others, as table imports has them."""
        self.folder = "made"
        """Where the logs are loaded, below a place that nobody sees."""
        self.from_stored = 0
        """The load that brought stored hands; 0 where none did."""
        self.unplayable: Numbers
        """Stored hands that cannot be replayed any more and are in none of the logs."""
        self.lost: set[int] = set()
        """Stored hands that no log has, and of which no sound record is stored."""
        self.readable = 0
        """Stored hands that can be read, as far as that is known."""
        self.made_hands = 0
        """Hands that were made, but for others with the ids of those lacking."""
        self.rejects: list[str] = []
        """Keys of stored rejects that no log gives."""

    @abstractmethod
    def load_some(self, paths: Sequence[str], adapter: str | None, on_reject: OnReject) -> None:
        """Load logs of one program where nobody sees it."""

    @abstractmethod
    def write(self, lacking: Numbers) -> list[str]:
        """Write stored hands as logs named ``KEPT``, and return these; count their files."""

    @abstractmethod
    def old(self) -> DuckDBPyConnection:
        """Open the tables of what is stored, as far as it can be read."""

    @abstractmethod
    def new(self) -> DuckDBPyConnection:
        """Open the tables of what is made."""

    def make(self, further: Iterable[str]) -> None:
        """Load the logs, then what only the old warehouse has, and count."""
        logs = list(dict.fromkeys([*self.recorded, *map(Log, further)]))
        self._load(logs)
        lacking, is_displaced = self.lacking()
        self.unplayable = lacking
        if len(lacking):
            stored = [Log(path, KEPT) for path in self.write(lacking)]
            if stored:
                # What was stored first stays the hand of its id, so it must come first again.
                if is_displaced:
                    self.folder = "again"
                self._load(stored)
                if is_displaced:
                    self._load(logs)
                with closing(self.new()) as new:
                    found = new.execute(_OF_STORED, loads.as_named((), KEPT)).fetchall()
                self.from_stored = int(found[0][0])
            self.unplayable, _ = self.lacking()
        report = self.report
        report.unplayable = len(self.unplayable)
        report.kept = len(lacking) - report.unplayable - len(self.lost)
        report.hands = self.made_hands + report.unplayable
        report.from_logs = self.readable - len(lacking)
        report.new = self.made_hands - report.from_logs - report.kept
        gone = max(0, self.hands_before - report.hands) if self.is_damaged else 0
        report.lost = max(gone, len(self.lost))
        self.rejects = self._lacking_rejects([log.path for log in logs])
        report.kept_rejects = len(self.rejects)

    def lacking(self) -> tuple[Numbers, bool]:
        """Return the numbers of stored hands that are not made with the same content, in order.

        And whether another hand has the id of one there. Counts what can be read, and what is made.
        """
        memory = publishing.MEMORY_LIMIT
        with (
            Scratch() as folder,
            database.connect(memory_limit=memory, temp_directory=folder) as ids,
        ):
            for name, opened in (("stored", self.old), ("made", self.new)):
                ids.execute(f"CREATE TABLE {name} ({_IDS})")
                with closing(opened()) as tables:
                    query = f"{_IDS_OF} {_READABLE if self.is_damaged else ''}"
                    ids.register("found", tables.sql(query).to_arrow_reader(_MANY))
                    ids.execute(f"INSERT INTO {name} FROM found")
                    ids.unregister("found")
            found = ids.execute(_LACKING, {"from_stored": self.from_stored}).fetchnumpy()
            ((made, readable),) = ids.execute(_COUNTED).fetchall()
        is_left = ~np.isin(found["hand_no"], sorted(self.lost))
        numbers, displaced = (np.asarray(found[name])[is_left] for name in ("hand_no", "displaced"))
        self.made_hands = made - int(displaced.sum())
        # The seal, the log of loads or the sizes of files still say how many there were.
        self.readable = readable or min(self.hands_before, self.made_hands)
        return numbers, bool(displaced.any())

    def _load(self, logs: Iterable[Log]) -> None:
        """Load logs; raises ``StorageError`` for one that cannot be read and could be before."""
        unread: list[Reject] = []

        def note(reject: Reject) -> None:
            if reject.code is RejectCode.UNREADABLE_FILE:
                unread.append(reject)

        for adapter, of_program in groupby(logs, key=lambda log: log.adapter):
            self.load_some([log.path for log in of_program], adapter, note)
        known: set[str] = set()
        if unread:
            with closing(self.old()) as old:
                known.update(key for (key,) in old.execute(_UNREAD).fetchall())
        for each in unread:
            if reject_key(each) not in known:
                raise StorageError(
                    f"{each.message} Nothing was published, the warehouse is as it was. Check the "
                    "disk and who may read the log, or move it away: hands that no log has are "
                    "kept as they are stored. Then do the same again."
                )

    def _lacking_rejects(self, paths: Sequence[str]) -> list[str]:
        """Return keys of stored rejects that are neither in quarantine nor hands now."""
        lacking: list[str] = []
        read_again = {source.name for source in find_sources(paths)}
        with closing(self.old()) as old, closing(self.new()) as new:
            there = set(new.execute("SELECT reject FROM rejects").fetchall())
            found = old.execute("SELECT reject FROM rejects ORDER BY reject").fetchall()
            wanted = [key for (key,) in found if (key,) not in there]
            for first in range(0, len(wanted), _BATCH):
                rows = old.execute(_REJECTS_OF, [wanted[first : first + _BATCH]]).fetchall()
                for key, file, text in long_texts.with_texts(old.cursor(), rows, [-1]):
                    # A line that is lost itself cannot be taken over.
                    is_new = text and not _in_quarantine_or_stored(new, text)
                    if is_new or (text == b"" and file not in read_again):
                        lacking.append(key)
        return lacking


def nothing() -> DuckDBPyConnection:
    """Open the tables of a warehouse into which nothing was loaded."""
    empty = database.connect()
    publishing.create_tables(empty)
    return empty


def _in_quarantine_or_stored(connection: DuckDBPyConnection, text: bytes) -> bool:
    """Whether a line is in quarantine for another reason now, or is a stored hand."""
    query = "SELECT 1 FROM rejects WHERE text = $1"
    if connection.execute(query, [long_texts.stored_form(text)]).fetchone():
        return True
    hand = parse_line(text)
    if isinstance(hand, Trouble):
        return False
    query = "SELECT 1 FROM hands WHERE hand_id = $1 AND content_hash = $2::UUID"
    return bool(connection.execute(query, [hand.id, content_hash(hand)]).fetchone())


_IDS: Final = "id BLOB, content BLOB, hand_no BIGINT, load INTEGER"
_IDS_OF: Final = """
SELECT
    unhex(md5(hand_id)) AS id,
    unhex(replace(content_hash::VARCHAR, '-', '')) AS content,
    hand_no,
    import_id
FROM hands
"""
_READABLE: Final = "SEMI JOIN seatings USING (seating_id)"
_COUNTED: Final = "SELECT (SELECT count(*) FROM made), (SELECT count(DISTINCT id) FROM stored)"
_LACKING: Final = """
SELECT min(stored.hand_no) AS hand_no, max(made.id IS NOT NULL) AS displaced
FROM stored
LEFT JOIN made USING (id)
WHERE stored.content IS DISTINCT FROM made.content AND made.load IS DISTINCT FROM $from_stored
GROUP BY stored.id
ORDER BY hand_no
"""
_OF_STORED: Final = "SELECT coalesce(max(import_id), 0) FROM imports WHERE paths[1] = $1"
_UNREAD: Final = "SELECT reject FROM rejects WHERE octet_length(text) = 0"
_REJECTS_OF: Final = """
SELECT reject, file, text
FROM rejects
WHERE reject IN (SELECT unnest($1::VARCHAR[]))
ORDER BY reject
"""


# --- A warehouse of one machine


class _Rebuild(Rebuilding):
    def __init__(
        self,
        remains: Remains,
        scratch: Path,
        report: RebuildReport,
        on_progress: OnProgress | None,
        known: Forgotten | None,
    ) -> None:
        self.forgotten = known
        self.stored = remains.stored
        self.scratch = scratch
        self.on_progress = on_progress
        report.unreadable = remains.unreadable
        report.before = remains.checksum
        report.knows_all_logs = remains.knows_all_loads
        super().__init__(report, (load.paths for load in remains.loads), remains.hands)

    def load_some(self, paths: Sequence[str], adapter: str | None, on_reject: OnReject) -> None:
        with rederive.out_of_sight():
            rederive.load_separately(
                self.scratch / self.folder,
                *paths,
                on_progress=self.on_progress,
                on_reject=on_reject,
                adapter=adapter,
                forgotten=self.forgotten,
            )

    def _snapshot(self) -> Path:
        made = self.scratch / self.folder
        return warehouse.current_snapshot(made) or rederive.load_separately(made)

    def _named(self, hands: Numbers) -> list[str]:
        """Return the ids of stored hands."""
        if not len(hands):
            return []
        with closing(self.old()) as old:
            return [hand_id for (hand_id,) in old.execute(_NAMED, [hands.tolist()]).fetchall()]

    def write(self, lacking: Numbers) -> list[str]:
        log = self.scratch / rederive.STORED_LOG
        files: Counter[str] = Counter()
        with closing(self.old()) as old, log.open("wb") as lines:
            for stored in warehouse.hands(old, self._named(lacking)):
                files[stored.file] += 1
                with suppress(RecordError):
                    lines.write(kept_line(stored))
        self.report.files_of_kept = dict(sorted(files.items()))
        return [str(log)]

    def old(self) -> DuckDBPyConnection:
        return warehouse.open_file(self.stored, once=True) if self.stored else nothing()

    def new(self) -> DuckDBPyConnection:
        return warehouse.open_file(self._snapshot(), once=True)

    def assemble(self, connection: DuckDBPyConnection) -> None:
        """Put what was made into a draft, and what no log gave."""
        chosen = {"chosen": self._named(self.unplayable)}
        database.attach(connection, "made", self._snapshot())
        connection.execute("INSERT INTO imports BY NAME FROM made.imports")
        for statement in (_COUNTS, _HANDS, _FINDINGS):
            connection.execute(statement, chosen)
        connection.execute(_REJECTS, {"load": self.from_stored})
        rederive.insert_used(connection, "made")
        quarantine.take_over_parts(connection, "made")
        if self.stored:
            database.attach(connection, "stored", self.stored)
            self._take_over(connection, chosen)
            quarantine.take_over_parts(connection, "stored")
        games.refresh(connection)

    def _take_over(self, connection: DuckDBPyConnection, chosen: dict[str, list[str]]) -> None:
        """Take over what no log gave, under one import that names the logs it once came from."""
        kept, rejects = self.report.kept + self.report.unplayable, len(self.rejects)
        if not (kept or rejects):
            return
        import_id = self.from_stored or storing.numbers_after(connection).import_id
        connection.execute("DELETE FROM imports WHERE import_id = ?", [import_id])
        counts = Counts(lines=kept + rejects, accepted=kept, quarantined=rejects)
        storing.note_load(connection, import_id, self.missing, counts)
        of_load = {"import_id": import_id}
        rederive.keep_hands(connection, _UNPLAYABLE_HANDS, chosen | of_load)
        connection.execute(_KEPT_REJECTS, {"chosen": self.rejects} | of_load)
        long_texts.insert_used(connection, "stored")


_NAMED: Final = "SELECT DISTINCT hand_id FROM hands WHERE hand_no IN (SELECT unnest($1::BIGINT[]))"

# A log may give another hand the id of one that cannot be replayed: what was stored first stays.
_COUNTS: Final = """
UPDATE imports SET accepted = accepted - displaced, quarantined = quarantined + displaced
FROM (
    SELECT import_id AS displacing, count(*) AS displaced FROM made.hands
    WHERE hand_id IN (SELECT unnest($chosen::VARCHAR[]))
    GROUP BY import_id
)
WHERE import_id = displacing
"""
_HANDS: Final = """
INSERT INTO hands BY NAME
FROM made.hands WHERE hand_id NOT IN (SELECT unnest($chosen::VARCHAR[]))
"""
_FINDINGS: Final = """
INSERT INTO findings BY NAME
FROM made.findings WHERE hand_id NOT IN (SELECT unnest($chosen::VARCHAR[]))
"""
_UNPLAYABLE_HANDS: Final = """
SELECT * REPLACE ($import_id::INTEGER AS import_id) FROM stored.hands
WHERE hand_id IN (SELECT unnest($chosen::VARCHAR[]))
QUALIFY row_number() OVER (PARTITION BY hand_id ORDER BY stored.hands.import_id, file, line) = 1
"""
# A stored hand that cannot be loaded any more stays a hand.
_REJECTS: Final = "INSERT INTO rejects BY NAME FROM made.rejects WHERE import_id <> $load"
_KEPT_REJECTS: Final = """
INSERT INTO rejects BY NAME
SELECT * REPLACE ($import_id::INTEGER AS import_id) FROM stored.rejects
WHERE reject IN (SELECT unnest($chosen::VARCHAR[]))
"""
