"""Clubs whose people are known: who bids otherwise is found, and equals are seldom set apart.

Each club is eight people over forty evenings (``tests.kit.simulated_club``). Random halves of one
player's games are hardly ever called different.
"""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.kit.facts import Facts
from tests.kit.simulated_club import EVENINGS, PEOPLE, write_season
from tests.kit.solved import ANY_TIME
from tricklog import ingest
from tricklog.core.bots.generate import Temperament
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import DIMENSION, TOO_FEW, Dimension, FigureError, Kind, Level, Metric
from tricklog.ingest.metrics.dimensions import dimension_named
from tricklog.ingest.metrics.field import Table, figures_over_tables, player_figures, study, tables
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.versus import compare_two

CLUBS = 3
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
    rows = (frame.to_dicts() for frame in frames)
    over_all, *each = ({(row["question"], row["player"]): row for row in of} for of in rows)
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


HALF = "half"
MOST = 0.02
"""Of how many pairs of halves a difference may leave out zero at 99 %."""


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
                count = _tried(facts, metric, players, where)
                # Of a few pairs one may always be called different.
                compared, different = count.total(), count[True]
                if compared >= len(players) and different > allowed * compared:
                    wrong.append(f"{metric.name}: {different} of {compared}")
    assert wrong == []


def _tried(facts: Facts, metric: Metric, players: list[str], where: Filters) -> Counter[bool]:
    """Return how many halves were called different in a metric, and how many were not."""
    count: Counter[bool] = Counter()
    like = dimension_named("player")
    for split in range(3):
        half = f"(player || '/' || (hash(game_no || ' {split}') % 2))"
        said = "A random half of a player's games."
        DIMENSION[HALF] = Dimension(HALF, said, like.level, like.grains, sql=half, own=True)
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
    return count
