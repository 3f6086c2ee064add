"""What holds of every metric, by every dimension, over games of every variant."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from duckdb import DuckDBPyConnection

import ingest
from ingest.facts.files import open_facts
from ingest.metrics import (
    DIMENSION,
    METRICS,
    Dimension,
    Grain,
    Kind,
    Level,
    Metric,
    clusters,
    dimensions_of,
    measure,
)
from ingest.metrics.filters import Filters
from ingest.reading.reader import read
from tests.kit.log_lines import write_hands
from tests.kit.made_once import made_once
from tests.kit.solved import grade_some, solve_all, value_few

FEW = (
    Filters.of({"variant": ("king-pedro", "pidro", "sancho"), "hand-number": "1..2"}),
    Filters.of({"result": "thrown_in", "hand-number": "1..6"}),
)
"""Hands held against par: some of cheap games, and deals passed out."""


@pytest.fixture(scope="module")
def samples(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DuckDBPyConnection]:
    """A game of every variant, and some hands with findings."""
    folder = made_once(tmp_path_factory, "samples", lambda folder: make_samples(repository, folder))
    with open_facts(folder / "db") as connection:
        yield connection


def make_samples(repository: Path, folder: Path) -> None:
    valid = sorted((repository / "sample_logs" / "valid").glob("*/*.jsonl"))
    invalid = sorted((repository / "sample_logs" / "invalid").glob("play/*.jsonl"))
    hands = [
        hand
        for path in (*valid, *invalid)
        for hand in [item.hand for item in read(path) if item.hand][:14]
    ]
    ingest.load(write_hands(folder / "log.jsonl", hands), db=folder / "db")
    solve_all(folder / "db")
    value_few(folder / "db", of=FEW)
    grade_some(folder / "db")
    open_facts(folder / "db").close()


def _asked_of_samples() -> list[tuple[Metric, Dimension]]:
    """Pairs of metrics and dimensions.

    Each dimension of a grain is asked of two makes of metrics at least where there are as many,
    and each metric by three dimensions at least.
    """
    of_grain = Counter(grain for grain, _, _ in {_make(each) for each in METRICS})
    seen: set[tuple[Grain, Kind, Level]] = set()
    turns = Counter[Grain]()
    pairs = []
    for number, metric in enumerate(METRICS):
        dimensions = dimensions_of(metric)
        if _make(metric) in seen:
            first, step = number, len(dimensions) // 3
        else:
            first, step = turns[metric.grain], max(1, of_grain[metric.grain] // 2)
            seen.add(_make(metric))
            turns[metric.grain] += 1
        pairs += [(metric, each) for each in dimensions[first % step :: step]]
    return pairs


def _make(metric: Metric) -> tuple[Grain, Kind, Level]:
    return metric.grain, metric.kind, metric.level


@pytest.mark.parametrize(
    ("metric", "dimension"),
    _asked_of_samples(),
    ids=[f"{metric.name}-by-{dimension.name}" for metric, dimension in _asked_of_samples()],
)
def test_the_row_of_a_value_is_the_figure_filtered_by_it(
    samples: DuckDBPyConnection, metric: Metric, dimension: Dimension
) -> None:
    """And where a case has one value, the cases of all values add up to those that have one."""
    variant = {} if metric.comparable else {"variant": "pedro"}
    rows = measure(samples, metric.name, (dimension.name,), Filters.of(variant)).to_dicts()
    if not rows:
        return
    row = rows[len(rows) // 2]
    chosen = Filters.of(variant | {dimension.name: str(row[dimension.name])})
    filtered = measure(samples, metric.name, (), chosen).to_dicts()
    assert [_plain(row)] == [_plain(each) for each in filtered]
    # How far games scatter is taken from the other rows, too, so that intervals differ a little.
    if row["low"] is not None:
        assert filtered[0]["low"] <= row["value"] <= filtered[0]["high"]
    if not dimension.each and dimension.level <= metric.level:
        values = tuple(str(each[dimension.name]) for each in rows)
        whole = measure(samples, metric.name, (), Filters.of(variant | {dimension.name: values}))
        assert whole["n"].to_list() == [sum(each["n"] for each in rows)]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    names = ("n", "hits", "games", "value", "enough")
    return {
        name: pytest.approx(row[name]) if isinstance(row[name], float) else row[name]
        for name in names
        if name in row
    }


def test_every_metric_has_cases_among_the_samples(samples: DuckDBPyConnection) -> None:
    for metric in METRICS:
        rows = measure(samples, metric.name, ("variant",)).to_dicts()
        assert rows, metric.name
        for row in rows:
            if metric.kind != Kind.COUNT and row["low"] is not None:
                assert row["low"] - 1e-9 <= row["value"] <= row["high"] + 1e-9


def test_every_dimension_is_of_the_level_it_says(samples: DuckDBPyConnection) -> None:
    """Of a hand there is one value, of a side one, of a seat its own where it says so."""
    things = {Level.HAND: "hand", Level.SIDE: "hand, side_no"}
    for dimension in DIMENSION.values():
        for grain in dimension.grains:
            if grain in {Grain.CARD, Grain.FINDING, Grain.DECISION, Grain.JUDGED}:
                continue
            thing = things.get(dimension.level, "hand, seat")
            if grain == Grain.GAME:
                thing = thing.replace("hand", "game_no")
            split = f"count(DISTINCT {dimension.sql})"
            assert not samples.sql(
                f"SELECT {thing} FROM {grain} GROUP BY {thing} HAVING {split} > 1"  # noqa: S608 - names of our own
            ).fetchall(), dimension.name
            if dimension.own and grain == Grain.SEAT:
                value = f"unnest({dimension.sql})" if dimension.each else dimension.sql
                assert not samples.sql(
                    f"SELECT hand, value FROM (SELECT hand, {value} AS value FROM {grain}) "  # noqa: S608 - names of our own
                    "WHERE value IS NOT NULL GROUP BY ALL HAVING count(*) > 1"
                ).fetchall(), dimension.name


def test_games_put_together_say_about_the_same(
    samples: DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a warehouse of very many games: value and cases stay, the interval hardly moves."""
    of = Filters.of({"player": "sample:bot-bold-1"})
    exact = measure(samples, "trump-leads", ("from-dealer",), of, 1)
    monkeypatch.setattr(clusters, "MANY_GAMES", 0)
    monkeypatch.setattr(clusters, "CLUSTERS", 40)
    together = measure(samples, "trump-leads", ("from-dealer",), of, 1)
    assert max(together["games"].to_list()) <= 40 < max(exact["games"].to_list())
    assert together["n"].to_list() == exact["n"].to_list()
    assert together["value"].to_list() == pytest.approx(exact["value"].to_list())
    for one, other in zip(exact.iter_rows(named=True), together.iter_rows(named=True), strict=True):
        if one["low"] is not None:
            width = one["high"] - one["low"]
            assert other["high"] - other["low"] == pytest.approx(width, rel=0.5)
