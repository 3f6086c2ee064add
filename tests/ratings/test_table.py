"""The ratings of a warehouse: who is rated, with what beside it, and who is not."""

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from ingest.metrics import FigureError
from ingest.metrics.figure_words import standing_text
from ingest.ratings import ratings_of, words
from ingest.ratings.model import Lines
from ingest.metrics.naming import FEWEST_OTHERS
from tests.kit.simulated_seasons import Season, facts_of, in_pairs, mixed


@pytest.fixture(scope="module")
def club() -> Lines:
    return Season(np.linspace(2, -2, 8), mixed, 400).lines(1)


def test_a_club_is_rated(club: Lines) -> None:
    found = ratings_of(facts_of(club), weekly=True)
    frame = found.frame
    assert frame["player"].to_list()[0] == "p000"
    assert frame["rating"].to_list() == sorted(frame["rating"], reverse=True)
    assert frame["place"].to_list() == list(range(1, 9))
    assert ((frame["from_place"] <= frame["place"]) & (frame["place"] <= frame["to_place"])).all()
    assert frame["hands"].sum() == 4 * club.hands.sum()
    assert frame["better_than"].null_count() == 8
    assert frame["rating"].mean() == pytest.approx(0, abs=1e-9)
    assert found.unit == "points"
    assert found.sigma == pytest.approx(14.4, rel=0.05)
    assert 2500 < found.enough < 4000
    assert found.course is not None
    assert set(found.course["player"]) == set(frame["player"])
    assert "1st of 8" in standing_text(frame.row(0, named=True))
    assert words.player_sentences(found, "p000", "Ann")[0].startswith("Ann brings +")
    assert words.player_sentences(found, "nobody", "Nobody") == []
    assert words.half_life_text(found)


def test_pairs_that_never_part_are_rated_as_pairs() -> None:
    found = ratings_of(facts_of(Season(np.linspace(2, -2, 8), in_pairs, 300).lines(2)))
    assert found.frame["partner"].null_count() == 0
    assert found.frame["of"].to_list() == [4] * 4
    assert "sat together" in words.notes_text(found)[-1]
    assert "cannot be told from each other" in words.player_sentences(found, "p001", "Bo")[0]


def test_groups_that_never_meet_are_not_compared() -> None:
    def lineup(chance: np.random.Generator, players: int) -> NDArray[np.int64]:
        return mixed(chance, players // 2) + (players // 2) * int(chance.integers(2))

    found = ratings_of(facts_of(Season(np.linspace(2, -2, 12), lineup, 400).lines(3)))
    assert found.frame["group"].to_list() == [1] * 6 + [2] * 6
    assert found.frame["of"].to_list() == [6] * 12
    for group in (1, 2):
        mean = found.frame.filter(pl.col("group") == group)["rating"].mean()
        assert mean == pytest.approx(0, abs=1e-9)
    assert any("never met" in each for each in words.notes_text(found))


def test_one_table_alone_is_said_so() -> None:
    lines = Season(np.zeros(4), lambda _chance, _players: np.arange(4), 100).lines(4)
    found = ratings_of(facts_of(lines))
    assert found.frame["partner"].null_count() == 0
    assert len(found.frame) == 2


def test_too_few_hands_are_refused() -> None:
    lines = Season(np.zeros(4), mixed, 2).lines(4)
    with pytest.raises(FigureError, match="24 hands of two sides are too few"):
        ratings_of(facts_of(lines))


def test_company_is_of_the_same_kind() -> None:
    players = FEWEST_OTHERS + 10
    lines = Season(np.linspace(1, -1, players), mixed, 1700).lines(5)
    frame = ratings_of(facts_of(lines)).frame
    assert frame["better_than"].null_count() == 0
    assert (frame["better_low"] <= frame["better_than"]).all()
    assert (frame["better_than"] <= frame["better_high"]).all()
    text = standing_text(frame.row(0, named=True))
    assert "better than" in text
    mixed_company = ratings_of(facts_of(lines, kinds=lambda at: "bot" if at % 2 else "human"))
    assert mixed_company.frame["better_than"].null_count() == players
    assert any("bots" in each for each in words.notes_text(mixed_company))


def test_newcomers_are_evolving(club: Lines) -> None:
    found = ratings_of(facts_of(club.only(club.games < 40)))
    assert found.frame["evolving"].any()
    assert any("evolving" in each for each in words.notes_text(found))
    row = found.frame.filter("evolving").row(0, named=True)
    assert "evolving" in words.remark_text(row)
