"""How a hand came out, and how its game then stands: running scores, and who has won.

Where points are counted out: the point cards of the hand in which a side was the first at the
target. Sources: 0.record, and the game section of each system; S47, T62.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tricklog.core.engine.policies import MatchScore
from tricklog.core.engine.records import NO_TRUMPS, Rules
from tricklog.core.engine.rules import game_end
from tricklog.core.model import Alone, Outcome, Result
from tricklog.schemas.actions import NO_TRUMP
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import message_in

if TYPE_CHECKING:
    from tricklog.core.judging.replayer import Replay

RESULTS: Final[tuple[Result, ...]] = ("made", "set", "void", "thrown_in")
"""How a hand ended, by the numbers of ``scoring``."""
RESULTS_SAID: Final = {
    "made": message_in("how a contract ended", "made"),
    "set": message_in("how a contract ended", "set"),
    "void": message_in("how a contract ended", "void"),
    "thrown_in": message_in("how a contract ended", "thrown in"),
}
ALONE: Final[tuple[Alone | None, ...]] = (None, "solo", "tenny")
"""How one player played alone, by the numbers of ``result``."""


def outcome_of(hand: Hand, rules: Rules, result: game_end.Result) -> Outcome:
    """Return how a closed hand ended, and where its scores are recorded, how the game stands."""
    played = result.maker != game_end.NOBODY
    sides = rules.side_count
    settled = len(hand.whole_scores or ()) == sides
    winner = result.winner if settled and result.winner != game_end.GOES_ON else None
    match = None
    if winner is not None and rules.match_score != MatchScore.NONE:
        match = match_of(rules, winner)
    return Outcome(
        result=RESULTS[result.ending],
        maker=result.maker if played else None,
        bid=result.bid if result.contract else None,
        need=result.need if result.contract else None,
        trump=result.trump if played else None,
        forced=bool(result.forced),
        no_contract=bool(result.no_contract),
        alone=ALONE[result.alone],
        stake=result.stake,
        points=tuple(result.points[:sides]),
        taken=tuple(result.taken[:sides]),
        change=tuple(result.change[:sides]),
        scores=tuple(result.scores[:sides]) if settled else None,
        winner_side=winner,
        match=match,
    )


def scores_after(
    rules: Rules, before: Sequence[int], change: Sequence[int], outcome: Outcome
) -> list[int]:
    """Return the running scores after a hand; ``change`` may be another than the outcome has."""
    return _settle(rules, before, change, outcome).scores[: rules.side_count]


def standing(
    rules: Rules, before: Sequence[int], outcome: Outcome
) -> tuple[tuple[int, ...], int | None]:
    """Return the running scores after a hand and the side that has won the game with it."""
    settled = _settle(rules, before, outcome.change, outcome)
    winner = None if settled.winner == game_end.GOES_ON else settled.winner
    return tuple(settled.scores[: rules.side_count]), winner


def _settle(
    rules: Rules, before: Sequence[int], change: Sequence[int], outcome: Outcome
) -> game_end.Result:
    result = game_end.Result(
        ending=RESULTS.index(outcome.result),
        maker=game_end.NOBODY if outcome.maker is None else outcome.maker,
        trump=NO_TRUMP if outcome.trump is None else outcome.trump,
        no_contract=int(outcome.no_contract),
        change=list(change),
        taken=list(outcome.taken),
    )
    game_end.settle_scores(rules, before, result)
    return result


def match_of(rules: Rules, winner: int) -> tuple[int, ...]:
    """Return what each side scores in a match for a game that ``winner`` has won (O50)."""
    return tuple(game_end.match_points(rules, winner, side) for side in range(rules.side_count))


# --- Counting out


@dataclass(frozen=True, slots=True)
class CountedCard:
    """One card of the count."""

    card: int
    points: int
    side: int
    """The side that counts it."""
    score: int
    """What that side then stands at."""


def counted_out(
    replayed: Replay, before: Sequence[int], after: Sequence[int]
) -> tuple[CountedCard, ...]:
    """Return the cards that were counted, in order, up to the one that ended the game.

    Empty where nobody counted out with the hand. ``before`` and ``after`` are the running scores
    around it, by side.
    """
    outcome, rules = replayed.outcome, replayed.rules
    counts = game_end.counts_out(rules)
    if not counts or outcome is None or outcome.maker is None or outcome.no_contract:
        return ()
    named = NO_TRUMPS if outcome.trump is None else outcome.trump
    trump = game_end.counting_trump(named)
    scores = list(before)
    loser = -1
    if outcome.result == "set":
        loser = replayed.ruleset.side_of(outcome.maker)
        scores[loser] = after[loser]
    counted = []
    for card in rules.count_order[trump]:
        side = game_end.taker_of(rules, card, outcome.taken, loser)
        if side < 0:
            continue
        points = rules.points[trump][card]
        scores[side] += points
        counted.append(CountedCard(card, points, side, scores[side]))
        if scores[side] >= rules.target:
            return tuple(counted) if scores == list(after) else ()
    return ()
