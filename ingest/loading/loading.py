"""Loading logs into a warehouse: read, replay, check games, publish; the same hands add nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from duckdb import DuckDBPyConnection

from ingest.loading import bulk
from ingest.loading.auditing import (
    EXIT_CLEAN,
    EXIT_FINDINGS,
    EXIT_UNREADABLE,
    WATCH_EVERY,
    Counts,
    admit,
    conflict,
    rules_trouble,
)
from ingest.loading.valid_hands_buffer import Fates, Staging
from ingest.loading.writing import Writer, join
from ingest.reading.intake import Spool
from ingest.reading.progress import Meter, Progress, Stage, Watch
from ingest.reading.reader import LogLine, read
from ingest.reading.rejects import Reject
from ingest.store import publishing, warehouse
from ingest.store import record_codec as lines
from replay import Finding, Replay, Verdict
from replay.compiled import kernel

WAIT: Final = 60.0
RECALLED: Final = 100
"""Stored hands brought back at a time."""

OnReject = Callable[[Reject], None]


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did. The four counts sum to ``lines``."""

    lines: int
    accepted: int
    duplicate: int
    quarantined: int
    blank: int
    snapshot: Path | None
    """The snapshot that is current now; ``None`` when there was nothing to publish at all."""
    published: bool
    """Whether this load published it; a load that adds nothing leaves the warehouse as it is."""
    verdicts: dict[str, int]
    """Accepted hands by verdict."""
    findings: dict[str, int]
    """Findings by code: of the accepted hands, and of the games they belong to."""

    @property
    def exit_status(self) -> int:
        """3 when anything was unreadable, else 1 when there is a finding, else 0."""
        if self.quarantined:
            return EXIT_UNREADABLE
        return EXIT_FINDINGS if self.findings or self.verdicts.get("rejected") else EXIT_CLEAN


def load(
    *paths: str | Path,
    db: str | Path,
    watch: Watch | None = None,
    on_reject: OnReject | None = None,
    wait: float = WAIT,
    dry_run: bool = False,
) -> LoadReport:
    """Load hand logs into the warehouse in the folder ``db`` and publish a new snapshot.

    Args:
        paths: files, folders or ``-``, as ``ingest.read`` takes them.
        db: the warehouse's folder; it is made when it does not exist.
        watch: called now and then with how far the load is, for a progress display.
        on_reject: called for every line put into quarantine.
        wait: seconds to wait for another load into the same folder.
        dry_run: only tell what a load would do now; nothing in ``db`` is made or changed.

    Raises:
        WarehouseError: another load does not finish (``BusyError``), the disk is full or fails
            (``StorageError``), or the folder holds something else. Where the sentence does not say
            otherwise, the warehouse is as it was before.
    """
    folder = Path(db) if dry_run else publishing.prepare(Path(db))
    with Spool() as spool, Staging() as staging:
        run = Run(spool, staging, watch, on_reject)
        meter = Meter(paths)
        is_bulk = bulk.is_worth_while(meter.total)
        reading = bulk.read_bulk if is_bulk else read
        if is_bulk and not kernel.is_ready():
            run.tell(Stage.COMPILING)
        for part in reading(*paths, meter=meter):
            run.take_in(part, meter)
        if dry_run:
            run.compare(warehouse.current_snapshot(folder))
            if run.has_news():
                with publishing.rehearsal(folder) as connection:
                    Writer(connection, run, [str(path) for path in paths]).write()
            return run.report(warehouse.current_snapshot(folder), published=False)
        with publishing.writing(folder, wait=wait, on_wait=lambda: run.tell(Stage.WAITING)):
            current = warehouse.current_snapshot(folder)
            run.compare(current)
            published = run.has_news()
            if published:
                current = publishing.next_snapshot(folder)
                with publishing.draft(folder) as connection:
                    Writer(connection, run, [str(path) for path in paths]).write()
            return run.report(current, published=published)


