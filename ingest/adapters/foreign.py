"""What adapters share: the pieces of foreign records, and how trouble with one is reported.

An adapter is a pure function from one decoded JSON record to hands. It reads the record through
``read_shape`` into typed structs and raises ``ForeignError`` when the record cannot be said in
the hand log; it never mends one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tricklog.ingest.reading.json_positions import Path
from tricklog.ingest.reading.rejects import RejectCode, sentence
from tricklog.schemas.cards import CARD_COUNT, RANKS, SUITS
from tricklog.schemas.hand import Player, Score

T = TypeVar("T")

SEATS: Final = 4

SeatNumber = Annotated[int, Meta(ge=0, lt=SEATS)]
BidAmount = Annotated[int, Meta(ge=1, le=999)]
SuitName = Literal["S", "H", "D", "C"]
PerSide = Annotated[list[Score], Meta(min_length=2, max_length=2)]

SHAPE_HINT: Final = "Check that the log is of the program the adapter reads: docs/adapters.md."
DAMAGE_HINT: Final = "The record contradicts itself; take it from its source again."
SHOWN: Final = 40
"""Characters of a foreign text that a message repeats."""

_CARD_NAMES: Final = {
    ("10" if rank == "T" else rank) + suit: rank + suit for suit in SUITS for rank in RANKS
} | {"JK": "JO"}
_LABEL: Final = re.compile(r"[^\s:]{1,80}")
_FIELD: Final = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
_PATH_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


class ForeignError(ValueError):
    """A foreign record that cannot become hands.

    ``path`` leads to the trouble by keys and indexes of the foreign record, ``message`` says what
    is wrong there and ``hint`` what to do.
    """

    def __init__(self, code: RejectCode, path: Path, message: str, hint: str) -> None:
        super().__init__(message)
        self.code = code
        self.path = path
        self.message = sentence(message)
        self.hint = hint


class Card(str):
    """A card of a foreign record (``10H``, ``JK``), held as hand logs write it (``TH``, ``JO``)."""

    __slots__ = ()


Cards = Annotated[list[Card], Meta(max_length=CARD_COUNT)]
CardsPerSeat = Annotated[list[Cards], Meta(min_length=SEATS, max_length=SEATS)]


class Label(str):
    """A name that goes into hand ids: 1 to 80 characters, no white space, no colon."""

    __slots__ = ()


class Source(str):
    """Where a record comes from, up to the first space: what stands before it goes into ids."""

    __slots__ = ()


class ForeignPart(Struct, forbid_unknown_fields=True, rename="camel"):
    """A part of a record. A field nobody knows could change what it means, so none may be there."""


class ForeignRecord(Struct, rename="camel"):
    """A record, or one hand in it. Fields that the hand log has no place for go to ``ext``."""


class Call(ForeignPart):
    """A call: a number, or none for a pass."""

    seat: SeatNumber
    bid: BidAmount | None


class Play(ForeignPart):
    """A card played to a trick; and what the program would have allowed."""

    seat: SeatNumber
    card: Card
    legal: list[Card] | UnsetType = UNSET


def read_shape(record: object, shape: type[T], path: Path = ()) -> T:
    """Return a decoded JSON record, or the part of one at ``path``, as ``shape``.

    Raises ``ForeignError`` that leads to the first thing that does not fit.
    """
    try:
        return msgspec.convert(record, shape, dec_hook=_read_text)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at `$")
        raise _misfit(said, where.rstrip("`"), path) from None


def _misfit(said: str, where: str, path: Path) -> ForeignError:
    """Return the error for what the decoder said and its path: ``.hands[3].dealer``."""
    path = (*path, *(name or int(index) for name, index in _PATH_STEP.findall(where)))
    if field := _FIELD.fullmatch(said):
        missing = field[1] == "missing required"
        code = RejectCode.MISSING_FIELD if missing else RejectCode.UNKNOWN_FIELD
        path = (*path, field[2])
    elif "is not a card" in said:
        code = RejectCode.BAD_CARD
    else:
        code = RejectCode.WRONG_TYPE if ", got " in said else RejectCode.BAD_VALUE
    return ForeignError(code, path, said.replace("`", "") + ".", SHAPE_HINT)


def _read_text(shape: type, value: object) -> object:
    if shape is Card:
        if isinstance(value, str) and value in _CARD_NAMES:
            return Card(_CARD_NAMES[value])
        raise ValueError(f"{_short(value)} is not a card: rank and suit, such as 10H or JS")
    if shape is Source and isinstance(value, str):
        value = value.partition(" ")[0]
    assert shape in {Label, Source}
    if isinstance(value, str) and _LABEL.fullmatch(value):
        return shape(value)
    raise ValueError(f"{_short(value)} is not 1 to 80 characters without white space and colons")


def _short(value: object) -> str:
    """Return a value for a message: text in quotes, cut short; of anything else only its type."""
    if isinstance(value, str):
        return repr(value if len(value) <= SHOWN else value[:SHOWN] + "…")
    return f"a value of type {type(value).__name__}"


def with_cards(action: str, cards: Sequence[str], path: Path) -> str:
    """Return ``action`` (seat and verb) with the cards it is about.

    Raises ``ForeignError`` when a card comes twice, which no action can say.
    """
    twice = sorted(card for card, count in Counter(cards).items() if count > 1)
    if twice:
        raise ForeignError(
            RejectCode.BAD_CARD,
            path,
            f"{', '.join(twice)} would be named twice in {action!r}.",
            DAMAGE_HINT,
        )
    return " ".join((action, *cards))


def with_any(action: str, cards: Sequence[str], path: Path) -> Iterator[str]:
    """Yield ``with_cards``, or nothing where there is no card."""
    if cards:
        yield with_cards(action, cards, path)


class _Called(Protocol):
    @property
    def seat(self) -> int: ...
    @property
    def bid(self) -> int | None: ...


class _Played(Protocol):
    @property
    def plays(self) -> Sequence[Play]: ...


def calls_of(calls: Iterable[_Called]) -> Iterator[str]:
    """Return the calls of an auction as actions; one without a number is a pass."""
    for call in calls:
        yield f"{call.seat} bid {call.bid}" if call.bid else f"{call.seat} pass"


def plays_of(tricks: Iterable[_Played]) -> Iterator[str]:
    """Return the cards of tricks as actions."""
    for trick in tricks:
        for play in trick.plays:
            yield f"{play.seat} play {play.card}"


def numbered_seats(prefix: str, kind: Literal["bot"] | UnsetType = UNSET) -> list[Player]:
    """Return the players of a program that knows its seats by number only."""
    return [
        Player(id=f"{prefix}:seat-{seat}", name=f"Seat {seat}", kind=kind) for seat in range(SEATS)
    ]


def check_numbers(numbers: Iterable[tuple[int, Path]]) -> None:
    """Refuse a game in which two hands have one number: their ids would be one, too.

    ``numbers`` are those of its hands, each with where it stands.
    """
    seen: set[int] = set()
    for number, path in numbers:
        if number in seen:
            message = f"Hand number {number} comes twice in this game."
            raise ForeignError(RejectCode.BAD_VALUE, path, message, DAMAGE_HINT)
        seen.add(number)


def left_over(record: Mapping[str, Any], taken: frozenset[str]) -> dict[str, Any]:
    """Return the fields of a foreign record that are not in ``taken``, as they are."""
    return {name: value for name, value in record.items() if name not in taken}
