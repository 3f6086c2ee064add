"""Means a hand with intervals by games, as hands of one game share partners and opponents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ingest.metrics.intervals import (
    FEWEST_GAMES_OF_AMOUNTS,
    Numbers,
    Scale,
    Sums,
    interval,
    typical,
)

FEWEST_GAMES: Final = FEWEST_GAMES_OF_AMOUNTS
"""Games that an interval needs: a few have not shown the rare large amount."""
Whole = NDArray[np.int64]


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


def sums_by_games(groups: int, group: Whole, game: Whole, amounts: Numbers) -> Sums:
    """Return sums over games of some groups, of one amount for each hand.

    ``group`` and ``game`` have the numbers of those that each hand belongs to.
    """
    pairs, place = np.unique(np.stack([group, game]), axis=1, return_inverse=True)
    place = place.reshape(-1)
    of_game = pairs[0]
    y = np.bincount(place, amounts, len(of_game)).astype(np.float64)
    w = np.bincount(place, minlength=len(of_game)).astype(np.float64)

    def total(numbers: Numbers) -> Numbers:
        return np.bincount(of_game, numbers, groups).astype(np.float64)

    ones = np.ones_like(y)
    return Sums(total(ones), total(y), total(w), total(y * y), total(y * w), total(w * w))


def reaches(sums: Sums) -> Numbers:
    """Return by how much each mean may be off either way; not a number with too few games."""
    field = np.full(len(sums.games), typical(sums, Scale.FREE))
    low, high = interval(sums, field, Scale.FREE)
    return np.where(sums.games >= FEWEST_GAMES, (high - low) / 2, np.nan)


def widened(reach: float, other: float) -> float:
    """Return how far a mean may be off when what another source may be off comes to it."""
    return float(np.hypot(reach, other))


def mean_by_games(games: Sequence[Sequence[Fraction]]) -> Mean:
    """Return the mean over hands, given game by game, at least one hand in each."""
    hands = sum(len(each) for each in games)
    value = sum((sum(each, Fraction(0)) for each in games), Fraction(0)) / hands
    number = np.repeat(np.arange(len(games)), [len(each) for each in games])
    amounts = np.array([float(each) for game in games for each in game])
    reach = float(reaches(sums_by_games(1, np.zeros_like(number), number, amounts))[0])
    if np.isnan(reach):
        return Mean(value, None, None, hands, len(games))
    return Mean(value, float(value) - reach, float(value) + reach, hands, len(games))
