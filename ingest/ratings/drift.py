"""Whether players have become better: what they bring over time, and since the middle of it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tricklog.ingest.metrics.intervals import Numbers
from tricklog.ingest.ratings.model import Lines, Rating, Whole, normal_equations, rate

HALF_LIVES: Final = (4.0, 8.0, 16.0, 32.0, 64.0, np.inf)
"""Weeks in which half of what players bring has changed; the last is never."""


class Course(NamedTuple):
    """What players bring, week by week."""

    half_life: float
    """The number of weeks that tells the hands of a week best from the weeks before."""
    means: Numbers
    """A row a week, a column a player."""
    errors: Numbers
    """The standard deviation of each."""


def over_time(lines: Lines, weeks: Whole, rating: Rating) -> Course:
    """Return what players bring after each week, from 0 on; ``rating`` is that of all hands.

    What they bring keeps its spread and forgets half in ``half_life`` weeks, which is the one of
    ``HALF_LIVES`` under which the hands that came were the most likely.
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
    """Return how likely the hands are when skill changes so fast, and how it went."""
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

    Both halves are drawn towards the field, so that a steady player shows less of a change than
    chance gives, and is named even more rarely.
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
