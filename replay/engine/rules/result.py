"""How a hand came out: the contract, what each side took and adds, how the game then stands.

Sources: 0.record, 1.score, 6.game, 14.score; S21, S47, S81, S90.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tricklog.core.engine.records import NO_TRUMPS, SEATS, Rules, State, zeros
from tricklog.core.engine.rules import game_end, scoring
from tricklog.core.engine.rules.table import side_of, trump_code

NOBODY = -1
SOLO = 1
TENNY = 2


_per_side = zeros(SEATS)


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
    result.alone = 0
    if alone:
        result.alone = TENNY if state.tenny else SOLO
    result.stake = score.stake
    for side in range(rules.side_count):
        result.points[side] = scoring.points_of(state, side)
        result.taken[side] = state.taken[side]
        result.change[side] = scoring.change_of(state, rules, score, side)


def settle_scores(rules: Rules, before: Sequence[int], result: Result) -> None:
    """Write down how the game stands, and what was really added to ``before`` (S47, S83)."""
    maker = result.maker
    bidders = NOBODY if maker == NOBODY or result.no_contract else side_of(rules, maker)
    result.winner = game_end.scores_after(
        rules,
        before,
        result.change,
        result.taken,
        counting_trump(result.trump, result.no_contract),
        bidders if result.ending == scoring.SET else NOBODY,
        result.scores,
    )
    if result.winner == game_end.GOES_ON:
        result.winner = game_end.game_winner(rules, before, result.scores, bidders, result.ending)
    for side in range(rules.side_count):
        result.change[side] = result.scores[side] - before[side]


def counting_trump(trump: int, no_contract: int) -> int:
    """Return the suit by which points are counted out; without a bid none are."""
    if no_contract:
        return game_end.NOT_COUNTED
    return trump if 0 <= trump < NO_TRUMPS else NO_TRUMPS
