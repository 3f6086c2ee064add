"""The short codes in which the warehouse keeps cards, actions and what came of them.

A code is ASCII text, one or two characters a fact, which a writer appends to a buffer and SQL takes
apart with ``ord`` and ``substr``. A *number* from 0 to 78 is ``chr(48 + number)``, ``0`` to ``~``;
a *pair* is a number from 0 to 6240 in two such characters, ``number // 79`` and ``number % 79``.

========  ======================================================================================
card      its number of ``schemas.cards``, ``0`` to ``d``; ``/`` for ``?`` and ``.`` for ``*``
deal      the cards of each seat in the order recorded, a space between two seats; a comma and the
          stock; a comma and the kitty; ``-`` for each of the three that is not recorded
deeds     the actions one after the other; only their first characters are letters from ``e`` on
details   what deeds and tricks leave open: at play, buried, calls and plays, commas between them;
          empty where all four are
at play   per seat what it held, in the order of the cards, a space between two seats
buried    the cards buried under the first trick, in the order of the cards
calls     per call the pair of its action, numbers of seat and verb, the pair of its amount
plays     per card played to a complete trick the pair of its action, number of the seat, card
tricks    per trick an integer: ``points << 6 | size << 3 | winner``, size in cards; the winner is
          7 when no card of the trick is recorded
captures  per capture an integer: ``points << 16 | trick << 12 | card << 6 | from << 3 | by``
========  ======================================================================================

Deeds. A card played is ``chr(112 + seat)`` (``p`` to ``v``) and the card; where the next action is
a card played by the next seat, clockwise, it is that card alone. Any other action is
``chr(101 + seat)`` (``e`` to ``k``), the number of the verb, and what it says: the cards; the trump
code as number ``2 + code``; the bid in digits to base 50, the highest first, no zero in front. So
``0 bid 7`` is ``e07``, ``2 trump H`` is ``g43``, ``3 rob 6H QS`` is ``h:A:``, and ``2 play AH``,
``3 play 2H``, ``1 play 9H`` is ``rI=qD``.

Details are empty where they would only repeat the deeds, as they mostly would: *at play* where each
seat held the known cards that it went on to play or bury, among the actions carried out; *calls*
where they are all bids, passes and tennies carried out, and nobody said ditto; *plays* where they
are the first cards played in the deeds, as they stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec import UNSET, UnsetType

from schemas.actions import (
    TAKES_BID,
    TAKES_TRUMP,
    Action,
    Verb,
    action_cards,
    format_action,
    parse_action,
)
from schemas.cards import CARD_COUNT, HIDDEN, card_name

ZERO: Final = 48
PAIR_BASE: Final = 79
FIRST_SEAT: Final = 101
"""The character of seat 0 in front of any action but a play."""
FIRST_PLAYER: Final = 112
"""The character of seat 0 in front of a card played."""
BID_BASE: Final = 50
UNKNOWN_WINNER: Final = 7
"""In place of the winner of a trick of which no card is recorded."""
NOT_RECORDED: Final = "-"
"""In place of the hands, the stock or the kitty."""

Call = tuple[int, int, int, int]
"""Action, seat, verb, amount."""
Play = tuple[int, int, int]
"""Action, seat, card."""

_CODES: Final = {card_name(card): chr(ZERO + card) for card in range(HIDDEN, CARD_COUNT)}
_NAMES: Final = {code: name for name, code in _CODES.items()}
_DEED: Final = re.compile(r"[e-v][^e-v]*")
_PLAIN_CALLS: Final = frozenset({Verb.BID, Verb.PASS, Verb.TENNY})
_FOR_PLAY: Final = frozenset({Verb.PLAY, Verb.BURY})


def number_code(number: int) -> str:
    """Return the character of a number from 0 to 78."""
    return chr(ZERO + number)


def pair_code(number: int) -> str:
    """Return the two characters of a number from 0 to 6240."""
    return chr(ZERO + number // PAIR_BASE) + chr(ZERO + number % PAIR_BASE)


# --- Cards


def card_codes(text: str) -> str:
    """Return the code of a list of cards as a log writes it: ``AS ? 2H`` is ``</=``."""
    return "".join([_CODES[name] for name in text.split(" ")]) if text else ""


def cards_of_code(code: str) -> str:
    """Return the list of cards as a log writes it; the inverse of ``card_codes``."""
    return " ".join([_NAMES[each] for each in code])


def mask_code(mask: int) -> str:
    """Return the code of a set of cards, in the order of the cards."""
    return "".join([chr(ZERO + card) for card in range(CARD_COUNT) if mask >> card & 1])


def deal_code(
    deal: Sequence[str] | UnsetType, stock: str | UnsetType, kitty: str | UnsetType
) -> str:
    """Return the code of the hands as dealt, the stock and the kitty, as far as recorded."""
    hands = NOT_RECORDED if deal is UNSET else " ".join(map(card_codes, deal))
    rest = [NOT_RECORDED if each is UNSET else card_codes(each) for each in (stock, kitty)]
    return ",".join([hands, *rest])


def deal_of_code(code: str) -> tuple[list[str] | UnsetType, str | UnsetType, str | UnsetType]:
    """Return the hands, the stock and the kitty as a log writes them: inverse of ``deal_code``."""
    hands, stock, kitty = code.split(",")
    return (
        UNSET if hands == NOT_RECORDED else [cards_of_code(seat) for seat in hands.split(" ")],
        UNSET if stock == NOT_RECORDED else cards_of_code(stock),
        UNSET if kitty == NOT_RECORDED else cards_of_code(kitty),
    )


# --- Actions


def deeds_code(actions: Iterable[str], seats: int) -> str:
    """Return the code of the actions of a hand of ``seats`` players.

    Raises ``ActionError`` when an action does not follow the grammar.
    """
    code = []
    next_player = ""
    for text in actions:
        deed = _deed(text)
        head = deed[0]
        code.append(deed[1] if head == next_player else deed)
        played = ord(head) - FIRST_PLAYER
        next_player = chr(FIRST_PLAYER + (played + 1) % seats) if played >= 0 else ""
    return "".join(code)


def actions_of_code(code: str, seats: int) -> list[str]:
    """Return the actions as a log writes them; the inverse of ``deeds_code``."""
    actions = []
    for deed in _DEED.findall(code):
        first = ord(deed[0]) - FIRST_PLAYER
        if first < 0:
            actions.append(_action(deed))
        else:
            actions += [
                format_action((first + later) % seats, Verb.PLAY, cards=[ord(card) - ZERO])
                for later, card in enumerate(deed[1:])
            ]
    return actions


@lru_cache(maxsize=8192)
def _deed(text: str) -> str:
    """Return the code of one action by itself."""
    action = parse_action(text)
    if action.verb == Verb.PLAY:
        return chr(FIRST_PLAYER + action.seat) + chr(ZERO + action.card)
    return chr(FIRST_SEAT + action.seat) + chr(ZERO + action.verb) + _argument_code(text, action)


def _argument_code(text: str, action: Action) -> str:
    if action.verb in TAKES_BID:
        return _bid_code(action.amount)
    if action.verb in TAKES_TRUMP:
        return chr(ZERO - HIDDEN + action.amount)
    return "".join([chr(ZERO + card) for card in action_cards(text)])


@lru_cache(maxsize=8192)
def _action(deed: str) -> str:
    """Return the action, other than a play, of a code by itself."""
    seat, verb, argument = ord(deed[0]) - FIRST_SEAT, Verb(ord(deed[1]) - ZERO), deed[2:]
    if verb in TAKES_BID:
        return format_action(seat, verb, _bid_of_code(argument))
    if verb in TAKES_TRUMP:
        return format_action(seat, verb, ord(argument) - ZERO + HIDDEN)
    return format_action(seat, verb, cards=[ord(card) - ZERO for card in argument])


def _bid_code(amount: int) -> str:
    code = ""
    while amount:
        amount, digit = divmod(amount, BID_BASE)
        code = chr(ZERO + digit) + code
    return code


def _bid_of_code(code: str) -> int:
    amount = 0
    for digit in code:
        amount = amount * BID_BASE + ord(digit) - ZERO
    return amount


# --- What came of them


def calls_code(calls: Sequence[Call], carried_out: Sequence[Action]) -> str:
    """Return the code of the calls of the auction, given the actions carried out."""
    plain = [action for action in carried_out if action.verb in _PLAIN_CALLS]
    ditto = any(verb == Verb.DITTO for _, _, verb, _ in calls)
    if len(calls) == len(plain) and not ditto:
        return ""
    return "".join(
        [
            pair_code(action) + number_code(seat) + number_code(verb) + pair_code(amount)
            for action, seat, verb, amount in calls
        ]
    )


def plays_code(plays: Sequence[Play], carried_out: Sequence[Action]) -> str:
    """Return the code of the cards played to complete tricks, given the actions carried out."""
    played = [
        (index, action.seat, action.card)
        for index, action in enumerate(carried_out)
        if action.verb == Verb.PLAY
    ]
    if list(plays) == played[: len(plays)]:
        return ""
    return "".join(
        [pair_code(action) + number_code(seat) + chr(ZERO + card) for action, seat, card in plays]
    )


def at_play_code(at_play: Sequence[int], carried_out: Sequence[Action]) -> str:
    """Return the code of what each seat held when play began, given the actions carried out."""
    shown = [0] * len(at_play)
    for action in carried_out:
        if action.verb in _FOR_PLAY:
            shown[action.seat] |= action.cards
    return "" if shown == list(at_play) else " ".join(map(mask_code, at_play))


def details_code(at_play: str, buried: str, calls: str, plays: str) -> str:
    """Return the code of the four details of a hand."""
    code = f"{at_play},{buried},{calls},{plays}"
    return "" if code == ",,," else code


def trick_code(winner: int | None, size: int, points: int) -> int:
    """Return the integer of one complete trick of ``size`` cards."""
    return points << 6 | size << 3 | (UNKNOWN_WINNER if winner is None else winner)


def capture_code(card: int, points: int, trick: int, from_seat: int, by_seat: int) -> int:
    """Return the integer of one capture."""
    return points << 16 | trick << 12 | card << 6 | from_seat << 3 | by_seat
