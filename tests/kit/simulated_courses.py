"""Games of players who never change, drawn at random: how often a change is found in them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
import polars as pl

from tests.kit.simulated_games import Setting
from tricklog.ingest.metrics.intervals import Scale
from tricklog.ingest.metrics.trend import Change, Course, changes_in

SEATS = 4
PLAYERS = 8
FIRST = date(2026, 1, 2)
GAMES_A_DAY = 3


@dataclass(frozen=True)
class Season:
    """What a season of eight people is like."""

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
    """Return the changes found in so many seasons."""
    chance = np.random.default_rng([seed, season.games])
    return [changes_in(season.draw(chance), Scale.SHARE) for _ in range(clubs)]


def alarms(found: list[Mapping[str, Change]]) -> tuple[float, float]:
    """Return how often a change is called one at 95 % and at 99 %."""
    chances = np.array([each.chance for club in found for each in club.values()])
    return float((chances < 0.05).mean()), float((chances < 0.01).mean())
