"""The first step of a load: logs are read, and what they hold is set aside on disk.

What was staged knows nothing of the warehouse or of what is staged elsewhere. It claims an id for
each of its hands; whose the ids are is for ``settling`` to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pyarrow as pa
import pyarrow.compute as pc

from tricklog.core import Verdict
from tricklog.ingest.loading import bulk
from tricklog.ingest.loading.auditing import conflict, without_hand
from tricklog.ingest.loading.bulk import ValidHands
from tricklog.ingest.loading.foreign import ReadLogs
from tricklog.ingest.loading.forgotten import Part, Renaming
from tricklog.ingest.loading.report import Account
from tricklog.ingest.loading.settling import Claims, Fates, Snapshot, settle
from tricklog.ingest.loading.spool import Spool
from tricklog.ingest.loading.superseding import NOTHING, Superseded, completed
from tricklog.ingest.reading import log_line
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.intake import Intake, entry_of
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import Reject
from tricklog.ingest.reading.sources import Source
from tricklog.ingest.score_sheets.hands import EXT
from tricklog.ingest.score_sheets.layout import CORRECT_IT
from tricklog.ingest.text_form.problems import Problem


class Staged:
    """What was read of some logs: hands, and rejects.

    Those on the list ``forgotten`` have the ids in it that were put in the place of theirs.
    """

    def __init__(self, forgotten: Forgotten | None = None, correct_it: str = CORRECT_IT) -> None:
        """``correct_it``: what to do about a row of a score sheet that is stored otherwise."""
        self.renaming: Final = Renaming(forgotten) if forgotten else None
        self.spool: Final = Spool()
        self.intake: Final = Intake()
        """The rejects, and of the hands those that are new and yet to be judged in their games,
        once that is settled."""
        self._correct_it: Final = correct_it
        self._files = ExitStack()
        self.dropped: pa.Array = pa.array([], pa.int64())
        """Numbers of the valid hands that are not new, once that is settled."""
        self.superseded = NOTHING
        """What is stored and gives way to what is new."""

    def __enter__(self) -> Self:
        self._files.enter_context(self.intake)
        self._files.enter_context(self.spool)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._files.__exit__(kind, error, trace)

    @property
    def new_valid(self) -> int:
        """How many of the valid hands are new, as far as that is settled."""
        return self.spool.valid - len(self.dropped)

    def has_news(self) -> bool:
        """Whether there is anything to publish."""
        return self.new_valid > 0 or self.intake.has_news() or bool(self.superseded.ids)

    def settle(self, path: Path | None, account: Account, old: Superseded = NOTHING) -> None:
        """Drop what is not new in the snapshot at ``path``; hands in conflict become rejects.

        ``old``: what gives way already.
        """
        known = Snapshot(path, old.ids)
        self.superseded = old
        if self.spool.valid or self.spool.lines:
            claims = self.spool.claims()
            fates = settle(claims, known, self.spool.folder)
            if fates.disputed:
                fates = self._completed(claims, known, fates)
            self.drop_lost(fates, account)
        account.corrected, account.taken_out = len(old.corrected), len(old.taken_out)
        account.gave_way = old.days
        account.completed = len(self.superseded.completed)
        keys = ([row[0] for row in batch] for batch in self.intake.rejects())
        for stored in known.stored_among(keys):
            self.intake.drop_rejects(stored)

    def _completed(self, claims: Claims, known: Snapshot, fates: Fates) -> Fates:
        """Settle again with what is known of records that go on from unfinished ones."""
        ids: list[str] = []
        tables = []
        for first in range(0, len(fates.disputed), _BATCH):
            batch = fates.disputed[first : first + _BATCH]
            rivals = ((hand_id, text) for hand_id, *_, text in self.spool.lines_of(batch))
            given_way, table = completed(rivals, known.hands(batch))
            ids += given_way
            tables.append(table)
        self.superseded = replace(self.superseded, completed=ids)
        known = Snapshot(known.path, self.superseded.ids)
        return settle(claims, known, self.spool.folder, pa.concat_tables(tables))

    def drop_lost(self, fates: Fates, account: Account) -> None:
        """Leave out the hands whose ids are another's; those in conflict become rejects."""
        lost = fates.lost["hand_no"].combine_chunks()
        self.dropped = lost.filter(pc.less(lost, self.spool.valid))
        account.counts.accepted -= len(lost)
        account.counts.duplicate += fates.lost["place"].null_count
        conflicts = fates.lost.filter(pc.is_valid(fates.lost["place"]))
        for line, hand_id, place in self.spool.lines_in_conflict(conflicts):
            self._refuse(line, hand_id, place, account)
        for place_read, line, entry in self.spool.lines_without(lost):
            self.intake.claim(line, entry, place_read)
        if self.new_valid:
            account.verdicts[Verdict.VALID] += self.new_valid

    def _refuse(self, line: LogLine, hand_id: str, place: str, account: Account) -> None:
        """Put a hand into quarantine whose id belongs to the hand at ``place``."""
        account.counts.quarantined += 1
        hint = CORRECT_IT if f'"{EXT}":'.encode() in line.text else ""
        reject = line.rejected(conflict(hand_id, place, hint, line.place)).reject
        assert reject is not None
        self.quarantine(reject, account)

    def quarantine(self, reject: Reject, account: Account) -> None:
        """Set a reject aside."""
        if reject.hint == CORRECT_IT:
            reject = replace(reject, hint=self._correct_it)
        self.intake.add_reject(reject)
        account.quarantined(reject)


