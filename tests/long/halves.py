"""A long run over a simulated club: are random halves of one player's games called different?

    python -m tests.long.halves [--splits 100] [--seed 1]

Plays forty evenings of a club of eight, splits the games of each player into random halves, and
compares the halves as two players are compared, in every metric of players, over all variants and
in each. Prints how often the 99 % interval of the difference leaves out zero, by metric. Exit
status 1 when that is more than 2 % of the splits of a metric, and by more than chance explains.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

from duckdb import DuckDBPyConnection

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import DIMENSION, Dimension, FigureError, Kind, Level, Metric
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.metrics.model import TOO_FEW
from ingest.metrics.query import dimension_named
from ingest.metrics.versus import compare_two
from tests.kit.simulated_club import write_season
from tests.kit.solved import ANY_TIME

HALF = "half"
MOST = 0.02


def main() -> None:
    """Run, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--splits", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = write_season(Path(folder) / "club.jsonl", arguments.seed)
        ingest.load(log, db=Path(folder) / "db")
        with open_facts(Path(folder) / "db") as facts:
            sys.exit(not _all_alike(facts, arguments.splits))


def _all_alike(facts: DuckDBPyConnection, splits: int) -> bool:
    """Print how often halves differ; return whether it is as seldom as promised."""
    metrics = [each for each in ANY_TIME if each.level > Level.HAND and each.kind != Kind.COUNT]
    listed = facts.sql("SELECT DISTINCT player FROM chairs ORDER BY player").fetchall()
    players = [player for (player,) in listed]
    variants = [v for (v,) in facts.sql("SELECT DISTINCT variant FROM seat_rows").fetchall()]
    sound = True
    print("| metric | compared | different at 99 % |\n|---|---:|---:|")
    for where in (EVERYTHING, *(Filters.of({"variant": each}) for each in sorted(variants))):
        name = where.values("variant")[0] if where.chosen else "all variants"
        for metric in metrics:
            compared, different = _tried(facts, metric, players, where, splits)
            if not compared:
                continue
            share = different / compared
            # Splits of one player share their games, so that as many as there are players count.
            sound &= share <= MOST + 3 * (MOST * (1 - MOST) / len(players)) ** 0.5
            print(f"| {metric.name}, {name} | {compared} | {share:.1%} |", flush=True)
    return sound


def _tried(
    facts: DuckDBPyConnection, metric: Metric, players: list[str], where: Filters, splits: int
) -> tuple[int, int]:
    """Return how many halves were compared in a metric, and how many were called different."""
    count: Counter[bool] = Counter()
    like = dimension_named("player")
    for split in range(splits):
        DIMENSION[HALF] = Dimension(
            HALF,
            HALF,
            "A random half of a player's games.",
            f"(player || '/' || (hash(game_no || ' {split}') % 2))",
            "VARCHAR",
            like.level,
            like.grains,
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


if __name__ == "__main__":
    main()
