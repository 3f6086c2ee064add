"""Means a hand with intervals by games, as hands of one game share partners and opponents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from tricklog.ingest.metrics.intervals import (
    FEWEST_GAMES_OF_AMOUNTS,
    Numbers,
    Scale,
    Sums,
    interval,
    typical,
)

FEWEST_GAMES: Final = FEWEST_GAMES_OF_AMOUNTS
"""Games that an interval needs: a few have not shown the rare large amount."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean a hand, exactly, with the ends of its interval of 95 %."""

    value: Fraction
    low: float | None
    """``None`` with fewer games than ``FEWEST_GAMES``."""
    high: float | None
    hands: int
    games: int


def in_hundredths(parts: Sequence[Fraction]) -> list[float]:
    """Return amounts rounded to hundredths so that all but the last sum to the last, their sum.

    Each is off by less than a hundredth: those with the largest remainders are rounded up.
    """
    *small, whole = (part * 100 for part in parts)
    assert sum(small, Fraction(0)) == whole
    rounded = [math.floor(part) for part in small]
    by_remainder = sorted(range(len(small)), key=lambda at: rounded[at] - small[at])
    for at in by_remainder[: round(whole) - sum(rounded)]:
        rounded[at] += 1
    return [each / 100 for each in (*rounded, round(whole))]


def reaches(sums: Sums) -> Numbers:
    """Return by how much each mean may be off either way; not a number with too few games."""
    field = np.full(len(sums.games), typical(sums, Scale.FREE))
    low, high = interval(sums, field, Scale.FREE)
    return np.where(sums.games >= FEWEST_GAMES, (high - low) / 2, np.nan)


def widened(reach: float, other: float) -> float:
    """Return how far a mean may be off when what another source may be off comes to it."""
    return float(np.hypot(reach, other))
