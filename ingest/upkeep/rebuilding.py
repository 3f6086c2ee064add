"""Rebuilding a warehouse from the logs it was made from, losing nothing that only it has.

The logs are loaded into a warehouse that nobody sees. Hands and lines in quarantine that the old
warehouse has and the logs do not give any more are then taken over from what is stored of them.
Only the whole is published. What is damaged is replaced from what is not: nothing is needed but the
logs, and where these are gone, too, the report says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import kept
from tricklog.ingest.loading import games, storing
from tricklog.ingest.loading.foreign import is_known
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.intake import reject_key
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.reading.reader import parse_line
from tricklog.ingest.reading.rejects import Reject, RejectCode, Trouble
from tricklog.ingest.reading.sources import STDIN, find_sources
from tricklog.ingest.store import (
    forgotten,
    loads,
    long_texts,
    publishing,
    reject_parts,
    userdata,
    warehouse,
)
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import POINTER, DamagedError, NoSnapshotError, WarehouseError
from tricklog.ingest.study.folders import copy_solved
from tricklog.ingest.upkeep import rederive
from tricklog.ingest.upkeep.salvaging import Remains, remains_of
from tricklog.ingest.warehouses import lake_at
from tricklog.schemas.hand import content_hash

_BATCH: Final = 1_000


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
    if not (_holds_anything(source) or logs):
        raise NoSnapshotError(f"{db} holds no warehouse: tricklog load LOGS --db {db} makes one.")
    if to is not None and target.is_dir() and warehouse.snapshots(target):
        raise WarehouseError(f"{to} holds a warehouse already. Name a new folder with --output.")
    with publishing.writing(target, wait=wait, mending=True), publishing.scratch(target) as scratch:
        remains = remains_of(source, scratch)
        run = _Rebuild(remains, scratch, report, on_progress, forgotten.known(source))
        if remains.stored is None and not (run.recorded or logs):
            raise DamagedError(_nothing_left(source, report))
        made = run.made_from(map(str, logs))
        if to is not None:
            _keep_solved(source, target)
            if run.forgotten:
                forgotten.write(target, run.forgotten.listed)
        report.moved = str(publishing.move_aside(target / POINTER) or "")
        with publishing.draft(target, fresh=True) as connection:
            _assemble(connection, made, remains.stored, report)
        report.snapshot = warehouse.current_snapshot(target)
        with warehouse.open_snapshot(target, once=True) as connection:
            report.after = warehouse.checksum(connection)
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


def _holds_anything(db: Path) -> bool:
    return db.is_dir() and any(db.glob("games-*"))


def _nothing_left(db: Path, report: RebuildReport) -> str:
    lacking = ", ".join(report.missing)
    says = f" The logs it was made from are not there: {lacking}." if lacking else ""
    return (
        f"No snapshot in {db} can be read.{says} Name the logs: tricklog db rebuild LOGS --db {db}."
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """A warehouse made from logs and stored records, that nobody sees."""

    snapshot: Path
    stored_log: str
    """What the log of stored records is called there."""
    unplayable: list[str]
    rejects: list[str]
    """Keys of lines in quarantine to take over."""
    missing: list[str]
    """The logs of earlier loads that were not read, as table imports has them."""


@dataclass(frozen=True, slots=True)
class _Log:
    """A log of an earlier load."""

    path: str
    adapter: str | None = None
    """Whose it is; ``None`` for a hand log."""

    @property
    def can_be_read(self) -> bool:
        """Whether it is still there, and so is what reads it."""
        is_readable = self.adapter is None or is_known(self.adapter)
        return is_readable and self.path != STDIN and Path(self.path).exists()


class _Rebuild:
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
        self.report = report
        self.on_progress = on_progress
        self.log = scratch / rederive.STORED_LOG
        self.hands_before = remains.hands
        report.unreadable = remains.unreadable
        report.before = remains.checksum
        report.knows_all_logs = remains.knows_all_loads
        read = (log for load in remains.loads for log in loads.logs_of(load.paths))
        named = [_Log(*log) for log in dict.fromkeys(read)]
        self.recorded = [log for log in named if log.can_be_read]
        """The logs of earlier loads that are still there, in the order of loading."""
        self.missing = [log for log in named if log not in self.recorded]
        report.missing = [log.path for log in self.missing]

    def made_from(self, further: Iterable[str]) -> _Made:
        """Load the logs, then what only the old warehouse has."""
        logs = list(dict.fromkeys([*self.recorded, *map(_Log, further)]))
        snapshot = self._load("logs", *logs)
        if self.stored is None:
            with closing(warehouse.open_file(snapshot, once=True)) as made:
                now, _ = warehouse.hands_and_state(made)
            # The seal or the log of loads still says how many there were.
            self._count(now, min(self.hands_before, now), [], [])
            return _Made(snapshot, str(self.log), [], [], [])
        with rederive.side_by_side(self.stored, snapshot) as both:
            lacking, displaced = self._lacking(both)
            if not lacking:
                return self._compared(both, snapshot, logs, [], [])
        with closing(warehouse.open_file(self.stored, once=True)) as old:
            rederive.write_log(warehouse.hands(old, lacking), self.log)
        # What was stored first stays the hand of its id, so it must come first again.
        for part in [[_Log(str(self.log))], *([logs] if displaced else [])]:
            snapshot = self._load("again" if displaced else "logs", *part)
        with rederive.side_by_side(self.stored, snapshot) as both:
            unplayable, _ = self._lacking(both)
            return self._compared(both, snapshot, logs, lacking, unplayable)

    def _compared(
        self,
        both: DuckDBPyConnection,
        snapshot: Path,
        logs: list[_Log],
        lacking: list[str],
        unplayable: list[str],
    ) -> _Made:
        rejects = self._lacking_rejects(both, [log.path for log in logs])
        self._count_all(both, lacking, unplayable)
        self.report.kept_rejects = len(rejects)
        missing = loads.all_named((log.path, log.adapter) for log in self.missing)
        return _Made(snapshot, str(self.log), unplayable, rejects, missing)

    def _load(self, folder: str, *logs: _Log) -> Path:
        """Load logs separately, each program's for itself; leave out what cannot be read."""
        snapshots = [
            self._load_of(folder, adapter, [log.path for log in of_program])
            for adapter, of_program in groupby(logs, key=lambda log: log.adapter)
        ]
        return snapshots[-1] if snapshots else self._load_of(folder, None, [])

    def _load_of(self, folder: str, adapter: str | None, paths: list[str]) -> Path:
        unread: list[Reject] = []

        def note(reject: Reject) -> None:
            if reject.code is RejectCode.UNREADABLE_FILE:
                unread.append(reject)

        with rederive.out_of_sight():
            snapshot = rederive.load_separately(
                self.scratch / folder,
                *paths,
                on_progress=self.on_progress,
                on_reject=note,
                adapter=adapter,
                forgotten=self.forgotten,
            )
        if unread and self.stored:
            with closing(warehouse.open_file(self.stored, once=True)) as old:
                known = old.execute("SELECT reject FROM rejects").fetchall()
            unread = [each for each in unread if (reject_key(each),) not in known]
        want_read(unread)
        return snapshot

    def _lacking(self, both: DuckDBPyConnection) -> tuple[list[str], bool]:
        """Return ids of stored hands that are not derived with the same content.

        And whether another hand has the id of one of them there.
        """
        found = both.execute(_LACKING, {"log": str(self.log)}).fetchall()
        return [hand_id for hand_id, _ in found], any(there for _, there in found)

    def _lacking_rejects(self, both: DuckDBPyConnection, paths: Sequence[str]) -> list[str]:
        """Return keys of stored rejects that are neither in quarantine nor hands now."""
        lacking = []
        read_again = {source.name for source in find_sources(paths)}
        found = both.cursor().execute(
            "SELECT reject, file, text FROM stored.rejects "
            "ANTI JOIN derived.rejects USING (reject) ORDER BY reject"
        )
        reading = both.cursor()
        while batch := found.fetchmany(_BATCH):
            for key, file, text in long_texts.with_texts(reading, batch, [-1], "stored."):
                if text is None:
                    # The line itself is lost: there is nothing to take over.
                    continue
                if text and not in_quarantine_or_stored(both, text):
                    lacking.append(key)
                if not text and file not in read_again:
                    lacking.append(key)
        return lacking

    def _count_all(
        self, both: DuckDBPyConnection, lacking: list[str], unplayable: list[str]
    ) -> None:
        ((now,),) = both.execute(
            "SELECT count(*) FROM derived.hands "
            "WHERE hand_id NOT IN (SELECT unnest($1::VARCHAR[]))",
            [unplayable],
        ).fetchall()
        ((before,),) = both.execute("SELECT count(DISTINCT hand_id) FROM stored.hands").fetchall()
        self.report.files_of_kept = dict(
            both.execute(
                "SELECT file, count(DISTINCT hand_id) FROM stored.hands "
                "WHERE hand_id IN (SELECT unnest($1::VARCHAR[])) GROUP BY file ORDER BY file",
                [lacking],
            ).fetchall()
        )
        self._count(now, before, lacking, unplayable)

    def _count(
        self, now: int, before: int, lacking: Sequence[str], unplayable: Sequence[str]
    ) -> None:
        report = self.report
        report.unplayable = len(unplayable)
        report.kept = len(lacking) - len(unplayable)
        report.hands = now + len(unplayable)
        report.from_logs = before - len(lacking)
        report.new = report.hands - before
        if report.unreadable:
            report.lost = max(0, self.hands_before - report.hands)


