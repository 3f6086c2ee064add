"""Clubs whose people are known: who bids otherwise is found, and equals are seldom set apart.

Each club is eight people over forty evenings (``tests.kit.simulated_club``).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import DIMENSION, Dimension, FigureError, Kind, Level, Metric
from ingest.metrics.field import Table, figures_over_tables, player_figures, study, tables
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.metrics.model import TOO_FEW
from ingest.metrics.query import dimension_named
from ingest.metrics.versus import compare_two
from replay.bots.bots import Temperament
from tests.kit.made_once import made_once
from tests.kit.simulated_club import EVENINGS, PEOPLE, write_season
from tests.kit.solved import ANY_TIME

CLUBS = 3
SPLITS = 12
MOST_APART = 0.02
"""How often halves of one player's games may be called different at 99 %."""
HALF = "half"
Rows = dict[tuple[str, str], dict[str, Any]]

pytestmark = pytest.mark.thorough("a club of forty evenings takes about a minute")


def figures_of(
    folder: Path, seed: int, people: Mapping[str, Temperament] = PEOPLE
) -> tuple[Rows, list[Rows]]:
    """Return the figures of a club over all its games, and those of each kind of table."""
    log = write_season(folder / f"{seed}.jsonl", seed, EVENINGS, people=people)
    ingest.load(log, db=folder / f"{seed}")
    with open_facts(folder / f"{seed}") as facts:
        kinds = [Table(row["variant"], row["seating"]) for row in tables(facts).to_dicts()]
        studies = [study(facts, each) for each in kinds]
    frames = [figures_over_tables(studies), *map(player_figures, studies)]
    over_all, *each = (
        {(row["question"], row["player"]): row for row in frame.to_dicts()} for frame in frames
    )
    return over_all, each


def named(rows: Rows, question: str, player: str) -> int:
    """Return 1 for named above, -1 for named below, else 0."""
    row = rows.get((question, player))
    return 0 if row is None or not row["named"] else 1 if row["value"] > 0 else -1


def test_who_bids_and_plays_otherwise_is_named_and_twins_are_alike(tmp_path: Path) -> None:
    weak = 0
    for seed in range(1, CLUBS + 1):
        rows, _ = figures_of(tmp_path, seed)
        assert [named(rows, "calls", name) for name in ("bold", "slight")] == [1, 1], seed
        twins = ("careful-1", "careful-2")
        assert [named(rows, "calls", name) for name in twins] == [-1, -1], seed
        one, other = (rows["calls", name]["value"] for name in twins)
        assert abs(one - other) < 0.1, seed
        assert named(rows, "calls", "weak") != 1, seed
        weak += named(rows, "play", "weak") == -1
    assert 2 * weak >= CLUBS


def test_of_people_who_play_alike_nobody_is_named(tmp_path: Path) -> None:
    people = dict.fromkeys(PEOPLE, PEOPLE["steady-1"])
    compared = different = 0
    for seed in range(1, CLUBS + 1):
        over_all, by_table = figures_of(tmp_path, seed, people)
        for rows in (over_all, *by_table):
            enough = [row for row in rows.values() if row["enough"]]
            compared += len(enough)
            different += sum(row["p"] < 0.05 for row in enough)
            assert not [row for row in enough if row["named"]], seed
    assert different <= 0.1 * compared


# --- Halves of one player's games


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:

    def make(folder: Path) -> None:
        ingest.load(write_season(folder / "club.jsonl", 1), db=folder / "db")
        open_facts(folder / "db").close()

    with open_facts(made_once(tmp_path_factory, "halves", make) / "db") as connection:
        yield connection


def test_random_halves_of_a_players_games_are_seldom_called_different(
    facts: DuckDBPyConnection,
) -> None:
    """In every metric of players, over all variants and in each."""
    metrics = [each for each in ANY_TIME if each.level > Level.HAND and each.kind != Kind.COUNT]
    players, variants = (
        [name for (name,) in facts.sql(f"SELECT DISTINCT {column} FROM {rows}").fetchall()]  # noqa: S608 - our own
        for column, rows in (("player", "chairs"), ("variant", "seat_rows"))
    )
    # Splits of one player share their games, so that as many as there are players count.
    most = MOST_APART + 3 * (MOST_APART * (1 - MOST_APART) / len(players)) ** 0.5
    wrong = []
    for where in (EVERYTHING, *(Filters.of({"variant": each}) for each in sorted(variants))):
        for metric in metrics:
            count = halves_apart(facts, metric, sorted(players), where)
            if count.total() and count[True] / count.total() > most:
                wrong.append((metric.name, where, count))
    assert not wrong


def halves_apart(
    facts: DuckDBPyConnection, metric: Metric, players: list[str], where: Filters
) -> Counter[bool]:
    """Return how many halves were compared in a metric, and of how many it is said they differ."""
    count = Counter[bool]()
    like = dimension_named("player")
    for split in range(SPLITS):
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
            return count
        finally:
            del DIMENSION[HALF]
    return count
