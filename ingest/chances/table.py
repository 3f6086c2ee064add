"""The chance of a side to win a game, for each score before a deal.

The side that deals wins with the chance ``v``. A hand turns one position into another in which the
other side deals, so that ``v`` is the sum over outcomes of their share times one, nothing, or one
less the chance of the other side there. It is worked out by going round until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tricklog.ingest.chances.ending import Ending, Whole
from tricklog.ingest.chances.outcomes import Game, Outcomes, phase
from tricklog.ingest.metrics.intervals import Numbers

_MOST_SCORES: Final = 150
"""Scores of a side that are worked out; where there are more, those between are in between. Where
no rule ends a game at the bottom, half the target below nothing counts for all that is lower."""
_CLOSE: Final = 1e-5
_MOST_ROUNDS: Final = 1000
_BIT: Final = np.float32


class ChanceTable:
    """The chances of one game, between sides that play alike."""

    def __init__(self, game: Game, outcomes: Outcomes) -> None:
        """Work them out. ``game`` has no ``refusal``."""
        self.game = game
        self.hands = outcomes.hands
        """How many stored hands they are made of."""
        self._ending = Ending(game.rules)
        rules, gain = game.rules, int(outcomes.rows[:, :2].max(initial=1))
        lowest = rules.lose_at or -rules.target // 2
        self._step = -(-(rules.target + gain - lowest) // _MOST_SCORES)
        below = -(-(rules.target - lowest) // self._step)
        size = below + -(-gain // self._step) + 1
        self._low = rules.target - below * self._step
        self._solve(size, _on_grid(outcomes, self._step))

    def _solve(self, size: int, outcomes: Outcomes) -> None:
        scores = self._low + self._step * np.arange(size)
        dealers, others = np.meshgrid(scores, scores, indexing="ij")
        at = phase(self.game, dealers, others)
        won: Numbers = np.zeros(dealers.shape)
        places, shares = [], []
        for row, share in zip(outcomes.rows, outcomes.shares.T, strict=True):
            own, other, winner = self._ending.settle(dealers, others, row)
            won += share[at] * (winner == 0)
            # The other side deals next.
            first, second = (
                np.clip((each - self._low) // self._step, 0, size - 1) for each in (other, own)
            )
            places.append((first * size + second).ravel().astype(np.int32))
            shares.append((share[at] * (winner < 0)).ravel().astype(_BIT))
        place, share_on = np.array(places), np.array(shares)
        ended, on = won.ravel(), share_on.sum(axis=0)
        chance = 1 / (1 + np.exp((others - dealers) * 3 / self.game.rules.target)).ravel()
        for _ in range(_MOST_ROUNDS):
            before = chance
            chance = ended + on - np.einsum("ij,ij->j", share_on, before[place])
            if np.abs(chance - before).max() < _CLOSE:
                break
        square = ended + np.einsum("ij,ij->j", share_on, (1 - chance[place]) ** 2)
        self._chances = chance.reshape(dealers.shape)
        self._spreads = np.sqrt(np.maximum(square - chance**2, 0)).reshape(dealers.shape)

    def chance(self, dealers: Whole, others: Whole) -> Numbers:
        """Return the chance of the side that deals, at its score and that of the other one."""
        return self._between(self._chances, dealers, others)

    def spread(self, dealers: Whole, others: Whole) -> Numbers:
        """Return the standard deviation of the chance after the hand."""
        return self._between(self._spreads, dealers, others)

    def after(
        self, dealers: Whole, others: Whole, outcome: Sequence[Whole | int]
    ) -> tuple[Numbers, NDArray[np.int8]]:
        """Return the chance of the side that dealt, after an outcome, and who has won with it.

        Scores are those before the hand. ``outcome`` is in the order of ``OUTCOME``, one number for
        all hands or one for each. The winner is 0 for the side that dealt, 1 for the other one,
        ``NOBODY`` while the game goes on.
        """
        own, other, winner = self._ending.settle(dealers, others, outcome)
        return np.where(winner < 0, 1 - self.chance(other, own), winner == 0), winner

    def _between(self, table: Numbers, dealers: Whole, others: Whole) -> Numbers:
        """Return what a table has for scores, weighing the four places round each."""
        last = len(table) - 1
        row, up = _place((np.asarray(dealers) - self._low) / self._step, last)
        column, right = _place((np.asarray(others) - self._low) / self._step, last)
        below = table[row, column] * (1 - right) + table[row, column + 1] * right
        above = table[row + 1, column] * (1 - right) + table[row + 1, column + 1] * right
        found: Numbers = below * (1 - up) + above * up
        return found


def _place(score: Numbers, last: int) -> tuple[Whole, Numbers]:
    """Return the place below a score, and how far it is to the next one."""
    within = np.clip(score, 0, last)
    place = np.minimum(within.astype(np.int64), last - 1)
    return place, within - place


def _on_grid(outcomes: Outcomes, step: int) -> Outcomes:
    """Return outcomes that add multiples of a step, the same on the average as those given."""
    if step == 1:
        return outcomes
    rows, shares = [], []
    low = outcomes.rows[:, :2] // step
    part = outcomes.rows[:, :2] / step - low
    for more in ((0, 0), (0, 1), (1, 0), (1, 1)):
        weight = np.prod(np.where(more, part, 1 - part), axis=1)
        rows.append(np.hstack([(low + more) * step, outcomes.rows[:, 2:]]))
        shares.append(outcomes.shares * weight)
    found, places = np.unique(np.vstack(rows), axis=0, return_inverse=True)
    summed = np.zeros((len(outcomes.shares), len(found)))
    np.add.at(summed.T, places.ravel(), np.hstack(shares).T)
    kept = summed.sum(axis=0) > 0
    return Outcomes(found[kept], summed[:, kept], outcomes.hands)
