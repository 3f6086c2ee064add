"""Chances to win: that they are right, sum up, and end as the engine ends each game."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest
from duckdb import DuckDBPyConnection

from tests.kit import simulated_seasons as seasons
from tests.kit.made_once import made_once
from tests.kit.simulated_seasons import drawn_games, pedro, snapshot_of
from tests.kit.tiers import scaled
from tricklog import ingest, load_variant, open_snapshot, variants
from tricklog.core.engine.rules import game_end
from tricklog.core.engine.rules.scoring import MADE, SET, THROWN_IN
from tricklog.ingest.chances import FEW_GAMES, Chances, chances_of, model_of, outcomes, table, words
from tricklog.ingest.chances.outcomes import Game, hands_of, outcomes_of, prior_of
from tricklog.ingest.chances.table import ChanceTable, Ending
from tricklog.ingest.sql import run


@pytest.fixture(scope="module")
def season() -> DuckDBPyConnection:
    return snapshot_of(drawn_games(1, 3000))


@pytest.fixture(scope="module")
def found(season: DuckDBPyConnection) -> Chances:
    return chances_of(season)


@pytest.fixture(scope="module")
def true() -> ChanceTable:
    return ChanceTable(pedro(), seasons.truth())


def test_chances_of_many_hands_are_right_in_each_tenth(found: Chances, true: ChanceTable) -> None:
    other = snapshot_of(drawn_games(2, 3000))
    hands = hands_of(other, "pedro")
    scores = hands["dealers_before"].to_numpy(), hands["others_before"].to_numpy()
    said, really = found.models[0].table.chance(*scores), true.chance(*scores)
    tenth = np.minimum((said * 10).astype(int), 9)
    off = {at: abs((said - really)[tenth == at].mean()) for at in np.unique(tenth)}
    assert max(off.values()) < 0.03, off
    # Results bear them out.
    slope = found.models[0].slope
    assert slope is not None
    assert slope.low < 1 < slope.high
    assert slope.games > FEW_GAMES


def test_phases_bear_out_sides_that_read_the_score(monkeypatch: pytest.MonkeyPatch) -> None:
    reading = snapshot_of(drawn_games(5, 6000, seasons.by_the_score()))
    slope = chances_of(reading).models[0].slope
    for module in (outcomes, table):
        monkeypatch.setattr(module, "phase", seasons.one_pool)
    pooled = chances_of(reading).models[0].slope
    assert slope is not None
    assert pooled is not None
    assert slope.low < 1 < slope.high
    assert pooled.low > 1


def test_changes_of_a_game_sum_to_its_result_less_its_start(found: Chances) -> None:
    games = found.frame.group_by("game", "side_no", maintain_order=True).agg(
        pl.col("chance_change").sum(), pl.col("chance_before").first(), pl.col("won").last()
    )
    ended = games.drop_nulls("won")
    off = ended["won"].cast(float) - ended["chance_before"] - ended["chance_change"]
    assert np.abs(off.to_numpy()).max() < 1e-9
    assert len(ended) == len(games)
    # Both sides sum to one.
    of_hands = found.frame.group_by("hand_no")
    sums = of_hands.agg(pl.col("chance_before", "chance_after", "chance_change").sum())
    for column, whole in (("chance_before", 1), ("chance_after", 1), ("chance_change", 0)):
        assert sums[column].to_numpy() == pytest.approx(whole), column


def test_a_game_is_even_at_the_start_and_counts_most_at_the_end(true: ChanceTable) -> None:
    nothing, fifty, late = np.array([0]), np.array([50]), np.array([61])
    assert 0.45 < true.chance(nothing, nothing)[0] < 0.55
    assert true.chance(late, nothing)[0] > 0.9
    spreads = [float(true.spread(each, each)[0]) for each in (nothing, fifty, late)]
    assert spreads[0] < spreads[1] < spreads[2]


def test_few_hands_lean_on_the_samples(true: ChanceTable) -> None:
    errors = []
    hands = hands_of(snapshot_of(drawn_games(3, 3000)), "pedro")
    scores = hands["dealers_before"].to_numpy(), hands["others_before"].to_numpy()
    for seed in range(scaled(2, most=8)):
        few = chances_of(snapshot_of(drawn_games(100 + seed, 300).head(300))).models[0].table
        assert few.hands == 300
        off = few.chance(*scores) - true.chance(*scores)
        errors.append(float(np.sqrt((off**2).mean())))
    assert np.mean(errors) < 0.02
    one = chances_of(snapshot_of(drawn_games(9, 1).head(5)))
    assert one.models[0].table.hands == 5
    assert np.abs(one.models[0].table.chance(*scores) - true.chance(*scores)).mean() < 0.02
    assert one.models[0].slope is None


def test_the_auction_is_a_part_that_leaves_nothing_over(found: Chances) -> None:
    rows = found.frame.filter("dealt").drop_nulls("auction_change")
    assert len(rows) > 0.9 * len(found.frame) / 2
    left = (rows["chance_change"] - rows["auction_change"]).mean()
    assert isinstance(left, float)
    assert abs(left) < 0.01
    assert rows["auction_change"].std() < rows["chance_change"].std()  # type: ignore[operator]
    assert found.frame["leverage"].mean() == pytest.approx(1)


def test_hands_without_scores_add_up(found: Chances) -> None:
    bare = drawn_games(1, 3000).with_columns(scores_before=pl.lit(None, pl.List(pl.Int64)))
    frame = chances_of(snapshot_of(bare)).frame
    assert frame["chance_before"].to_list() == pytest.approx(found.frame["chance_before"].to_list())
    holed = bare.filter(pl.col("hand") != 2)
    assert chances_of(snapshot_of(holed)).frame["hand"].unique().to_list() == [1]
    # Hands that say too little have none.
    silent = drawn_games(1, 40).with_columns(dealer=pl.lit(None, pl.Int64))
    found = chances_of(snapshot_of(silent))
    assert found.frame.is_empty()
    assert words.game_sentences(found.frame, ["A", "B"]) == []
    (said,) = words.told(found, ["A", "B"])
    assert said == "No chances to win: no hand tells who dealt, the scores, and its result."


def test_what_a_missing_hand_changed_counts_for_no_other() -> None:
    games = drawn_games(1, 400)
    whole = chances_of(snapshot_of(games), ["1"])
    lacking = games.filter((pl.col("game") != "1") | (pl.col("hand") != 3))
    holed = chances_of(snapshot_of(lacking), ["1"])
    course = words.course(whole.frame.filter(pl.col("side_no") == 0))
    assert None not in course
    assert words.course(holed.frame.filter(pl.col("side_no") == 0)).count(None) == 1
    assert not any("missing" in each for each in words.told(whole, ["A", "B"]))
    said = words.told(holed, ["A", "B"])
    assert " … " in said[0]
    assert "what they changed counts for no other hand" in said[1]
    began = games.filter((pl.col("game") != "1") | (pl.col("hand") > 2))
    late = chances_of(snapshot_of(began), ["1"])
    assert "what they changed counts for no other hand" in words.told(late, ["A", "B"])[1]


def test_one_game_is_told_as_it_is_among_all(season: DuckDBPyConnection, found: Chances) -> None:
    earlier = {(model_of, season, "pedro"): found.models[0]}
    some = chances_of(season, ["1", "3"], kept=lambda *asked: earlier[asked])
    expected = found.frame.filter(pl.col("game").is_in(["1", "3"]))
    assert some.frame.equals(expected)
    assert expected["game"].n_unique() == 2
    assert chances_of(season, ["no such game"]).frame.is_empty()


def test_of_very_many_hands_the_latest_count(
    season: DuckDBPyConnection, found: Chances, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = hands_of(season, "pedro")
    latest = hands_of(season, "pedro", latest=400)
    assert latest["hand_no"].sort().equals(stored["hand_no"].sort()[-400:])
    monkeypatch.setattr(ingest.chances, "MOST", 400)
    some = chances_of(season)
    assert 380 < some.models[0].table.hands <= 400
    assert some.frame["hand_no"].equals(found.frame["hand_no"])
    assert "come of the latest" in words.sureness(some)[0]
    assert "latest" not in words.sureness(found)[0]


def test_of_a_long_game_some_chances_are_told(found: Chances) -> None:
    first = pl.col("side_no") == 0
    one = found.frame.filter(first).head(words.MOST_SHOWN * 4)
    chances = (0.5 + 0.01 * (pl.int_range(pl.len()) % 9)).alias("chance_before")
    long = one.with_columns(chances, hand=pl.int_range(1, pl.len() + 1), game=pl.lit("1"))
    long = long.with_columns(chance_after=pl.col("chance_before").shift(-1, fill_value=0.75))
    steps = words.course(long)
    assert len(steps) == len(long) + 1 > words.MOST_SHOWN
    said = words.game_sentences(long, ["A", "B"])[0]
    assert f"at {words.MOST_SHOWN} of {len(steps)} moments" in said
    told = [int(each) for each in said.rpartition(": ")[2].rstrip(".").split()]
    assert len(told) == words.MOST_SHOWN
    assert (told[0], told[-1]) == (50, 75)
    short = words.game_sentences(long.head(words.MOST_SHOWN - 1), ["A", "B"])[0]
    assert len(short.rpartition(": ")[2].split()) == words.MOST_SHOWN


def test_games_of_many_sides_and_those_counted_out_are_refused(found: Chances) -> None:
    sancho = load_variant("sancho")
    single = Game("r", "sancho", "Sancho", sancho.rules(4), 1)
    assert single.refusal is not None
    assert "two sides" in str(single.refusal)
    none = Chances(found.frame.clear(), (), (single.refusal,))
    assert words.told(none, ["A", "B", "C", "D"]) == [str(single.refusal)]
    partners = replace(sancho.rules(4), side_count=2)
    assert "counted out" in str(Game("r", "sancho", "Sancho", partners, 1).refusal)
    assert pedro().refusal is None


def test_a_game_is_told_in_sentences(found: Chances) -> None:
    game = found.frame.filter(pl.col("game") == "1")
    said = words.game_sentences(game, ["Ann & Cy", "Bo & Dee"])
    assert said[0].startswith("Chances of Ann & Cy between equal sides")
    assert said[1].startswith("Decided by hand ")
    first = words.deciding(game).row(0, named=True)
    assert f"leverage {first['leverage']:.1f})" in said[1]
    assert said[2].startswith(f"Of the +{first['chance_change']:.0%}".replace("%", " %"))
    helped = game.filter(pl.col("won").last().over("side_no"))
    assert first["chance_change"] == helped["chance_change"].max()
    open_game = game.head(4).with_columns(won=pl.lit(None, pl.Boolean))
    unended = "As stored, nobody has won; most was changed by hand "
    assert words.game_sentences(open_game, ["A", "B"])[1].startswith(unended)
    evening = words.evening_sentences(found.frame.filter(pl.col("game") <= "1"), {"1": "game 1"})
    assert "game 1 by hand" in evening[0]
    assert "carried half" in evening[1]
    # Rules that changed within a game are said so.
    game = found.frame.filter(pl.col("game") == "1")
    ruleset = pl.when(pl.col("hand") > 2).then(pl.lit("other")).otherwise("ruleset")
    said = words.game_sentences(game.with_columns(ruleset=ruleset), ["A", "B"])
    assert said[1] == "The rules changed within the game; each hand goes by its own."


def test_outcomes_lean_on_samples_and_all_hands_in_each_phase(
    season: DuckDBPyConnection,
) -> None:
    for variant in ("pedro", "king-pedro", "twenty-nine", "lucknow", "sixty-three"):
        assert len(prior_of(variant)) >= 30, variant
    assert len(prior_of("sancho")) == 0
    assert len(prior_of("no-such-game")) == 0
    made = outcomes_of(pedro(), hands_of(season, "pedro"))
    assert made is not None
    assert made.shares.sum(axis=1) == pytest.approx([1, 1, 1, 1])
    assert (made.shares > 0).all()
    empty = hands_of(season, "no such rules")
    assert outcomes_of(Game("r", "no-such-game", "", pedro().rules, 14), empty) is None
    # What no warehouse has is an error.
    with pytest.raises(duckdb.CatalogException):
        chances_of(duckdb.connect())


# --- The end of a game
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
def of_samples(every_game: DuckDBPyConnection) -> Chances:
    return chances_of(every_game)


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
def test_games_end_where_it_is_stored(every_game: DuckDBPyConnection, of_samples: Chances) -> None:
    stored = run(
        every_game,
        "SELECT hand_id, variant, winner_side FROM hands JOIN seatings USING (seating_id) "
        "JOIN rulesets USING (ruleset) WHERE list_max(seat_sides) = 1 AND result IS NOT NULL",
        {},
    )
    refused = {"sancho", "snoozer"}
    assert len(of_samples.refused) >= len(refused)
    rows = of_samples.frame.filter(pl.col("side_no") == 0).join(stored, on="hand_id")
    assert len(rows) == len(stored.filter(~pl.col("variant").is_in(refused)))
    assert set(rows["variant"]) == set(TWO_SIDED)
    assert len(TWO_SIDED) == 12
    winner = pl.when("won").then(0).when(pl.col("won").not_()).then(1)
    wrong = rows.filter(winner.ne_missing(pl.col("winner_side").cast(pl.Int32)))
    assert wrong.is_empty(), wrong


def test_every_sample_game_sums_to_its_result(of_samples: Chances) -> None:
    frame = of_samples.frame.filter(pl.col("side_no") == 0)
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
