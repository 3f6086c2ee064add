"""Figures over time, and changes: counted again, fitted again, and true as often as said."""

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.kit.facts import Facts
from tests.kit.simulated_games import Season, Setting, alarms, found_in
from tricklog.ingest.metrics import METRIC, FigureError, measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.intervals import Scale
from tricklog.ingest.metrics.naming import NAMED_AT, corrected
from tricklog.ingest.metrics.trend import Course, above_field, changes, changes_in, course

PEDRO = Filters.of({"variant": "pedro"})
BOTH = Filters.of({"variant": ("pedro", "pidro")})
EVEN = Setting(0.6, 0.05, 8)


def rows_of(frame: pl.DataFrame, **values: object) -> dict[Any, dict[str, Any]]:
    return {row["period"]: row for row in frame.filter(**values).to_dicts()}


# --- By period
@pytest.mark.parametrize("name", ["made-rate", "aggression"])
def test_in_one_variant_figure_and_field_are_those_of_months(figures: Facts, name: str) -> None:
    monthly = measure(figures, name, ("player", "month"), PEDRO)
    rows = rows_of(above_field(figures, METRIC[name], "month", PEDRO), who="ann")
    own = monthly.filter(player="ann")
    assert [*rows] == own["month"].to_list()
    others = monthly.filter(pl.col("player") != "ann")
    all_hits, all_n = others.select(pl.col("hits", "n").sum()).row(0)
    for row in own.iter_rows(named=True):
        found = rows[row["month"]]
        assert found["n"] == row["n"]
        assert found["expected"] == pytest.approx(all_hits / all_n)
        assert found["value"] + found["expected"] == pytest.approx(row["value"])
        hits, n = others.filter(month=row["month"]).select(pl.col("hits", "n").sum()).row(0)
        assert found["field"] + found["expected"] == pytest.approx(hits / n)
        if found["low"] is not None:
            assert found["low"] < found["value"] < found["high"]


def test_several_variants_are_weighted_by_the_players_own_cases(figures: Facts) -> None:
    frame = measure(figures, "made-rate", ("variant", "player", "month"), BOTH)
    month = frame["month"].min()
    above = weight = 0.0
    for variant in ("pedro", "pidro"):
        part = frame.filter(variant=variant)
        others = part.filter(pl.col("player") != "bo")
        hits, n = others.select(pl.col("hits", "n").sum()).row(0)
        own = part.filter(player="bo", month=month)
        own_hits, own_n = own.select(pl.col("hits", "n").sum()).row(0)
        above += own_hits - own_n * hits / n
        weight += own_n
    found = rows_of(above_field(figures, METRIC["made-rate"], "month", BOTH), who="bo")[month]
    assert found["value"] == pytest.approx(above / weight)


def test_sessions_have_their_names_and_pairs_are_beside_all_others(
    figures: Facts,
) -> None:
    rows = rows_of(above_field(figures, METRIC["score-share"], "session", PEDRO), who="ann")
    names = measure(figures, "score-share", ("session",), PEDRO)["session"].to_list()
    assert [*rows] == names
    # A figure of the whole table has no players.
    with pytest.raises(FigureError, match="same for all"):
        above_field(figures, METRIC["game-length"], "month", PEDRO)
    frame = above_field(figures, METRIC["score-share"], "month", PEDRO, pairs=True)
    assert (frame["who"] < frame["partner"]).all()
    rows = rows_of(frame, who="ann", partner="bo")
    both = PEDRO.also("player", "ann").also("partner", "bo")
    own = measure(figures, "score-share", ("month",), both)
    assert [*rows] == own["month"].to_list()
    for row in own.iter_rows(named=True):
        found = rows[row["month"]]
        assert found["value"] + found["expected"] == pytest.approx(row["value"])
    assert frame.filter(pl.col("partner").is_null()).is_empty()


# --- Changes
def test_the_change_is_the_slope_that_numpy_fits_less_that_of_the_others(figures: Facts) -> None:
    found = course(figures, METRIC["aggression"], "day", PEDRO)
    sums = (pl.col("y", "w").sum(), pl.col("period").first())
    games = found.own.group_by("game_no", "who").agg(*sums)
    for who, each in changes_in(found, Scale.SHARE).items():
        own = games.filter(who=who)
        others = (
            games.filter(pl.col("who") != who)
            .group_by("game_no")
            .agg(pl.col("y", "w").sum(), pl.col("period").first())
        )
        own_slope, others_slope = map(_slope, (own, others))
        span = (own["period"].max() - own["period"].min()).days  # type: ignore[operator,union-attr]
        assert each.change == pytest.approx((own_slope - others_slope) * span)
        assert each.low < each.change < each.high
        assert (each.games, each.days) == (len(own), own["period"].n_unique())
        assert (each.first, each.last) == (own["period"].min(), own["period"].max())


