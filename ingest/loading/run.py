"""One load from its first line to its report: what is read, set aside, dropped and counted."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb
import pyarrow as pa
from duckdb import DuckDBPyConnection

from ingest.loading.auditing import (
    EXIT_CLEAN,
    EXIT_FINDINGS,
    EXIT_UNREADABLE,
    REPORT_EVERY,
    Counts,
    admit,
    conflict,
    rules_trouble,
)
from ingest.loading.bulk import ValidHands
from ingest.loading.valid_hands_buffer import Fates, ValidHandsBuffer
from ingest.reading.intake import Intake
from ingest.reading.progress import ByteCounter, OnProgress, Progress, Stage
from ingest.reading.reader import LogLine
from ingest.reading.rejects import Reject
from ingest.store import long_texts, warehouse
from ingest.store import record_codec as lines
from replay import Finding, Replay, Verdict

_BEFORE_RECORD: Final = 2
RECALLED: Final = 1_000
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


class Run:
    """One load up to the point where it is known what is new."""

    def __init__(
        self,
        intake: Intake,
        buffer: ValidHandsBuffer,
        on_progress: OnProgress | None,
        on_reject: OnReject | None,
    ) -> None:
        self.intake = intake
        self.buffer = buffer
        self.fates = Fates()
        self.counts = Counts()
        self.verdicts: Counter[Verdict] = Counter()
        self.findings: Counter[str] = Counter()
        self._on_progress = on_progress
        self._on_reject = on_reject

    def take_in(self, part: LogLine | ValidHands, byte_counter: ByteCounter) -> None:
        """Take in one line, or many valid hands: hands and rejects are set aside."""
        if isinstance(part, ValidHands):
            self.buffer.add(part)
            self.counts.lines += len(part.hands)
            self.counts.accepted += len(part.hands)
            self._tick(0, Stage.READING, byte_counter.done, byte_counter.total)
            return
        audited = admit(part, self.intake, self.counts)
        if audited and audited.line.reject:
            self._quarantine(audited.line.reject)
        self._tick(self.counts.lines, Stage.READING, byte_counter.done, byte_counter.total)

    def tell(self, stage: Stage) -> None:
        """Say what the load is about to do."""
        self._tick(0, stage, 0, None)

    def compare(self, snapshot: Path | None) -> None:
        """Drop what is stored, or was read before."""
        if snapshot:
            with warehouse.open_snapshot(snapshot.parent, once=True) as current:
                for identities in self.intake.identities():
                    self._drop_known_hands(current, identities)
        if self.buffer.hands:
            self._settle(snapshot)
        if snapshot:
            with warehouse.open_snapshot(snapshot.parent, once=True) as current:
                for rejects in self.intake.rejects():
                    keys = pa.table({"reject": [row[0] for row in rejects]})
                    known = _join(
                        current, keys, "SELECT reject FROM keys JOIN rejects USING (reject)"
                    )
                    self.intake.drop_rejects(key for (key,) in known)

    def _settle(self, snapshot: Path | None) -> None:
        """Decide whose ids they are where valid hands share theirs with another hand."""
        for batch in self.intake.places():
            self.buffer.add_spooled(batch)
        self.fates = self.buffer.decide(snapshot, self._refuse, self._drop_spooled)
        self.counts.accepted -= len(self.fates.dropped)
        self.counts.duplicate += self.fates.duplicates
        valid = self.buffer.hands - len(self.fates.dropped)
        if valid:
            self.verdicts[Verdict.VALID] += valid

    def _drop_spooled(self, hand_id: str, same: bool, place: str) -> None:  # noqa: FBT001 - of a row
        """Drop a spooled hand whose id belongs to the hand at ``place``."""
        (line,) = self.intake.take([hand_id])
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
        return self.buffer.hands > len(self.fates.dropped) or self.intake.has_news()

    def recall(self, connection: DuckDBPyConnection) -> None:
        """Bring the stored hands of the games in table ``games_to_check`` into the intake."""
        # Long texts are read on the same connection, which would cut off what it still has to give.
        connection.execute(
            "CREATE TEMP TABLE recalled AS "  # noqa: S608 - names of our own
            f"SELECT row_number() OVER () - 1 AS place, file, line, {lines.COLUMNS} "
            "FROM hands SEMI JOIN games_to_check USING (game) JOIN seatings USING (seating_id)"
        )
        places = [_BEFORE_RECORD + place for place in lines.LONG_PLACES]
        for first in itertools.count(step=RECALLED):
            batch = connection.execute(
                "SELECT * EXCLUDE (place) FROM recalled "
                "WHERE place >= $first AND place < $first + $most",
                {"first": first, "most": RECALLED},
            ).fetchall()
            if not batch:
                break
            for row in long_texts.with_texts(connection, batch, places):
                file, number, *columns = row
                self._recall(file, number, tuple(columns))
        connection.execute("DROP TABLE recalled")

    def _recall(self, file: str, number: int, columns: tuple[Any, ...]) -> None:
        text, hand = warehouse.read_record(columns)
        if trouble := rules_trouble(hand):
            raise warehouse.WarehouseError(
                f"The stored hand {hand.id!r} cannot be replayed any more: "
                f"{trouble.message} tricklog rebuild rebuilds the warehouse."
            )
        self.intake.recall(LogLine(file, number, 0, text=text), hand)

    def _drop_known_hands(
        self, current: DuckDBPyConnection, identities: list[tuple[str, str]]
    ) -> None:
        ids, hashes = zip(*identities, strict=True)
        keys = pa.table({"id": ids, "content": hashes})
        known = _join(
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
        self.intake.add_reject(reject)
        if self._on_reject:
            self._on_reject(reject)

    def _tick(self, count: int, stage: Stage, done: int, total: int | None) -> None:
        if self._on_progress and count % REPORT_EVERY == 0:
            hands, findings = self.verdicts.total(), self.findings.total()
            self._on_progress(Progress(stage, self.counts.lines, hands, findings, done, total))


def _join(current: DuckDBPyConnection, keys: pa.Table, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query that joins ``keys``."""
    current.register("keys", keys)
    try:
        return current.execute(query).fetchall()
    finally:
        # A result that broke off halfway is still open, and what broke it off is what to tell.
        with suppress(duckdb.ResourceInUseException):
            current.unregister("keys")
