"""The contract, its stake and its score: was it made, what does each side add, what changes it?

Sources: 1.score, 2.score, 4.score, 6.score, 8.score, 9.score, 11.score, 14.pair, 14.score, 16.pair,
17.pair; C10, C18, C21, C27 to C29, S10, S16, S18, S21, S46, S69, S81, S82, S87, S89, S90, S93, S94,
S97, S102, S103; O42 to O45, O55, O63, O74, O75, O79.
"""

from typing import NamedTuple

from tricklog.core.engine.faults import Fault
from tricklog.core.engine.policies import (
    Defenders,
    Doubling,
    Failed,
    HalfRule,
    Made,
    Pair,
    Phase,
    Slam,
    Sweep,
    TrumpCall,
    Unshown,
)
from tricklog.core.engine.records import NO_TRUMPS, NOT_PLAYED, Rules, State
from tricklog.core.engine.rules.table import hand_count, live_trump, may_hold_all, next_of, side_of
from tricklog.schemas.actions import BID_28_56, BID_DOUBLE, MAX_BID, Verb
from tricklog.schemas.scan.actions import AnyAction


class Score(NamedTuple):
    """How a hand ended: ``result``, ``need`` in card points, ``stake`` in game points."""

    result: int
    need: int
    stake: int


MADE, SET, VOID, THROWN_IN = range(4)

STAKES = (1, 2, 4, 6)
"""Game points by how often the stake was raised."""


def points_of(state: State, side: int) -> int:
    """Return the points a side has: taken in tricks, and of cards the others laid off (S18)."""
    return state.points[side] + state.discard_points[side]


def maker_of(state: State) -> int:
    """Return the seat whose contract is played: who plays alone, else who won the auction (S90)."""
    return state.solo if state.solo >= 0 else state.maker


def points_bid(rules: Rules, bid: int) -> int:
    """Return the points a bid undertakes to take: its number, or all with 28-56 (O04)."""
    if bid == BID_28_56:
        return rules.all_points
    return bid - BID_DOUBLE if bid > BID_DOUBLE else bid


def points_needed(state: State, rules: Rules) -> int:
    """Return what the makers must take: the bid, changed by a declared pair (14.pair).

    Their own pair lowers it, never below the lowest bid, and where only high bids gain by it these
    alone (O63, S102). The pair of the others raises it up to a limit (S103).
    """
    bid = points_bid(rules, state.high_bid)
    if state.pair_side < 0:
        return bid
    if state.pair_side == side_of(rules, state.maker):
        if bid < rules.pair_from:
            return bid
        floor = min(bid, rules.min_bid)
        return max(floor, bid - rules.pair_shift)
    limit = max(bid, rules.pair_cap)
    return min(limit, bid + rules.pair_shift)


def stake_of(state: State, rules: Rules) -> int:
    """Return the game points at stake: raised (O42 to O45, C28, T122), or by a high bid (O79)."""
    raised = state.doubles + reaches(state, rules.auto_double)
    worth = 1 + reaches(state, rules.stake_two_from) + reaches(state, rules.stake_three_from)
    return worth * STAKES[min(raised, 3)]


def reaches(state: State, number: int) -> int:
    """Return 1 if the bid is ``number`` or more, 0 if it is less, or there is no such number."""
    return 1 if 0 < number <= state.high_bid else 0


def missed_by_far(state: State, rules: Rules, points: int) -> bool:
    """Are ``points`` less than half of the number the makers called, or just half (C29, S94)?"""
    twice = 2 * points
    bid = points_bid(rules, state.high_bid)
    if rules.half_rule == HalfRule.LESS_THAN_HALF:
        return twice < bid
    return rules.half_rule == HalfRule.UP_TO_HALF and twice <= bid


def score_hand(state: State, rules: Rules) -> Score:
    """Say how the hand ended: void (S81), unless it counts (O72), if trumps were never shown."""
    if state.thrown_in:
        return Score(THROWN_IN, 0, 0)
    if state.solo >= 0:
        return score_alone(state, rules)
    if state.maker < 0:
        return Score(THROWN_IN, 0, 0)
    need = points_needed(state, rules)
    unshown = rules.trump_call == TrumpCall.SECRET and not state.revealed
    if unshown and rules.unshown == Unshown.VOID:
        return Score(VOID, need, 0)
    stake = stake_of(state, rules)
    # One side has taken every trick of the hand, played to its end (O73).
    is_sweep = not state.decided and not both_have_won(state, rules)
    if rules.sweep == Sweep.DOUBLES and is_sweep:
        stake *= 2
    taken = points_of(state, side_of(rules, state.maker))
    if taken >= need:
        return Score(MADE, need, stake)
    return Score(SET, need, 2 * stake if missed_by_far(state, rules, taken) else stake)


def both_have_won(state: State, rules: Rules) -> bool:
    """Have the makers and the others each won a trick?"""
    won = 0
    for seat in range(rules.seats):
        is_maker = side_of(rules, seat) == side_of(rules, state.maker)
        won |= (2 if is_maker else 1) if state.tricks_won[seat] else 0
    return won == 3


def score_alone(state: State, rules: Rules) -> Score:
    """Say how a hand of all tricks alone ended: one lost loses it, and no doubles count (S90)."""
    stake = rules.tenny_stake if state.tenny else rules.solo_stake
    has_lost = any(state.tricks_won[seat] for seat in range(rules.seats) if seat != state.solo)
    return Score(SET if has_lost else MADE, 0, stake)


