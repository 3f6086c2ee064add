"""What a load counts on its way, whom it tells, and its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from tricklog.core import Verdict
from tricklog.ingest.loading.auditing import (
    EXIT_CLEAN,
    EXIT_FINDINGS,
    EXIT_UNREADABLE,
    REPORT_EVERY,
    Counts,
    OnWarning,
)
from tricklog.ingest.reading.progress import ByteCounter, OnProgress, Progress, Stage
from tricklog.ingest.reading.rejects import Reject
from tricklog.ingest.store import loads
from tricklog.ingest.text_form.problems import Problem

OnReject = Callable[[Reject], None]
_NEARLY: Final = 0.99
"""The share before the end: until a snapshot is published nothing is done for good."""


@dataclass(frozen=True, slots=True)
class GivesWay:
    """Stored hands of a score sheet and a day that give way to what the sheet says now."""

    sheet: str
    """What their ids begin with."""
    day: str
    """``2024-01-05``; empty where none is written."""
    players: Sequence[str]
    """What those who play are called."""
    hands: int
    """How many give way."""
    stored: int
    """How many of the sheet and the day are stored."""
    is_plain: bool
    """Whether the sheet says mostly what it said of most of them, and nothing less."""
    emptied: Sequence[str] = ()
    """Columns of which it says less than it did."""


@dataclass(frozen=True, slots=True)
class Superseded:
    """Stored hands that give way."""

    corrected: Sequence[str] = ()
    """Ids under which the sheet has another row now."""
    taken_out: Sequence[str] = ()
    """Ids of rows that the sheet has no more."""
    moved: Sequence[str] = ()
    """Ids of hands that are the same in another place of the sheet, so that findings name that."""
    games: Sequence[str] = ()
    """Games of these, to be checked again."""
    completed: Sequence[str] = ()
    """Ids under which an unfinished record is stored, and the complete one has come."""
    days: Sequence[GivesWay] = ()
    """Those that are corrected or taken out, by sheet and day."""

    @property
    def ids(self) -> list[str]:
        """The ids of all of them."""
        return [*self.corrected, *self.taken_out, *self.moved, *self.completed]


NOTHING: Final = Superseded()


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did. The four counts sum to ``lines``."""

    lines: int
    accepted: int
    duplicate: int
    quarantined: int
    blank: int
    snapshot: Path | str | None
    """The snapshot that is current now, the file of it or the name that a lake gives it; ``None``
    when there was nothing to publish at all."""
    published: bool
    """Whether this load published it; a load that adds nothing leaves the warehouse as it is."""
    verdicts: dict[str, int]
    """Accepted hands by verdict."""
    findings: dict[str, int]
    """Findings by code: of the accepted hands, and of the games they belong to."""
    corrected: int = 0
    """Accepted hands that took the place of an earlier row of their score sheet."""
    taken_out: int = 0
    """Stored hands whose rows a corrected score sheet has no more."""
    completed: int = 0
    """Accepted hands that took the place of their own unfinished record."""
    forgotten: int = 0
    """Hands, new or not, in which somebody who was forgotten has another id than in the log."""
    gave_way: Sequence[GivesWay] = ()
    """Stored hands that were corrected or taken out, by score sheet and day."""

    @property
    def is_balanced(self) -> bool:
        """Whether every line is accounted for."""
        return self.lines == self.accepted + self.duplicate + self.quarantined + self.blank

    def and_then(self, later: LoadReport) -> LoadReport:
        """Return what this load and one after it did together."""
        names = (*loads.COUNTS, *_BESIDE)

        def added(some: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
            return dict(sorted((Counter(some) + Counter(more)).items()))

        return replace(
            later,
            **{name: getattr(self, name) + getattr(later, name) for name in names},
            snapshot=later.snapshot or self.snapshot,
            published=self.published or later.published,
            verdicts=added(self.verdicts, later.verdicts),
            findings=added(self.findings, later.findings),
            gave_way=[*self.gave_way, *later.gave_way],
        )

    @property
    def exit_status(self) -> int:
        """3 when anything was unreadable, else 1 when there is a finding, else 0."""
        if self.quarantined:
            return EXIT_UNREADABLE
        return EXIT_FINDINGS if self.findings or self.verdicts.get("rejected") else EXIT_CLEAN


_BESIDE: Final = ("corrected", "taken_out", "completed", "forgotten")
"""What is counted beside what becomes of lines."""


# Microseconds a hand on two cores. Only how they compare matters, and that not to the last digit.
READ_COMPILED: Final = 10
READ_WITH_CARE: Final = 60
STORE: Final = 5
REPLAY: Final = 300
DERIVE: Final = 25


@dataclass(slots=True)
class Forecast:
    """What a load has met so far, and from that what is still to do."""

    facts: bool = True
    """Whether facts will be made."""
    valid: int = 0
    """Hands that were judged while they were read."""
    careful: int = 0
    """Hands that are replayed after reading."""

    def share_reading(self, done: int, total: int | None) -> float | None:
        """Return the share of the load that is done when ``done`` of ``total`` bytes are read.

        ``None`` where nobody can say: before the first hand, or when the total is not known.
        """
        return self._share(min(1.0, done / total) * self._read()) if total else None

    def share_storing(self) -> float | None:
        """Return the share that is done before the valid hands are stored."""
        return self._share(self._read())

    def share_replaying(self, done: int) -> float | None:
        """Return the share that is done when ``done`` hands are replayed after reading."""
        return self._share(self._replayed(min(done, self.careful)))

    def share_deriving(self, done: int, total: int) -> float | None:
        """Return the share that is done when the facts of ``done`` of ``total`` hands are made."""
        return self._share(self._replayed(self.careful) + self._derived() * done / max(1, total))

    def _read(self) -> int:
        return self.valid * READ_COMPILED + self.careful * READ_WITH_CARE

    def _replayed(self, careful: int) -> int:
        return self._read() + self.valid * STORE + careful * REPLAY

    def _derived(self) -> int:
        return (self.valid + self.careful) * (DERIVE if self.facts else 0)

    def _share(self, done: float) -> float | None:
        whole = self._replayed(self.careful) + self._derived()
        return done / whole if whole else None


@dataclass(slots=True)
class Account:
    """What a load has counted so far, and whom it tells."""

    forecast: Forecast
    on_progress: OnProgress | None = None
    on_reject: OnReject | None = None
    on_warning: OnWarning | None = None
    counts: Counts = field(default_factory=Counts)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)
    replayed: int = 0
    """New hands replayed after reading."""
    corrected: int = 0
    taken_out: int = 0
    completed: int = 0
    forgotten: int = 0
    """Hands read in which somebody who was forgotten was recognised."""
    gave_way: Sequence[GivesWay] = ()
    _last: Progress | None = None

    def read(self, lines: int, byte_counter: ByteCounter) -> None:
        """Report how much is read; ``lines`` as in ``tick``."""
        done, total = byte_counter.done, byte_counter.total
        self.tick(lines, Stage.READING, done, total, self.forecast.share_reading(done, total))

    def tell(self, stage: Stage) -> None:
        """Say what the load is about to do."""
        share = self.forecast.share_storing() if stage == Stage.STORING else None
        self.tick(0, stage, 0, None, share)

    def judged(self, verdict: Verdict, codes: Iterable[str], *, new: bool) -> None:
        """Count the verdict of a new hand, and the codes of findings of a hand."""
        self.findings.update(codes)
        if new:
            self.verdicts[verdict] += 1
            self.replayed += 1
            hands = self.verdicts.total()
            share = self.forecast.share_replaying(self.replayed)
            self.tick(hands, Stage.REPLAYING, hands, self.counts.accepted, share)

    def derived(self, progress: Progress) -> None:
        """Report how far the facts are."""
        share = self.forecast.share_deriving(progress.done, progress.total or 0)
        self._report(replace(progress, lines=self.counts.lines, share=share))

    def finished(self) -> None:
        """Say that all is done, the only time that the share is 1."""
        if self.on_progress:
            last = self._last or Progress(Stage.READING, self.counts.lines)
            self.on_progress(replace(last, share=1.0))

    def quarantined(self, reject: Reject) -> None:
        """Report a line that was put into quarantine."""
        if self.on_reject:
            self.on_reject(reject)

    def warned(self, file: str, warnings: Iterable[Problem]) -> None:
        """Report what of a hand written as text may not be what was meant."""
        if self.on_warning:
            for warning in warnings:
                self.on_warning(file, warning)

    def tick(
        self, count: int, stage: Stage, done: int, total: int | None, share: float | None
    ) -> None:
        """Report how much of a stage is done, and what share of the load.

        ``count`` is 0 to do so in any case, else what to count by.
        """
        if count % REPORT_EVERY == 0:
            hands, findings = self.verdicts.total(), self.findings.total()
            self._report(Progress(stage, self.counts.lines, hands, findings, done, total, share))

    def _report(self, progress: Progress) -> None:
        if self.on_progress:
            share = None if progress.share is None else min(progress.share, _NEARLY)
            self._last = replace(progress, share=share)
            self.on_progress(self._last)

    def report(self, snapshot: Path | str | None, *, published: bool) -> LoadReport:
        """Return what the load did."""
        assert self.counts.balanced
        return LoadReport(
            **asdict(self.counts),
            snapshot=snapshot,
            published=published,
            verdicts={verdict.value: count for verdict, count in sorted(self.verdicts.items())},
            findings=dict(sorted(self.findings.items())),
            **{name: getattr(self, name) for name in (*_BESIDE, "gave_way")},
        )
