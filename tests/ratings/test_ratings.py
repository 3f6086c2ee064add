"""The ratings of a warehouse: who is rated, with what beside it, and who is not.

Of simulated players intervals hold the truth, and nobody stands out by chance.
"""

import sys
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import tricklog as api
from tests.kit.simulated_seasons import HANDS_OF_GAME, Season, in_pairs, mixed, summed_facts
from tests.kit.tiers import scaled
from tricklog.ingest.metrics import FigureError
from tricklog.ingest.metrics.figure_words import standing_text
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import chance_of
from tricklog.ingest.metrics.naming import FEWEST_OTHERS, company, named_among, ranks_among
from tricklog.ingest.ratings import FEWEST, Ratings, ratings_of, words
from tricklog.ingest.ratings.model import Lines, centred, over_time, rate, since_the_middle


@pytest.fixture(scope="module")
def club() -> Lines:
    return Season(np.linspace(2, -2, 8), mixed, 400).lines(1)


def test_a_club_is_rated(club: Lines) -> None:
    found = ratings_of(summed_facts(club), weekly=True)
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
    found = ratings_of(summed_facts(Season(np.linspace(2, -2, 8), in_pairs, 300).lines(2)))
    assert found.frame["partner"].null_count() == 0
    assert found.frame["of"].to_list() == [4] * 4
    assert "sat together" in words.notes_text(found)[-1]
    assert "cannot be told from each other" in words.player_sentences(found, "p001", "Bo")[0]


