"""A batch of log lines for the compiled driver: its arrays, and who sits where."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tricklog.core.compiled import driver
from tricklog.core.compiled.driver import LISTS, TEXTS, Buffers, Columns, HandRow, Lines, Seatings
from tricklog.core.engine.facts import SeatFacts
from tricklog.core.engine.hand_replay import ANY_FAULT, Workspace
from tricklog.core.engine.records import SEATS, Rules, State, dtype_of, pack
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.engine.rules.history import MAX_CAPTURES, MAX_TRICKS, History
from tricklog.core.native.library import Call
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import MAX_CARDS, ScannedAction
from tricklog.schemas.scan.line import ScannedLine

Array = np.ndarray[Any, Any]

STATE: Final = dtype_of(State())
NEW_STATE: Final = np.zeros(1, STATE)
"""A state just begun, which nobody writes into."""
pack(State(), NEW_STATE[0])
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
        self._count = 0
        self._kept: dict[int, tuple[int, Rules]] = {}
        self._rules = np.zeros(1, RULES)
        self._text = np.zeros(1 << 16, np.uint8)
        self._rows = np.zeros((_FIRST_SLOTS, 4), np.int64)
        self._slots = np.full(_FIRST_SLOTS * 2, driver.UNKNOWN_SEATING, np.int64)

    def arrays(self) -> Seatings:
        """Return the seatings for the driver. They must not change while it works."""
        return Seatings(self._text, self._rows, self._slots, self._rules)

    def add(self, text: bytes, mixed: int) -> None:
        """Enter a seating that is not known yet; ``mixed``: ``driver.hash_of`` its text."""
        number, self._count = self._count, self._count + 1
        start = int(self._rows[number - 1, 1]) if number else 0
        end = start + len(text)
        if number == len(self._rows):
            self._rows = _longer(self._rows)
        while end > len(self._text):
            self._text = _longer(self._text)
        self._text[start:end] = np.frombuffer(text, np.uint8)
        self._rows[number] = start, end, self._rules_number(self._resolve(text)), mixed
        if 2 * self._count > len(self._slots):
            self._slots = np.full(2 * len(self._slots), driver.UNKNOWN_SEATING, np.int64)
            number = 0
        for each in range(number, self._count):
            slot = int(self._rows[each, 3]) & (len(self._slots) - 1)
            while self._slots[slot] != driver.UNKNOWN_SEATING:
                slot = (slot + 1) & (len(self._slots) - 1)
            self._slots[slot] = each

    def _rules_number(self, rules: Rules | None) -> int:
        if rules is None:
            return driver.BAD_SEATING
        count = len(self._kept)
        # The rules are kept, so that no other record gets their id.
        number, _ = self._kept.setdefault(id(rules), (count, rules))
        if number == count:
            if number == len(self._rules):
                self._rules = _longer(self._rules)
            pack(rules, self._rules[number])
        return number


def _longer(array: Array) -> Array:
    return np.concatenate([array, np.zeros_like(array)])


def buffers() -> Buffers:
    """Return a place for one thread to work at."""
    states = NEW_STATE.copy()
    sizes = (SEATS + 2) * MAX_CARDS, SEATS + 3, SEATS + 2, MAX_ACTIONS
    cards, bounds, wanted, faults = (np.zeros(size, np.int64) for size in sizes)
    line, history, result = (
        np.zeros(1, dtype_of(each))[0] for each in (ScannedLine(), History(), Result())
    )
    actions = np.zeros(MAX_ACTIONS, dtype_of(ScannedAction()))
    parts = line, cards, bounds, wanted, actions, faults, states[0], history, result
    return Buffers(
        workspace=Workspace._make(parts),
        states=states,
        new_state=NEW_STATE,
        new_facts=np.zeros(1, FACTS),
        named=np.zeros(2 * MAX_ACTIONS, np.int64),
        other_cards=np.zeros(MAX_CARDS, np.int64),
        unknown=np.zeros((_LEARNT_AT_ONCE, 3), np.int64),
        unknown_count=np.zeros(1, np.int64),
    )


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
    return Columns(
        hands=np.zeros(lines, dtype_of(HandRow())),
        results=np.zeros(lines, dtype_of(Result())),
        facts=np.zeros(lines, FACTS),
        tricks=np.zeros(lines * MAX_TRICKS, np.int64),
        captures=np.zeros(lines * MAX_CAPTURES, np.int64),
        call_facts=np.zeros(size // _SHORTEST_CALL, np.int32),
        list_ends=np.zeros((len(LISTS), lines + 1), np.int32),
        text_ends=np.zeros((len(TEXTS), lines + 1), np.int32),
        texts=tuple(np.zeros(size + _SLACK, np.uint8) for _ in TEXTS),
    )


def _kept(columns: Columns, lines: int) -> Columns:
    lists = zip(LISTS, columns.list_ends[:, lines].tolist(), strict=True)
    texts = zip(columns.texts, columns.text_ends[:, lines].tolist(), strict=True)
    kept = [rows[:lines].copy() for rows in (columns.hands, columns.results, columns.facts)]
    kept += [getattr(columns, name)[:end].copy() for name, end in lists]
    kept += [ends[:, : lines + 1].copy() for ends in (columns.list_ends, columns.text_ends)]
    return Columns._make([*kept, tuple(text[:end].copy() for text, end in texts)])


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

    Nobody else may use ``place``, ``room`` and ``seatings`` meanwhile; new seatings are entered.
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
