"""How a hand came out, and the game: what each side adds, who has won, what counts in a match.

Sources: 0.record, 1.game, 1.score, 2.game, 4.game, 6.game to 9.game, 14.game, 14.score, 15.game;
C05, C19, O15, O50, S15, S21, S28, S41, S47, S57, S63, S68, S73, S81, S83, S90.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tricklog.core.engine.policies import BothOver, MatchScore, WonBy
from tricklog.core.engine.records import NO_TRUMPS, SEATS, Rules, State, zeros
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of, trump_code

GOES_ON = -1
"""No side has won the game."""
NOBODY = -1
SOLO, TENNY = 1, 2
_per_side = zeros(SEATS)


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
    made = maker >= 0 and result == scoring.MADE
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
    return maker if made and over >> maker & 1 else highest(rules, after, over, maker)


def match_points(rules: Rules, winner: int, side: int) -> int:
    """Return what a game counts for a side in a match: won two or one, lost one off (O50, T127)."""
    if rules.match_score == MatchScore.NONE:
        return 0
    if side != winner:
        return -1
    return 2 if rules.match_score == MatchScore.WON_TWO_LOST_ONE else 1


# --- The figures of a hand


@dataclass(slots=True)
class Result:
    """The figures of a hand that came to its end; lists have one entry per side."""

    ending: int = 0
    """``MADE``, ``SET``, ``VOID`` or ``THROWN_IN`` of ``scoring``."""
    maker: int = NOBODY
    """The seat whose contract was played; ``NOBODY`` when the deal was thrown in."""
    contract: int = 0
    """1 when there was a bid to make: ``bid`` and ``need`` count."""
    bid: int = 0
    need: int = 0
    trump: int = 0
    """The code of the trumps, unless the deal was thrown in."""
    forced: int = 0
    no_contract: int = 0
    alone: int = 0
    """``SOLO`` or ``TENNY`` when one player undertook all tricks alone."""
    stake: int = 0
    points: list[int] = field(default_factory=_per_side)
    taken: list[int] = field(default_factory=_per_side)
    change: list[int] = field(default_factory=_per_side)
    scores: list[int] = field(default_factory=_per_side)
    """Running scores after the hand, once ``settle_scores`` has been called."""
    winner: int = NOBODY
    """The side that has won the game with it."""


def fill_result(state: State, rules: Rules, result: Result) -> None:
    """Write down how a hand ended, whatever the scores were before it."""
    score = scoring.score_hand(state, rules)
    played = score.result != scoring.THROWN_IN
    alone = state.solo >= 0
    result.ending = score.result
    result.maker = scoring.maker_of(state) if played else NOBODY
    result.contract = 1 if played and not alone and not state.no_contract else 0
    result.bid = state.high_bid if result.contract else 0
    result.need = score.need if result.contract else 0
    result.trump = trump_code(state)
    forced = result.contract and state.forced == 1 and state.high_bid == rules.forced_bid
    result.forced = 1 if forced else 0
    result.no_contract = 1 if played and state.no_contract == 1 else 0
    result.alone = (TENNY if state.tenny else SOLO) if alone else 0
    result.stake = score.stake
    for side in range(rules.side_count):
        result.points[side] = scoring.points_of(state, side)
        result.taken[side] = state.taken[side]
        result.change[side] = scoring.change_of(state, rules, score, side)


def settle_scores(rules: Rules, before: Sequence[int], result: Result) -> None:
    """Write down how the game stands, and what was really added to ``before`` (S47, S83)."""
    maker = result.maker
    bidders = NOBODY if maker == NOBODY or result.no_contract else side_of(rules, maker)
    add_up(rules, before, result.change, result.scores)
    result.winner = GOES_ON
    if counts_out(rules) and not result.no_contract:
        loser = bidders if result.ending == scoring.SET else NOBODY
        trump = counting_trump(result.trump)
        result.winner = count_out(rules, trump, result.taken, loser, result.scores)
    if result.winner == GOES_ON:
        result.winner = game_winner(rules, before, result.scores, bidders, result.ending)
    for side in range(rules.side_count):
        result.change[side] = result.scores[side] - before[side]


def counting_trump(trump: int) -> int:
    """Return the suit by which points are counted out, ``NO_TRUMPS`` for none."""
    return trump if 0 <= trump < NO_TRUMPS else NO_TRUMPS
