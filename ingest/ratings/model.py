"""What players bring to their side, with partners and opponents taken out: a mixed model.

    gain of one side over the other = deal + its players - the other players + noise

A player's part is drawn from a normal distribution about nothing, whose spread beside that of the
noise is not taken as known: each of an even grid counts by how well it explains the hands. Only
differences can be known, so that what a player brings is told from the mean of the field.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tricklog.ingest.metrics.intervals import Numbers

Whole = NDArray[np.int64]

SPREADS: Final[Numbers] = np.linspace(0.005, 0.205, 41)
"""Spreads of players over the noise of a hand; a grid even in its logarithm is too sure."""
_CLOSE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Lines:
    """Hands put together in which the same players sat alike, the same side dealt, in one game."""

    players: Whole
    """The players by number, a row a line; -1 where a table has fewer seats."""
    signs: Numbers
    """For each of them 1 on side 0, -1 on side 1, 0 for none."""
    deals: Numbers
    """1 where side 0 dealt, else -1."""
    kinds: Whole
    """Which game the hands are of, by number: each has its own worth of the deal."""
    games: Whole
    """Which played game they are of, by number: the hands of one are alike."""
    hands: Numbers
    gains: Numbers
    """What side 0 gained on side 1, summed up over the hands."""
    squares: Numbers
    """The same squared."""

    def only(self, those: NDArray[np.bool_]) -> Lines:
        """Return some of the lines."""
        return Lines(*(getattr(self, each)[those] for each in self.__slots__))

    def added(self, values: Numbers) -> Numbers:
        """Return by line what the players of side 0 have of ``values`` less those of side 1."""
        found: Numbers = (values[self.players] * self.signs).sum(axis=1)
        return found


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of the players after some hands."""

    means: Numbers
    """What each brings a hand, from the mean of the field."""
    covariance: Numbers
    sigma: float
    """Standard deviation of a hand."""
    alike: float
    """How many times as much sums of games scatter as if their hands had nothing to do with each
    other, 1 at least; intervals are made wider by it."""
    tau: float
    """Standard deviation of players."""
    deal: Numbers
    """What the deal is worth to the side that has it, by kind."""

    def apart(self, one: int, other: int) -> float:
        """Return how far two can be separated: 0 as before any hand, 1 wholly."""
        known = self.covariance
        both = known[one, one] + known[other, other] - 2 * known[one, other]
        return float(1 - both / (2 * self.tau**2))

    def drawn(self, number: int, seed: int) -> Numbers:
        """Return draws of what all of them bring, a row a draw."""
        values, vectors = np.linalg.eigh(self.covariance)
        chance = np.random.default_rng(seed).standard_normal((number, len(values)))
        found: Numbers = self.means + chance * np.sqrt(np.maximum(values, 0)) @ vectors.T
        return found


def rate(lines: Lines, count: int, spreads: Numbers = SPREADS) -> Rating:
    """Return what is known of ``count`` players; ``spreads`` are those to average over."""
    whole, right = normal_equations(lines, count, int(lines.kinds.max()) + 1)
    # The deal is taken out before. A kind of which there are no hands has none.
    hands_of_kind = np.diag(whole)[count:]
    by_kind = np.divide(1, hands_of_kind, out=np.zeros(len(whole) - count), where=hands_of_kind > 0)
    among = whole[:count, count:] * by_kind
    values, vectors = np.linalg.eigh(whole[:count, :count] - among @ whole[count:, :count])
    values = np.maximum(values, 0)
    along = vectors.T @ (right[:count] - among @ right[count:])
    squares = float(lines.squares.sum() - (right[count:] ** 2 * by_kind).sum())
    freedom = float(lines.hands.sum()) - len(by_kind)
    ratios = spreads**-2.0
    noise = (squares - (along**2 / (values + ratios[:, None])).sum(axis=1)) / freedom
    fit = -0.5 * (np.log1p(values / ratios[:, None]).sum(axis=1) + freedom * np.log(noise))
    weights = np.exp(fit - fit.max())
    weights /= weights.sum()
    each_mean = np.array([vectors @ (along / (values + each)) for each in ratios])
    means = weights @ each_mean
    deal = by_kind * (right[count:] - whole[count:, :count] @ means)
    alike = _alike(lines, lines.added(means) + deal[lines.kinds] * lines.deals)
    covariance = np.zeros((count, count))
    for at in np.flatnonzero(weights > _CLOSE):
        off = each_mean[at] - means
        own = (vectors / (values + ratios[at] * alike)) @ vectors.T * noise[at] * alike
        covariance += weights[at] * (own + np.outer(off, off))
    return Rating(
        means=means,
        covariance=covariance,
        sigma=float(np.sqrt(weights @ noise)),
        alike=alike,
        tau=float(np.sqrt(weights @ (noise * spreads**2))),
        deal=deal,
    )


def centred(rating: Rating, groups: Whole) -> Rating:
    """Return what is known of players from the mean of their own group: who met whom."""
    off = np.eye(len(groups)) - (groups[:, None] == groups) / np.bincount(groups)[groups]
    covariance = off @ rating.covariance @ off.T
    return replace(rating, means=off @ rating.means, covariance=covariance)


def normal_equations(lines: Lines, count: int, kinds: int) -> tuple[Numbers, Numbers]:
    """Return the equations of least squares: ``count`` players, then the deal of each kind."""
    size = count + kinds
    columns = np.hstack([lines.players, count + lines.kinds[:, None]])
    signs = np.hstack([lines.signs, lines.deals[:, None]])
    whole, right = np.zeros((size, size)), np.zeros(size)
    for one, sign in zip(columns.T, signs.T, strict=True):
        np.add.at(right, one, sign * lines.gains)
        for other, against in zip(columns.T, signs.T, strict=True):
            np.add.at(whole, (one, other), sign * against * lines.hands)
    return whole, right


def _alike(lines: Lines, fitted: Numbers) -> float:
    """Return how many times as much games scatter as if their hands had nothing in common."""
    left = np.bincount(lines.games, lines.gains - lines.hands * fitted)
    each = lines.squares - 2 * fitted * lines.gains + lines.hands * fitted**2
    return max(1.0, float((left**2).sum() / each.sum()))
