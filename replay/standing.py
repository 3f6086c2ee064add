"""How a game stands after a hand: running scores, and who has won with it.

Sources: 0.record, and the game section of each system.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from replay.model import Outcome, Result
from replay.records import NO_TRUMPS, Rules
from replay.rules import game_end
from replay.rules.table import side_of

RESULTS: Final[tuple[Result, ...]] = ("made", "set", "void", "thrown_in")
"""How a hand ended, by the numbers of ``scoring``."""


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
    game_end.add_up(rules, list(before), list(change), after)
    if not game_end.counts_out(rules) or outcome.no_contract:
        return after, game_end.GOES_ON
    trump = outcome.trump
    if trump is None or not 0 <= trump < NO_TRUMPS:
        trump = NO_TRUMPS
    loser = bidding_side(rules, outcome) if outcome.result == "set" else -1
    first = game_end.count_out(rules, trump, list(outcome.taken), loser, after)
    return after, first


def standing(
    rules: Rules, before: Sequence[int], outcome: Outcome
) -> tuple[tuple[int, ...], int | None]:
    """Return the running scores after a hand and the side that has won the game with it."""
    after, winner = scores_after(rules, before, outcome.change, outcome)
    if winner == game_end.GOES_ON:
        maker = bidding_side(rules, outcome)
        result = RESULTS.index(outcome.result)
        winner = game_end.game_winner(rules, list(before), after, maker, result)
    return tuple(after), None if winner == game_end.GOES_ON else winner


def match_of(rules: Rules, winner: int) -> tuple[int, ...]:
    """Return what each side scores in a match for a game that ``winner`` has won (O50)."""
    return tuple(game_end.match_points(rules, winner, side) for side in range(rules.side_count))
