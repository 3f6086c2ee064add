"""Amounts, and how far means of a few samples may be off: over stocks, deals drawn, or that fit.

The one place where a standard error becomes what stands behind ``±``: Student's t for as many
samples as there were. Eight say too little about their own scatter for 1.96 to be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import cos, pi, sin, sqrt
from typing import Final, Literal

Unit = Literal["points", "score"]
UNITS: Final[tuple[Unit, ...]] = ("points", "score")
CONFIDENCE: Final = 0.95
"""How often what is right lies within the reach of a mean."""
_STEPS: Final = 60
"""Halvings after which a point of Student's t is as exact as a float."""
_MANY: Final = 10_000
"""Samples from which on more change nothing that is shown."""


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in points and in score, each ``None`` where it has no meaning."""

    points: Fraction | None
    score: Fraction | None

    def of(self, unit: Unit) -> Fraction:
        """Return the amount in a unit; 0 where it has no meaning."""
        return (self.points if unit == "points" else self.score) or Fraction(0)

    def __add__(self, other: Amount) -> Amount:
        """Return the sum, in what both have a meaning in."""
        return Amount(
            None if self.points is None or other.points is None else self.points + other.points,
            None if self.score is None or other.score is None else self.score + other.score,
        )


@dataclass(frozen=True, slots=True)
class Sampled(Amount):
    """An amount that is a mean over samples, or a difference of such means."""

    points_error: float = 0.0
    """Standard error of sampling."""
    score_error: float = 0.0
    points_reach: float = 0.0
    """How far sampling may be off either way, in 95 of 100 cases."""
    score_reach: float = 0.0

    def reach_in(self, unit: Unit) -> float:
        """Return how far sampling may be off in a unit."""
        return self.points_reach if unit == "points" else self.score_reach


def sampled(points: Sequence[Fraction], score: Sequence[Fraction]) -> Sampled:
    """Return the means of what was found on samples; 0 where nothing was."""
    of_points, of_score = (sum(each, Fraction(0)) / max(1, len(each)) for each in (points, score))
    reaches = reach_of(points), reach_of(score)
    return Sampled(of_points, of_score, error_of(points), error_of(score), *reaches)


def difference(after: Sequence[int], before: Sequence[int]) -> list[Fraction]:
    """Return after less before on every stock; one number stands for all. None without either."""
    if not after or not before:
        return []
    count = max(len(after), len(before))
    return [
        Fraction(after[index % len(after)] - before[index % len(before)]) for index in range(count)
    ]


def error_of(numbers: Sequence[float] | Sequence[Fraction]) -> float:
    """Return the standard error of the mean, from how the numbers scatter; 0 for a single one."""
    count = len(numbers)
    if count < 2:
        return 0.0
    floats = [float(each) for each in numbers]
    mean = sum(floats) / count
    return sqrt(sum((each - mean) ** 2 for each in floats) / (count - 1) / count)


def reach_of(numbers: Sequence[float] | Sequence[Fraction]) -> float:
    """Return how far the mean of independent numbers may be off either way; 0 for a single one."""
    return reach(error_of(numbers), len(numbers))


def reach(error: float, count: int) -> float:
    """Return how far a mean over ``count`` samples may be off, with this standard error."""
    return student(min(count, _MANY) - 1) * error if count > 1 else 0.0


@lru_cache(maxsize=256)
def student(freedom: int) -> float:
    """Return the point of t of some degrees of freedom that 95 of 100 cases do not go beyond."""
    low, high = 0.0, pi / 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _within(middle, freedom) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return sqrt(freedom) * sin(low) / cos(low)


def _within(angle: float, freedom: int) -> float:
    """Return how often t is within √freedom times the tangent of an angle of 0.

    The finite sums for whole degrees of freedom, Abramowitz and Stegun 26.7.3 and 26.7.4.
    """
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for power in range(2 + odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * (power - 1) / power
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
