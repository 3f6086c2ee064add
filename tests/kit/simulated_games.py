"""Games of players with known truth, drawn at random: how often intervals hold it, and tests err.

Each player has a true share. The cases of one of their games go together: the chance of a hit in
it is drawn about that share, with a correlation ``rho`` between its cases.
"""

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import reduce

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tricklog.ingest.metrics.comparing import compare
from tricklog.ingest.metrics.intervals import Scale, Sums, interval, typical
from tricklog.ingest.metrics.model import RELEVANT
from tricklog.ingest.metrics.naming import named_among
from tricklog.ingest.metrics.trend import Change, Course, changes_in

PLAYERS = 8
GAMES_OF_FIELD = 120

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    share: float
    rho: float
    cases: int
    """Cases a game on the average; their number varies by a half unless there are few."""

    def games(
        self, chance: np.random.Generator, shape: tuple[int, ...], share: Numbers | None = None
    ) -> tuple[Numbers, Numbers]:
        """Return hits and cases of games; ``share`` is the truth of each, if not that of all."""
        low, high = max(1, self.cases // 2), self.cases + self.cases // 2
        cases = chance.integers(low, high + 1, shape)
        true = np.broadcast_to(self.share if share is None else share, shape)
        if self.rho:
            scale = (1 - self.rho) / self.rho
            true = chance.beta(true * scale, (1 - true) * scale)
        return chance.binomial(cases, true).astype(float), cases.astype(float)


def summed(y: Numbers, w: Numbers) -> Sums:
    """Return the sums over games, which are the last axis; others become rows."""
    games = np.full(y.shape[:-1], float(y.shape[-1]))
    sums = (games, y.sum(-1), w.sum(-1), (y * y).sum(-1), (y * w).sum(-1), (w * w).sum(-1))
    return Sums(*(each.ravel() for each in sums))


def coverage(setting: Setting, games: int, trials: int, seed: int = 1) -> tuple[float, float, bool]:
    """Return how often the 95 % interval holds a player's true share.

    Also its width on the average, and whether it was always possible: it held the value seen and
    lay between 0 and 1. The field has as many players as it takes to show how games scatter.
    """
    players = max(PLAYERS, -(-GAMES_OF_FIELD // games))
    chance = np.random.default_rng([seed, games])
    held, width, sound = 0, 0.0, True
    for _ in range(trials):
        y, w = setting.games(chance, (players, games))
        sums = summed(y, w)
        low, high = interval(sums, np.full(players, typical(sums, Scale.SHARE)), Scale.SHARE)
        held += int(((low <= setting.share) & (setting.share <= high)).sum())
        width += float((high - low).mean())
        seen = sums.ratio
        sound &= bool(((low >= 0) & (low <= seen) & (seen <= high) & (high <= 1)).all())
    return held / (trials * players), width / trials, sound


def named_by_chance(setting: Setting, players: int, clubs: int, seed: int = 1) -> float:
    """Return in which share of clubs somebody is named where all players are equal.

    Four sit at each table, so that the games they share go into the comparison; some come to many
    games and others to few.
    """
    chance = np.random.default_rng([seed, players])
    named = 0
    for _ in range(clubs):
        found = _judged(setting, chance, players, games=12 * players)
        chances, differences = found["chance"].to_list(), found["difference"].to_list()
        named += any(
            is_named and abs(each) >= RELEVANT
            for is_named, each in zip(named_among(chances), differences, strict=True)
        )
    return named / clubs


def _judged(
    setting: Setting, chance: np.random.Generator, players: int, games: int, variants: int = 2
) -> pl.DataFrame:
    """Return what ``compare`` judges in games of four in several variants."""
    often = chance.uniform(0.3, 1.0, players)
    often /= often.sum()
    # Whoever comes soonest sits down, and those who come often come sooner.
    seated = (chance.exponential(size=(games, players)) / often).argsort(axis=1)[:, :4]
    variant = chance.integers(0, variants, games)
    # Some have more hits for everybody than others: the mix of games must not matter.
    true = np.clip(setting.share * np.linspace(0.8, 1.2, variants)[variant], 0.01, 0.99)
    y, w = setting.games(chance, (games, 4), true[:, None])
    cases = pl.DataFrame(
        {
            "who": seated.ravel().astype(str),
            "game": np.repeat(np.arange(games), 4),
            "variant": np.repeat(variant, 4).astype(str),
            "y": y.ravel(),
            "w": w.ravel(),
        }
    ).with_columns(t=pl.col("y").sum().over("game"), u=pl.col("w").sum().over("game"))
    cases = cases.with_columns(o=pl.col("t") - pl.col("y"), p=pl.col("u") - pl.col("w"))
    rows = cases.group_by("who", "variant").agg(
        *_sums("y w o p t u yy yw ww oo op pp tt tu uu yo yp wo wp")
    )
    whole = cases.unique("game").group_by("variant").agg(*_sums("t u tt tu uu"))
    return compare(rows.sort("who", "variant"), whole, Scale.SHARE).filter("judged")


def _sums(names: str) -> Iterator[pl.Expr]:
    """Yield the number of rows, and sums of columns and of products of two."""
    yield pl.len().alias("games")
    for name in names.split():
        yield reduce(operator.mul, map(pl.col, name)).sum().alias(name)


def surprises(setting: Setting, clubs: int, variants: int) -> tuple[float, float]:
    """Return how often equals differ at 95 % and at 99 % from the others at their tables."""
    chance = np.random.default_rng(2)
    chances = []
    for _ in range(clubs):
        found = _judged(setting, chance, PLAYERS, games=100, variants=variants)
        chances += found["chance"].to_list()
    return _below(chances)


def _below(chances: Sequence[float]) -> tuple[float, float]:
    return float(np.mean(np.array(chances) < 0.05)), float(np.mean(np.array(chances) < 0.01))


# --- Players who never change: how often a change is found
SEATS = 4
FIRST = date(2026, 1, 2)
GAMES_A_DAY = 3


@dataclass(frozen=True)
class Season:
    setting: Setting
    games: int
    """Games of each player, about."""
    apart: float = 0.0
    """By how much each player's share is above that of the player before."""
    gained: float = 0.0
    """By how much the first player gets better from the first day to the last."""
    drift: float = 0.0
    """By how much everybody does."""

    def draw(self, chance: np.random.Generator) -> Course:
        """Return the games of one season, at two tables at a time."""
        rounds = self.games
        orders = np.array([chance.permutation(PLAYERS) for _ in range(rounds)])
        when = np.arange(rounds) // GAMES_A_DAY
        done = when / max(when[-1], 1)
        true = self.setting.share + self.apart * (np.arange(PLAYERS) - (PLAYERS - 1) / 2)
        shares = np.broadcast_to(true, (rounds, PLAYERS)) + self.drift * (done[:, None] - 0.5)
        shares = shares + np.where(np.arange(PLAYERS) == 0, self.gained, 0) * (done[:, None] - 0.5)
        y, w = self.setting.games(chance, shares.shape, np.clip(shares, 0.01, 0.99))
        table = np.empty((rounds, PLAYERS), dtype=int)
        np.put_along_axis(table, orders, np.arange(PLAYERS)[None, :] // SEATS, axis=1)
        own = pl.DataFrame(
            {
                "who": np.tile([str(each) for each in range(PLAYERS)], rounds),
                "game_no": (2 * np.arange(rounds)[:, None] + table).ravel(),
                "variant": ["one"] * (rounds * PLAYERS),
                "period": [FIRST + timedelta(weeks=int(each)) for each in np.repeat(when, PLAYERS)],
                "y": y.ravel(),
                "w": w.ravel(),
            }
        )
        whole = own.group_by("game_no", "variant", "period", maintain_order=True).agg(
            t=pl.col("y").sum(), u=pl.col("w").sum()
        )
        games = own.join(whole, on=["game_no", "variant", "period"], maintain_order="left")
        others = games.with_columns(o=pl.col("t") - pl.col("y"), p=pl.col("u") - pl.col("w"))
        return Course(others, whole)


def found_in(season: Season, clubs: int, seed: int = 1) -> list[Mapping[str, Change]]:
    chance = np.random.default_rng([seed, season.games])
    return [changes_in(season.draw(chance), Scale.SHARE) for _ in range(clubs)]


def alarms(found: list[Mapping[str, Change]]) -> tuple[float, float]:
    """Return how often a change is called one at 95 % and at 99 %."""
    return _below([each.chance for club in found for each in club.values()])
