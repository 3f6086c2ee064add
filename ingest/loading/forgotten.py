"""Logs that name somebody who was forgotten: their hands are taken in under the other id.

Such a hand is the one that is stored already, as forgetting made the same of it. What compiled
rules have judged is looked through by columns; a hand in which something changes is read again from
its line and goes through the careful lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from tricklog.ingest.loading.bulk import ValidHands
from tricklog.ingest.reading.forgotten import Forgotten
from tricklog.ingest.reading.forgotten_hands import of_line
from tricklog.ingest.reading.log_line import LogLine
from tricklog.ingest.store import record_codec
from tricklog.schemas.hand import decode_hand

Part = ValidHands | LogLine
TEXTS: Final = '"(notes|remark|ext)":'
"""What the tail of a hand holds that has texts of people; other texts may hold it as well."""
_COLUMNS: Final = [name.strip() for name in record_codec.COLUMNS.split(",")]
_OF_SEATINGS: Final = ("rules", "players")


class Renaming:
    """What logs hold, without those on a list, however many parts it comes in."""

    def __init__(self, forgotten: Forgotten) -> None:
        self.forgotten = forgotten
        self.hands = 0
        """Hands so far in which somebody was recognised."""
        self._seatings: dict[int, tuple[str, list[dict[str, Any]]]] = {}
        self._rules: dict[str, str] = {}
        self._touched: list[int] = []
        """Numbers of the seatings at which one of them sits, or whose rules name one."""

    def parts(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Return parts of logs as they are to be stored."""
        for part in parts:
            if isinstance(part, ValidHands):
                yield from self._of_valid(part)
            else:
                yield self._of_line(part)

    def _of_line(self, line: LogLine) -> LogLine:
        new = of_line(line, self.forgotten)
        self.hands += new.hand is not line.hand
        return new

    def _of_valid(self, part: ValidHands) -> Iterator[Part]:
        self._note_seatings(part.seatings)
        file = self.forgotten.in_text(part.file)
        changed = dict(self._changed(part, file))
        hands = part.hands
        if changed:
            kept = [place not in changed for place in range(len(hands))]
            hands = hands.filter(pa.array(kept))
        # Seatings are told once: they go on even where none of these hands has one of them.
        yield ValidHands(file, hands, part.seatings)
        yield from changed.values()

    def _changed(self, part: ValidHands, file: str) -> Iterator[tuple[int, LogLine]]:
        """Return the hands of a block that become others, by their places in it."""
        for place in self._suspects(part.hands):
            row = part.hands.slice(place, 1).to_pylist()[0]
            rules, players = self._seatings[row["seating_id"]]
            seating = {"rules": rules, "players": players}
            values = [(seating if name in _OF_SEATINGS else row)[name] for name in _COLUMNS]
            line = LogLine(file, row["line"], row["byte"], text=record_codec.line_of(tuple(values)))
            new = of_line(replace(line, hand=decode_hand(line.text)), self.forgotten)
            if new.text != line.text:
                self.hands += 1
                yield place, new

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
        columns = (seatings[name].to_pylist() for name in ("seating_id", *_OF_SEATINGS))
        for number, rules, players in zip(*columns, strict=True):
            # Few rules are played by many tables: one text serves them all.
            shared = self._rules.setdefault(rules, rules)
            self._seatings[number] = shared, players
            sits = any(self.forgotten.number_of(each["id"]) is not None for each in players)
            if sits or '"definition":' in rules:
                self._touched.append(number)
