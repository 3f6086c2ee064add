"""Where the values of a hand start: whether a state can be valued, and what the makers need."""

from typing import Final

from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import NOT_PLAYED, Rules, State, lowest_first, union
from tricklog.core.engine.rules import early_end, hidden_trump, play, scoring
from tricklog.core.engine.rules.table import hand_count
from tricklog.core.solver.position import LONGEST_SUIT

VALUED, THROWN_IN, NOT_BEGUN, WITHOUT_MAKER, TRUMP_UNKNOWN = range(5)
HAND_UNKNOWN, TABLE_UNKNOWN, OUT_OF_TURN, TOO_MANY_CARDS, SUIT_TOO_LONG = range(5, 10)
"""Why a state is not valued; ``VALUED`` where nothing is in the way."""

NOTHING_TO_MAKE: Final = -1


def why_not(state: State, rules: Rules) -> int:
    """Return why the solver does not take a moment of a hand; ``VALUED`` when it does."""
    if state.thrown_in or state.due_thrown_in == early_end.DUE:
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
    if any(state.unknown[seat] for seat in lowest_first(state.active)):
        return HAND_UNKNOWN
    cards = state.trick_cards
    hides_card = state.played and any(NOT_PLAYED != cards[seat] < 0 for seat in range(rules.seats))
    return TABLE_UNKNOWN if hides_card else VALUED


def what_is_odd(state: State, rules: Rules) -> int:
    """Return why a state that legal play does not lead to is in the way."""
    if state.owed:
        return OUT_OF_TURN
    left = rules.hand_size - state.trick + 1
    for seat in lowest_first(state.active):
        count = hand_count(state, seat)
        if seat == state.maker and hidden_trump.has_seventh(state):
            count += 1
        to_play = left if state.pending >> seat & 1 or not state.played else left - 1
        if count - play.surplus_count(state, rules, seat) > to_play:
            return TOO_MANY_CARDS
    cards = rules.suit_cards[state.trump]
    held = state.seventh if state.active >> state.maker & 1 else 0
    held |= union(state.holding[seat] for seat in lowest_first(state.active))
    too_long = any((held & cards[suit]).bit_count() > LONGEST_SUIT for suit in range(4))
    return SUIT_TOO_LONG if too_long else VALUED


def needed(state: State, rules: Rules) -> int:
    """Return what the makers need: points, with a hand alone every trick; ``NOTHING_TO_MAKE``."""
    if state.solo >= 0:
        won = sum(state.tricks_won[seat] for seat in range(rules.seats))
        # Who has played to the trick on the table has played a card of it.
        return won + max(
            (
                state.holding[seat].bit_count()
                + (1 if state.played and not state.pending >> seat & 1 else 0)
                for seat in lowest_first(state.active)
            ),
            default=0,
        )
    if state.no_contract:
        return NOTHING_TO_MAKE
    return scoring.points_needed(state, rules)
