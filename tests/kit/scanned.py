"""Scanned lines for tests: what the scanning functions make of a line, plain and compiled.

Both runs give the same dictionary of values, and so does a hand that the careful reader has read.
"""

from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from msgspec import UNSET

from benchmarks.translated import translated
from tricklog.core.engine.records import dtype_of
from tricklog.ingest.reading.reader import parse_line
from tricklog.schemas.actions import Action, action_cards, parse_action
from tricklog.schemas.cards import parse_cards
from tricklog.schemas.hand import Claimed, Hand, Player, RulesRef, encode_hand
from tricklog.schemas.limits import MAX_ACTIONS
from tricklog.schemas.scan.actions import (
    MAX_CARDS,
    ScannedAction,
    read_actions,
    read_cards,
    read_deal,
)
from tricklog.schemas.scan.line import ScannedLine, scan_line
from tricklog.schemas.scan.text import SCANNED
from tricklog.schemas.scan.time import read_time
from tricklog.schemas.times import parse_time

LINE, ACTIONS, DEAL, CARDS, TIME = range(5)
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NAMED: Final = 3000
_encoder: Final = msgspec.json.Encoder(order="deterministic")

Look = Callable[[int, Any, int, int, int, Any], tuple[int, int, int]]
Values = dict[str, Any]


class Room(NamedTuple):
    """What the scanning functions fill, lists or arrays."""

    lines: Any
    actions: Any
    named: Any
    cards: Any
    bounds: Any


def look(
    what: int,
    text: bytes,
    start: int,
    end: int,
    seats: int,
    room: Any,  # noqa: ANN401 - either run
) -> tuple[int, int, int]:
    """Call one of the scanning functions; only a time gives more than one number."""
    if what == TIME:
        return read_time(text, start, end)
    if what == ACTIONS:
        code = read_actions(text, start, end, seats, room.actions, room.named)
    elif what == DEAL:
        code = read_deal(text, start, end, seats, room.cards, room.bounds)
    elif what == CARDS:
        code = read_cards(text, start, end, room.cards)
    else:
        code = scan_line(text, start, end, room.lines[0])
    return code, 0, 0


def look_asked(asked: Any, text: Any, room: Any) -> int:  # noqa: ANN401 - arrays
    """Call ``look`` with numbers that are asked for, which what it returns replaces."""
    asked[0], asked[1], asked[2] = look(asked[0], text, asked[1], asked[2], asked[3], room)
    return 0


def get(record: Any, name: str) -> Any:  # noqa: ANN401 - either run
    """Return a field of a record of either run."""
    return record[name] if isinstance(record, np.void) else getattr(record, name)


class Span:
    """Bytes of which only a part may be looked at."""

    def __init__(self, text: bytes, start: int, end: int) -> None:
        self.text = text
        self.inside = range(start, end)

    def __getitem__(self, index: int) -> int:
        assert index in self.inside, f"byte {index} is outside {self.inside}"
        return self.text[index]


class Scanner:
    """Runs the scanning functions on a line and gathers what they find."""

    def __init__(self, look: Look, room: Any, view: Callable[[bytes, int, int], Any]) -> None:  # noqa: ANN401 - it may be anything
        self.look = look
        self.room = room
        self.view = view
        self.line = room[0][0]
        self.actions, self.named, self.cards, self.bounds = room[1:]

    def at(self, what: int, text: bytes, start: int, end: int, seats: int = 7) -> Any:  # noqa: ANN401 - it may be anything
        """Return what one function makes of ``text[start:end]``: its code, and its values."""
        code, *more = self.look(what, self.view(text, start, end), start, end, seats, self.room)
        if code < 0:
            return int(code), None
        if what == TIME:
            return SCANNED, tuple(map(int, more))
        if what == ACTIONS:
            return int(code), [self._action(row) for row in self.actions[:code]]
        if what == CARDS:
            return int(code), [int(card) for card in self.cards[:code]]
        if what == DEAL:
            return SCANNED, self._deal(seats)
        return SCANNED, self._line_values()

    def scan(self, text: bytes) -> tuple[int, Values | None]:
        """Return the code of a line, and its values when all of it is clean."""
        code, values = self.at(LINE, text, 0, len(text))
        if code != SCANNED:
            return code, None
        spans = values.pop("spans")
        seats = values["seats"]
        for name, what in PARTS.items():
            values[name] = None
            if spans[name][0] >= 0:
                start, end = spans[name]
                part, values[name] = self.at(what, text, start, end, seats)
                if part < 0:
                    return part, None
        values["seating"] = text[get(self.line, "rules_start") : get(self.line, "players_end")]
        return code, values | {key: text[slice(*spans[key])] for key in TEXTS if spans[key][0] >= 0}

    def _action(self, row: Any) -> tuple[Action, list[int]]:  # noqa: ANN401 - either run
        action = Action(*(int(get(row, each.name)) for each in fields(Action)))
        first = int(get(row, "first"))
        return action, [int(card) for card in self.named[first : first + action.size]]

    def _deal(self, seats: int) -> list[list[int]]:
        bounds = self.bounds
        return [
            [int(card) for card in self.cards[bounds[seat] : bounds[seat + 1]]]
            for seat in range(seats)
        ]

    def _line_values(self) -> Values:
        found = self.line
        values: Values = {name: int(get(found, name)) for name in ("hand", "seats", "dealer")}
        for name, count in COUNTS.items():
            many = int(get(found, count))
            values[name] = [int(number) for number in get(found, name)[: max(many, 0)]]
        values["winner_count"] = int(get(found, "winner_count"))
        names = (*PARTS, *TEXTS, "tail")
        values["spans"] = {
            name: (int(get(found, f"{name}_start")), int(get(found, f"{name}_end")))
            for name in names
        }
        return values


