"""The vocabulary of actions: what happened at the table, one short string each.

An action reads ``<seat> <verb> [arguments]``: ``0 bid 7``, ``2 trump H``, ``3 rob 6H QS``. The
seat is always explicit, verbs never depend on the system played, and cards keep the order in
which they were recorded. The vocabulary covers every system of the rules, so a log written today
stays readable when a system is added.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from tricklog.schemas.cards import card_name, cards_in, cards_named, mask_of, parse_cards


class Verb(IntEnum):
    """What a seat does. The name in lower case, ``_`` as ``-``, is what a log writes."""

    BID = 0
    """Names a number of points, ``28-56``, or the highest number doubled (``83-double``)."""
    PASS = 1
    """Declines to bid, or to raise the stake."""
    DITTO = 2
    """Holds the standing bid at the same number."""
    TENNY = 3
    """Undertakes all four tricks on the first four cards."""
    TRUMP = 4
    """The maker names trumps, in Twenty-Nine in secret: ``*`` when the record cannot say which."""
    KITTY = 5
    """The maker takes the kitty up."""
    DISCARD = 6
    """Lays cards off face down."""
    DISCARD_UP = 7
    """Lays cards off face up."""
    CLAIM = 8
    """Takes an opponent's discarded trump (first card) and gives a plain card (second card)."""
    DRAW = 9
    """Is dealt cards from the stock to fill the hand."""
    ROB = 10
    """The dealer takes cards from the rest of the stock, or from discards."""
    GIVE = 11
    """Passes cards to the partner."""
    FOLD = 12
    """Lays the hand down and is out of this hand."""
    BURY = 13
    """Puts surplus cards under the card played to the first trick."""
    PLAY = 14
    """Plays a card to the trick."""
    OUT = 15
    """Announces holding no trump and throws the hand in."""
    ASK = 16
    """Demands to see the hidden trump."""
    REVEAL = 17
    """Shows the hidden trump."""
    PAIR = 18
    """Declares king and queen of trumps."""
    DOUBLE = 19
    """Doubles the stake."""
    REDOUBLE = 20
    """Redoubles the stake."""
    SUPER = 21
    """Raises a redoubled stake."""
    SOLO = 22
    """Announces all tricks alone."""
    SHOW = 23
    """Lays cards open that are not played: a partner's, or trumps left in the stock."""
    THROW_IN = 24
    """Throws the deal in because of the cards dealt."""
    CONCEDE = 25
    """Gives up what is decided against one's side."""
    DECIDED = 26
    """Play stops because the contract is decided."""


VERB_NAMES: Final = {verb: verb.name.lower().replace("_", "-") for verb in Verb}
_VERBS: Final = {name: int(verb) for verb, name in VERB_NAMES.items()}

MAX_BID: Final = 999
BID_28_56: Final = 1001
"""In place of a number: the dealer's bid of 28-56."""
BID_DOUBLE: Final = 2000
"""Added to a number: that number doubled, which a log writes ``83-double``."""
NAME_28_56: Final = "28-56"
SUFFIX_DOUBLE: Final = "-double"

NO_TRUMP: Final = 4
NO_TRUMP_REVERSED: Final = 5
SUIT_REVERSED: Final = 6
"""Added to a suit: that suit as trumps, with the ranks reversed."""
SEVENTH_CARD: Final = 10
TRUMP_NOT_RECORDED: Final = -1
TRUMP_HIDDEN: Final = -2
TRUMP_CODES: Final = {
    "S": 0,
    "H": 1,
    "D": 2,
    "C": 3,
    "NT": NO_TRUMP,
    "NT-reversed": NO_TRUMP_REVERSED,
    "S-reversed": SUIT_REVERSED,
    "H-reversed": SUIT_REVERSED + 1,
    "D-reversed": SUIT_REVERSED + 2,
    "C-reversed": SUIT_REVERSED + 3,
    "seventh": SEVENTH_CARD,
    "?": TRUMP_NOT_RECORDED,
    "*": TRUMP_HIDDEN,
}
SHOWN_TRUMPS: Final = {
    name: code for name, code in TRUMP_CODES.items() if code not in {SEVENTH_CARD, TRUMP_HIDDEN}
}
"""Trumps that can be shown; the seventh card is shown as the suit it turns out to be."""
_TRUMP_NAMES: Final = {code: name for name, code in TRUMP_CODES.items()}

TAKES_BID: Final = frozenset({Verb.BID})
TAKES_TRUMP: Final = frozenset({Verb.TRUMP, Verb.REVEAL})
TAKES_ONE_CARD: Final = frozenset({Verb.PLAY})
TAKES_CARDS: Final = frozenset(
    {
        *(Verb.KITTY, Verb.DISCARD, Verb.DISCARD_UP, Verb.DRAW, Verb.ROB, Verb.GIVE, Verb.BURY),
        Verb.SHOW,
    }
)
TAKES_TWO_CARDS: Final = frozenset({Verb.CLAIM})
"""The second card is left out by a player who has none to give."""
WITH_CARDS: Final = TAKES_CARDS | TAKES_ONE_CARD | TAKES_TWO_CARDS
"""Verbs that name cards."""

MAX_CARDS_IN_ACTION: Final = 53


