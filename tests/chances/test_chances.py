"""Chances to win: that they are right, that they sum up, and where there are none."""

from dataclasses import replace

import duckdb
import numpy as np
import polars as pl
import pytest
from duckdb import DuckDBPyConnection

from tests.kit.simulated_seasons import (
    by_the_score,
    drawn_games,
    one_pool,
    pedro,
    snapshot_of,
    truth,
)
from tests.kit.tiers import scaled
from tricklog import ingest
from tricklog.core.rulesets.ruleset import load_variant
from tricklog.ingest.chances import FEW_GAMES, Chances, chances_of, model_of, outcomes, table, words
from tricklog.ingest.chances.outcomes import Game, hands_of, outcomes_of, prior_of
from tricklog.ingest.chances.table import ChanceTable


@pytest.fixture(scope="module")
def season() -> DuckDBPyConnection:
    return snapshot_of(drawn_games(1, 3000))


@pytest.fixture(scope="module")
def found(season: DuckDBPyConnection) -> Chances:
    return chances_of(season)


@pytest.fixture(scope="module")
def true() -> ChanceTable:
    return ChanceTable(pedro(), truth())


def test_chances_of_many_hands_are_right_in_each_tenth(found: Chances, true: ChanceTable) -> None:
    other = snapshot_of(drawn_games(2, 3000))
    hands = hands_of(other, "pedro")
    scores = hands["dealers_before"].to_numpy(), hands["others_before"].to_numpy()
    said, really = found.models[0].table.chance(*scores), true.chance(*scores)
    tenth = np.minimum((said * 10).astype(int), 9)
    off = {at: abs((said - really)[tenth == at].mean()) for at in np.unique(tenth)}
    assert max(off.values()) < 0.03, off


def test_results_bear_them_out(found: Chances) -> None:
    slope = found.models[0].slope
    assert slope is not None
    assert slope.low < 1 < slope.high
    assert slope.games > FEW_GAMES


def test_phases_bear_out_sides_that_read_the_score_where_one_pool_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading = snapshot_of(drawn_games(5, 6000, by_the_score()))
    slope = chances_of(reading).models[0].slope
    for module in (outcomes, table):
        monkeypatch.setattr(module, "phase", one_pool)
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


def test_both_sides_sum_to_one(found: Chances) -> None:
    sums = found.frame.group_by("hand_no").agg(
        pl.col("chance_before", "chance_after", "chance_change").sum()
    )
    assert sums["chance_before"].to_numpy() == pytest.approx(1)
    assert sums["chance_after"].to_numpy() == pytest.approx(1)
    assert sums["chance_change"].to_numpy() == pytest.approx(0)


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


def test_hands_that_say_too_little_have_none() -> None:
    silent = drawn_games(1, 40).with_columns(dealer=pl.lit(None, pl.Int64))
    found = chances_of(snapshot_of(silent))
    assert found.frame.is_empty()
    assert words.game_sentences(found.frame, ["A", "B"]) == []
    (said,) = words.told(found, ["A", "B"])
    assert said == "No chances to win: no hand tells who dealt, the scores, and its result."


def test_what_a_missing_hand_changed_counts_for_no_other() -> None:
    games = drawn_games(1, 400)
    whole = chances_of(snapshot_of(games), ["1"])
    holed = chances_of(
        snapshot_of(games.filter((pl.col("game") != "1") | (pl.col("hand") != 3))), ["1"]
    )
    course = words.course(whole.frame.filter(pl.col("side_no") == 0))
    assert None not in course
    assert words.course(holed.frame.filter(pl.col("side_no") == 0)).count(None) == 1
    assert not any("missing" in each for each in words.told(whole, ["A", "B"]))
    said = words.told(holed, ["A", "B"])
    assert " … " in said[0]
    assert "what they changed counts for no other hand" in said[1]
    late = chances_of(
        snapshot_of(games.filter((pl.col("game") != "1") | (pl.col("hand") > 2))), ["1"]
    )
    assert "what they changed counts for no other hand" in words.told(late, ["A", "B"])[1]


def test_rules_that_changed_within_a_game_are_said_so(found: Chances) -> None:
    game = found.frame.filter(pl.col("game") == "1")
    ruleset = pl.when(pl.col("hand") > 2).then(pl.lit("other")).otherwise("ruleset")
    said = words.game_sentences(game.with_columns(ruleset=ruleset), ["A", "B"])
    assert said[1] == "The rules changed within the game; each hand goes by its own."


def test_a_game_without_chances_says_why(found: Chances) -> None:
    game = Game("r", "sancho", "Sancho", load_variant("sancho").rules(4), 1)
    assert game.refusal is not None
    none = Chances(found.frame.clear(), (), (game.refusal,))
    assert words.told(none, ["A", "B", "C", "D"]) == [str(game.refusal)]


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


def test_games_of_many_sides_and_those_counted_out_are_refused() -> None:
    sancho = load_variant("sancho")
    single = Game("r", "sancho", "Sancho", sancho.rules(4), 1)
    assert "two sides" in str(single.refusal)
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


def test_samples_have_hands_of_every_game_of_two_sides() -> None:
    for variant in ("pedro", "king-pedro", "twenty-nine", "lucknow", "sixty-three"):
        assert len(prior_of(variant)) >= 30, variant
    assert len(prior_of("sancho")) == 0
    assert len(prior_of("no-such-game")) == 0


def test_outcomes_lean_on_all_hands_in_each_phase(season: DuckDBPyConnection) -> None:
    made = outcomes_of(pedro(), hands_of(season, "pedro"))
    assert made is not None
    assert made.shares.sum(axis=1) == pytest.approx([1, 1, 1, 1])
    assert (made.shares > 0).all()
    empty = hands_of(season, "no such rules")
    assert outcomes_of(Game("r", "no-such-game", "", pedro().rules, 14), empty) is None


def test_what_no_warehouse_has_is_an_error() -> None:
    with pytest.raises(duckdb.CatalogException):
        chances_of(duckdb.connect())
