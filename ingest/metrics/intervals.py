"""Intervals of figures whose cases come in games.

Hands of a game are alike, so a figure knows what its games say, not what its cases would say if
each stood for itself. How far the games of a row scatter is taken from the row, and, as a few games
say little about that, from the other rows: their scatter counts as much as four games. A share then
has Wilson's interval for as many cases as would say the same if they were independent; an amount
that cannot fall below something has an interval on the scale of logarithms, and everything else
has Student's.

All that is needed are sums over games, so most functions take arrays with one number a row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

Numbers = NDArray[np.float64]
Whole = NDArray[np.integer[Any]]

Z_95: Final = 1.959963984540054
Z_99: Final = 2.5758293035489004
WORTH: Final = 4.0
"""Games that the scatter of all rows counts as, beside those of the row itself."""
FEWEST_GAMES: Final = 5
"""Games that a share needs."""
FEWEST_GAMES_OF_AMOUNTS: Final = 10
"""Games that an amount needs: it may have a rare large value that a few games have not shown."""
_TELLING: Final = 3
"""Games from which on a row says something about the scatter of all rows."""
_ENOUGH_ROWS: Final = 100.0
"""Games of rows, taken together, below which their scatter is not known."""
_USUAL: Final = 0.05
"""Correlation of the cases of a game where too few games show it."""
_FEWEST_FREEDOM: Final = 3.0
"""Degrees of freedom from which on the expansion of Student's t is exact."""
_LEAST_EFFECT: Final = 0.75
"""Cases in turns are more regular than chance, but never by more than that."""
_LEAST_CORRELATION: Final = -0.05
LEAST_INFLATION: Final = 0.5
"""The least factor by which the field's games make the variance of a share smaller."""
LEAST_OF_VARIANCE: Final = 0.25
"""The least part of a variance that games in common leave."""
_NORMAL: Final = NormalDist()


class Scale(Enum):
    """What the values of a figure can be.

    Hits among cases; amounts that are part of a whole, from 0 to 1; amounts that cannot fall below
    a least one; any others.
    """

    SHARE = "share"
    PART = "part"
    ABOVE = "above"
    FREE = "free"

    @property
    def bounded(self) -> bool:
        """Whether values lie from 0 to 1."""
        return self in (Scale.SHARE, Scale.PART)


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over the games of each row, of what they add to the numerator and the denominator."""

    games: Numbers
    y: Numbers
    w: Numbers
    yy: Numbers
    yw: Numbers
    ww: Numbers

    @property
    def ratio(self) -> Numbers:
        """The value of each row; not a number where nothing is in the denominator."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.y / self.w

    def squares(self, about: Numbers) -> Numbers:
        """Return the sum over the games of ``y - about * w``, squared."""
        return self.yy - 2 * about * self.yw + about**2 * self.ww

    def spread(self) -> Numbers:
        """Return the variance of ``y - ratio * w`` over the games, of their sum."""
        return np.maximum(0.0, self.squares(self.ratio)) * unbiased(self.games)

    def telling(self, scale: Scale) -> Numbers:
        """Return how many games more than one say something about the scatter of a row."""
        with np.errstate(divide="ignore", invalid="ignore"):
            games = np.nan_to_num(self.w**2 / self.ww)
        if scale == Scale.SHARE:
            games = np.minimum(games, np.minimum(self.y, self.w - self.y))
        return np.maximum(0.0, games - 1)

    def of(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Sums:
        """Return the sums of some of the rows."""
        return Sums(*(getattr(self, name)[rows] for name in self.__slots__))


def sums_of(rows: pl.DataFrame) -> Sums:
    """Return the sums over games that the columns of a frame are."""
    return Sums(*(rows[name].cast(float).to_numpy() for name in Sums.__slots__))


def over_games(y: pl.Expr, w: pl.Expr) -> list[pl.Expr]:
    """Return the columns of ``Sums`` for a frame with a row for each game."""
    import polars as pl

    products = {"yy": y * y, "yw": y * w, "ww": w * w}
    return [
        pl.len().alias("games"),
        *(each.sum().alias(name) for name, each in ({"y": y, "w": w} | products).items()),
    ]


@dataclass(frozen=True, slots=True)
class ByGame:
    """What the games of some groups add: an entry for each game of a group."""

    group: Whole
    y: Numbers
    w: Numbers

    def sums(self, groups: int) -> Sums:
        """Return the sums over games of so many groups."""
        y, w = self.y, self.w
        parts = (np.ones_like(y), y, w, y * y, y * w, w * w)
        return Sums(*(_added(self.group, each, groups) for each in parts))


def by_game(
    group: Whole, game: Whole, y: NDArray[np.floating[Any]], w: Numbers | None = None
) -> ByGame:
    """Return what cases, by the numbers of their group and game from 0, add up to in each.

    ``w`` is 1 a case unless given.
    """
    games = int(game.max(initial=0)) + 1
    pairs, at = np.unique(group.astype(np.int64) * games + game, return_inverse=True)
    return ByGame(pairs // games, _added(at, y, len(pairs)), _added(at, w, len(pairs)))


def _added(at: Whole, weights: NDArray[np.floating[Any]] | None, count: int) -> Numbers:
    return np.bincount(at, weights, count).astype(np.float64)


def unbiased(games: Numbers) -> Numbers:
    """Return what a sum of squares over games about their mean is multiplied by."""
    return np.divide(games, games - 1, out=np.zeros_like(games), where=games > 1)


def student(freedom: Numbers, z: float) -> Numbers:
    """Return the point of Student's t that stands where ``z`` does in the normal distribution.

    Exact to 0.3 % from three degrees of freedom on, which may be infinite.
    """
    with np.errstate(divide="ignore"):
        over = 1.0 / freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    added = (term * over**power for power, term in enumerate(terms, 1))
    return sum(added, start=np.full_like(over, z))


def chance_of(difference: float, variance: float, freedom: float) -> float:
    """Return how often chance alone gives a difference at least as large, to either side.

    Student's t, good to 0.1 % from five degrees of freedom on, which may be infinite. One where the
    variance is zero or not a number.
    """
    if not variance > 0 or math.isnan(difference):
        return 1.0
    t = abs(difference) / math.sqrt(variance)
    if math.isfinite(freedom):
        t = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))
    return 2 * _NORMAL.cdf(-t)


