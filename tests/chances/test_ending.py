"""The end of a game, asked of the engine for many hands at once, is the one it gives for each."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from duckdb import DuckDBPyConnection

from tests.kit.made_once import made_once
from tests.kit.tiers import scaled
from tricklog import ingest, load_variant, open_snapshot, variants
from tricklog.core.engine.rules import game_end
from tricklog.core.engine.rules.scoring import MADE, SET, THROWN_IN
from tricklog.ingest.chances import Chances, chances_of
from tricklog.ingest.chances.table import Ending
from tricklog.ingest.sql import run

TWO_SIDED = [name for name in variants() if load_variant(name).rules(4).side_count == 2]


@pytest.fixture(scope="module")
def every_game(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DuckDBPyConnection]:
    """The tables of a warehouse with the samples of every game."""

    def make(folder: Path) -> None:
        ingest.load(repository / "sample_logs" / "valid", db=folder / "db")

    with open_snapshot(made_once(tmp_path_factory, "every-game", make) / "db") as connection:
        yield connection


@pytest.fixture(scope="module")
def found(every_game: DuckDBPyConnection) -> Chances:
    return chances_of(every_game)


def test_twelve_games_have_two_sides() -> None:
    assert len(TWO_SIDED) == 12


@pytest.mark.parametrize("variant", TWO_SIDED)
def test_the_end_is_that_of_the_engine(variant: str) -> None:
    rules = load_variant(variant).rules(4)
    chance, count = np.random.default_rng(1), scaled(400)
    ending, wrong = Ending(rules), []
    edges = [0, rules.goes_out_at, rules.target, rules.lose_at, rules.target - 1, rules.target + 7]
    for maker, result in ((0, MADE), (1, MADE), (0, SET), (1, SET), (-1, SET), (-1, THROWN_IN)):
        first, second = (
            chance.choice(edges, count) + chance.integers(-8, 9, count) for _ in range(2)
        )
        own, other = (chance.integers(-20, 21, count) for _ in range(2))
        outcome = own, other, maker, result
        after_first, after_second, winner = ending.settle(first, second, outcome)
        for before, change, after, found in zip(
            zip(first.tolist(), second.tolist(), strict=True),
            zip(own.tolist(), other.tolist(), strict=True),
            zip(after_first.tolist(), after_second.tolist(), strict=True),
            winner.tolist(),
            strict=True,
        ):
            due = [0, 0]
            game_end.add_up(rules, before, change, due)
            if (*after, found) != (*due, game_end.game_winner(rules, before, due, maker, result)):
                wrong.append((before, change, maker, result, after, found))
    assert not wrong


@pytest.mark.slow("the samples of every game are loaded, with a table for each set of rules")
def test_games_end_where_it_is_stored(every_game: DuckDBPyConnection, found: Chances) -> None:
    stored = run(
        every_game,
        "SELECT hand_id, variant, winner_side FROM hands JOIN seatings USING (seating_id) "
        "JOIN rulesets USING (ruleset) WHERE list_max(seat_sides) = 1 AND result IS NOT NULL",
        {},
    )
    refused = {"sancho", "snoozer"}
    assert len(found.refused) >= len(refused)
    rows = found.frame.filter(pl.col("side_no") == 0).join(stored, on="hand_id")
    assert len(rows) == len(stored.filter(~pl.col("variant").is_in(refused)))
    assert set(rows["variant"]) == set(TWO_SIDED)
    winner = pl.when("won").then(0).when(pl.col("won").not_()).then(1)
    wrong = rows.filter(winner.ne_missing(pl.col("winner_side").cast(pl.Int32)))
    assert wrong.is_empty(), wrong


def test_every_sample_game_sums_to_its_result(found: Chances) -> None:
    frame = found.frame.filter(pl.col("side_no") == 0)
    games = frame.group_by("game", maintain_order=True).agg(
        pl.col("chance_change").sum(),
        pl.col("chance_before").first(),
        pl.col("chance_after").last(),
        pl.col("won").last(),
    )
    ended = games.filter(pl.col("won").is_not_null())
    assert len(ended) > 30
    off = games["chance_change"] - (games["chance_after"] - games["chance_before"])
    assert np.abs(off.to_numpy()).max() < 1e-9
    assert (ended["chance_after"] == ended["won"].cast(pl.Float64)).all()