def test_groups_that_never_meet_are_not_compared() -> None:
    def lineup(chance: np.random.Generator, players: int) -> NDArray[np.int64]:
        return mixed(chance, players // 2) + (players // 2) * int(chance.integers(2))

    found = ratings_of(summed_facts(Season(np.linspace(2, -2, 12), lineup, 400).lines(3)))
    assert found.frame["group"].to_list() == [1] * 6 + [2] * 6
    assert found.frame["of"].to_list() == [6] * 12
    for group in (1, 2):
        mean = found.frame.filter(pl.col("group") == group)["rating"].mean()
        assert mean == pytest.approx(0, abs=1e-9)
    assert any("never met" in each for each in words.notes_text(found))


def test_the_best_is_told_of_the_group_with_the_most_hands_and_of_none_with_few() -> None:
    later = chain([0, 0], repeat(4))
    lines = Season(np.zeros(8), lambda chance, _: mixed(chance, 4) + next(later), 100).lines(3)
    found = ratings_of(summed_facts(lines))
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
    found = ratings_of(summed_facts(lines))
    assert found.frame["partner"].null_count() == 0
    assert len(found.frame) == 2
    assert "All hands are of one table" in " ".join(words.notes_text(found))
    # Too few hands are refused.
    lines = Season(np.zeros(4), mixed, 2).lines(4)
    with pytest.raises(FigureError, match="24 hands of two sides are too few"):
        ratings_of(summed_facts(lines))


def test_rules_that_changed_are_said_so_also_beside_other_games(club: Lines) -> None:
    facts = summed_facts(club)
    assert not any("rules changed" in each for each in words.notes_text(ratings_of(facts)))
    facts.execute("UPDATE chairs SET ruleset = 'other' WHERE chair // 8 % 2 = 0")
    assert any("rules changed" in each for each in words.notes_text(ratings_of(facts)))
    facts = summed_facts(club)
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
    facts = summed_facts(club)
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
    facts = summed_facts(club)
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
    facts = summed_facts(club)
    facts.execute(
        "INSERT INTO chairs FROM chairs SELECT chair + 4, * EXCLUDE chair WHERE chair < 8"
    )
    found = ratings_of(facts)
    assert found.unit == "spreads"
    assert found.sigma == pytest.approx(1, rel=0.05)


def test_bots_have_places_of_their_own(club: Lines) -> None:
    facts = summed_facts(club, kinds=lambda at: "bot" if at < 3 else "human")
    frame = ratings_of(facts).frame
    assert frame["kind"].to_list() == ["human"] * 5 + ["bot"] * 3
    assert frame["place"].to_list() == [*range(1, 6), *range(1, 4)]
    assert frame["of"].to_list() == [5] * 5 + [3] * 3
    assert ratings_of(facts).largest["kind"].unique().to_list() == ["human"]
    assert any("3 of 8 players are bots" in each for each in words.notes_text(ratings_of(facts)))


def test_it_is_said_from_how_many_hands_on_more_will_be_known() -> None:
    skills = np.random.default_rng(3).normal(0, 0.7, 60)

    def widths(games: int) -> tuple[float, float, Ratings]:
        found = ratings_of(summed_facts(Season(skills, mixed, games).lines(6)))
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


def test_company_is_of_the_same_kind() -> None:
    players = FEWEST_OTHERS + 10
    lines = Season(np.linspace(1, -1, players), mixed, 1700).lines(5)
    frame = ratings_of(summed_facts(lines)).frame
    assert frame["better_than"].null_count() == 0
    assert (frame["better_low"] <= frame["better_than"]).all()
    assert (frame["better_than"] <= frame["better_high"]).all()
    text = standing_text(frame.row(0, named=True))
    assert "better than" in text
    mixed_company = ratings_of(summed_facts(lines, kinds=lambda at: "bot" if at % 2 else "human"))
    assert mixed_company.frame["better_than"].null_count() == players
    assert any("bots" in each for each in words.notes_text(mixed_company))


def test_newcomers_are_evolving(club: Lines) -> None:
    found = ratings_of(summed_facts(club.only(club.games < 40)))
    assert found.frame["evolving"].any()
    assert any("evolving" in each for each in words.notes_text(found))
    row = found.frame.filter("evolving").row(0, named=True)
    assert "evolving" in words.remark_text(row)


def test_who_wins_more_games_is_rated_higher(season: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = api.ratings(season, openskill=True)
    frame = found.frame.filter(pl.col("partner").is_null())
    assert frame["openskill"].null_count() == 0
    won = api.measure(season, "win-rate", by="player", minimum=1)
    both = frame.join(won, on="player").sort("value")
    assert both["openskill"][-1] > both["openskill"][0]
    assert any("never settles" in str(each) for each in found.notes)
    assert "openskill" not in api.ratings(season).frame.columns
    # Without the package help is told.
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(FigureError, match=r"pip install 'tricklog\[openskill\]'"):
        api.ratings(season, openskill=True)


AT_90 = 1.645


def test_intervals_hold_the_truth() -> None:
    held, held_apart = [], []
    for seed in range(scaled(8, most=48)):
        skills = np.random.default_rng(seed).normal(0, 1, 40)
        found = rate(Season(skills, mixed, 1000).lines(seed), 40)
        found = centred(found, np.zeros(40, np.int64))
        true = skills - skills.mean()
        error = np.sqrt(np.diag(found.covariance))
        held.append(np.abs(found.means - true) <= AT_90 * error)
        one, other = np.triu_indices(40, 1)
        variance = error[one] ** 2 + error[other] ** 2 - 2 * found.covariance[one, other]
        off = found.means[one] - found.means[other] - true[one] + true[other]
        held_apart.append(np.abs(off) <= AT_90 * np.sqrt(variance))
    assert 0.86 < np.mean(held) < 0.94
    assert 0.86 < np.mean(held_apart) < 0.94


def test_games_whose_hands_are_alike_widen_intervals() -> None:
    held = []
    skills = np.random.default_rng(5).normal(0, 1, 20)
    for seed in range(scaled(8, most=48)):
        lines = Season(skills, mixed, 600, alike=6.0).lines(seed)
        found = centred(rate(lines, 20), np.zeros(20, np.int64))
        assert found.alike > 1.5
        error = np.sqrt(np.diag(found.covariance))
        held.append(np.abs(found.means - skills + skills.mean()) <= AT_90 * error)
    assert 0.84 < np.mean(held) < 0.97


def test_players_half_a_point_apart_are_in_order_nine_times_in_ten() -> None:
    right = []
    for seed in range(scaled(4, most=40)):
        skills = np.tile([-0.25, 0.25], 20)
        games = round(2750 * 40 / 4 / HANDS_OF_GAME)
        means = rate(Season(skills, mixed, games).lines(seed), 40).means
        right.append((means[1::2, None] > means[None, ::2]).mean())
    assert 0.84 < np.mean(right) < 0.96


@pytest.mark.parametrize(("share", "low", "high"), [(0.0, -0.03, 0.05), (1.0, 0.7, 1.0)])
def test_partners_are_told_apart_as_far_as_they_part(share: float, low: float, high: float) -> None:
    def lineup(chance: np.random.Generator, players: int) -> NDArray[np.int64]:
        return (mixed if chance.random() < share else in_pairs)(chance, players)

    skills = np.random.default_rng(7).normal(0, 1, 40)
    found = rate(Season(skills, lineup, 1000).lines(7), 40)
    apart = np.mean([found.apart(at, at + 1) for at in range(0, 40, 2)])
    assert low < apart < high


def test_the_deal_is_taken_out() -> None:
    skills = np.zeros(8)
    found = rate(Season(skills, mixed, 2000, deal=2.5).lines(3), 8)
    assert found.deal[0] == pytest.approx(2.5, abs=0.4)
    assert np.abs(found.means).max() < 0.5


def test_nobody_is_told_from_equals() -> None:
    named = 0
    for seed in range(scaled(10, most=100)):
        found = rate(Season(np.zeros(12), mixed, 300).lines(seed), 12)
        error = np.sqrt(np.diag(found.covariance))
        named += bool((np.abs(found.means) > 1.96 * error).any())
    assert named <= scaled(10, most=100) * 0.2


def test_shares_hold_the_truth_among_two_hundred() -> None:
    held, errors = [], []
    for seed in range(scaled(1, most=8)):
        skills = np.random.default_rng(seed).normal(0, 0.5, 200)
        found = rate(Season(skills, mixed, 5000).lines(seed), 200)
        share, low, high = company(found.drawn(1000, 1), ["people"] * 200)
        true = skills.argsort().argsort() / 199
        held.append((low <= true) & (true <= high))
        errors.append((share - true) ** 2)
    assert 0.85 < np.mean(held) < 0.97
    assert np.sqrt(np.mean(errors)) < 0.24


def test_places_come_with_their_interval() -> None:
    drawn = np.random.default_rng(1).normal([3.0, 0.0, 0.1, -5.0], 0.5, (2000, 4))
    place, low, high, first = ranks_among(drawn.mean(axis=0), drawn, 0.95)
    assert place.tolist() == [1, 3, 2, 4]
    assert low.tolist() == [1, 2, 2, 4]
    assert high.tolist() == [1, 3, 3, 4]
    assert first.tolist() == [1, 0, 0, 0]


def test_steady_players_come_out_steady() -> None:
    named, players, tried = 0, 16, scaled(6, most=60)
    for seed in range(tried):
        skills = np.random.default_rng(seed).normal(0, 0.7, players)
        lines = Season(skills, mixed, 500).lines(seed)
        found = rate(lines, players)
        change, error = since_the_middle(lines, lines.games // 10, found)
        chances = [chance_of(*each, np.inf) for each in zip(change, error**2, strict=True)]
        named += any(named_among(chances))
    assert named <= max(1, 0.05 * tried)


def test_who_becomes_better_is_found() -> None:
    games, players = 800, 10

    def skills_of(game: int) -> NDArray[np.float64]:
        skills = np.zeros(players)
        skills[0] = -2 if game < games / 2 else 2
        return skills

    lines = Season(np.zeros(players), mixed, games, skills_of=skills_of).lines(1)
    found = rate(lines, players)
    change, error = since_the_middle(lines, lines.games // 10, found)
    chances = [chance_of(*each, np.inf) for each in zip(change, error**2, strict=True)]
    assert named_among(chances)[0]
    assert change[0] > 0
    course = over_time(lines, lines.games // 10, found)
    assert np.isfinite(course.half_life)
    assert course.means[-1, 0] > course.means[35, 0]


def test_a_filter_errs_less_than_a_still_model_where_skill_drifts() -> None:
    games, players, weeks = 1500, 12, 50
    chance = np.random.default_rng(4)
    steps, kept = [chance.normal(0, 1, players)], 2 ** (-1 / 8)
    for _ in range(weeks - 1):
        steps.append(kept * steps[-1] + np.sqrt(1 - kept**2) * chance.normal(0, 1, players))
    lines = Season(
        np.zeros(players), mixed, games, skills_of=lambda game: steps[game * weeks // games]
    ).lines(4)
    found = rate(lines, players)
    course = over_time(lines, lines.games * weeks // games, found)
    assert course.half_life in {4, 8, 16}
    true = np.array(steps) - np.mean(steps, axis=1, keepdims=True)
    still = found.means - found.means.mean()
    moving = course.means - course.means.mean(axis=1, keepdims=True)
    assert ((moving - true) ** 2).mean() < ((still - true) ** 2).mean()
