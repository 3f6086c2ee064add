"""Where the values of a hand start: whether a state can be valued, and what the makers need."""

from __future__ import annotations

from typing import Final

from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import NOT_PLAYED, Rules, State
from tricklog.core.engine.rules import play, scoring, seventh, throw_in
from tricklog.core.engine.rules.table import hand_count
from tricklog.core.solver.position import LONGEST_SUIT

VALUED: Final = 0
"""Nothing is in the way."""
THROWN_IN: Final = 1
NOT_BEGUN: Final = 2
WITHOUT_MAKER: Final = 3
TRUMP_UNKNOWN: Final = 4
HAND_UNKNOWN: Final = 5
TABLE_UNKNOWN: Final = 6
OUT_OF_TURN: Final = 7
TOO_MANY_CARDS: Final = 8
SUIT_TOO_LONG: Final = 9

NOTHING_TO_MAKE: Final = -1


def why_not(state: State, rules: Rules) -> int:
    """Return why the solver does not take a moment of a hand; ``VALUED`` when it does."""
    if state.thrown_in or state.due_thrown_in == throw_in.DUE:
        return THROWN_IN
    if state.trick < 1 or state.phase not in (Phase.SOLO, Phase.PLAY, Phase.OVER):
        return NOT_BEGUN
    if scoring.maker_of(state) < 0:
        return WITHOUT_MAKER
    unknown = what_is_unknown(state, rules)
    if unknown != VALUED or state.phase == Phase.OVER:
        return unknown
    return what_is_odd(state, rules)


def what_is_unknown(state: State, rules: Rules) -> int:
    """Return why what the record does not tell is in the way."""
    if state.trump < 0 or state.seventh_unknown:
        return TRUMP_UNKNOWN
    for seat in range(rules.seats):
        if state.unknown[seat] and state.active >> seat & 1:
            return HAND_UNKNOWN
    if state.played:
        for seat in range(rules.seats):
            if state.trick_cards[seat] < 0 and state.trick_cards[seat] != NOT_PLAYED:
                return TABLE_UNKNOWN
    return VALUED


def what_is_odd(state: State, rules: Rules) -> int:
    """Return why a state that legal play does not lead to is in the way."""
    if state.owed:
        return OUT_OF_TURN
    left = rules.hand_size - state.trick + 1
    for seat in range(rules.seats):
        if state.active >> seat & 1:
            count = hand_count(state, seat)
            if seat == state.maker and seventh.is_under(state):
                count += 1
            to_play = left if state.pending >> seat & 1 or not state.played else left - 1
            if count - play.surplus_count(state, rules, seat) > to_play:
                return TOO_MANY_CARDS
    for suit in range(4):
        if length_of(state, rules, suit) > LONGEST_SUIT:
            return SUIT_TOO_LONG
    return VALUED


def length_of(state: State, rules: Rules, suit: int) -> int:
    """Return how many cards in hand belong to a suit."""
    length = 0
    for seat in range(rules.seats):
        if state.active >> seat & 1:
            own = state.holding[seat]
            if seat == state.maker:
                own |= state.seventh
            length += (own & rules.suit_cards[state.trump][suit]).bit_count()
    return length


def needed(state: State, rules: Rules) -> int:
    """Return what the makers need: points, with a hand alone every trick; ``NOTHING_TO_MAKE``."""
    if state.solo >= 0:
        won = 0
        left = 0
        for seat in range(rules.seats):
            won += state.tricks_won[seat]
            if state.active >> seat & 1:
                to_play = state.holding[seat].bit_count()
                if state.played and not state.pending >> seat & 1:
                    to_play += 1
                left = max(left, to_play)
        return won + left
    if state.no_contract:
        return NOTHING_TO_MAKE
    return scoring.points_needed(state, rules)
