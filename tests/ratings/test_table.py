"""The ratings of a warehouse: who is rated, with what beside it, and who is not."""

import sys
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import tricklog as api
from tests.kit.simulated_seasons import HANDS_OF_GAME, Season, facts_of, in_pairs, mixed
from tricklog.ingest.metrics import FigureError
from tricklog.ingest.metrics.figure_words import standing_text
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.naming import FEWEST_OTHERS
from tricklog.ingest.ratings import FEWEST, Ratings, ratings_of, words
from tricklog.ingest.ratings.model import Lines


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
    names = {player: player.upper() for player in frame["player"]}
    assert words.best_sentence(found, names).startswith("The best is most likely P000, with a ")
    assert frame["first"].sum() == pytest.approx(1)
    assert frame["chance"][0] == frame["chance"].min()
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


def test_the_best_is_told_of_the_group_with_the_most_hands_and_of_none_with_few() -> None:
    later = chain([0, 0], repeat(4))
    lines = Season(np.zeros(8), lambda chance, _: mixed(chance, 4) + next(later), 100).lines(3)
    found = ratings_of(facts_of(lines))
    names = {player: player for player in found.frame["player"]}
    few, many = (found.frame.filter(pl.col("group") == group)["hands"].max() for group in (1, 2))
    assert isinstance(few, int)
    assert isinstance(many, int)
    assert 0 < few < FEWEST < many
    assert found.largest["group"].unique().to_list() == [2]
    assert "most likely p00" in words.best_sentence(found, names)
    alone = replace(found, frame=found.frame.filter(pl.col("group") == 1))
    assert words.best_sentence(alone, names) == ""


def test_one_table_alone_is_said_so() -> None:
    lines = Season(np.zeros(4), lambda _chance, _players: np.arange(4), 100).lines(4)
    found = ratings_of(facts_of(lines))
    assert found.frame["partner"].null_count() == 0
    assert len(found.frame) == 2
    assert "All hands are of one table" in " ".join(words.notes_text(found))


def test_rules_that_changed_are_said_so(club: Lines) -> None:
    facts = facts_of(club)
    assert not any("rules changed" in each for each in words.notes_text(ratings_of(facts)))
    facts.execute("UPDATE chairs SET ruleset = 'other' WHERE chair // 8 % 2 = 0")
    assert any("rules changed" in each for each in words.notes_text(ratings_of(facts)))


def test_rules_that_changed_are_said_so_beside_other_games(club: Lines) -> None:
    facts = facts_of(club)
    facts.execute(
        "CREATE OR REPLACE VIEW seat_rows AS SELECT *, if(chair // 8 % 2 = 0, 'pedro', 'pidro') AS "
        "variant, 'valid' AS verdict, DATE '2025-01-01' AS day, true AS first_of_side FROM seats"
    )
    facts.execute("UPDATE chairs SET ruleset = 'pidro' WHERE chair // 8 % 2 = 1")
    assert not any("rules changed" in each for each in words.notes_text(ratings_of(facts)))
    facts.execute("UPDATE chairs SET ruleset = 'other' WHERE chair // 8 % 4 = 0")
    said = "The rules changed in between: hands of 2 sets of house rules count alike."
    assert said in words.notes_text(ratings_of(facts))


def test_hands_of_games_that_nobody_has_won_count_and_are_said(club: Lines) -> None:
    facts = facts_of(club)
    whole = ratings_of(facts)
    assert not any("nobody has won" in each for each in words.notes_text(whole))
    facts.execute("UPDATE games.games SET winner_side = NULL WHERE game_no < 3")
    found = ratings_of(facts)
    assert found.frame["hands"].equals(whole.frame["hands"])
    assert found.frame["rating"].to_list() == pytest.approx(whole.frame["rating"].to_list())
    (said,) = (each for each in words.notes_text(found) if "nobody has won" in each)
    assert said == (
        f"{3 * HANDS_OF_GAME} hands are of games that nobody has won, as stored; they count like "
        "all others, as ratings weigh hands, not games."
    )


def test_hands_that_are_not_in_order_count_only_where_they_are_chosen(club: Lines) -> None:
    facts = facts_of(club)
    facts.execute("ALTER TABLE seats ADD COLUMN verdict VARCHAR DEFAULT 'valid'")
    facts.execute("UPDATE seats SET verdict = 'irregular' WHERE game_no < 30")
    facts.execute(
        "CREATE OR REPLACE VIEW seat_rows AS SELECT *, 'pedro' AS variant, "
        "DATE '2025-01-01' AS day, true AS first_of_side FROM seats"
    )

    def hands(filters: Filters) -> int:
        return int(ratings_of(facts, filters).frame["hands"].sum() // 4)

    every = hands(Filters(every_verdict=True))
    assert every == club.hands.sum()
    assert hands(EVERYTHING) == every - 30 * HANDS_OF_GAME


def test_kinds_of_tables_are_counted_in_their_own_spread(club: Lines) -> None:
    """A table of more seats is of another kind, though the game is the same."""
    facts = facts_of(club)
    facts.execute(
        "INSERT INTO chairs SELECT chair + 4, * EXCLUDE chair FROM chairs WHERE chair < 8"
    )
    found = ratings_of(facts)
    assert found.unit == "spreads"
    assert found.sigma == pytest.approx(1, rel=0.05)


def test_bots_have_places_of_their_own(club: Lines) -> None:
    facts = facts_of(club, kinds=lambda at: "bot" if at < 3 else "human")
    frame = ratings_of(facts).frame
    assert frame["kind"].to_list() == ["human"] * 5 + ["bot"] * 3
    assert frame["place"].to_list() == [*range(1, 6), *range(1, 4)]
    assert frame["of"].to_list() == [5] * 5 + [3] * 3
    assert ratings_of(facts).largest["kind"].unique().to_list() == ["human"]
    assert any("3 of 8 players are bots" in each for each in words.notes_text(ratings_of(facts)))


def test_it_is_said_from_how_many_hands_on_more_will_be_known() -> None:
    skills = np.random.default_rng(3).normal(0, 0.7, 60)

    def widths(games: int) -> tuple[float, float, Ratings]:
        found = ratings_of(facts_of(Season(skills, mixed, games).lines(6)))
        frame = found.frame
        width = (frame["better_high"] - frame["better_low"]).mean()
        return float(str(width)), float(str(frame["narrower_from"].median())), found

    wide, hands, found = widths(900)
    narrow, _, _ = widths(round(hands * 15 / HANDS_OF_GAME))
    assert 0.4 < narrow / wide < 0.6
    player = found.frame["player"][0]
    said = words.player_sentences(found, player, "Ann")
    assert "better than" in said[0]
    assert said[1] == "Compared are people with 300 hands or more of the same games."
    assert "half as wide" in said[2]


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


def test_who_wins_more_games_is_rated_higher(season: Path) -> None:
    found = api.ratings(season, openskill=True)
    frame = found.frame.filter(pl.col("partner").is_null())
    assert frame["openskill"].null_count() == 0
    won = api.measure(season, "win-rate", by="player", minimum=1)
    both = frame.join(won, on="player").sort("value")
    assert both["openskill"][-1] > both["openskill"][0]
    assert any("never settles" in str(each) for each in found.notes)
    assert "openskill" not in api.ratings(season).frame.columns


def test_without_the_package_help_is_told(season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(FigureError, match=r"pip install 'tricklog\[openskill\]'"):
        api.ratings(season, openskill=True)
