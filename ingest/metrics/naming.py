"""Which of many differences are named, and in which places those compared stand.

The best of many is above the rest by chance, too. So a difference is named only if it stands after
Holm's correction for everything a page compares, at 3 %, which measures at most 5 % of clubs in
which all are alike; and only if it is large enough to matter. Places come from values drawn towards
the middle: as far as the spread of all of them says that they differ by chance. Where many are like
somebody, it is also said what share of them they are better than.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tricklog.ingest.metrics.intervals import Numbers

if TYPE_CHECKING:
    import polars as pl

NAMED_AT: Final = 0.03
"""Corrected chance below which a difference is named."""
FEWEST_OTHERS: Final = 50
"""Others like somebody from whom on a share of them says more than a place."""
FEWEST_HANDS: Final = 300
"""Hands from which on somebody is taken for a part of that company."""
SHARES: Final = ("better_than", "better_low", "better_high")
"""Columns of what ``company`` returns."""
_SAME_DIGITS: Final = 12
"""Digits behind the point in which those who are alike agree; sums are off further on."""
_SPREADS: Final = 41
_DRAWS: Final = 2000
_FEWEST_DRAWS: Final = 100
_NUMBERS_DRAWN: Final = 400_000
_SEED: Final = 29
_Z_90: Final = 1.645
_WITHIN: Final = 0.9
"""How sure a range of places is, and one of shares."""


class Ranks(NamedTuple):
    """Where many stand, an array each: the place, between which places, chance of the first."""

    place: NDArray[np.int64]
    from_place: NDArray[np.int64]
    to_place: NDArray[np.int64]
    first: Numbers


def corrected(chances: Sequence[float]) -> list[float]:
    """Return chances corrected by Holm for how many there are, in the same order."""
    result = [1.0] * len(chances)
    highest = 0.0
    order = sorted(range(len(chances)), key=chances.__getitem__)
    for rank, each in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[each]))
        result[each] = highest
    return result


def corrected_among(chances: Iterable[float | None]) -> list[float | None]:
    """Return chances corrected for those that there are, in the same order; null where none is."""
    listed = list(chances)
    found = iter(corrected([each for each in listed if each is not None]))
    return [None if each is None else next(found) for each in listed]


def named_among(chances: Iterable[float | None]) -> list[bool | None]:
    """Return which of several differences are named, in the same order; null where it was not."""
    return [None if each is None else each < NAMED_AT for each in corrected_among(chances)]


def name_rows(
    frame: pl.DataFrame, relevant: float | Mapping[str, float], difference: str = "difference"
) -> pl.DataFrame:
    """Return rows with ``named``: whether a difference stands among all rows, and is large enough.

    ``relevant`` is the size from which on it is, or one by the value of the first column.
    """
    import polars as pl

    if isinstance(relevant, Mapping):
        least = pl.col(frame.columns[0]).replace_strict(relevant, return_dtype=pl.Float64)
    else:
        least = pl.lit(relevant)
    known = pl.Series(named_among(frame["chance"]), dtype=pl.Boolean)
    return frame.with_columns(named=known & (pl.col(difference).abs() >= least))


def places(
    differences: Sequence[float],
    variances: Sequence[float],
    *,
    lowest_first: bool = False,
    like: Sequence[Hashable] = (),
) -> pl.DataFrame:
    """Return the place of each, from its difference to the others and the variance of that.

    Every spread of the true differences from none to twice that of those found counts by how well
    it explains them. Variances are above zero; ``like`` is as ``company`` takes it.

    Columns: ``drawn``, the difference drawn towards the middle of all; ``place`` by it, the best
    first, ``from_place`` and ``to_place`` (90 %), ``first``, the chance of being so; ``SHARES``,
    see ``company``; and ``narrower``, see ``times_as_many``.
    """
    import polars as pl

    names = ("drawn", *Ranks._fields, *SHARES, "narrower")
    schema = {name: pl.Int64 if "place" in name else pl.Float64 for name in names}
    if not differences:
        return pl.DataFrame(schema=schema)
    drawn = _drawn(np.array(differences, float), np.array(variances, float))
    known = np.round([differences, variances], _SAME_DIGITS)
    same = np.unique(known, axis=1, return_inverse=True)[1].ravel()
    values = (np.bincount(same, drawn.mean(axis=0)) / np.bincount(same))[same]
    sign = -1 if lowest_first else 1
    ranks = ranks_among(sign * values, sign * drawn)
    shares = company(sign * drawn, like or [None] * len(values))
    narrower = times_as_many(values, drawn.std(axis=0), drawn.var())
    columns = zip(names, (values, *ranks, *shares, narrower), strict=True)
    found = pl.DataFrame(dict(columns), schema=schema)
    return found.with_columns(pl.col(*SHARES, "narrower").fill_nan(None))


def ranks_among(values: Numbers, drawn: Numbers, within: float = _WITHIN) -> Ranks:
    """Return where each stands by ``values``, the highest first, and in draws of all, a row a draw.

    Who is alike has the same place, as partners have by a figure of their side who never parted.
    ``within`` is the chance with which they stand between the places given.
    """
    ranks = (-drawn).argsort(axis=1).argsort(axis=1) + 1
    place = np.searchsorted(np.sort(-values), -values) + 1
    outside = (1 - within) / 2
    low, high = np.quantile(ranks, (outside, 1 - outside), axis=0, method="inverted_cdf")
    return Ranks(place, np.minimum(low, place), np.maximum(high, place), (ranks == 1).mean(axis=0))


def company(drawn: Numbers, like: Sequence[Hashable]) -> Numbers:
    """Return for each the share of the others like them below them, from 0 to 1, and its range.

    Three rows: the share, which is the mean over the draws, and the ends of its range (90 %); not a
    number where the others are fewer than ``FEWEST_OTHERS``. ``drawn`` has a row a draw. ``like``
    are equal for those who are alike, and ``None`` for who is nobody's company.
    """
    found = np.full((len(SHARES), len(like)), np.nan)
    for kind in set(like) - {None}:
        those = [at for at, each in enumerate(like) if each == kind]
        if len(those) > FEWEST_OTHERS:
            below = drawn[:, those].argsort(axis=1).argsort(axis=1) / (len(those) - 1)
            ends = np.quantile(below, ((1 - _WITHIN) / 2, (1 + _WITHIN) / 2), axis=0)
            found[:, those] = below.mean(axis=0), *ends
    return found


def times_as_many(means: Numbers, errors: Numbers, prior: float | Numbers) -> Numbers:
    """Return how many times as many hands make a range of shares about half as wide.

    ``means`` are from the mean of all, ``errors`` their standard deviations, ``prior`` is the
    variance of all. Not a number from a hundred times as many on: nobody plays them.
    """
    more = np.geomspace(1, 100, 120)
    left = np.minimum(errors**2 / prior, 0.999)
    error = np.sqrt(left / (left + (1 - left) * more[:, None]))

    def below(values: Numbers) -> Numbers:
        """Return the share of a normal distribution below values, off by .01 at most."""
        return 0.5 * (1 + np.tanh(0.851 * values))

    middle = means / np.sqrt(prior)
    width = below(middle + _Z_90 * error) - below(middle - _Z_90 * error)
    narrow = width <= width[0] / 2
    return np.where(narrow.any(axis=0), more[narrow.argmax(axis=0)], np.nan)


def in_two_digits(hands: pl.Expr) -> pl.Expr:
    """Return from how many hands on a range is narrower in two digits; null for no number."""
    import polars as pl

    return hands.fill_nan(None).round_sig_figs(2).round().cast(pl.Int64)


def _drawn(found: Numbers, noise: Numbers) -> Numbers:
    """Return draws of the true differences, one row a draw, given what was found of them."""
    squares = np.linspace(0.0, 2 * max(float(found.std()), 1e-12), _SPREADS) ** 2
    total = noise + squares[:, None]
    middles = (found / total).sum(axis=1) / (1 / total).sum(axis=1)
    fit = -0.5 * (
        np.log(total).sum(axis=1)
        + np.log((1 / total).sum(axis=1))
        + ((found - middles[:, None]) ** 2 / total).sum(axis=1)
    )
    weights = np.exp(fit - fit.max())
    chance = np.random.default_rng(_SEED)
    # Of thousands the places are known well enough from fewer draws.
    size = min(_DRAWS, max(_FEWEST_DRAWS, _NUMBERS_DRAWN // len(found)))
    which = chance.choice(_SPREADS, size=size, p=weights / weights.sum())
    # The middle of all is not known either.
    unsure = 1 / (1 / total).sum(axis=1)
    middle = middles[which] + np.sqrt(unsure[which]) * chance.standard_normal(size)
    kept = squares[which, None] / total[which]
    means = middle[:, None] + kept * (found - middle[:, None])
    spreads = np.sqrt(kept * noise)
    draws: Numbers = means + spreads * chance.standard_normal((size, len(found)))
    return draws