PARTS: Final = {"actions": ACTIONS, "deal": DEAL, "stock": CARDS, "kitty": CARDS, "started": TIME}
TEXTS: Final = ("id", "game")
COUNTS: Final = {
    "scores": "score_count",
    "points": "points_count",
    "change": "change_count",
    "after": "after_count",
    "winners": "winner_count",
}


def plain(**room: Any) -> Scanner:  # noqa: ANN401 - either run
    """Return the functions run in plain Python; ``room`` replaces the lists they fill."""
    lists: dict[str, Any] = {
        "lines": [ScannedLine()],
        "actions": [ScannedAction() for _ in range(MAX_ACTIONS)],
        "named": [0] * NAMED,
        "cards": [0] * (7 * MAX_CARDS),
        "bounds": [0] * 8,
    } | room
    return Scanner(look, Room(**lists), Span)


@cache
def compiled() -> Scanner:
    """Return the same functions as machine code."""
    room = Room(
        np.zeros(1, dtype=dtype_of(ScannedLine())),
        np.zeros(MAX_ACTIONS, dtype=dtype_of(ScannedAction())),
        np.zeros(NAMED, dtype=np.int64),
        np.zeros(7 * MAX_CARDS, dtype=np.int64),
        np.zeros(8, dtype=np.int64),
    )
    call = translated(look_asked, np.zeros(4, np.int64), _as_array(b"", 0, 0), room)

    def look_there(what: int, text: Any, *numbers: Any) -> tuple[int, int, int]:  # noqa: ANN401
        start, end, seats, _ = numbers
        asked = np.array([what, start, end, seats])
        call(asked, text, room)()
        code, *more = asked[:3].tolist()
        return code, more[0], more[1]

    return Scanner(look_there, room, _as_array)


def _as_array(text: bytes, _start: int, _end: int) -> Any:  # noqa: ANN401 - numpy types it
    return np.frombuffer(text, dtype=np.uint8)


def accepted(scanner: Scanner, text: bytes) -> Values | None:
    """Return the values of a line that is clean, with what is left to the caller done."""
    code, values = scanner.scan(text)
    if values is None or code != SCANNED:
        return None
    try:
        text.decode("utf-8")
        seating = b'{"rules":%s}' % values["seating"]
        decoded = msgspec.json.decode(seating, type=_Seating)
    except (UnicodeDecodeError, msgspec.MsgspecError):
        return None
    return values if _encoder.encode(decoded) == seating else None


class _Seating(msgspec.Struct, forbid_unknown_fields=True):
    rules: RulesRef
    players: list[Player]


def careful(text: bytes) -> Values | None:
    """Return the values of a canonical line as the careful reader has them."""
    hand = parse_line(text)
    return values_of(hand) if isinstance(hand, Hand) and encode_hand(hand) == text else None


def values_of(hand: Hand) -> Values:
    """Return the values of a hand, as ``Scanner.scan`` gives them."""
    claimed = Claimed() if hand.claimed is UNSET else hand.claimed
    values: Values = {
        "hand": hand.hand or 0,
        "seats": len(hand.players),
        "dealer": hand.dealer,
        "scores": hand.scores or [],
        "points": claimed.points or [],
        "change": claimed.change or [],
        "after": claimed.scores or [],
        "winners": claimed.winners or [],
        "winner_count": -1 if claimed.winners is UNSET else len(claimed.winners),
        "actions": [action_of(text) for text in hand.actions],
        "deal": None if hand.deal is UNSET else [parse_cards(cards) for cards in hand.deal],
        "stock": None if hand.stock is UNSET else parse_cards(hand.stock),
        "kitty": None if hand.kitty is UNSET else parse_cards(hand.kitty),
        "started": None if hand.started_at is UNSET else moment_of(hand.started_at),
        "id": hand.id.encode(),
        "seating": _encoder.encode(_Seating(hand.rules, hand.players))[len('{"rules":') : -1],
    }
    return values if hand.game is UNSET else values | {"game": hand.game.encode()}


def action_of(text: str) -> tuple[Action, list[int]]:
    """Return an action, and the cards it names in the order written."""
    return parse_action(text), action_cards(text)


def moment_of(text: str) -> tuple[int, int]:
    """Return the microseconds since 1970 and the local day of a time."""
    time = parse_time(text)
    since = time - EPOCH
    micros = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    return micros, (time.date() - date(1970, 1, 1)).days
