"""The first step of a load: logs are read, and what they hold is set aside on disk.

What was staged knows nothing of the warehouse or of what is staged elsewhere. It claims an id for
each of its hands; whose the ids are is for ``settling`` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import pyarrow as pa
import pyarrow.compute as pc

from tricklog.core import Verdict
from tricklog.ingest.loading import bulk
from tricklog.ingest.loading.auditing import conflict, without_hand
from tricklog.ingest.loading.bulk import ValidHands
from tricklog.ingest.loading.foreign import ReadLogs
from tricklog.ingest.loading.report import NOTHING, Account, Superseded
from tricklog.ingest.loading.settling import Snapshot, settle
from tricklog.ingest.loading.spool import Spool
from tricklog.ingest.reading import log_line
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.forgotten_hands import of_line
from tricklog.ingest.reading.intake import Intake, entry_of
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.reader import LogLine
from tricklog.ingest.reading.rejects import Reject
from tricklog.ingest.reading.sources import Source
from tricklog.ingest.score_sheets.hands import EXT
from tricklog.ingest.score_sheets.layout import CORRECT_IT
from tricklog.ingest.store import record_codec, warehouse
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.hand import decode_hand

Part = ValidHands | LogLine
TEXTS: Final = '"(notes|remark|ext)":'
"""What the tail of a hand holds that has texts of people; other texts may hold it as well."""
_COLUMNS: Final = [name.strip() for name in record_codec.COLUMNS.split(",")]


class Staged:
    """What was read of some logs: hands, and rejects; ``account`` counts both.

    Those on the list ``forgotten`` have the ids in it that were put in the place of theirs.
    """

    def __init__(
        self, account: Account, forgotten: Forgotten | None = None, correct_it: str = CORRECT_IT
    ) -> None:
        """``correct_it``: what to do about a row of a score sheet that is stored otherwise."""
        self.account: Final = account
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

    def settle(self, path: Path | None, old: Superseded = NOTHING) -> None:
        """Drop what is not new in the snapshot at ``path``; hands in conflict become rejects.

        ``old``: what gives way already.
        """
        account = self.account
        self.superseded = old
        if self.spool.valid or self.spool.lines:
            claims, folder = self.spool.claims(), self.spool.folder
            fates = settle(claims, Snapshot(path), folder, self.spool.lines_of, old.ids)
            self.superseded = replace(old, completed=fates.given_way)
            self.drop_lost(fates.lost)
        account.corrected, account.taken_out = len(old.corrected), len(old.taken_out)
        account.gave_way = old.days
        account.completed = len(self.superseded.completed)
        if path and any(self.intake.rejects()):
            with warehouse.open_snapshot(path.parent, once=True) as stored:
                for batch in self.intake.rejects():
                    found = stored.execute(_STORED, [[row[0] for row in batch]]).fetchall()
                    self.intake.drop_rejects(key for (key,) in found)

    def drop_lost(self, lost: pa.Table) -> None:
        """Leave out the hands in ``Fates.lost``; those in conflict become rejects."""
        numbers = lost["hand_no"].combine_chunks()
        self.dropped = numbers.filter(pc.less(numbers, self.spool.valid))
        account = self.account
        account.counts.accepted -= len(lost)
        account.counts.duplicate += lost["place"].null_count
        conflicts = lost.filter(pc.is_valid(lost["place"]))
        for line, hand_id, place in self.spool.lines_in_conflict(conflicts):
            account.counts.quarantined += 1
            hint = CORRECT_IT if f'"{EXT}":'.encode() in line.text else ""
            reject = line.rejected(conflict(hand_id, place, hint, line.place)).reject
            assert reject is not None
            self.quarantine(reject)
        for place_read, line, entry in self.spool.lines_without(numbers):
            self.intake.claim(line, entry, place_read)
        if self.new_valid:
            account.verdicts[Verdict.VALID] += self.new_valid

    def quarantine(self, reject: Reject) -> None:
        """Set a reject aside."""
        if reject.hint == CORRECT_IT:
            reject = replace(reject, hint=self._correct_it)
        self.intake.add_reject(reject)
        self.account.quarantined(reject)


_STORED: Final = "SELECT reject FROM rejects WHERE reject IN (SELECT unnest($1::VARCHAR[]))"


def stage(
    sources: Iterable[str | Path | Source],
    to: Staged,
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
    take_in(parts, to, byte_counter)


def take_in(parts: Iterable[Part], to: Staged, byte_counter: ByteCounter) -> None:
    """Set aside what was read."""
    account, counts = to.account, to.account.counts
    for part in to.renaming.parts(parts) if to.renaming else parts:
        if isinstance(part, ValidHands):
            to.spool.add(part)
            counts.lines += len(part.hands)
            counts.accepted += len(part.hands)
            account.forecast.valid += len(part.hands)
            account.warned(part.file, _odd_times(part))
            account.read(0, byte_counter)
            continue
        account.warned(part.file, part.warnings + log_line.odd_time(part))
        audited = without_hand(part, counts)
        if audited is None:
            assert part.hand
            to.spool.add_line(part, entry_of(part, part.hand))
            counts.accepted += 1
            account.forecast.careful += 1
        elif audited.line.reject:
            to.quarantine(audited.line.reject)
        account.read(counts.lines, byte_counter)
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


# --- Logs that name somebody who was forgotten


class Renaming:
    """What logs hold, without those on a list, however many parts it comes in.

    Such a hand is the one that is stored already, as forgetting made the same of it. What compiled
    rules have judged is looked through by columns; a hand in which something changes is read again
    from its line and goes through the careful lane.
    """

    def __init__(self, forgotten: Forgotten) -> None:
        self.forgotten = forgotten
        self.hands = 0
        """Hands so far in which somebody was recognised."""
        self._seatings: dict[int, dict[str, Any]] = {}
        self._rules: dict[str, str] = {}
        self._touched: list[int] = []
        """Numbers of the seatings at which one of them sits, or whose rules name one."""

    def parts(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Return parts of logs as they are to be stored."""
        for part in parts:
            if isinstance(part, ValidHands):
                yield from self._of_valid(part)
            else:
                new = of_line(part, self.forgotten)
                self.hands += new.hand is not part.hand
                yield new

    def _of_valid(self, part: ValidHands) -> Iterator[Part]:
        self._note_seatings(part.seatings)
        file, hands = self.forgotten.in_text(part.file), part.hands
        changed: dict[int, LogLine] = {}
        for place in self._suspects(hands):
            row = hands.slice(place, 1).to_pylist()[0]
            seating = self._seatings[row["seating_id"]]
            values = [(row | seating)[name] for name in _COLUMNS]
            line = LogLine(file, row["line"], row["byte"], text=record_codec.line_of(tuple(values)))
            new = of_line(replace(line, hand=decode_hand(line.text)), self.forgotten)
            if new.text != line.text:
                changed[place] = new
        self.hands += len(changed)
        if changed:
            hands = hands.filter(pa.array([place not in changed for place in range(len(hands))]))
        # Seatings are told once: they go on even where none of these hands has one of them.
        yield ValidHands(file, hands, part.seatings)
        yield from changed.values()

    def _suspects(self, hands: pa.Table) -> list[int]:
        """Return the places of hands in which something may have to be replaced."""
        sat = pc.is_in(hands["seating_id"], value_set=pa.array(self._touched, pa.int32()))
        told = pc.match_substring_regex(hands["tail"], TEXTS)
        found = pc.or_(sat, told.fill_null(False)).to_pylist()  # noqa: FBT003 - has no name
        names = zip(hands["hand_id"].to_pylist(), hands["game"].to_pylist(), strict=True)
        in_text = self.forgotten.in_text
        return [
            place
            for place, (is_found, (hand, game)) in enumerate(zip(found, names, strict=True))
            if is_found or in_text(hand) != hand or (game is not None and in_text(game) != game)
        ]

    def _note_seatings(self, seatings: pa.Table) -> None:
        columns = (seatings[name].to_pylist() for name in ("seating_id", "rules", "players"))
        for number, rules, players in zip(*columns, strict=True):
            # Few rules are played by many tables: one text serves them all.
            shared = self._rules.setdefault(rules, rules)
            self._seatings[number] = {"rules": shared, "players": players}
            sits = any(self.forgotten.number_of(each["id"]) is not None for each in players)
            if sits or '"definition":' in rules:
                self._touched.append(number)
