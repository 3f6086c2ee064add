"""What holds of every metric, by every dimension.

In the thorough tier over games of every variant, in the first over those of four people.
"""

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from tests.kit.facts import Facts
from tests.kit.tiers import is_thorough, some
from tricklog.ingest import metrics
from tricklog.ingest.metrics import METRICS, Dimension, Grain, Level, Metric, dimensions_of
from tricklog.ingest.metrics.filters import Filters


@pytest.fixture
def facts(request: pytest.FixtureRequest) -> Facts:
    found: Facts = request.getfixturevalue("samples" if is_thorough() else "figures")
    return found


def _asked_of_samples() -> Iterator[tuple[Metric, Dimension]]:
    """Yield pairs of metrics and dimensions: all of them in the thorough tier.

    In the first every sixth one is asked of each kind of facts; its metrics take turns.
    """
    for grain in Grain:
        own = [each for each in METRICS if each.grain == grain]
        if is_thorough():
            for metric in own:
                for dimension in dimensions_of(metric):
                    yield metric, dimension
            continue
        turns = cycle(own)
        for number, dimension in enumerate(dimensions_of(own[0])):
            if number % 6 == 0:
                metric = next(each for each in turns if dimension in dimensions_of(each))
                yield metric, dimension


def test_the_row_of_a_value_is_the_figure_filtered_by_it(facts: Facts) -> None:
    """And where a case has one value, the cases of all values add up to those that have one."""
    asked, wrong = 0, []
    for metric, dimension in _asked_of_samples():
        variant = {} if metric.comparable else {"variant": "pidro"}
        by, of_variant = (dimension.name,), Filters.of(variant)
        rows = metrics.measure(facts, metric.name, by, of_variant).to_dicts()
        if not rows:
            continue
        asked += 1
        row = rows[len(rows) // 2]
        chosen = Filters.of(variant | {dimension.name: str(row[dimension.name])})
        filtered = metrics.measure(facts, metric.name, (), chosen).to_dicts()
        alike = [_plain(row)] == [_plain(each) for each in filtered]
        # How far games scatter is taken from the other rows, too, so intervals differ a little.
        if alike and row["low"] is not None:
            alike = filtered[0]["low"] <= row["value"] <= filtered[0]["high"]
        if not dimension.each and dimension.level <= metric.level:
            values = tuple(str(each[dimension.name]) for each in rows)
            every = Filters.of(variant | {dimension.name: values})
            whole = metrics.measure(facts, metric.name, (), every)["n"].to_list()
            alike &= whole == [sum(each["n"] for each in rows)]
        if not alike:
            wrong.append(f"{metric.name} by {dimension.name}: {row} but {filtered}")
    assert not wrong, "\n".join(wrong)
    assert asked > (len(METRICS) if is_thorough() else 20)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    names = ("n", "hits", "games", "value", "enough")
    return {
        name: pytest.approx(row[name]) if isinstance(row[name], float) else row[name]
        for name in names
        if name in row
    }


def test_every_dimension_is_of_the_level_it_says(facts: Facts) -> None:
    """Of a hand there is one value, of a side one, of a seat its own where it says so."""
    things = {Level.HAND: "hand_no", Level.SIDE: "hand_no, side_no"}
    for dimension in some([*metrics.DIMENSION.values()], 20):
        for grain in dimension.grains:
            if grain in {Grain.CARD, Grain.FINDING, Grain.DECISION, Grain.JUDGED}:
                continue
            thing = things.get(dimension.level, "hand_no, seat")
            if grain == Grain.GAME:
                thing = thing.replace("hand_no", "game_no")
            split = f"count(DISTINCT {dimension.sql})"
            assert not facts.sql(
                f"SELECT {thing} FROM {grain} GROUP BY {thing} HAVING {split} > 1"  # noqa: S608 - names of our own
            ).fetchall(), dimension.name
            if dimension.own and grain == Grain.SEAT:
                value = f"unnest({dimension.sql})" if dimension.each else dimension.sql
                assert not facts.sql(
                    f"SELECT hand_no, value FROM (SELECT hand_no, {value} AS value FROM {grain}) "  # noqa: S608 - names of our own
                    "WHERE value IS NOT NULL GROUP BY ALL HAVING count(*) > 1"
                ).fetchall(), dimension.name


def test_games_put_together_say_the_same(figures: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a warehouse of very many games: value and cases stay, the interval hardly moves."""
    of = Filters.of({"player": "ann"})
    exact = metrics.measure(figures, "trump-leads", ("from-dealer",), of, 1)
    monkeypatch.setattr(metrics.query, "MANY_GAMES", 0)
    monkeypatch.setattr(metrics.query, "CLUSTERS", 40)
    together = metrics.measure(figures, "trump-leads", ("from-dealer",), of, 1)
    assert max(together["games"].to_list()) <= 40 < max(exact["games"].to_list())
    assert together["n"].to_list() == exact["n"].to_list()
    assert together["value"].to_list() == pytest.approx(exact["value"].to_list())
    for one, other in zip(exact.iter_rows(named=True), together.iter_rows(named=True), strict=True):
        if one["low"] is not None:
            width = one["high"] - one["low"]
            assert other["high"] - other["low"] == pytest.approx(width, rel=0.5)