def _slope(games: pl.DataFrame) -> float:
    days = games["period"].cast(int).to_numpy().astype(float)
    y, w = games["y"].to_numpy(), games["w"].to_numpy()
    return float(np.polyfit(days - days.mean(), y / w, 1, w=np.sqrt(w))[0])


def test_names_stand_after_all_are_compared(figures: Facts) -> None:
    metrics = [METRIC["aggression"], METRIC["score-share"]]
    frame = changes(figures, metrics, PEDRO)
    assert len(frame) == 8
    known = [each < NAMED_AT for each in corrected(frame["chance"].to_list())]
    assert [*frame["named"]] == [
        chosen and abs(row["change"]) >= METRIC[row["metric"]].relevant
        for chosen, row in zip(known, frame.iter_rows(named=True), strict=True)
    ]
    alone = changes(figures, metrics, PEDRO.also("player", "bo"), player="ann")
    assert alone["player"].unique().to_list() == ["ann"]
    for row in alone.iter_rows(named=True):
        whole = frame.filter(player="ann", metric=row["metric"]).row(0, named=True)
        assert row["change"] == pytest.approx(whole["change"])
    early = Filters.of({"variant": "pedro"}, until=date(2026, 1, 20))
    assert changes(figures, metrics, early).is_empty()


def test_players_who_never_change_are_called_changed_as_often_as_said() -> None:
    often, seldom = alarms(found_in(Season(EVEN, 40, apart=0.02), clubs=60))
    assert 0.02 < often < 0.09
    assert seldom <= 0.03


def test_who_improves_is_found_and_by_about_as_much() -> None:
    found = found_in(Season(EVEN, 90, gained=0.35), clubs=25)
    own = [club["0"] for club in found]
    assert np.mean([each.chance < 0.01 for each in own]) > 0.9
    # The others' line has none of it, whoever plays with them.
    assert np.mean([each.change for each in own]) == pytest.approx(0.35, abs=0.05)
    assert np.mean([each.low <= 0.35 <= each.high for each in own]) > 0.9


def stepping(seed: int, day: int) -> Course:
    """Games of one player on thirty days who is better from ``day`` on, and those of the others."""
    chance = np.random.default_rng(seed)
    rows = []
    for game in range(90):
        now = game // 3
        own = chance.binomial(12, 0.75 if now >= day else 0.4)
        others = chance.binomial(36, 0.5)
        rows.append(
            {"who": "ann", "game_no": game, "variant": "pedro", "period": date(2026, 1, 1 + now)}
            | {"y": own, "w": 12, "o": others, "p": 36, "t": own + others, "u": 48}
        )
    played = pl.DataFrame(rows).with_columns(pl.col("y", "w", "o", "p", "t", "u").cast(pl.Float64))
    return Course(played, played.select("game_no", "variant", "period", "t", "u"))


def test_a_sure_change_says_when_it_was_and_is_right_about_it() -> None:
    """A step is found about where it was, and lies in the interval as often as that says."""
    missed = 0
    for seed in range(40):
        day = 6 + seed % 18
        (found,) = changes_in(stepping(seed, day), Scale.SHARE).values()
        was = date(2026, 1, 1 + day)
        assert found.chance < 0.05
        assert found.first < found.when_low <= found.when <= found.when_high < found.last
        assert abs((found.when - was).days) <= 3
        assert (found.when_high - found.when_low).days < 12
        missed += not found.when_low <= was <= found.when_high
    assert missed <= 3


def test_too_few_games_or_days_and_none_at_all_are_not_looked_at(figures: Facts) -> None:
    few = Season(EVEN, 9).draw(np.random.default_rng(1))
    assert changes_in(few, Scale.SHARE) == {}
    season = Season(EVEN, 12).draw(np.random.default_rng(1))
    same = pl.lit(date(2026, 1, 1)).alias("period")
    one_day = Course(season.own.with_columns(same), season.whole.with_columns(same))
    assert changes_in(one_day, Scale.SHARE) == {}
    nowhere = Filters.of({"variant": "none"})
    nothing = course(figures, METRIC["made-rate"], "day", nowhere)
    assert changes_in(nothing, Scale.SHARE) == {}
    assert above_field(figures, METRIC["made-rate"], "month", nowhere).is_empty()
