"""Counting out: the point cards of the hand in which a side was the first at the target.

Sources: 6.game, S47, T62.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from replay.engine.records import NO_TRUMPS
from replay.engine.rules import game_end
from replay.engine.rules.result import counting_trump
from replay.model import Replayed


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
    replayed: Replayed, before: Sequence[int], after: Sequence[int]
) -> tuple[CountedCard, ...]:
    """Return the cards that were counted, in order, up to the one that ended the game.

    Empty where nobody counted out with the hand. ``before`` and ``after`` are the running scores
    around it, by side.
    """
    outcome, rules = replayed.outcome, replayed.rules
    if outcome is None or outcome.maker is None or not game_end.counts_out(rules):
        return ()
    named = NO_TRUMPS if outcome.trump is None else outcome.trump
    trump = counting_trump(named, int(outcome.no_contract))
    if trump == game_end.NOT_COUNTED:
        return ()
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
