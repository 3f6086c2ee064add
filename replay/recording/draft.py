"""A hand that is being recorded: what is known of the table, and every choice made so far.

A draft is its choices, in order. Whatever is shown of it follows from them, so that taking one
back leads to just what stood there before. A choice is an action as a log writes it, ``-`` where
somebody lets a turn pass without a word, or a word and what it is about (``TOLD``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tricklog.core.rulesets.ruleset import Ruleset, resolve
from tricklog.schemas.actions import (
    NAME_28_56,
    SUFFIX_DOUBLE,
    TRUMP_CODES,
    ActionError,
    parse_action,
)
from tricklog.schemas.cards import parse_cards
from tricklog.schemas.hand import (
    FORMAT,
    FORMAT_WITH_GAPS,
    Gap,
    Hand,
    Known,
    Missing,
    Player,
    RulesRef,
)
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.limits import MAX_NOTE

PASSED_OVER: Final = "-"
"""The choice that somebody lets the turn pass without a word."""
TOLD: Final = {
    "quick": "no cards: only the bid, its maker, trumps, points and the score",
    "cards": "every call and card",
    "maker": "the seat that won the auction, or - for nobody",
    "bid": "what it bid",
    "trump": "what was trumps",
    "stake": "how far the stake was raised",
    "alone": "how the maker undertook all tricks alone",
    "pair": "the seat that declared king and queen of trumps",
    "points": "a side, and the points it took",
    "result": "whether the contract was made or set",
    "change": "a side, and what its score changes by",
    "thrown-in": "the cards were thrown in",
    "rest": "what follows was not recorded",
    "deal": "a seat, and the cards it was dealt",
    "kitty": "the cards of the kitty",
    "stock": "the cards left over, in the order they would be drawn",
    "remark": "a remark on the hand",
}
"""What can be told beside actions, by its first word."""
LEFT_OUT: Final = "gap"
"""The first word of a choice that says what is not recorded between two actions: ``gap exchange``,
``gap trumps`` or ``gap tricks``, after which the record goes on with a card played."""
_CAN_BE_LEFT_OUT: Final = ("trumps", "exchange", "tricks")
_MODES: Final = ("quick", "cards")
NOT_TOLD: Final = "-"
"""Takes back what a word has told."""


class RecordingError(ValueError):
    """A choice that cannot be taken down; the sentence says why and what can."""


class Draft(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand that is being recorded."""

    id: str
    game: str
    number: int
    rules: RulesRef
    players: tuple[Player, ...]
    dealer: int
    scores: tuple[int | None, ...] = ()
    """Running scores before the hand; empty where none is known."""
    started_at: str = ""
    choices: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    """Choices taken back, the one to be made again first in front."""

    def taking(self, choice: str) -> Draft:
        """Return the draft with one more choice. Raises ``RecordingError`` if it makes no sense."""
        word, _, rest = choice.partition(" ")
        if word in TOLD:
            _told_of((*self.choices, choice), len(self.players))
        elif word == LEFT_OUT:
            deeds = self.told().deeds
            if rest not in _CAN_BE_LEFT_OUT:
                raise RecordingError(f"{choice}: say one of {', '.join(_CAN_BE_LEFT_OUT)}")
            if deeds and deeds[-1].startswith(LEFT_OUT):
                raise RecordingError("it is said already that something is not recorded here")
        elif choice != PASSED_OVER:
            try:
                seat = parse_action(choice).seat
            except ActionError as error:
                raise RecordingError(str(error)) from None
            if seat >= len(self.players):
                raise RecordingError(f"{choice!r}: the seats are 0 to {len(self.players) - 1}")
        return replace(self, choices=(*self.choices, choice), undone=())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is recorded of the hand, but for how much is written down of it."""
        return all(choice in _MODES for choice in self.choices)

    def undo(self) -> Draft:
        """Return the draft without its last choice; itself where nothing is recorded yet."""
        if self.is_empty:
            return self
        *kept, last = self.choices
        return replace(self, choices=tuple(kept), undone=(last, *self.undone))

    def redo(self) -> Draft:
        """Return the draft with the choice made again that was taken back last."""
        if not self.undone:
            return self
        first, *others = self.undone
        return replace(self, choices=(*self.choices, first), undone=tuple(others))

    def told(self) -> Told:
        """Return what the choices say."""
        return _told_of(self.choices, len(self.players))

    def ruleset(self) -> Ruleset:
        """Return the rules of the table."""
        return resolve(self.rules)


@dataclass(slots=True)
class Told:
    """What the choices of a draft say."""

    deeds: list[str] = field(default_factory=list)
    """Actions, and ``PASSED_OVER``, in order."""
    is_quick: bool = False
    known: dict[str, Any] = field(default_factory=dict)
    """Fields of ``tricklog.schemas.hand.Known``."""
    points: dict[int, int] = field(default_factory=dict)
    change: dict[int, int] = field(default_factory=dict)
    result: Literal["made", "set"] | UnsetType = UNSET
    deal: dict[int, str] = field(default_factory=dict)
    kitty: str | UnsetType = UNSET
    stock: str | UnsetType = UNSET
    is_thrown_in: bool = False
    stops: bool = False
    """Whether the rest of the hand was not recorded."""
    remark: str = ""

    @property
    def actions(self) -> list[str]:
        """The actions alone, as a log writes them."""
        return [deed for deed in self.deeds if not _is_silent(deed)]

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Where something between two actions is not recorded."""
        found, before = [], 0
        for deed in self.deeds:
            if deed.startswith(LEFT_OUT):
                missing = cast("Missing", deed.partition(" ")[2])
                found.append(Gap(before=before, missing=missing))
            before += not _is_silent(deed)
        return tuple(found)


