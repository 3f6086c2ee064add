"""What players bring to their side, with partners and opponents taken out: a mixed model.

    gain of one side over the other = deal + its players - the other players + noise

A player's part is drawn from a normal distribution about nothing, whose spread beside that of the
noise is not taken as known: each of an even grid counts by how well it explains the hands. Only
differences can be known, so that what a player brings is told from the mean of the field. Over time
it keeps its spread and forgets half in so many weeks, see ``over_time``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tricklog.ingest.metrics.intervals import Numbers, Whole

SPREADS: Final[Numbers] = np.linspace(0.005, 0.205, 41)
"""Spreads of players over the noise of a hand; a grid even in its logarithm is too sure."""
_CLOSE: Final = 1e-6
_LEAST: Final = 1e-9
"""Variance of a hand that all alike ones count with, such as one hand recorded at each table."""
HALF_LIVES: Final = (4.0, 8.0, 16.0, 32.0, 64.0, np.inf)
"""Weeks in which half of what players bring has changed; the last is never."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Hands put together in which the same players sat alike, the same side dealt, in one game.

    A row is a line of them; games and players are numbers.
    """

    players: Whole
    """By seat; -1 where a table has fewer seats."""
    signs: Numbers
    """For each of them 1 on side 0, -1 on side 1, 0 for none."""
    deals: Numbers
    """1 where side 0 dealt, else -1."""
    kinds: Whole
    """Which game is played: each has its own worth of the deal."""
    games: Whole
    """Which game was played: the hands of one are alike."""
    hands: Numbers
    gains: Numbers
    squares: Numbers
    """How many they are, and what side 0 gained on side 1 in them, also squared, as sums."""

    def only(self, those: NDArray[np.bool_]) -> Lines:
        """Return some of the lines."""
        return Lines(*(getattr(self, each)[those] for each in self.__slots__))

    def added(self, values: Numbers) -> Numbers:
        """Return by line what the players of side 0 have of ``values`` less those of side 1."""
        found: Numbers = np.einsum("ij,ij->i", values[self.players], self.signs)
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
    """How many times as much games scatter as if their hands had nothing in common, 1 at least."""
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
        return np.asarray(self.means + chance * np.sqrt(np.maximum(values, 0)) @ vectors.T)


class Course(NamedTuple):
    """What players bring, week by week: a row a week, a column a player, and the errors of it.

    ``half_life`` is the number of weeks that tells the hands of a week best from those before.
    """

    half_life: float
    means: Numbers
    errors: Numbers


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
    noise = np.maximum(noise, _LEAST)
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
    sigma, tau = (float(np.sqrt(weights @ each)) for each in (noise, noise * spreads**2))
    return Rating(means, covariance, sigma, alike, tau, deal)


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


def over_time(lines: Lines, weeks: Whole, rating: Rating) -> Course:
    """Return what players bring after each week, from 0 on; ``rating`` is that of all hands.

    The half-life is the one of ``HALF_LIVES`` under which the hands that came were most likely.
    """
    count, noise = len(rating.means), rating.sigma**2 * rating.alike
    equations = []
    for week in range(int(weeks.max()) + 1):
        whole, right = normal_equations(lines.only(weeks == week), count, len(rating.deal))
        # The deal is known well enough from all hands.
        right = right[:count] - whole[:count, count:] @ rating.deal
        equations.append((whole[:count, :count] / noise, right / noise))
    found = [_filtered(equations, rating.tau**2, each) for each in HALF_LIVES]
    return max(found, key=lambda each: each[0])[1]


def _filtered(
    equations: list[tuple[Numbers, Numbers]], spread: float, half_life: float
) -> tuple[float, Course]:
    count = len(equations[0][1])
    kept = 2.0 ** (-1.0 / half_life)
    still = np.eye(count) * spread
    mean: Numbers = np.zeros(count)
    known: Numbers = still
    likelihood, means, errors = 0.0, [], []
    for whole, right in equations:
        mean, known = kept * mean, kept**2 * known + (1 - kept**2) * still
        if right.any():
            # What does not hang on the players is the same for all half-lives and left out.
            new = np.linalg.inv(np.linalg.inv(known) + whole).astype(float)
            off = right - whole @ mean
            likelihood -= 0.5 * np.linalg.slogdet(np.eye(count) + known @ whole)[1]
            likelihood += right @ mean - 0.5 * mean @ whole @ mean + 0.5 * off @ new @ off
            mean, known = (mean + new @ off).astype(float), new
        means.append(mean)
        errors.append(np.sqrt(np.diag(known)))
    return likelihood, Course(half_life, np.array(means), np.array(errors))


def since_the_middle(lines: Lines, weeks: Whole, rating: Rating) -> tuple[Numbers, Numbers]:
    """Return how much more players brought in the second half of their hands, and its error.

    Both halves are drawn towards the field, so that a steady player is named even more rarely.
    """
    middle = np.median(np.repeat(weeks, lines.hands.astype(int)))
    count, spreads = len(rating.means), np.array([rating.tau / rating.sigma])
    halves = []
    for those in (weeks <= middle, weeks > middle):
        if not those.any():
            # Of a single week nothing more is known than before any hand.
            return np.zeros(count), np.full(count, 2**0.5 * rating.tau)
        halves.append(rate(lines.only(those), count, spreads))
    early, late = halves
    change = late.means - early.means
    variance = np.diag(early.covariance) + np.diag(late.covariance)
    return change - change.mean(), np.sqrt(variance)


def _alike(lines: Lines, fitted: Numbers) -> float:
    left = np.bincount(lines.games, lines.gains - lines.hands * fitted)
    each = lines.squares - 2 * fitted * lines.gains + lines.hands * fitted**2
    return max(1.0, float((left**2).sum() / max(each.sum(), _LEAST)))
