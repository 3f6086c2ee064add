"""Random halves of one player's games are hardly ever called different."""

from collections import Counter
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from tests.kit.simulated_club import write_season
from tests.kit.solved import ANY_TIME
from tricklog import ingest
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import DIMENSION, Dimension, FigureError, Kind, Level, Metric
from tricklog.ingest.metrics.dimensions import dimension_named
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.model import TOO_FEW
from tricklog.ingest.metrics.versus import compare_two

HALF = "half"
MOST = 0.02
"""Of how many pairs of halves a difference may leave out zero at 99 %."""
SPLITS = 3


@pytest.mark.thorough("every metric of many splits of forty evenings")
def test_halves_of_a_players_games_are_alike(tmp_path: Path) -> None:
    metrics = [each for each in ANY_TIME if each.level > Level.HAND and each.kind != Kind.COUNT]
    ingest.load(write_season(tmp_path / "club.jsonl", 1), db=tmp_path / "db")
    wrong = []
    with open_facts(tmp_path / "db") as facts:
        listed = facts.sql("SELECT DISTINCT player FROM chairs ORDER BY player").fetchall()
        players = [player for (player,) in listed]
        # Splits of one player share their games, so that as many as there are players count.
        allowed = MOST + 3 * (MOST * (1 - MOST) / len(players)) ** 0.5
        for where in (EVERYTHING, Filters.of({"variant": "pedro"})):
            for metric in metrics:
                compared, different = _tried(facts, metric, players, where, SPLITS)
                # Of a few pairs one may always be called different.
                if compared >= len(players) and different > allowed * compared:
                    wrong.append(f"{metric.name}: {different} of {compared}")
    assert wrong == []


def _tried(
    facts: DuckDBPyConnection, metric: Metric, players: list[str], where: Filters, splits: int
) -> tuple[int, int]:
    """Return how many halves were compared in a metric, and how many were called different."""
    count: Counter[bool] = Counter()
    like = dimension_named("player")
    for split in range(splits):
        DIMENSION[HALF] = Dimension(
            HALF,
            "A random half of a player's games.",
            like.level,
            like.grains,
            sql=f"(player || '/' || (hash(game_no || ' {split}') % 2))",
            own=True,
        )
        try:
            for player in players:
                pair = (f"{player}/0", f"{player}/1")
                (row,) = compare_two(facts, HALF, pair, [metric], where, TOO_FEW).to_dicts() or [{}]
                if row and row["difference"] is not None:
                    count[row["difference_low"] > 0 or row["difference_high"] < 0] += 1
        except FigureError:
            break
        finally:
            del DIMENSION[HALF]
    return count.total(), count[True]
