"""A batch of log lines for the compiled driver: its arrays, and who sits where."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tricklog.core.compiled.driver import (
    BAD_SEATING,
    LISTS,
    TEXTS,
    UNKNOWN_SEATING,
    Columns,
    Lines,
    Seatings,
)
from tricklog.core.compiled.reading import Buffers
from tricklog.core.engine.facts import SeatFacts
from tricklog.core.engine.hand_replay import ANY_FAULT
from tricklog.core.engine.records import SEATS, Rules, State, dtype_of, pack
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.engine.rules.history import MAX_CAPTURES, MAX_TRICKS, History
from tricklog.core.native.library import Call
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import MAX_CARDS, ScannedAction
from tricklog.schemas.scan.line import ScannedLine

Array = np.ndarray[Any, Any]

RULES: Final = dtype_of(Rules())
FACTS: Final = dtype_of(SeatFacts(), "int32")
_LINE_FEED: Final = 10
_PIECE: Final = 1 << 17
"""Bytes looked through at a time for ends of lines: what stays in the processor's own memory."""
_FIRST_SLOTS: Final = 1 << 12
_LEARNT_AT_ONCE: Final = 128
"""Seatings that the driver may ask for at a time."""
_SLACK: Final = 4096
"""Bytes that the codes of one hand may take beyond what its line has."""
_SHORTEST_CALL: Final = len('"0 pass"')
"""Bytes that a call takes in its line, at least."""

Resolve = Callable[[bytes], Rules | None]
"""Gives the rules of a seating, from the text of ``rules`` to that of ``players`` in a line, or
``None`` when the careful reader is to judge its hands."""


