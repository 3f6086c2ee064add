"""Clubs whose people are known: who bids otherwise is found, and equals are seldom set apart.

Each club is eight people over forty evenings (``tests.kit.simulated_club``).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.kit.simulated_club import EVENINGS, PEOPLE, write_season
from tricklog import ingest
from tricklog.core.bots.generate import Temperament
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics.field import Table, figures_over_tables, player_figures, study, tables

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