class Apart(NamedTuple):
    """A difference with its 99 % interval, and how often chance alone gives as much."""

    difference: float
    low: float
    high: float
    chance: float


class Estimate(NamedTuple):
    """A value, its variance, and the degrees of freedom of that, which may be infinite."""

    value: float
    variance: float
    freedom: float

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Estimate:
        """Return the difference in a row of ``comparing.compare``, to be compared with others."""
        return cls(row["difference"], row["variance"], row["freedom"])

    def less(self, other: Estimate, together: float = 0.0) -> Estimate:
        """Return this less another one; ``together`` is their covariance by games of both."""
        both = self.variance + other.variance
        unsure = self.variance**2 / self.freedom + other.variance**2 / other.freedom
        return Estimate(
            self.value - other.value,
            max(both - 2 * together, LEAST_OF_VARIANCE * both),
            both**2 / unsure if unsure > 0 else math.inf,
        )

    def apart(self) -> Apart:
        """Return how far it is from nothing."""
        reach = float(student(np.array(self.freedom), Z_99)) * math.sqrt(self.variance)
        return Apart(self.value, self.value - reach, self.value + reach, chance_of(*self))


def wilson(share: Numbers, cases: Numbers, z: Numbers) -> tuple[Numbers, Numbers]:
    """Return Wilson's interval of shares of independent cases, within 0 and 1."""
    squared = z * z
    middle = share + squared / (2 * cases)
    reach = z * np.sqrt(share * (1 - share) / cases + squared / (4 * cases**2))
    below, above = (middle - reach, middle + reach)
    scale = 1 + squared / cases
    return np.clip(below / scale, 0.0, share), np.clip(above / scale, share, 1.0)


def typical(sums: Sums, scale: Scale, least: float = 0.0) -> float:
    """Return the scatter of all rows, each about its own value; not a number if it is not known.

    For a share this is the correlation of the cases of a game; for a part, the variance for each
    unit of the denominator against that of independent cases; for an amount with a least value, the
    squared coefficient of variation of one unit; for other amounts, the variance of one unit.
    """
    rows = sums.of(sums.games >= _TELLING)
    if rows.games.sum() < _ENOUGH_ROWS:
        return _USUAL if scale == Scale.SHARE else float("nan")
    ratio, spread = rows.ratio, rows.spread()
    if scale == Scale.SHARE:
        alone = rows.y * (1 - ratio)
        within = float((alone / rows.w * (rows.ww - rows.w)).sum())
        if within <= 0:
            return 0.0
        return float(np.clip((spread - alone).sum() / within, _LEAST_CORRELATION, 1.0))
    if scale == Scale.PART:
        alone = (np.clip(ratio * (1 - ratio), 0.0, None) * rows.w).sum()
        return float(spread.sum() / alone) if alone > 0 else float("nan")
    if scale == Scale.ABOVE:
        above = ratio > least
        relative = spread[above] / (rows.w[above] * (ratio[above] - least) ** 2)
        return float(np.median(relative)) if relative.size else float("nan")
    return pooled(rows)