def want_read(unread: Iterable[Reject]) -> None:
    """Raise ``StorageError`` for a log that is there and could not be read."""
    for each in unread:
        raise StorageError(
            f"{each.message} Nothing was published, the warehouse is as it was. Check the disk "
            "and who may read the log, or move it away: hands that no log has are kept as they "
            "are stored. Then do the same again."
        )


def in_quarantine_or_stored(
    connection: DuckDBPyConnection, text: bytes, of: str = "derived."
) -> bool:
    """Whether a line is in quarantine for another reason now, or is a stored hand.

    ``of`` is the name of an attached snapshot and a dot; empty for the one that was opened.
    """
    stored = long_texts.stored_form(text)
    query = f"SELECT 1 FROM {of}rejects WHERE text = $1"  # noqa: S608 - names of our own
    if connection.cursor().execute(query, [stored]).fetchone():
        return True
    hand = parse_line(text)
    if isinstance(hand, Trouble):
        return False
    query = f"SELECT 1 FROM {of}hands WHERE hand_id = $1 AND content_hash = $2::UUID"  # noqa: S608 - names of our own
    return bool(connection.cursor().execute(query, [hand.id, content_hash(hand)]).fetchone())


def _assemble(
    connection: DuckDBPyConnection, made: _Made, stored: Path | None, report: RebuildReport
) -> None:
    rederive.attach(connection, made=made.snapshot)
    connection.execute("INSERT INTO imports BY NAME FROM made.imports")
    if stored is None:
        for table in ("hands", "findings", "rejects"):
            connection.execute(f"INSERT INTO {table} BY NAME FROM made.{table}")
        rederive.insert_used(connection, "made")
        reject_parts.take_over(connection, "made")
    else:
        rederive.attach(connection, stored=stored)
        parameters = {"log": made.stored_log}
        chosen = {"chosen": made.unplayable}
        connection.execute(_COUNTS, chosen)
        connection.execute(_HANDS, parameters | chosen)
        connection.execute(_FINDINGS, chosen)
        connection.execute(
            "INSERT INTO rejects BY NAME FROM made.rejects WHERE file <> $log", parameters
        )
        rederive.insert_used(connection, "made")
        _take_over(connection, made, report)
        for of in ("made", "stored"):
            reject_parts.take_over(connection, of)
    games.refresh(connection)


