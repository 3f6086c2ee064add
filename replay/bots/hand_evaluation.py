"""What a hand is worth: the share of the points its side may expect to take as makers.

Nobody tells the bots how a game goes. Before they bid they practise: random deals are played out
without an auction, and what the makers took is fitted to a few features of the maker's first
cards. So every ruleset, a house's own included, gets bids that suit it.

All arithmetic is on floats in a fixed order, so the same ruleset gives the same judgement on every
machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from tricklog.core.card_sense.worth import Mind

_RIDGE: Final = 0.6
"""Holds the fit back where few practice hands speak for a feature."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How the features of a hand foretell the share of points, and how far that may be off."""

    weights: tuple[float, ...]
    spread: float
    """Standard deviation of the share around what was foretold."""

    def mind(self, reach: float = 0.0, carelessness: float = 0.0) -> Mind:
        """Return the mind of a player who judges so.

        ``reach``: how far above what it expects to take it bids, in standard deviations;
        ``carelessness``: the chance to play any legal card.
        """
        return Mind([*self.weights], reach * self.spread, carelessness * (1 << 53))


UNTRAINED: Final = Judgement((0.1, 0.0, 0.0, 0.2, 0.03, 0.2, 0.05), 0.25)
"""Good enough to choose trumps by in practice hands."""


def fit(rows: Sequence[tuple[float, ...]], shares: Sequence[float]) -> Judgement:
    """Return the judgement that fits ``shares`` best in the least squares sense, with a ridge."""
    size = len(rows[0])
    matrix = [[0.0] * (size + 1) for _ in range(size)]
    for row, share in zip(rows, shares, strict=True):
        for one in range(size):
            for other in range(size):
                matrix[one][other] += row[one] * row[other]
            matrix[one][size] += row[one] * share
    for one in range(1, size):
        matrix[one][one] += _RIDGE
    weights = _solve(matrix)
    off = 0.0
    for row, share in zip(rows, shares, strict=True):
        foretold = sum(weight * value for weight, value in zip(weights, row, strict=True))
        off += (share - foretold) ** 2
    return Judgement(tuple(weights), sqrt(off / len(rows)))


def _solve(matrix: list[list[float]]) -> list[float]:
    """Solve a system of linear equations, positive definite by its ridge, by elimination."""
    size = len(matrix)
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = matrix[row][pivot] / matrix[pivot][pivot]
            for column in range(pivot, size + 1):
                matrix[row][column] -= factor * matrix[pivot][column]
    result = [0.0] * size
    for row in range(size - 1, -1, -1):
        known = sum(matrix[row][column] * result[column] for column in range(row + 1, size))
        result[row] = (matrix[row][size] - known) / matrix[row][row]
    return result
