"""Scanning cards and actions byte by byte, as ``tricklog.schemas`` reads them from text.

Every list of cards and every action accepted here is accepted there with the same meaning; what
follows the grammar is accepted here unless it is written with escapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Final, TypeAlias

from tricklog.schemas.actions import (
    BID_28_56,
    BID_DOUBLE,
    MAX_CARDS_IN_ACTION,
    NO_TRUMP,
    NO_TRUMP_REVERSED,
    SEVENTH_CARD,
    SUIT_REVERSED,
    TAKES_BID,
    TAKES_CARDS,
    TAKES_ONE_CARD,
    TAKES_TRUMP,
    TAKES_TWO_CARDS,
    TRUMP_HIDDEN,
    TRUMP_NOT_RECORDED,
    VERB_NAMES,
    Action,
    Verb,
)
from tricklog.schemas.cards import HIDDEN, JOKER, NOT_RECORDED, RANKS, SUITS
from tricklog.schemas.limits import MAX_ACTIONS, MAX_LIST
from tricklog.schemas.scan.text import CAREFUL, QUOTE, SCANNED, SPACE, past

MAX_CARDS: Final = MAX_LIST // 2
"""Cards that a list can name, all of them unknown."""

_NO_CARD: Final = -3
_NONE: Final = 255
_RANK_OF: Final = bytes(
    RANKS.index(chr(byte)) if chr(byte) in RANKS else _NONE for byte in range(256)
)
_SUIT_OF: Final = bytes(
    SUITS.index(chr(byte)) if chr(byte) in SUITS else _NONE for byte in range(256)
)
_NOT_RECORDED_MARK: Final = ord("?")
_HIDDEN_MARK: Final = ord("*")

# A verb as a number: its letters as digits to the base of 32.
_LETTER_OF: Final = bytes(
    27 if byte == ord("-") else byte - 96 if ord("a") <= byte <= ord("z") else 0
    for byte in range(256)
)
_MAX_VERB: Final = max(map(len, VERB_NAMES.values()))
_TAKES_NOTHING: Final = 0
_TAKES_CARDS: Final = 1
_TAKES_BID: Final = 2
_TAKES_TRUMP: Final = 3


def _number_of(name: str) -> int:
    number = 0
    for letter in name:
        number = number * 32 + _LETTER_OF[ord(letter)]
    return number


_NUMBERS: Final = tuple(_number_of(VERB_NAMES[verb]) for verb in Verb)
_SPREAD: Final = next(
    size for size in count(len(_NUMBERS)) if len({n % size for n in _NUMBERS}) == len(_NUMBERS)
)
"""The smallest divisor that leaves another remainder for every verb."""
_VERB_AT: Final = bytes(
    next((verb for verb in Verb if _NUMBERS[verb] % _SPREAD == rest), _NONE)
    for rest in range(_SPREAD)
)
_MOST_NAMED: Final = (
    dict.fromkeys(TAKES_ONE_CARD, 1)
    | dict.fromkeys(TAKES_TWO_CARDS, 2)
    | dict.fromkeys(TAKES_CARDS, MAX_CARDS_IN_ACTION)
)
_MOST_CARDS: Final = bytes(_MOST_NAMED.get(verb, 0) for verb in Verb)
_ARGUMENT_OF: Final = (
    dict.fromkeys(_MOST_NAMED, _TAKES_CARDS)
    | dict.fromkeys(TAKES_BID, _TAKES_BID)
    | dict.fromkeys(TAKES_TRUMP, _TAKES_TRUMP)
)
_ARGUMENTS: Final = bytes(_ARGUMENT_OF.get(verb, _TAKES_NOTHING) for verb in Verb)
_TRUMP_VERB: Final = int(Verb.TRUMP)
_PLAY_VERB: Final = int(Verb.PLAY)
_PLAY: Final = b"play "


@dataclass(slots=True)
class ScannedAction:
    """One action; the first six fields are those of ``tricklog.schemas.actions.Action``."""

    seat: int = 0
    verb: int = 0
    amount: int = 0
    card: int = -1
    cards: int = 0
    size: int = 0
    first: int = 0
    """Index of the first of the ``size`` cards in the list of all cards named."""


AnyAction: TypeAlias = Action | ScannedAction
"""An action as the rules take it: parsed from a record, or scanned."""


def read_cards(text: bytes, start: int, end: int, cards: list[int]) -> int:
    """Fill ``cards`` with the content of a card list and return how many it names.

    Unknown cards are ``NOT_RECORDED`` and ``HIDDEN``. ``cards`` needs room for ``MAX_CARDS``.
    """
    at, named = _read_cards(text, start, end, cards, 0)
    return named if 0 <= at == end else CAREFUL


def read_deal(
    text: bytes, start: int, end: int, seats: int, cards: list[int], bounds: list[int]
) -> int:
    """Fill ``cards`` with the hands of a list of card lists, one for each of ``seats``.

    Seat ``n`` has ``cards[bounds[n]:bounds[n + 1]]``. ``cards`` needs room for ``MAX_CARDS`` per
    seat, ``bounds`` for ``seats + 1``. Returns ``SCANNED`` or ``CAREFUL``.
    """
    if seats < 1 or seats >= len(bounds):
        return CAREFUL
    bounds[0] = 0
    at = past(text, start, end, b"[")
    for seat in range(seats):
        at = past(text, at, end, b'"' if seat == 0 else b',"')
        at, bounds[seat + 1] = _read_cards(text, at, end, cards, bounds[seat])
        at = past(text, at, end, b'"')
    return SCANNED if 0 <= at == end - 1 and past(text, at, end, b"]") == end else CAREFUL


def _read_cards(text: bytes, at: int, end: int, cards: list[int], first: int) -> tuple[int, int]:
    """Return the place after a card list, and the index after its last card in ``cards``."""
    if at < 0:
        return CAREFUL, first
    if at >= end or text[at] == QUOTE:
        return at, first
    end = min(end, at + MAX_LIST)
    for index in range(first, len(cards)):
        card = card_at(text, at, end)
        if card == _NO_CARD:
            return CAREFUL, first
        cards[index] = card
        at += 2 if card >= 0 else 1
        if at >= end or text[at] != SPACE:
            return at, index + 1
        at += 1
    return CAREFUL, first


def card_at(text: bytes, at: int, end: int) -> int:
    """Return the card that stands at ``at``, which takes two bytes when known and one when not."""
    if not 0 <= at < end:
        return _NO_CARD
    mark = text[at]
    if mark == _NOT_RECORDED_MARK:
        return NOT_RECORDED
    if mark == _HIDDEN_MARK:
        return HIDDEN
    if at + 1 == end:
        return _NO_CARD
    rank = _RANK_OF[mark]
    suit = _SUIT_OF[text[at + 1]]
    if _NONE not in (rank, suit):
        return 13 * suit + rank
    return JOKER if past(text, at, end, b"JO") >= 0 else _NO_CARD


def read_actions(
    text: bytes, start: int, end: int, seats: int, actions: list[ScannedAction], named: list[int]
) -> int:
    """Fill ``actions`` from a list of action strings and return how many there are.

    ``named`` takes all cards named, in the order written. A record longer than the room in
    ``actions`` and ``named``, or than ``MAX_ACTIONS``, is for the careful reader.
    """
    if past(text, start, end, b"[]") == end:
        return 0
    at = past(text, start, end, b"[")
    cards = 0
    for index in range(min(len(actions), MAX_ACTIONS)):
        action = actions[index]
        action.first = cards
        at = past(text, at, end, b'"')
        at = _read_action(text, at, end, action, named)
        at = past(text, at, end, b'"')
        if at < 0 or action.seat >= seats:
            return CAREFUL
        cards += action.size
        if past(text, at, end, b"]") == end:
            return index + 1
        at = past(text, at, end, b",")
    return CAREFUL


def _read_action(text: bytes, at: int, end: int, action: ScannedAction, named: list[int]) -> int:
    action.amount = 0
    action.card = -1
    action.cards = 0
    action.size = 0
    if at < 0 or at + 2 > end or not 48 <= text[at] <= 54 or text[at + 1] != SPACE:
        return CAREFUL
    action.seat = text[at] - 48
    at, verb = _read_verb(text, at + 2, end)
    if at < 0:
        return CAREFUL
    action.verb = verb
    takes = _ARGUMENTS[verb]
    if takes == _TAKES_NOTHING:
        return at
    if takes == _TAKES_CARDS:
        return _read_named(text, at, end, action, named)
    at = past(text, at, end, b" ")
    if takes == _TAKES_BID:
        at, action.amount = _read_bid(text, at, end)
    else:
        at, action.amount = _read_trump(text, at, end)
        if verb != _TRUMP_VERB and action.amount in (SEVENTH_CARD, TRUMP_HIDDEN):
            return CAREFUL
    return at


def _read_verb(text: bytes, at: int, end: int) -> tuple[int, int]:
    played = past(text, at, end, _PLAY)
    if played >= 0:
        # Most actions are plays. Whatever follows is not of the verb, for a card comes after it.
        return played - 1, _PLAY_VERB
    number = 0
    for _ in range(_MAX_VERB):
        if at >= end:
            break
        letter = _LETTER_OF[text[at]]
        if letter == 0:
            break
        number = number * 32 + letter
        at += 1
    verb = _VERB_AT[number % _SPREAD]
    if verb == _NONE or _NUMBERS[verb] != number:
        return CAREFUL, 0
    return at, verb


def _read_named(text: bytes, at: int, end: int, action: ScannedAction, named: list[int]) -> int:
    """Read the cards of an action, each after a space, and return the place after the last."""
    first = action.first
    cards = 0
    for index in range(first, min(first + _MOST_CARDS[action.verb], len(named))):
        at = past(text, at, end, b" ")
        card = card_at(text, at, end)
        if card == _NO_CARD or (card >= 0 and cards >> card & 1):
            return CAREFUL
        named[index] = card
        if card >= 0:
            cards |= 1 << card
        at += 2 if card >= 0 else 1
        if at >= end or text[at] != SPACE:
            action.card = named[first]
            action.cards = cards
            action.size = index + 1 - first
            return at
    return CAREFUL


def _read_bid(text: bytes, at: int, end: int) -> tuple[int, int]:
    special = past(text, at, end, b"28-56")
    if special >= 0:
        return special, BID_28_56
    number = 0
    last = at
    while 0 <= last < min(end, at + 3) and 48 <= text[last] <= 57:
        number = number * 10 + text[last] - 48
        last += 1
    if last == at or text[at] == 48:
        return CAREFUL, 0
    doubled = past(text, last, end, b"-double")
    return (last, number) if doubled < 0 else (doubled, number + BID_DOUBLE)


def _read_trump(text: bytes, at: int, end: int) -> tuple[int, int]:
    if not 0 <= at < end:
        return CAREFUL, 0
    suit = _SUIT_OF[text[at]]
    if suit != _NONE:
        back = past(text, at + 1, end, b"-reversed")
        return (at + 1, suit + 0) if back < 0 else (back, suit + SUIT_REVERSED)
    if text[at] == _NOT_RECORDED_MARK:
        return at + 1, TRUMP_NOT_RECORDED
    if text[at] == _HIDDEN_MARK:
        return at + 1, TRUMP_HIDDEN
    plain = past(text, at, end, b"NT")
    if plain >= 0:
        back = past(text, plain, end, b"-reversed")
        return (plain, NO_TRUMP) if back < 0 else (back, NO_TRUMP_REVERSED)
    return past(text, at, end, b"seventh"), SEVENTH_CARD