def _is_silent(deed: str) -> bool:
    return deed == PASSED_OVER or deed.startswith(LEFT_OUT)


def hand_of(draft: Draft, told: Told | None = None) -> Hand:
    """Return the record of a draft as it stands, without any claim."""
    told = told or draft.told()
    seats = len(draft.players)
    gaps = told.gaps
    return Hand(
        format=FORMAT_WITH_GAPS if gaps or told.known else FORMAT,
        id=draft.id,
        game=draft.game or UNSET,
        hand=draft.number,
        rules=draft.rules,
        players=list(draft.players),
        dealer=draft.dealer,
        scores=list(draft.scores) if draft.scores else UNSET,
        deal=[told.deal.get(seat, "") for seat in range(seats)] if told.deal else UNSET,
        kitty=told.kitty,
        stock=told.stock,
        actions=told.actions,
        known=Known(**told.known) if told.known else UNSET,
        gaps=gaps or UNSET,
        status="thrown_in" if told.is_thrown_in else "in_progress",
        started_at=draft.started_at or UNSET,
        remark=told.remark or UNSET,
    )


def _told_of(choices: Sequence[str], seats: int) -> Told:
    told = Told()
    for choice in choices:
        word, _, rest = choice.partition(" ")
        if word in TOLD:
            _tell(told, word, rest, seats)
        else:
            told.deeds.append(choice)
    return told


def _tell(told: Told, word: str, rest: str, seats: int) -> None:
    holds = rest != NOT_TOLD
    match word:
        case "quick" | "cards":
            told.is_quick = word == "quick"
        case "rest":
            told.stops = holds
        case "thrown-in":
            told.is_thrown_in = holds
        case "remark" if len(rest) > MAX_NOTE:
            most, count = number(MAX_NOTE), number(len(rest))
            too_long = say(
                "a remark has {most} characters at most; this has {count}", most=most, count=count
            )
            raise RecordingError(too_long)
        case "remark":
            told.remark = rest
        case "points" | "change":
            _tell_number(getattr(told, word), word, rest, seats)
        case "deal" | "kitty" | "stock":
            _tell_cards(told, word, rest, seats)
        case "result":
            result = _part_of_contract(word, rest, seats) if holds else UNSET
            told.result = cast("Literal['made', 'set'] | UnsetType", result)
        case _ if not holds:
            told.known.pop(word, None)
        case _:
            told.known[word] = _part_of_contract(word, rest, seats)


def _tell_number(numbers: dict[int, int], word: str, rest: str, seats: int) -> None:
    words = rest.split()
    side = _whole(word, words[0] if words else "")
    if not 0 <= side < seats:
        raise RecordingError(f"{word} {rest}: name a side by its number, and then the points")
    if words[1:] == [NOT_TOLD]:
        numbers.pop(side, None)
        return
    numbers[side] = _whole(word, words[1] if len(words) == 2 else "")


def _tell_cards(told: Told, word: str, rest: str, seats: int) -> None:
    place, _, listed = rest.partition(" ")
    cards = listed if word == "deal" else rest
    try:
        parse_cards(cards)
    except ValueError as error:
        raise RecordingError(f"{word} {rest}: {error}") from None
    if word == "deal":
        told.deal[_seat(word, place, rest, seats)] = cards
    else:
        setattr(told, word, cards)


_ONE_OF: Final = {
    "stake": ("double", "redouble", "super"),
    "alone": ("solo", "tenny"),
    "result": ("made", "set"),
}


def _part_of_contract(word: str, rest: str, seats: int) -> int | str:
    if word in ("maker", "pair"):
        return _seat(word, rest, rest, seats)
    if word == "bid":
        is_special = rest in ("none", NAME_28_56) or rest.endswith(SUFFIX_DOUBLE)
        return rest if is_special else _whole(word, rest)
    if word == "trump" and rest not in TRUMP_CODES:
        raise RecordingError(f"{word} {rest}: name one of {', '.join(TRUMP_CODES)}")
    if word in _ONE_OF and rest not in _ONE_OF[word]:
        raise RecordingError(f"{word} {rest}: say one of {', '.join(_ONE_OF[word])}")
    return rest


def _seat(word: str, text: str, rest: str, seats: int) -> int:
    seat = _whole(word, text)
    if not 0 <= seat < seats:
        raise RecordingError(f"{word} {rest}: the seats are 0 to {seats - 1}")
    return seat


def _whole(word: str, text: str) -> int:
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4):
        raise RecordingError(f"{word}: {text!r} is not a whole number")
    return int(text)
