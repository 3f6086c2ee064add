"""How a game stands after a hand: running scores, and who has won with it.

Sources: 0.record, and the game section of each system.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from replay.engine.records import Rules
from replay.engine.rules import game_end
from replay.engine.rules import result as closing
from replay.engine.rules.table import side_of
from replay.model import Alone, Outcome, Result

RESULTS: Final[tuple[Result, ...]] = ("made", "set", "void", "thrown_in")
"""How a hand ended, by the numbers of ``scoring``."""
ALONE: Final[tuple[Alone | None, ...]] = (None, "solo", "tenny")
"""How one player played alone, by the numbers of ``closing``."""


def bidding_side(rules: Rules, outcome: Outcome) -> int:
    """Return the side whose contract was played, -1 when nobody bid."""
    if outcome.maker is None or outcome.no_contract:
        return -1
    return side_of(rules, outcome.maker)


def scores_after(
    rules: Rules, before: Sequence[int], change: Sequence[int], outcome: Outcome
) -> tuple[list[int], int]:
    """Return the running scores after a hand, and the side that was first to count out.

    ``change`` may be another one than that of the outcome.
    """
    after = [0] * rules.side_count
    loser = bidding_side(rules, outcome) if outcome.result == "set" else closing.NOBODY
    trump = closing.counting_trump(outcome.trump, outcome.no_contract)
    first = game_end.scores_after(rules, before, change, outcome.taken, trump, loser, after)
    return after, first


def standing(
    rules: Rules, before: Sequence[int], outcome: Outcome
) -> tuple[tuple[int, ...], int | None]:
    """Return the running scores after a hand and the side that has won the game with it."""
    after, winner = scores_after(rules, before, outcome.change, outcome)
    if winner == game_end.GOES_ON:
        maker = bidding_side(rules, outcome)
        result = RESULTS.index(outcome.result)
        winner = game_end.game_winner(rules, before, after, maker, result)
    return tuple(after), None if winner == game_end.GOES_ON else winner


def match_of(rules: Rules, winner: int) -> tuple[int, ...]:
    """Return what each side scores in a match for a game that ``winner`` has won (O50)."""
    return tuple(game_end.match_points(rules, winner, side) for side in range(rules.side_count))
