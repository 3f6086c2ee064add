"""The count: was the contract made, what does each side score, has somebody won the game?

Sources: 1.score, 1.game, 4.game, 8.score, 8.game, 14.pair, 14.score, 14.game; S07, S15, S57, S81,
S83.
"""

from __future__ import annotations

from typing import NamedTuple

from replay.policies import BothOver, Defenders, Failed, Made, TrumpCall, WonBy
from replay.records import Rules, State
from replay.rules.table import side_of

GOES_ON = -1
"""No side has won the game."""


class Score(NamedTuple):
    """How a hand ended: ``result`` a member of ``Result``, ``need`` points, ``stake`` per side."""

    result: int
    need: int
    stake: int


MADE = 0
SET = 1
VOID = 2
THROWN_IN = 3


def points_needed(state: State, rules: Rules) -> int:
    """Return what the makers must take: the bid, lowered or raised by a declared pair.

    Never below the minimum bid by their own pair, never above all points by the defenders'.
    """
    if state.pair_side < 0:
        return state.high_bid
    if state.pair_side == side_of(rules, state.maker):
        lowered = state.high_bid - rules.pair_shift
        floor = min(state.high_bid, rules.min_bid)
        return max(floor, lowered)
    raised = state.high_bid + rules.pair_shift
    cap = max(state.high_bid, rules.all_points)
    return min(cap, raised)


def score_hand(state: State, rules: Rules) -> Score:
    """Say how the hand ended.

    A hand whose hidden trump never came to light is void (S81).
    """
    if state.thrown_in or state.maker < 0:
        return Score(THROWN_IN, 0, 0)
    need = points_needed(state, rules)
    if rules.trump_call == TrumpCall.SECRET and not state.revealed:
        return Score(VOID, need, 0)
    if state.points[side_of(rules, state.maker)] >= need:
        return Score(MADE, need, 1)
    return Score(SET, need, 1)


def change_of(state: State, rules: Rules, score: Score, side: int) -> int:
    """Return what is added to the running score of a side."""
    if score.result > SET:
        return 0
    if side != side_of(rules, state.maker):
        return state.points[side] if rules.defenders == Defenders.OWN_POINTS else 0
    if score.result == MADE:
        return state.points[side] if rules.made == Made.POINTS else score.stake
    return -state.high_bid if rules.failed == Failed.MINUS_BID else -score.stake


def clamped(rules: Rules, total: int) -> int:
    """Return a running score within the limits of the game, where scores stop at them (S83)."""
    if not rules.clamp:
        return total
    if total > rules.target:
        return rules.target
    return max(total, rules.lose_at)


def goes_out(rules: Rules, low: int, over: int) -> bool:
    """Do the makers win if they make their bid? ``low``: the lower score before the hand.

    So it is when both sides are near enough, or both passed the target undecided (1.game, S15).
    """
    if rules.goes_out_at and low >= rules.goes_out_at:
        return True
    return rules.both_over == BothOver.EXTRA_HAND and over > 1


def is_over(rules: Rules, scores: list[int]) -> bool:
    """Has a game that stands like this ended, whatever the hand before was?

    A side that only wins with a bid of its own may stand above the target, and so may both sides
    where one more hand decides (1.game, 8.game).
    """
    over = 0
    for side in range(rules.side_count):
        if rules.lose_at and scores[side] <= rules.lose_at:
            return True
        over += 1 if scores[side] >= rules.target else 0
    if rules.won_by == WonBy.MADE_BID:
        return False
    return over == 1 or (over > 1 and rules.both_over != BothOver.EXTRA_HAND)


def game_winner(rules: Rules, before: list[int], after: list[int], maker: int, result: int) -> int:
    """Return the side that has won the game after a hand, ``GOES_ON`` when it goes on.

    ``before`` and ``after``: running scores per side; ``maker``: side of the auction winner, -1
    when there was none; ``result``: how the hand ended. A side that has lost by falling
    too low hands the game to the next side.
    """
    made = result == MADE
    low = before[0]
    over_before = 0
    over = 0
    last_over = GOES_ON
    for side in range(rules.side_count):
        if rules.lose_at and after[side] <= rules.lose_at:
            return (side + 1) % rules.side_count
        low = min(low, before[side])
        over_before += 1 if before[side] >= rules.target else 0
        if after[side] >= rules.target:
            over += 1
            last_over = side
    if maker >= 0 and made and goes_out(rules, low, over_before):
        return maker
    if rules.won_by == WonBy.MADE_BID:
        return maker if made and maker >= 0 and after[maker] >= rules.target else GOES_ON
    if over <= 1:
        return last_over
    if rules.both_over == BothOver.MAKERS and maker >= 0:
        return maker
    return GOES_ON
