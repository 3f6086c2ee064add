"""The end of a game: running scores after a hand, who has won, what that counts in a match.

Sources: 1.game, 2.game, 4.game, 6.game to 9.game, 14.game, 15.game; C05, C19, O15, O50, S15, S28,
S41, S47, S57, S63, S68, S73, S83.
"""

from collections.abc import Sequence

from tricklog.core.engine.policies import BothOver, MatchScore, WonBy
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules.scoring import MADE

GOES_ON = -1
"""No side has won the game."""
NOT_COUNTED = -1
"""In place of trumps: a hand whose points are not counted out card by card."""


def clamped(rules: Rules, total: int) -> int:
    """Return a running score within the limits of the game, where scores stop at them (S83)."""
    if not rules.clamp:
        return total
    if rules.lose_at and total < rules.lose_at:
        return rules.lose_at
    return min(total, rules.target)


def add_up(rules: Rules, before: Sequence[int], change: Sequence[int], after: list[int]) -> None:
    """Fill ``after`` with the running scores after a hand, ``before`` being those before it."""
    for side in range(rules.side_count):
        after[side] = clamped(rules, before[side] + change[side])


def counts_out(rules: Rules) -> bool:
    """Are points counted one by one to see who is at the target first (6.game, S47)?"""
    return rules.both_over == BothOver.COUNT_ORDER and rules.won_by == WonBy.ANY_HAND


def count_out(rules: Rules, trump: int, taken: Sequence[int], loser: int, scores: list[int]) -> int:
    """Count the point cards of a hand in their order until a side is at the target; return it.

    ``scores``: running scores after the hand, set back to where the count stops, since what
    follows does not count. ``taken``: by side the point cards it scored; ``loser``: the side that
    failed, which has its score settled before and counts no card, -1 for none (S47, T62).
    """
    for card in rules.count_order[trump]:
        side = taker_of(rules, card, taken, loser)
        if side >= 0:
            scores[side] -= rules.points[trump][card]
    for card in rules.count_order[trump]:
        side = taker_of(rules, card, taken, loser)
        if side >= 0:
            scores[side] += rules.points[trump][card]
            if scores[side] >= rules.target:
                return side
    return GOES_ON


def scores_after(
    rules: Rules,
    before: Sequence[int],
    change: Sequence[int],
    taken: Sequence[int],
    trump: int,
    loser: int,
    after: list[int],
) -> int:
    """Fill ``after`` with the running scores after a hand; return the side that counted out first.

    ``trump``: the suit by which point cards are counted, ``NO_TRUMPS`` or ``NOT_COUNTED``;
    ``taken`` and ``loser`` as ``count_out`` takes them.
    """
    add_up(rules, before, change, after)
    if trump == NOT_COUNTED or not counts_out(rules):
        return GOES_ON
    return count_out(rules, trump, taken, loser, after)


def taker_of(rules: Rules, card: int, taken: Sequence[int], loser: int) -> int:
    """Return the side that counts a card, -1 when none does."""
    for side in range(rules.side_count):
        if side != loser and card >= 0 and taken[side] >> card & 1:
            return side
    return -1


def is_over(rules: Rules, scores: Sequence[int]) -> bool:
    """Has a game that stands like this ended (1.game, 8.game), whatever the hand before was?"""
    over = sides_over(rules, scores).bit_count()
    if fallen(rules, scores):
        return True
    if rules.won_by != WonBy.ANY_HAND:
        return False
    return over == 1 or (over > 1 and rules.both_over != BothOver.EXTRA_HAND)


def sides_over(rules: Rules, scores: Sequence[int]) -> int:
    """Return the sides at the target or above it, as a bit mask."""
    return sum(1 << side for side in range(rules.side_count) if scores[side] >= rules.target)


def fallen(rules: Rules, scores: Sequence[int]) -> int:
    """Return the sides that have lost by falling too low, as a bit mask (8.game, 14.game, S57)."""
    if not rules.lose_at:
        return 0
    return sum(1 << side for side in range(rules.side_count) if scores[side] <= rules.lose_at)


def highest(rules: Rules, scores: Sequence[int], sides: int, after: int) -> int:
    """Return which of ``sides`` has the highest score; of equals the next one after ``after``."""
    best = GOES_ON
    for step in range(1, rules.side_count + 1):
        side = (after + step) % rules.side_count
        if sides >> side & 1 and (best < 0 or scores[side] > scores[best]):
            best = side
    return best


def game_winner(
    rules: Rules, before: Sequence[int], after: Sequence[int], maker: int, result: int
) -> int:
    """Return the side that has won the game after a hand, ``GOES_ON`` when it goes on.

    ``before`` and ``after``: running scores per side; ``maker``: side of the auction winner, -1
    when nobody bid; ``result``: how the hand ended. A side that has lost by falling too low hands
    the game to the best of the others.
    """
    lost = fallen(rules, after)
    if lost:
        first = lost.bit_length() - 1
        return highest(rules, after, (1 << rules.side_count) - 1 & ~lost, first)
    made = maker >= 0 and result == MADE
    undecided = sides_over(rules, before).bit_count()
    over = sides_over(rules, after)
    low = min((before[side] for side in range(rules.side_count)), default=0)
    # All sides are near enough, or several passed the target undecided (1.game, S15).
    near = rules.goes_out_at > 0 and low >= rules.goes_out_at
    extra = rules.both_over == BothOver.EXTRA_HAND and undecided > 1
    if made and (near or extra):
        return maker
    if rules.won_by != WonBy.ANY_HAND:
        own = made or (maker >= 0 and rules.won_by == WonBy.OWN_BID)
        return maker if own and over >> maker & 1 else GOES_ON
    if over.bit_count() > 1 and rules.both_over == BothOver.EXTRA_HAND:
        # An extra hand decides: who fails in it has lost, however far above the target (S15).
        if maker < 0 or undecided < 2:
            return GOES_ON
        over &= ~(1 << maker)
    if made and over >> maker & 1:
        return maker
    return highest(rules, after, over, maker)


def match_points(rules: Rules, winner: int, side: int) -> int:
    """Return what a game counts for a side in a match: won two or one, lost one off (O50, T127)."""
    if rules.match_score == MatchScore.NONE:
        return 0
    if side != winner:
        return -1
    return 2 if rules.match_score == MatchScore.WON_TWO_LOST_ONE else 1