class KnownSeatings:
    """The seatings met so far, each with the number in which it came; grows as it must."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._texts: list[bytes] = []
        self._hashes: list[int] = []
        self._records: dict[int, int] = {}
        self._kept: list[Rules] = []
        self._rules = np.zeros(1, RULES)
        self._text = np.zeros(1 << 16, np.uint8)
        self._starts = np.zeros(_FIRST_SLOTS, np.int64)
        self._ends = np.zeros(_FIRST_SLOTS, np.int64)
        self._rules_of = np.zeros(_FIRST_SLOTS, np.int64)
        self._slots = np.full(_FIRST_SLOTS * 2, UNKNOWN_SEATING, np.int64)

    def __len__(self) -> int:
        """Return how many seatings are known."""
        return len(self._texts)

    def __getitem__(self, number: int) -> bytes:
        """Return the text of a seating."""
        return self._texts[number]

    def arrays(self) -> Seatings:
        """Return the seatings for the driver. They must not change while it works."""
        tables = (self._text, self._starts, self._ends, self._rules_of, self._slots, self._rules)
        return Seatings(*tables)

    def add(self, text: bytes, mixed: int) -> None:
        """Enter a seating that is not known yet; ``mixed``: ``driver.hash_of`` its text."""
        number = len(self._texts)
        self._texts.append(text)
        self._hashes.append(mixed)
        start = int(self._ends[number - 1]) if number else 0
        end = start + len(text)
        if number == len(self._starts):
            self._starts, self._ends = _longer(self._starts), _longer(self._ends)
            self._rules_of = _longer(self._rules_of)
        while end > len(self._text):
            self._text = _longer(self._text)
        self._text[start:end] = np.frombuffer(text, np.uint8)
        self._starts[number], self._ends[number] = start, end
        self._rules_of[number] = self._rules_number(self._resolve(text))
        if 2 * len(self._texts) > len(self._slots):
            self._slots = np.full(2 * len(self._slots), UNKNOWN_SEATING, np.int64)
            for each, known in enumerate(self._hashes):
                self._enter(known, each)
        else:
            self._enter(mixed, number)

    def _rules_number(self, rules: Rules | None) -> int:
        if rules is None:
            return BAD_SEATING
        known = self._records.get(id(rules))
        if known is None:
            known = self._records[id(rules)] = len(self._kept)
            # Kept, so that no other record gets its id.
            self._kept.append(rules)
            if known == len(self._rules):
                self._rules = _longer(self._rules)
            pack(rules, self._rules[known])
        return known

    def _enter(self, mixed: int, number: int) -> None:
        slot = mixed & (len(self._slots) - 1)
        while self._slots[slot] != UNKNOWN_SEATING:
            slot = (slot + 1) & (len(self._slots) - 1)
        self._slots[slot] = number


def _longer(array: Array) -> Array:
    return np.concatenate([array, np.zeros_like(array)])


def buffers() -> Buffers:
    """Return a place for one thread to work at."""
    new_state = np.zeros(1, dtype_of(State()))
    pack(State(), new_state[0])
    return Buffers(
        lines=np.zeros(1, dtype_of(ScannedLine())),
        actions=np.zeros(MAX_ACTIONS, dtype_of(ScannedAction())),
        faults=np.zeros(MAX_ACTIONS, np.int64),
        named=np.zeros(2 * MAX_ACTIONS, np.int64),
        cards=np.zeros((SEATS + 2) * MAX_CARDS, np.int64),
        other_cards=np.zeros(MAX_CARDS, np.int64),
        bounds=np.zeros(SEATS + 3, np.int64),
        wanted=np.zeros(SEATS + 2, np.int64),
        states=new_state.copy(),
        new_state=new_state,
        histories=np.zeros(1, dtype_of(History())),
        results=np.zeros(1, dtype_of(Result())),
        new_facts=np.zeros(1, FACTS),
        unknown=np.zeros((_LEARNT_AT_ONCE, 3), np.int64),
        unknown_count=np.zeros(1, np.int64),
    )


_WIDE: Final = {"before": np.int32, "points": np.int16, "change": np.int16, "scores": np.int32}
_NARROW: Final = {
    "seating": np.int32,
    "number": np.int32,
    "started": np.int64,
    "hour": np.int32,
    "played": np.uint16,
    "bid": np.int16,
    "need": np.int16,
}
_LISTS: Final = {"tricks": MAX_TRICKS, "captures": MAX_CAPTURES}


class ColumnBuffers:
    """Where one thread writes columns; kept from batch to batch, for new memory costs time."""

    def __init__(self) -> None:
        self._lines = self._size = -1
        self._columns: Columns

    def columns(self, lines: int, size: int) -> Columns:
        """Return room for what becomes of ``lines`` lines of ``size`` bytes together."""
        if lines > self._lines or size > self._size:
            self._lines, self._size = max(lines, self._lines), max(size, self._size)
            self._columns = new_columns(self._lines, self._size)
        return self._columns


def new_columns(lines: int, size: int) -> Columns:
    """Return room for what becomes of ``lines`` lines of ``size`` bytes together."""
    made: dict[str, Array] = {}
    for name in Columns._fields:
        if name in _WIDE:
            made[name] = np.zeros((lines, SEATS), _WIDE[name])
        elif name in _LISTS:
            made[name] = np.zeros(lines * _LISTS[name], np.int64)
        elif name == "call_facts":
            made[name] = np.zeros(size // _SHORTEST_CALL, np.int32)
        elif name not in ("facts", "list_ends", "text_ends", "texts"):
            made[name] = np.zeros(lines, _NARROW.get(name, np.int8))
    return Columns(
        **made,
        facts=np.zeros(lines, FACTS),
        list_ends=np.zeros((len(LISTS), lines + 1), np.int32),
        text_ends=np.zeros((len(TEXTS), lines + 1), np.int32),
        texts=tuple(np.zeros(size + _SLACK, np.uint8) for _ in TEXTS),
    )


def _kept(columns: Columns, lines: int) -> Columns:
    texts = zip(columns.texts, columns.text_ends[:, lines].tolist(), strict=True)
    lists = zip(LISTS, columns.list_ends[:, lines].tolist(), strict=True)
    copies: dict[str, Any] = {name: getattr(columns, name)[:end].copy() for name, end in lists}
    copies["texts"] = tuple(text[:end].copy() for text, end in texts)
    for name in ("list_ends", "text_ends"):
        copies[name] = getattr(columns, name)[:, : lines + 1].copy()
    for name in Columns._fields:
        if name not in copies:
            copies[name] = getattr(columns, name)[:lines].copy()
    return Columns(**copies)


def lines_of(text: bytes) -> Lines:
    """Return the lines of a text; each ends with a line feed, the last one may do without."""
    data = np.frombuffer(text, np.uint8)
    places = [
        np.flatnonzero(data[first : first + _PIECE] == _LINE_FEED) + first
        for first in range(0, len(data), _PIECE)
    ]
    ends = np.concatenate([np.zeros(0, np.int64), *places])
    if text and not text.endswith(b"\n"):
        ends = np.append(ends, len(text))
    starts = np.concatenate([[0], ends[:-1] + 1]) if len(ends) else ends
    return Lines(data, starts, ends)


def judge(
    log: Lines,
    place: Buffers,
    room: ColumnBuffers,
    seatings: KnownSeatings,
    ending: int = ANY_FAULT,
) -> Columns:
    """Read, replay and write down lines of a log; what is not valid is left to careful reading.

    ``place``, ``room`` and ``seatings`` must not be used by anybody else meanwhile; seatings that
    are new are entered. ``ending``: the faults at which the replay of a hand stops.
    """
    count = len(log.starts)
    out = room.columns(count, int((log.ends - log.starts).sum()))
    first = Call("judge", log, 0, place, seatings.arrays(), out, ending)()
    while first < count:
        asked = place.unknown[: int(place.unknown_count[0])].tolist()
        new = {log.text[start:end].tobytes(): mixed for start, end, mixed in asked}
        for text, mixed in new.items():
            seatings.add(text, mixed)
        first = Call("judge", log, first, place, seatings.arrays(), out, ending)()
    return _kept(out, count)