def _take_over(connection: DuckDBPyConnection, made: _Made, report: RebuildReport) -> None:
    """Take over what no log gave, under one import that names the logs it once came from."""
    kept = report.kept + len(made.unplayable)
    if not kept and not made.rejects:
        return
    query = (
        "SELECT coalesce(max(import_id) FILTER (paths = [$log]), max(import_id) + 1, 1) "
        "FROM imports"
    )
    ((import_id,),) = connection.execute(query, {"log": made.stored_log}).fetchall()
    connection.execute("DELETE FROM imports WHERE import_id = ?", [import_id])
    connection.execute(
        "INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0)",
        [
            import_id,
            datetime.now(UTC).replace(tzinfo=None),
            storing.tricklog_version(),
            made.missing,
            kept + len(made.rejects),
            kept,
            len(made.rejects),
        ],
    )
    as_kept = {"import_id": import_id}
    rederive.keep_hands(connection, _UNPLAYABLE_HANDS, {"chosen": made.unplayable} | as_kept)
    connection.execute(_REJECTS, {"chosen": made.rejects} | as_kept)
    long_texts.insert_used(connection, "stored")


_LACKING: Final = """
SELECT old.hand_id, bool_or(new.hand_id IS NOT NULL)
FROM stored.hands AS old LEFT JOIN derived.hands AS new ON old.hand_id = new.hand_id
WHERE old.content_hash IS DISTINCT FROM new.content_hash AND new.file IS DISTINCT FROM $log
GROUP BY old.hand_id
ORDER BY old.hand_id
"""

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
SELECT m.* REPLACE (coalesce(s.file, m.file) AS file, coalesce(s.line, m.line) AS line)
FROM made.hands AS m
LEFT JOIN (
    SELECT hand_id, min_by(file, (import_id, file, line)) AS file,
        min_by(line, (import_id, file, line)) AS line
    FROM stored.hands
    WHERE hand_id IN (SELECT hand_id FROM made.hands WHERE file = $log)
    GROUP BY hand_id
) AS s ON m.hand_id = s.hand_id
WHERE m.hand_id NOT IN (SELECT unnest($chosen::VARCHAR[]))
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
_REJECTS: Final = """
INSERT INTO rejects BY NAME
SELECT * REPLACE ($import_id::INTEGER AS import_id) FROM stored.rejects
WHERE reject IN (SELECT unnest($chosen::VARCHAR[]))
"""
