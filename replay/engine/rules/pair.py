"""King and queen of trumps: when they may be declared, and by whom.

Sources: 14.pair, 16.pair, 17.pair; O55, O63, O74, O75, S82, S87, S93, S97, S103.
"""

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import Pair
from tricklog.core.engine.records import NO_TRUMPS, NOT_PLAYED, Rules, State
from tricklog.core.engine.rules.table import hand_count, live_trump, may_hold_all, side_of
from tricklog.schemas.scan.actions import AnyAction


def may_pair(state: State, rules: Rules, seat: int) -> bool:
    """Is it the moment to declare, for a player who holds both? Never without trumps (O37, S87).

    Nor in a hand alone (S90). It is between two tricks, or with a ruff, or at any time once trumps
    were shown (O55, O63).
    """
    if rules.pair == Pair.NONE or state.pair_side >= 0 or state.solo >= 0:
        return False
    if live_trump(state, rules) == NO_TRUMPS:
        return False
    if rules.pair == Pair.WITH_A_RUFF:
        return has_ruffed(state, rules, side_of(rules, seat))
    return may_pair_by_trick(state, rules, seat)


def may_pair_by_trick(state: State, rules: Rules, seat: int) -> bool:
    """Is it the moment to declare, where no ruff is asked for but the right trick?"""
    if rules.pair == Pair.AT_ONCE:
        return True
    if rules.pair == Pair.AT_ONCE_WITH_A_TRICK:
        return state.won_any >> side_of(rules, seat) & 1 == 1
    # The trick in which trumps were shown, or in a game with open trumps the first, must be over.
    if state.trick <= max(state.reveal_trick, 1):
        return False
    if rules.pair == Pair.AFTER_REVEAL:
        return True
    if state.played or state.unsure:
        return not state.played
    # The side has won the trick it takes, the last one or any one since trumps were shown.
    side = side_of(rules, seat)
    if rules.pair == Pair.AFTER_ANY_TRICK:
        return state.won_since_shown >> side & 1 == 1
    return state.winner >= 0 and side_of(rules, state.winner) == side


def has_ruffed(state: State, rules: Rules, side: int) -> bool:
    """Has the side put a trump, or an unnamed card, on a plain lead, now or last (O55, S97)?"""
    trick = state.trick if state.played else state.trick - 1
    if trick < max(state.reveal_trick, 1) or not may_be_ruffed(state, rules):
        return False
    trumps = rules.trump_cards[live_trump(state, rules)] & ~state.dead
    cards = state.trick_cards
    return any(
        cards[seat] < 0 or trumps >> cards[seat] & 1 == 1
        for seat in range(rules.seats)
        if side_of(rules, seat) == side and cards[seat] != NOT_PLAYED
    )


def may_be_ruffed(state: State, rules: Rules) -> bool:
    """Is the lead a plain one, as far as recorded, so that a trump put to it is a ruff?"""
    trumps = rules.trump_cards[live_trump(state, rules)]
    return state.led_card < 0 or not trumps >> state.led_card & 1


def holds_pair_now(state: State, rules: Rules, seat: int) -> bool:
    """May this seat declare king and queen of trumps now, and does it hold both?"""
    return may_pair(state, rules, seat) and holds_pair(state, rules, seat)


def cannot_hold_pair(state: State, rules: Rules, seat: int) -> bool:
    """Is one of the two cards known to be elsewhere, played before or with another player?"""
    missing = rules.pair_cards[live_trump(state, rules)] & ~state.holding[seat]
    return not may_hold_all(state, rules, seat, missing)


def pair_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with declaring king and queen of trumps."""
    if rules.pair == Pair.NONE:
        return Fault.NOT_NOW
    if not may_pair(state, rules, action.seat):
        return Fault.PAIR_NOT_NOW
    return Fault.PAIR_NOT_HELD if cannot_hold_pair(state, rules, action.seat) else 0


def may_yet_pair(state: State, rules: Rules, seat: int) -> bool:
    """Could the seat, with both cards still in hand then, declare now or later in this hand?"""
    if rules.pair == Pair.NONE or state.pair_side >= 0 or state.solo >= 0:
        return False
    if live_trump(state, rules) == NO_TRUMPS or cannot_hold_pair(state, rules, seat):
        return False
    plays_first = state.pending >> seat & 1 == 1 and rules.pair != Pair.WITH_A_RUFF
    return not plays_first or hand_count(state, seat) > 2 or may_pair(state, rules, seat)


def holds_pair(state: State, rules: Rules, seat: int) -> bool:
    """Does the seat, as recorded, hold both cards?"""
    return rules.pair_cards[live_trump(state, rules)] & ~state.holding[seat] == 0
