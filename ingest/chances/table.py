"""The chance of a side to win a game, for each score before a deal, and who has won with a hand.

The side that deals wins with the chance ``v``. A hand turns one position into another in which the
other side deals, so that ``v`` is the sum over outcomes of their share times one, nothing, or one
less the chance of the other side there. It is worked out by going round until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import game_end
from tricklog.core.judging.standing import RESULTS
from tricklog.ingest.chances.outcomes import NOBODY, Game, Outcomes, phase
from tricklog.ingest.metrics.intervals import Numbers, Whole

_ASK: Final = -2
_FAR: Final = 10**6
_MOST_SCORES: Final = 150
"""Scores of a side that are worked out; where there are more, those between are in between. Where
no rule ends a game at the bottom, half the target below nothing counts for all that is lower."""
_CLOSE: Final = 1e-5
_MOST_ROUNDS: Final = 1000
_BIT: Final = np.float32


class Ending:
    """The end of a game of two sides under some rules.

    Who has won hangs on the scores by a few comparisons alone: with the target, with the limits,
    and with each other. The engine is asked once for each way in which these may come out.
    Source: ``tricklog.core.engine.rules.game_end``.
    """

    def __init__(self, rules: Rules) -> None:
        """Take the rules of the table."""
        self._rules = rules
        self._limits = [game_end.clamped(rules, each) for each in (-_FAR, _FAR)]
        self._winners = np.full(3**6 * len(RESULTS), _ASK, np.int8)

    def within(self, score: Whole) -> Whole:
        """Return scores as they stop at the limits of a game that has some."""
        least, most = self._limits
        return np.clip(score, least, most)

    def settle(
        self, first: Whole, second: Whole, outcome: Sequence[Whole | int]
    ) -> tuple[Whole, Whole, NDArray[np.int8]]:
        """Return the scores of two sides after hands, and who has won the game with each.

        ``first`` and ``second`` are the running scores before them, ``outcome`` is in the order of
        ``OUTCOME``: one number for all hands, or one for each. The winner is 0, 1 or ``NOBODY``;
        what is added stops at the limits of a game that has some.
        """
        own, other, maker, result = outcome
        before = first, second
        after = self.within(first + own), self.within(second + other)
        way = (np.sign(after[0] - after[1]) + 1) * len(RESULTS) + result
        way = way * 3 + maker - NOBODY
        rules = self._rules
        for sides, low in ((before, rules.goes_out_at - 1), (after, rules.lose_at)):
            for each in sides:
                way = way * 3 + (each > low) + (each >= rules.target)
        asked = (*before, *after, maker, result)
        for new in np.unique(way[self._winners[way] == _ASK]):
            at = (way == new).argmax()
            *scores, who, how = (int(np.broadcast_to(each, way.shape).flat[at]) for each in asked)
            self._winners[new] = game_end.game_winner(rules, scores[:2], scores[2:], who, how)
        return *after, self._winners[way]


class ChanceTable:
    """The chances of one game, between sides that play alike."""

    def __init__(self, game: Game, outcomes: Outcomes) -> None:
        """Work them out. ``game`` has no ``refusal``."""
        self.game = game
        self.hands = outcomes.hands
        """How many stored hands they are made of."""
        self._ending = Ending(game.rules)
        target, gain = game.rules.target, int(outcomes.rows[:, :2].max(initial=1))
        lowest = game.rules.lose_at or -target // 2
        self._step = -(-(target + gain - lowest) // _MOST_SCORES)
        below = -(-(target - lowest) // self._step)
        self._low = target - below * self._step
        self._solve(below - -gain // self._step + 1, _on_grid(outcomes, self._step))

    def _solve(self, size: int, outcomes: Outcomes) -> None:
        scores = self._low + self._step * np.arange(size)
        dealers, others = np.meshgrid(scores, scores, indexing="ij")
        at = phase(self.game, dealers, others)
        won: Numbers = np.zeros(dealers.shape)
        shares = np.empty((len(outcomes.rows), size, size), _BIT)
        for row, share, goes_on in zip(outcomes.rows, outcomes.shares.T, shares, strict=True):
            _, _, winner = self._ending.settle(dealers, others, row)
            won += share[at] * (winner == 0)
            goes_on[:] = share[at] * (winner < 0)
        # An outcome moves all scores alike, so that where they lead to is a part of a larger table,
        # in which those beyond an end stand again for those at it.
        moves = outcomes.rows[:, :2] // self._step
        most = int(np.abs(moves).max(initial=0))
        beyond = self._low + self._step * np.arange(-most, size + most)
        within = (self._ending.within(beyond) - self._low) // self._step
        # The other side deals next.
        places = np.ix_(*2 * [np.clip(within, 0, size - 1)])
        parts = [(slice(a, a + size), slice(b, b + size)) for a, b in (moves + most).tolist()]

        def over_outcomes(table: Numbers) -> Numbers:
            ahead, found = np.ascontiguousarray(table[places].T), np.zeros(table.shape)
            for share, part in zip(shares, parts, strict=True):
                found += share * ahead[part]
            return found

        before_hand = won + shares.sum(axis=0)
        chance = 1 / (1 + np.exp((others - dealers) * 3 / self.game.rules.target))
        for _ in range(_MOST_ROUNDS):
            before = chance
            chance = before_hand - over_outcomes(before)
            if np.abs(chance - before).max() < _CLOSE:
                break
        square = won + over_outcomes((1 - chance) ** 2)
        self._chances = chance
        self._spreads = np.sqrt(np.maximum(square - chance**2, 0))

    def chance(self, dealers: Whole, others: Whole) -> Numbers:
        """Return the chance of the side that deals, at its score and that of the other one."""
        return self._between(self._chances, dealers, others)

    def spread(self, dealers: Whole, others: Whole) -> Numbers:
        """Return the standard deviation of the chance after the hand."""
        return self._between(self._spreads, dealers, others)

    def after(
        self, dealers: Whole, others: Whole, outcome: Sequence[Whole | int]
    ) -> tuple[Numbers, NDArray[np.int8]]:
        """Return the chance of the side that dealt after a hand, and who has won, as ``settle``."""
        own, other, winner = self._ending.settle(dealers, others, outcome)
        return np.where(winner < 0, 1 - self.chance(other, own), winner == 0), winner

    def _between(self, table: Numbers, dealers: Whole, others: Whole) -> Numbers:
        """Return what a table has for scores, weighing the four places round each."""
        (row, up), (column, right) = self._place(dealers), self._place(others)
        below = table[row, column] * (1 - right) + table[row, column + 1] * right
        above = table[row + 1, column] * (1 - right) + table[row + 1, column + 1] * right
        found: Numbers = below * (1 - up) + above * up
        return found

    def _place(self, score: Whole) -> tuple[Whole, Numbers]:
        """Return the place below a score, and how far it is to the next one."""
        last = len(self._chances) - 1
        within = np.clip((score - self._low) / self._step, 0, last)
        place = np.minimum(within.astype(np.int64), last - 1)
        return place, within - place


def _on_grid(outcomes: Outcomes, step: int) -> Outcomes:
    """Return outcomes that add multiples of a step, the same on the average as those given."""
    low, part = np.divmod(outcomes.rows[:, :2], step)
    rows, shares = [], []
    for more in product((0, 1), repeat=2):
        weight = np.prod(np.where(more, part, step - part) / step, axis=1)
        rows.append(np.hstack([(low + more) * step, outcomes.rows[:, 2:]])[weight > 0])
        shares.append((outcomes.shares * weight)[:, weight > 0])
    found, places = np.unique(np.vstack(rows), axis=0, return_inverse=True)
    summed = np.zeros((len(outcomes.shares), len(found)))
    np.add.at(summed.T, places.ravel(), np.hstack(shares).T)
    return Outcomes(found, summed, outcomes.hands)
