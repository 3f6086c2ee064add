"""The first step of a load: logs are read, and what they hold is set aside on disk.

What was staged knows nothing of the warehouse or of what is staged elsewhere. It claims an id for
each of its hands; whose the ids are is for ``settling`` to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from ingest.loading import bulk, careful
from ingest.loading.auditing import admit, admit_sound, conflict
from ingest.loading.bulk import ValidHands
from ingest.loading.careful import SoundLine
from ingest.loading.foreign import ReadLogs
from ingest.loading.forgotten import Part, Renaming
from ingest.loading.report import Account
from ingest.loading.settling import Fates, Known, settle
from ingest.loading.valid_hands import ValidHandsBuffer
from ingest.loading.workers import Team
from ingest.reading.forgotten import Forgotten
from ingest.reading.intake import Intake
from ingest.reading.progress import ByteCounter
from ingest.reading.reader import LogLine
from ingest.reading.rejects import Reject
from ingest.reading.sources import Source
from ingest.score_sheets.hands import EXT
from replay import Verdict


class Staged:
    """What was read of some logs: valid hands, lines to be replayed with care, rejects.

    Those on the list ``forgotten`` have the ids in it that were put in the place of theirs.
    """

    def __init__(self, forgotten: Forgotten | None = None) -> None:
        self.renaming: Final = Renaming(forgotten) if forgotten else None
        self.intake: Final = Intake()
        self.valid: Final = ValidHandsBuffer()
        self._files = ExitStack()
        self.fates = Fates()
        """Of those hands that are not new, once they are settled."""

    def __enter__(self) -> Self:
        self._files.enter_context(self.intake)
        self._files.enter_context(self.valid)
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
        return self.valid.hands - len(self.fates.dropped)

    def has_news(self) -> bool:
        """Whether there is anything to publish."""
        return self.new_valid > 0 or self.intake.has_news()

    def settle(self, known: Known, account: Account) -> None:
        """Drop what is not new; hands in conflict become rejects."""
        if self.valid.hands or not self.intake.is_empty():
            claims = self.valid.claims(self.intake.places())
            self.drop_lost(settle(claims, known, self.valid.folder), account)
        keys = ([row[0] for row in batch] for batch in self.intake.rejects())
        for stored in known.stored_among(keys):
            self.intake.drop_rejects(stored)

    def drop_lost(self, fates: Fates, account: Account) -> None:
        """Leave out the hands whose ids are another's; those in conflict become rejects."""
        self.fates = fates
        counts = account.counts
        counts.accepted -= len(fates.dropped)
        counts.duplicate += fates.duplicates
        for line, hand_id, place in self.valid.lines_in_conflict(fates.conflicts):
            self._refuse(line, hand_id, place, account)
        for batch in fates.careful.to_batches(max_chunksize=_BATCH):
            for lost in batch.to_pylist():
                line, hand_id = self.intake.take(lost["hand_no"])
                counts.accepted -= 1
                if lost["same"]:
                    counts.duplicate += 1
                else:
                    self._refuse(line, hand_id, lost["place"], account)
        if self.new_valid:
            account.verdicts[Verdict.VALID] += self.new_valid

    def _refuse(self, line: LogLine, hand_id: str, place: str, account: Account) -> None:
        """Put a hand into quarantine whose id belongs to the hand at ``place``."""
        account.counts.quarantined += 1
        hint = CORRECT_IT if f'"{EXT}":'.encode() in line.text else ""
        reject = line.rejected(conflict(hand_id, place, hint)).reject
        assert reject is not None
        self.quarantine(reject, account)

    def quarantine(self, reject: Reject, account: Account) -> None:
        """Set a reject aside."""
        self.intake.add_reject(reject)
        account.quarantined(reject)


_BATCH: Final = 10_000
CORRECT_IT: Final = (
    "If this row was corrected, load the sheet with --correct: its rows then take the place of "
    "those that were loaded before. If it is another sheet, give it a name of its own."
)


def stage(
    sources: Iterable[str | Path | Source],
    to: Staged,
    account: Account,
    byte_counter: ByteCounter,
    team: Team,
    lanes: int = bulk.LANES,
    foreign: ReadLogs | None = None,
) -> None:
    """Read logs and set aside what they hold: a line is a hand, blank, a duplicate or a reject.

    ``sources`` are paths, or sources that were found before. By the library ``lanes`` blocks
    are judged at the same time; a ``team`` does what is done in plain Python, where that is much.
    With ``foreign`` they are logs that this reads, each hand of which counts as a line.
    """
    logs = tuple(sources)
    if foreign is not None:
        parts = bulk.judge_read(foreign(*logs, byte_counter=byte_counter), lanes=lanes)
    else:
        is_much = (byte_counter.total or 0) >= careful.WORTH_READING and not team.is_one
        parts = bulk.read_bulk(
            *logs, byte_counter=byte_counter, team=team if is_much else None, lanes=lanes
        )
    take_in(parts, to, account, byte_counter)


def take_in(parts: Iterable[Part], to: Staged, account: Account, byte_counter: ByteCounter) -> None:
    """Set aside what was read."""
    for part in to.renaming.parts(parts) if to.renaming else parts:
        _take_in(part, to, account, byte_counter)
    account.forgotten = to.renaming.hands if to.renaming else 0


def _take_in(part: Part, to: Staged, account: Account, byte_counter: ByteCounter) -> None:
    counts = account.counts
    if isinstance(part, ValidHands):
        to.valid.add(part)
        counts.lines += len(part.hands)
        counts.accepted += len(part.hands)
        account.forecast.valid += len(part.hands)
        account.read(0, byte_counter)
        return
    line = part.line if isinstance(part, SoundLine) else part
    account.warned(line.file, line.warnings)
    # The log that was read first comes first, whichever lane its hands went through.
    to.valid.file_number(line.file)
    if isinstance(part, SoundLine):
        audited = admit_sound(line, part.entry, to.intake, counts, to.intake.add_rival)
    else:
        audited = admit(line, to.intake, counts, on_rival=to.intake.add_rival)
    if audited is None:
        account.forecast.careful += 1
    elif audited.line.reject:
        to.quarantine(audited.line.reject, account)
    account.read(counts.lines, byte_counter)
