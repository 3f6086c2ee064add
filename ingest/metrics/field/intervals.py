"""Means over games with their intervals, and the correction for all that are compared.

Rows of one game are alike, so a game is one draw. The spread that a player's own games show is
mixed with what the games of the whole field show, which counts for four games: a player with few
games is taken to scatter as the field does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from ingest.metrics.field.holdings import Flags, Floats, Integers

FEWEST_GAMES: Final = 10
"""Games that a figure takes."""
FEWEST_CONTRACTS: Final = 30
PRIOR_GAMES: Final = 4
"""How many games the spread of the field counts for beside a player's own."""
FIELD_GAMES: Final = 3
"""Games from which on a player counts for the spread of the field."""
HOLM: Final = 0.03
"""Named when the chance of so large a difference, of all that are compared, is below this."""
_NORMAL: Final = NormalDist()
_Z: Final = _NORMAL.inv_cdf(0.975)
_EXPANSION: Final = (2.372270, 2.822490, 2.555851, 1.589539)
"""What Student's t adds to the normal distribution, in powers of 1 / df."""


@dataclass(frozen=True, slots=True)
class Tallies:
    """Sums ``y`` over the rows of each player in each game, and how many rows, ``w``."""

    player: Integers
    game: Integers
    y: Floats
    w: Floats

    def only(self, chosen: Flags) -> Tallies:
        """Return some of them."""
        return Tallies(self.player[chosen], self.game[chosen], self.y[chosen], self.w[chosen])


@dataclass(frozen=True, slots=True)
class Means:
    """The mean of every player: an entry for each, NaN where they have no row."""

    n: Integers
    games: Integers
    value: Floats
    variance: Floats
    """Of the value."""
    df: Floats
    """Degrees of freedom."""


def tallied(group: Integers, game: Integers, y: Floats, w: Floats | None = None) -> Tallies:
    """Return sums by group, which stands for a player, and game; ``w`` is 1 a row unless given."""
    games = int(game.max(initial=0)) + 1
    pairs, at = np.unique(group.astype(np.int64) * games + game, return_inverse=True)
    player, number = np.divmod(pairs, games)
    return Tallies(player, number, _added(at, y, len(pairs)), _added(at, w, len(pairs)))


def _added(at: Integers, weights: Floats | None, count: int) -> Floats:
    return np.bincount(at, weights=weights, minlength=count).astype(float)


def scatter_of(tallies: Tallies, players: int) -> float:
    """Return the variance that a row adds to a sum, as the games of all players show.

    NaN where nobody has three games.
    """
    w, _, games, spread = _sums(tallies, players)
    many = games >= FIELD_GAMES
    return float(spread[many].sum() / w[many].sum()) if many.any() else math.nan


def means_of(tallies: Tallies, players: int, scatter: float | Floats) -> Means:
    """Return the means of players over their rows; ``scatter`` as the games of the field show."""
    w, y, games, spread = _sums(tallies, players)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = w**2 / _added(tallies.player, tallies.w**2, players) - 1
        own = np.where(games > 1, effective * spread, 0.0)
        mixed = (own + PRIOR_GAMES * scatter * w) / (effective + PRIOR_GAMES)
        df = np.where(effective > 0, (effective + PRIOR_GAMES) ** 2 / effective, np.inf)
        return Means(w.astype(np.int64), games, y / w, mixed / w**2, df)


def _sums(tallies: Tallies, players: int) -> tuple[Floats, Floats, Integers, Floats]:
    """Return by player: rows, their sum, games, and the squared scatter of games about the mean."""
    w = _added(tallies.player, tallies.w, players)
    y = _added(tallies.player, tallies.y, players)
    games = np.bincount(tallies.player, minlength=players)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = tallies.y - (y / w)[tallies.player] * tallies.w
        spread = _added(tallies.player, off**2, players)
        return w, y, games, spread * games / (games - 1.0)


def student(df: Floats) -> Floats:
    """Return the 97.5 % point of Student's t; within 0.3 % from three degrees of freedom on."""
    added: Floats = np.sum([part / df**power for power, part in enumerate(_EXPANSION, 1)], axis=0)
    return _Z + added


def chance_of(t: Floats, df: Floats) -> Floats:
    """Return the two-sided chance of so large a t if there is no difference; NaN stays."""
    # Wallace's approximation takes t to the normal distribution.
    with np.errstate(invalid="ignore"):
        log = np.where(np.isfinite(df), df * np.log1p(t**2 / df), t**2)
        wide = np.where(np.isfinite(df), (8 * df + 1) / (8 * df + 3), 1.0)
        z = wide * np.sqrt(log)
    return np.array(
        [math.nan if math.isnan(each) else math.erfc(each / math.sqrt(2)) for each in z]
    )


def holm(chances: Floats) -> Floats:
    """Return chances adjusted for all that are compared (Holm); NaN is not compared and stays."""
    adjusted = np.full(len(chances), np.nan)
    compared = np.flatnonzero(~np.isnan(chances))
    order = compared[np.argsort(chances[compared], kind="stable")]
    left = len(order) - np.arange(len(order))
    adjusted[order] = np.minimum(np.maximum.accumulate(left * chances[order]), 1.0)
    return adjusted


def share_interval(hits: float, n: float, spread: float, effective: float) -> tuple[float, float]:
    """Return the 95 % interval of a share: Wilson's, over as many cases as the games are worth.

    ``spread`` is the squared scatter of games about the share, ``effective`` how many games count.
    """
    share = hits / n
    chance = share * (1 - share) * n
    games = effective if chance else 0.0
    own = games * spread / chance if chance else 0.0
    deff = max(0.75, (own + PRIOR_GAMES) / (games + PRIOR_GAMES))
    z = float(student(np.array((games + PRIOR_GAMES) ** 2 / games))) if games > 0 else _Z
    cases = n / deff
    middle = share + z * z / (2 * cases)
    half = z * math.sqrt((share * (1 - share) + z * z / (4 * cases)) / cases)
    whole = 1 + z * z / cases
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)