@dataclass(frozen=True, slots=True)
class Action:
    """One action, ready for the rules engine: nothing but integers.

    ``amount`` is the bid (a number of points, ``BID_28_56``, or ``BID_DOUBLE`` and a number) or the
    trump (a code of ``TRUMP_CODES``); ``card`` the first card named, -1 without; ``cards`` the set
    of known cards named; ``size`` how many cards were named, known or not.
    """

    seat: int
    verb: int
    amount: int = 0
    card: int = -1
    cards: int = 0
    size: int = 0


class ActionError(ValueError):
    """An action string that does not follow the grammar; the message says what would."""


@lru_cache(maxsize=8192)
def parse_action(text: str) -> Action:
    """Return the action a log string stands for.

    Raises ``ActionError`` when the string does not follow the grammar. Most actions of a log are
    plays and passes, of which there are few, so the last ones read are kept.
    """
    words = text.split(" ")
    if len(words) < 2 or len(words[0]) != 1 or words[0] not in "0123456":
        raise ActionError(f"{text!r} does not start with a seat 0 to 6, a space and a verb")
    verb = _VERBS.get(words[1])
    if verb is None:
        known = ", ".join(VERB_NAMES.values())
        raise ActionError(f"{words[1]!r} is not a verb; the verbs are {known}")
    return _with_arguments(text, int(words[0]), verb, words[2:])


def _with_arguments(text: str, seat: int, verb: int, words: list[str]) -> Action:
    if verb in TAKES_BID:
        return Action(seat, verb, amount=_parse_bid(text, words))
    if verb in TAKES_TRUMP:
        trumps = TRUMP_CODES if verb == Verb.TRUMP else SHOWN_TRUMPS
        if len(words) != 1 or words[0] not in trumps:
            raise ActionError(f"{text!r}: name one trump of {', '.join(trumps)}")
        return Action(seat, verb, amount=trumps[words[0]])
    if verb in TAKES_ONE_CARD:
        return _with_cards(text, seat, verb, words, 1, 1)
    if verb in TAKES_TWO_CARDS:
        return _with_cards(text, seat, verb, words, 1, 2)
    if verb in TAKES_CARDS:
        return _with_cards(text, seat, verb, words, 1, MAX_CARDS_IN_ACTION)
    if words:
        raise ActionError(f"{text!r}: {VERB_NAMES[Verb(verb)]} takes nothing after it")
    return Action(seat, verb)


def _parse_bid(text: str, words: list[str]) -> int:
    """Return the code of a bid, which is a whole number of at least 1 (S06)."""
    if len(words) == 1:
        word = words[0]
        if word == NAME_28_56:
            return BID_28_56
        number = word.removesuffix(SUFFIX_DOUBLE)
        if number.isascii() and number.isdigit() and number[0] != "0" and len(number) <= 3:
            return int(number) + (BID_DOUBLE if number != word else 0)
    raise ActionError(
        f"{text!r}: bid one whole number from 1 to {MAX_BID} without leading zeros, {NAME_28_56}, "
        f"or a number and {SUFFIX_DOUBLE} such as 83{SUFFIX_DOUBLE}"
    )


def _with_cards(text: str, seat: int, verb: int, words: list[str], least: int, most: int) -> Action:
    if not least <= len(words) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        name = VERB_NAMES[Verb(verb)]
        raise ActionError(f"{text!r}: {name} names {wanted} cards, not {len(words)}")
    try:
        cards = cards_named(words)
    except ValueError as error:
        raise ActionError(f"{text!r}: {error}") from None
    mask = mask_of(cards)
    if mask.bit_count() != len(cards) and mask.bit_count() != sum(card >= 0 for card in cards):
        raise ActionError(f"{text!r} names one card twice")
    return Action(seat, verb, card=cards[0], cards=mask, size=len(cards))


def format_action(seat: int, verb: Verb, amount: int = 0, cards: list[int] | None = None) -> str:
    """Return the string a log writes for an action; the inverse of ``parse_action``."""
    words = [str(seat), VERB_NAMES[verb]]
    if verb in TAKES_BID:
        words.append(bid_name(amount))
    elif verb in TAKES_TRUMP:
        words.append(_TRUMP_NAMES[amount])
    words.extend(card_name(card) for card in cards or ())
    return " ".join(words)


def action_text(action: Action) -> str:
    """Return the string a log writes for an action, with the first card first."""
    cards = sorted(cards_in(action.cards), key=lambda card: card != action.card)
    return format_action(action.seat, Verb(action.verb), action.amount, cards)


def trump_name(code: int) -> str:
    """Return how a log writes a trump code: ``S``, ``NT``, ``seventh`` or ``?``."""
    return _TRUMP_NAMES[code]


def trump_suit(code: int) -> int:
    """Return the suit, 0 to 3, that is trumps under a trump code; 4 where it names none."""
    if SUIT_REVERSED <= code < SEVENTH_CARD:
        return code - SUIT_REVERSED
    return code if 0 <= code < NO_TRUMP else NO_TRUMP


def bid_name(amount: int) -> str:
    """Return how a log writes a bid: ``7``, ``28-56`` or ``83-double``."""
    if amount == BID_28_56:
        return NAME_28_56
    return f"{amount - BID_DOUBLE}{SUFFIX_DOUBLE}" if amount > BID_DOUBLE else str(amount)


def action_cards(text: str) -> list[int]:
    """Return the cards named by a string that ``parse_action`` accepts, in the order written."""
    seat_verb_rest = text.split(" ", 2)
    verb = _VERBS[seat_verb_rest[1]]
    if len(seat_verb_rest) < 3 or verb in TAKES_BID or verb in TAKES_TRUMP:
        return []
    return parse_cards(seat_verb_rest[2])