def change_of(state: State, rules: Rules, score: Score, side: int) -> int:
    """Return what is added to the running score of a side."""
    if score.result > SET:
        return 0
    if state.solo >= 0:
        # The maker wins or loses the stake; the score of the others does not change (14.score).
        stake = score.stake if score.result == MADE else -score.stake
        return stake if side == side_of(rules, state.solo) else 0
    if score.result == MADE:
        return change_when_made(state, rules, score, side)
    return change_when_set(state, rules, score, side)


def change_when_made(state: State, rules: Rules, score: Score, side: int) -> int:
    """Return what a side adds after a contract made, without a bid for being ahead (S21)."""
    maker = side_of(rules, state.maker)
    bid, taken = state.high_bid, points_bid(rules, state.high_bid)
    if side == maker and bid == BID_28_56:
        return 56
    # The highest bid may have a price of its own (O03, S69).
    doubled = bid > BID_DOUBLE or (bid == rules.max_bid and rules.slam == Slam.DOUBLE_IF_MADE)
    if side == maker and doubled:
        return 2 * taken
    if rules.made == Made.DIFFERENCE or state.no_contract:
        return max(0, points_of(state, side) - best_of_others(state, rules, side))
    if rules.made == Made.BID_LESS_OTHERS:
        gain = taken - best_of_others(state, rules, maker)
        return max(0, gain if side == maker else -gain)
    if side != maker:
        return points_of(state, side) if rules.defenders == Defenders.OWN_POINTS else 0
    if rules.made == Made.GAME_POINT:
        return score.stake
    return taken if rules.made == Made.BID else points_of(state, side)


def change_when_set(state: State, rules: Rules, score: Score, side: int) -> int:
    """Return what a side adds after a contract that was not made (C10, C18, S27, S40, S46, S67)."""
    # Its number, or 28, or twice the number (O04, S69).
    bid = state.high_bid
    lost = 28 if bid == BID_28_56 else 2 * (bid - BID_DOUBLE) if bid > BID_DOUBLE else bid
    if side != side_of(rules, state.maker):
        if rules.defenders == Defenders.BID_AND_OWN_IF_SET:
            return lost + points_of(state, side)
        return points_of(state, side) if rules.defenders == Defenders.OWN_POINTS else 0
    if rules.failed == Failed.NOTHING:
        return 0
    if rules.failed == Failed.MINUS_GAME_POINT:
        return -score.stake
    if rules.failed == Failed.MINUS_POINTS and state.high_bid <= MAX_BID:
        return -points_of(state, side)
    return -lost


def best_of_others(state: State, rules: Rules, side: int) -> int:
    """Return the most points that any other side has."""
    return max(
        (max(0, points_of(state, other)) for other in range(rules.side_count) if other != side),
        default=0,
    )


# --- Raising the stake after trumps are chosen


RAISES = 1 << Verb.DOUBLE | 1 << Verb.REDOUBLE | 1 << Verb.SUPER
CALLS = RAISES | 1 << Verb.PASS
NO_RAISE = -1


def next_raise(state: State, rules: Rules) -> int:
    """Return the verb by which the stake can be raised now (O45), ``NO_RAISE`` when it stays."""
    if 0 < rules.auto_double <= state.high_bid:
        may_double = state.doubles == 0 and rules.doubling != Doubling.NONE
        return Verb.DOUBLE if may_double else NO_RAISE
    return NO_RAISE if state.doubles >= rules.doubling else Verb.DOUBLE + state.doubles


def raisers(state: State, rules: Rules) -> int:
    """Return the seats of the side whose turn it is: defenders, makers, defenders (S89)."""
    verb = next_raise(state, rules)
    if verb == NO_RAISE:
        return 0
    return sum(
        1 << seat
        for seat in range(rules.seats)
        if (side_of(rules, seat) == side_of(rules, state.maker)) == (verb == Verb.REDOUBLE)
    )


def open_stake(state: State, rules: Rules) -> bool:
    """Let the side speak whose turn it is; return whether it can, and the record has it speak."""
    state.pending = raisers(state, rules)
    state.turn = next_of(rules, state.pending, state.maker)
    return state.pending != 0 and state.will_raise != 0


def stake_faults(state: State, rules: Rules, action: AnyAction) -> int:
    """What is wrong with raising the stake, or with leaving it as it is."""
    waited_for = state.phase == Phase.DOUBLE and state.pending >> action.seat & 1
    if action.verb == Verb.PASS:
        return 0 if waited_for else Fault.NOT_NOW
    if rules.doubling == Doubling.NONE:
        return Fault.NOT_NOW
    # Who of two partners raises the stake is free (S89).
    may_raise = waited_for and action.verb == next_raise(state, rules)
    return 0 if may_raise else Fault.DOUBLE_NOT_ALLOWED


def do_stake(state: State, rules: Rules, action: AnyAction) -> bool:
    """Raise the stake, or leave it; return whether somebody may still raise it."""
    if action.verb == Verb.PASS:
        state.pending &= ~(1 << action.seat)
        state.turn = next_of(rules, state.pending, state.turn)
        return state.pending != 0 and state.will_raise != 0
    state.doubles += 1
    return open_stake(state, rules)


# --- King and queen of trumps: when they may be declared, and by whom


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