class Run:
    """One load up to the point where it is known what is new."""

    def __init__(
        self, spool: Spool, staging: Staging, watch: Watch | None, on_reject: OnReject | None
    ) -> None:
        self.spool = spool
        self.staging = staging
        self.fates = Fates()
        self.counts = Counts()
        self.verdicts: Counter[Verdict] = Counter()
        self.findings: Counter[str] = Counter()
        self._watch = watch
        self._on_reject = on_reject

    def take_in(self, part: LogLine | bulk.Clean, meter: Meter) -> None:
        """Take in one line, or many clean hands: hands and rejects are set aside."""
        if isinstance(part, bulk.Clean):
            self.staging.add(part)
            self.counts.lines += len(part.hands)
            self.counts.accepted += len(part.hands)
            self._tick(0, Stage.READING, meter.done, meter.total)
            return
        audited = admit(part, self.spool, self.counts)
        if audited and audited.line.reject:
            self._quarantine(audited.line.reject)
        self._tick(self.counts.lines, Stage.READING, meter.done, meter.total)

    def tell(self, stage: Stage) -> None:
        """Say what the load is about to do."""
        self._tick(0, stage, 0, None)

    def compare(self, snapshot: Path | None) -> None:
        """Drop what is stored, or was read before."""
        if snapshot:
            with warehouse.open_snapshot(snapshot.parent) as current:
                for identities in self.spool.identities():
                    self._drop_known_hands(current, identities)
        if self.staging.hands:
            self._settle(snapshot)
        if snapshot:
            with warehouse.open_snapshot(snapshot.parent) as current:
                for rejects in self.spool.rejects():
                    keys = pa.table({"reject": [row[0] for row in rejects]})
                    known = join(
                        current, keys, "SELECT reject FROM keys JOIN rejects USING (reject)"
                    )
                    self.spool.drop_rejects(key for (key,) in known)

    def _settle(self, snapshot: Path | None) -> None:
        """Decide whose ids they are where clean hands share theirs with another hand."""
        for batch in self.spool.places():
            self.staging.add_spooled(batch)
        self.fates = self.staging.decide(snapshot, self._refuse, self._drop_spooled)
        self.counts.accepted -= len(self.fates.dropped)
        self.counts.duplicate += self.fates.duplicates
        clean = self.staging.hands - len(self.fates.dropped)
        if clean:
            self.verdicts[Verdict.VALID] += clean

    def _drop_spooled(self, hand_id: str, same: bool, place: str) -> None:  # noqa: FBT001 - of a row
        """Drop a spooled hand whose id belongs to the hand at ``place``."""
        (line,) = self.spool.take([hand_id])
        self.counts.accepted -= 1
        if same:
            self.counts.duplicate += 1
        else:
            self._refuse(line, hand_id, place)

    def _refuse(self, line: LogLine, hand_id: str, place: str) -> None:
        """Put a hand into quarantine whose id belongs to the hand at ``place``."""
        self.counts.quarantined += 1
        reject = line.rejected(conflict(hand_id, place)).reject
        assert reject is not None
        self._quarantine(reject)

    def has_news(self) -> bool:
        """Whether there is anything to publish."""
        return self.staging.hands > len(self.fates.dropped) or self.spool.has_news()

    def recall(self, connection: DuckDBPyConnection) -> None:
        """Bring the stored hands of the games in table ``games_to_check`` into the spool."""
        stored = connection.execute(
            f"SELECT file, line, {lines.COLUMNS} "  # noqa: S608 - names of our own
            "FROM hands SEMI JOIN games_to_check USING (game) JOIN seatings USING (seating_id)"
        )
        while batch := stored.fetchmany(RECALLED):
            for file, number, *columns in batch:
                self._recall(file, number, tuple(columns))

    def _recall(self, file: str, number: int, columns: tuple[Any, ...]) -> None:
        text, hand = warehouse.read_record(columns)
        if trouble := rules_trouble(hand):
            raise warehouse.WarehouseError(
                f"The stored hand {hand.id!r} cannot be replayed any more: "
                f"{trouble.message} tricklog rebuild rebuilds the warehouse."
            )
        self.spool.recall(LogLine(file, number, 0, text=text), hand)

    def _drop_known_hands(
        self, current: DuckDBPyConnection, identities: list[tuple[str, str]]
    ) -> None:
        ids, hashes = zip(*identities, strict=True)
        keys = pa.table({"id": ids, "content": hashes})
        known = join(
            current,
            keys,
            "SELECT id, content::UUID = content_hash, file || ':' || line "
            "FROM keys JOIN hands USING (id)",
        )
        for fate in known:
            self._drop_spooled(*fate)

    def judged(self, replayed: Replay, findings: tuple[Finding, ...], *, new: bool) -> None:
        """Count the verdict of a new hand, and findings of a hand."""
        self.findings.update(finding.code for finding in findings)
        if new:
            self.verdicts[replayed.verdict] += 1
            hands = self.verdicts.total()
            self._tick(hands, Stage.REPLAYING, hands, self.counts.accepted)

    def report(self, snapshot: Path | None, *, published: bool) -> LoadReport:
        """Return what the load did."""
        counts = self.counts
        assert counts.balanced
        return LoadReport(
            lines=counts.lines,
            accepted=counts.accepted,
            duplicate=counts.duplicate,
            quarantined=counts.quarantined,
            blank=counts.blank,
            snapshot=snapshot,
            published=published,
            verdicts={verdict.value: count for verdict, count in sorted(self.verdicts.items())},
            findings=dict(sorted(self.findings.items())),
        )

    def _quarantine(self, reject: Reject) -> None:
        self.spool.add_reject(reject)
        if self._on_reject:
            self._on_reject(reject)

    def _tick(self, count: int, stage: Stage, done: int, total: int | None) -> None:
        if self._watch and count % WATCH_EVERY == 0:
            hands, findings = self.verdicts.total(), self.findings.total()
            self._watch(Progress(stage, self.counts.lines, hands, findings, done, total))