_BATCH: Final = 10_000


def stage(
    sources: Iterable[str | Path | Source],
    to: Staged,
    account: Account,
    byte_counter: ByteCounter,
    lanes: int = bulk.LANES,
    foreign: ReadLogs | None = None,
) -> None:
    """Read logs and set aside what they hold: a line is a hand, blank, a duplicate or a reject.

    ``sources`` are paths, or sources that were found before. By the library ``lanes`` blocks
    are judged at the same time. With ``foreign`` they are logs that this reads, each hand of which
    counts as a line.
    """
    logs = tuple(sources)
    if foreign is not None:
        parts = bulk.judge_read(foreign(*logs, byte_counter=byte_counter), lanes=lanes)
    else:
        parts = bulk.read_bulk(*logs, byte_counter=byte_counter, lanes=lanes)
    take_in(parts, to, account, byte_counter)


def take_in(parts: Iterable[Part], to: Staged, account: Account, byte_counter: ByteCounter) -> None:
    """Set aside what was read."""
    for part in to.renaming.parts(parts) if to.renaming else parts:
        _take_in(part, to, account, byte_counter)
    account.forgotten = to.renaming.hands if to.renaming else 0


def _odd_times(part: ValidHands) -> list[Problem]:
    """Return what to note of when hands began."""
    began = pc.divide(part.hands["started_at"].cast(pa.int64()).cast(pa.float64()), 1e6)
    ends = pc.min_max(began).as_py()
    if ends["min"] is None or log_line.are_plain(ends["min"], ends["max"]):
        return []
    places = zip(part.hands["line"].to_pylist(), began.to_pylist(), strict=True)
    noted = (log_line.odd_time_at(line, each) for line, each in places if each is not None)
    return [each for of_hand in noted for each in of_hand]


def _take_in(part: Part, to: Staged, account: Account, byte_counter: ByteCounter) -> None:
    counts = account.counts
    if isinstance(part, ValidHands):
        to.spool.add(part)
        counts.lines += len(part.hands)
        counts.accepted += len(part.hands)
        account.forecast.valid += len(part.hands)
        account.warned(part.file, _odd_times(part))
        account.read(0, byte_counter)
        return
    account.warned(part.file, part.warnings + log_line.odd_time(part))
    audited = without_hand(part, counts)
    if audited is None:
        assert part.hand
        to.spool.add_line(part, entry_of(part, part.hand))
        counts.accepted += 1
        account.forecast.careful += 1
    elif audited.line.reject:
        to.quarantine(audited.line.reject, account)
    account.read(counts.lines, byte_counter)