def pooled(sums: Sums) -> float:
    """Return the variance of one unit by all games; not a number where no row has three."""
    rows = sums.of(sums.games >= _TELLING)
    return float(rows.spread().sum() / rows.w.sum()) if len(rows.w) else float("nan")


def typical_of_each(
    sums: Sums, groups: Sequence[object], scale: Scale, least: float = 0.0
) -> dict[object, float]:
    """Return ``typical`` of the rows of each group; of all where a group shows too little."""
    of_all = typical(sums, scale, least)
    group_of_row = np.array([*groups], dtype=object)
    found: dict[object, float] = {}
    for group in dict.fromkeys(groups):
        rows = sums.of(group_of_row == group)
        known = rows.games[rows.games >= _TELLING].sum() >= _ENOUGH_ROWS
        own = typical(rows, scale, least)
        found[group] = own if known and not np.isnan(own) else of_all
    return found


def interval(
    sums: Sums, field: Numbers, scale: Scale, least: float = 0.0, z: float = Z_95
) -> tuple[Numbers, Numbers]:
    """Return the ends of the interval of each row; not a number where there is none.

    ``field``: what ``typical`` says of the rows that a row is one of; where it is not a number, the
    row's own games decide alone. An amount that is at its least value in every case has no
    interval: its games show no scatter, and cannot.
    """
    ratio, spread, telling = sums.ratio, sums.spread(), sums.telling(scale)
    worth, freedom = _mixed(telling, field)
    field = np.nan_to_num(field)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = student(freedom, z)
        if scale == Scale.SHARE:
            low, high = wilson(ratio, sums.w / effect(sums, field), t)
        elif scale == Scale.PART:
            alone = ratio * (1 - ratio) * sums.w
            own = np.where(alone > 0, telling * spread / alone, 0.0)
            times = (own + worth * field) / (telling + worth)
            # Where nothing shows how games scatter, each counts as one case.
            times = np.where(times > 0, times, sums.w / (telling + 1))
            low, high = wilson(ratio, sums.w / times, t)
        elif scale == Scale.ABOVE:
            above = ratio - least
            variance = telling * spread + worth * field * sums.w * above**2
            reach = t * np.sqrt(variance / (telling + worth)) / sums.w / above
            known = above > 0
            low = np.where(known, least + above * np.exp(-reach), np.nan)
            high = np.where(known, least + above * np.exp(reach), np.nan)
        else:
            variance = _of_sum(sums, telling, worth, field)
            reach = t * np.sqrt(variance) / sums.w
            low, high = ratio - reach, ratio + reach
    return low, high


def _mixed(telling: Numbers, field: Numbers) -> tuple[Numbers, Numbers]:
    """Return how many games the scatter of the field counts as, and the degrees of freedom."""
    worth = np.where(np.isnan(field), 0.0, WORTH)
    with np.errstate(divide="ignore", invalid="ignore"):
        freedom = np.maximum((telling + worth) ** 2 / telling, _FEWEST_FREEDOM)
    return worth, np.where(telling > 0, freedom, np.inf)


def _of_sum(sums: Sums, telling: Numbers, worth: Numbers, field: Numbers) -> Numbers:
    """Return the variance of the sum over the games of each row."""
    return (telling * sums.spread() + worth * field * sums.w) / (telling + worth)


def variances(sums: Sums, field: Numbers) -> tuple[Numbers, Numbers]:
    """Return the variance of the mean of each row, and its degrees of freedom.

    ``field``: the variance of one unit, as ``pooled`` says of the rows that a row is one of.
    """
    telling = sums.telling(Scale.FREE)
    worth, freedom = _mixed(telling, field)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _of_sum(sums, telling, worth, np.nan_to_num(field)) / sums.w**2, freedom


def effect(sums: Sums, correlation: Numbers) -> Numbers:
    """Return the design effect of shares: how many cases say as much as one independent case."""
    alone, telling = sums.y * (1 - sums.ratio), sums.telling(Scale.SHARE)
    own = np.divide(telling * sums.spread(), alone, out=np.zeros_like(alone), where=alone > 0)
    inflated = np.maximum(LEAST_INFLATION, 1 + correlation * (sums.ww / sums.w - 1))
    return np.maximum(_LEAST_EFFECT, (own + WORTH * inflated) / (telling + WORTH))
