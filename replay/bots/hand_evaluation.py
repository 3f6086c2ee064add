"""What a hand is worth: the share of the points its side may expect to take as makers.

Nobody tells the bots how a game goes. Before they bid they practise: random deals are played out
without an auction, and what the makers took is fitted to a few features of the maker's first
cards. So every ruleset, a house's own included, gets bids that suit it.

All arithmetic is plain Python on floats in a fixed order, so the same ruleset gives the same
judgement on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from replay.engine.records import Rules
from schemas.cards import cards_in

_COMMAND: Final = (1.0, 0.8, 0.65, 0.5, 0.4)
"""What the highest trumps are worth in command of the suit; every other one 0.25."""
_RIDGE: Final = 0.6
"""Holds the fit back where few practice hands speak for a feature."""


def features(rules: Rules, held: int, trump: int) -> tuple[float, ...]:
    """Return the features of the cards ``held`` with ``trump`` as trumps, the first always 1."""
    trumps = rules.trump_cards[trump]
    order = sorted(cards_in(trumps), key=lambda card: -rules.strength[trump][card])
    command = 0.0
    for place, card in enumerate(order):
        if held >> card & 1:
            command += _COMMAND[place] if place < len(_COMMAND) else 0.25
    total = max(1, sum(rules.points[trump]))
    own_points = sum(rules.points[trump][card] for card in cards_in(held))
    sides = 0.0
    for card in cards_in(held & ~trumps):
        suit = rules.suit_cards[trump][rules.suit[trump][card]]
        over = [
            other
            for other in cards_in(suit)
            if rules.strength[trump][other] > rules.strength[trump][card]
        ]
        sides += 1.0 if not over else 0.4 if len(over) == 1 else 0.0
    return (
        1.0,
        1.0 if held >> order[0] & 1 else 0.0,
        1.0 if held >> order[1] & 1 else 0.0,
        command,
        float((held & trumps).bit_count()),
        own_points / total,
        sides,
    )


FEATURES: Final = 7


@dataclass(frozen=True, slots=True)
class Judgement:
    """How the features of a hand foretell the share of points, and how far that may be off."""

    weights: tuple[float, ...]
    spread: float
    """Standard deviation of the share around what was foretold."""

    def share(self, rules: Rules, held: int, trump: int) -> float:
        """Return the share of all points the side may expect with ``trump`` named, 0 to 1."""
        values = features(rules, held, trump)
        expected = sum(weight * value for weight, value in zip(self.weights, values, strict=True))
        return min(1.0, max(0.0, expected))


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
