"""How a game stands after a hand: running scores, and who has won with it.

Sources: 0.record, and the game section of each system.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from replay.engine.records import Rules
from replay.engine.rules import game_end
from replay.engine.rules import result as closing
from replay.model import Alone, Outcome, Result
from schemas.actions import NO_TRUMP

RESULTS: Final[tuple[Result, ...]] = ("made", "set", "void", "thrown_in")
"""How a hand ended, by the numbers of ``scoring``."""
ALONE: Final[tuple[Alone | None, ...]] = (None, "solo", "tenny")
"""How one player played alone, by the numbers of ``closing``."""


def scores_after(
    rules: Rules, before: Sequence[int], change: Sequence[int], outcome: Outcome
) -> list[int]:
    """Return the running scores after a hand; ``change`` may be another than the outcome has."""
    return _settled(rules, before, change, outcome).scores[: rules.side_count]


def standing(
    rules: Rules, before: Sequence[int], outcome: Outcome
) -> tuple[tuple[int, ...], int | None]:
    """Return the running scores after a hand and the side that has won the game with it."""
    settled = _settled(rules, before, outcome.change, outcome)
    winner = None if settled.winner == game_end.GOES_ON else settled.winner
    return tuple(settled.scores[: rules.side_count]), winner


def _settled(
    rules: Rules, before: Sequence[int], change: Sequence[int], outcome: Outcome
) -> closing.Result:
    result = closing.Result(
        ending=RESULTS.index(outcome.result),
        maker=closing.NOBODY if outcome.maker is None else outcome.maker,
        trump=NO_TRUMP if outcome.trump is None else outcome.trump,
        no_contract=int(outcome.no_contract),
        change=list(change),
        taken=list(outcome.taken),
    )
    closing.settle_scores(rules, before, result)
    return result


def match_of(rules: Rules, winner: int) -> tuple[int, ...]:
    """Return what each side scores in a match for a game that ``winner`` has won (O50)."""
    return tuple(game_end.match_points(rules, winner, side) for side in range(rules.side_count))
