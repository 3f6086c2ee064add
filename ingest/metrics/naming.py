"""Which of many differences are named, and in which places those compared stand.

The best of many is above the rest by chance, too. So a difference is named only if it stands after
Holm's correction for everything a page compares, at 3 %, which measures at most 5 % of clubs in
which all are alike; and only if it is large enough to matter. Places come from values drawn towards
the middle: as far as the spread of all of them says that they differ by chance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

NAMED_AT: Final = 0.03
"""Corrected chance below which a difference is named."""
_SPREADS: Final = 41
_DRAWS: Final = 2000
_FEWEST_DRAWS: Final = 100
_NUMBERS_DRAWN: Final = 400_000
_SEED: Final = 29
_WITHIN: Final = 0.9
"""How sure a range of places is."""
_NORMAL: Final = NormalDist()


class Place(NamedTuple):
    """Where one of many stands, the best first."""

    value: float
    """The difference to the others, drawn towards the middle of all."""
    first: float
    """Chance of being the best."""
    place: int
    """Place by that value, from 1."""
    from_place: int
    to_place: int
    """Between which places they stand, with a chance of 90 %."""


def chance_of(difference: float, variance: float, freedom: float) -> float:
    """Return how often chance alone gives a difference at least as large, to either side.

    Student's t for ``freedom`` degrees of freedom, by a normal approximation good to 0.1 % from
    five on; ``freedom`` may be infinite. One where the variance is zero or not a number.
    """
    if not variance > 0 or math.isnan(difference):
        return 1.0
    t = abs(difference) / math.sqrt(variance)
    if math.isfinite(freedom):
        t = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(t * t / freedom))
    return 2 * _NORMAL.cdf(-t)


def corrected(chances: Sequence[float]) -> list[float]:
    """Return chances corrected by Holm for how many there are, in the same order."""
    result = [1.0] * len(chances)
    highest = 0.0
    order = sorted(range(len(chances)), key=chances.__getitem__)
    for rank, each in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[each]))
        result[each] = highest
    return result


def named_among(chances: Iterable[float | None]) -> list[bool | None]:
    """Return which of several differences are named, in the same order; null where it was not."""
    listed = list(chances)
    found = iter(corrected([each for each in listed if each is not None]))
    return [None if each is None else next(found) < NAMED_AT for each in listed]


def places(
    differences: Sequence[float], variances: Sequence[float], *, lowest_first: bool = False
) -> list[Place]:
    """Return the place of each, from its difference to the others and the variance of that.

    The spread of the true differences is not taken as known: every spread from none to twice that
    of the differences counts by how well it explains them. All variances are above zero.
    """
    if not differences:
        return []
    found, noise = np.array(differences, float), np.array(variances, float)
    drawn = _drawn(found, noise)
    signed = drawn if lowest_first else -drawn
    ranks = signed.argsort(axis=1).argsort(axis=1) + 1
    values = drawn.mean(axis=0)
    order = (values if lowest_first else -values).argsort(kind="stable").argsort() + 1
    outside = (1 - _WITHIN) / 2
    low, high = np.quantile(ranks, (outside, 1 - outside), axis=0, method="inverted_cdf")
    return [
        Place(
            value=float(values[each]),
            first=float((ranks[:, each] == 1).mean()),
            place=int(order[each]),
            from_place=min(int(low[each]), int(order[each])),
            to_place=max(int(high[each]), int(order[each])),
        )
        for each in range(len(found))
    ]


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
