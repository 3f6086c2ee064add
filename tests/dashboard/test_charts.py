"""Charts, bars of margins and pictures in cells: valid, and each value where it belongs."""

import itertools
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import Visit
from tests.kit.app_pages import (
    check_charts,
    faults_of_chart,
    go,
    queries_in,
    table_of,
    text_of,
    total,
)
from tricklog import dashboard
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit import cells, charts
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.margin_bars import bars
from tricklog.dashboard.pages.bids.contracts import by_one_sentence
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import bid_map

DAYS = [date(2026, 1, 1) + timedelta(days=each) for each in range(50)]
STRUCTURES = st.fixed_dictionaries(
    {
        "along": st.sampled_from(["x", "y"]),
        **{name: st.booleans() for name in ("percent", "bars", "signed", "small", "written")},
        "series": st.none() | st.just("side"),
        "mark": st.none() | st.just("the bid itself"),
        "left": st.none() | st.just(70),
        "in_time": st.none() | st.just("%b %Y"),
        "span": st.none() | st.just((DAYS[0], DAYS[-1])),
        "domain": st.none() | st.just((-1.0, 1.0)),
    }
)


def rows(count: int) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "label": [f"<b>{each}</b> {'long ' * 8}" for each in range(count)],
            "key": [str(each) for each in range(count)],
            "value": [each / 50 for each in range(count)],
            "low": [None if each % 3 else each / 60 for each in range(count)],
            "high": [None if each % 3 else each / 40 for each in range(count)],
            "n": [1000] * count,
            "enough": [bool(each % 2) for each in range(count)],
            "series": [("makers", "defenders")[each % 2] for each in range(count)],
            "series_key": [str(each % 2) for each in range(count)],
            "mark": [None if each % 4 else 0.5 for each in range(count)],
            "moment": DAYS[:count],
        },
        schema_overrides={"low": pl.Float64, "high": pl.Float64, "mark": pl.Float64},
    )


@given(st.sampled_from([1, 3, 50]), STRUCTURES)
def test_charts_of_every_structure_are_valid(count: int, how: dict[str, Any]) -> None:
    chart = IntervalChart(title="t", category="c", measure="m", **how)
    assert [*faults_of_chart(chart.spec(rows(count)))] == []


@given(st.floats(0.001, 1e6), st.sampled_from([1, 100]), st.integers(2, 8))
def test_no_two_ticks_are_written_alike(length: float, unit: int, ticks: int) -> None:
    made = charts.axis_of_values(length, percent=unit == 100, signed=True, ticks=ticks)
    axis = made.to_dict()
    digits = int(re.findall(r"[.](\d)", axis["format"])[0])
    # As Vega does it: a round step that is no less than the least one.
    step = max(axis["tickMinStep"], length / ticks)
    shown = [f"{at * step * unit:.{digits}f}" for at in range(ticks + 1)]
    assert all(one != other for one, other in itertools.pairwise(shown))
    assert axis["format"].endswith("%" if unit == 100 else "f")


def test_a_chart_has_a_place_for_each_category_and_one_colour_for_each_series() -> None:
    chart = IntervalChart(
        title="t", category="c", measure="m", percent=True, series="side",
        names=("a", "b", "makers"), order=("x", "y", "z"),
    )  # fmt: skip
    spec = chart.spec(rows(2))
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == ["x", "y", "z"]
    colours = spec["encoding"]["color"]["scale"]
    assert colours["domain"] == ["a", "b", "makers"]
    assert len(set(colours["range"])) == 3
    # What rows of different figures count has no sum.
    chart = IntervalChart(title="t", category="c", measure="m", percent=True)
    assert chart.notes(rows(3)) == "m · n = 3,000"
    assert replace(chart, mixed=True).notes(rows(3)) == "m"


def test_every_chart_of_the_pages_is_drawn_in_one_way() -> None:
    folder = Path(dashboard.__file__).parent
    charts_drawn = re.compile(r"\bst\.\w*_chart\(")
    shown = [path for path in folder.rglob("*.py") if charts_drawn.search(path.read_text("utf-8"))]
    assert shown == [folder / "kit" / "drawing.py"]


# --- Bars of margins
ENDINGS = st.dictionaries(
    st.tuples(st.integers(-90, 90), st.sampled_from(["made", "set"])),
    st.integers(1, 500),
    min_size=1,
)


def bars_of(endings: dict[tuple[int, str], int], first: int = 0) -> pl.DataFrame:
    rows = sorted((margin, result, n) for (margin, result), n in endings.items())
    return bars(pl.DataFrame(rows, schema=["margin", "result", "n"], orient="row"), first)


@given(ENDINGS)
def test_bars_have_all_contracts_on_their_own_side(endings: dict[tuple[int, str], int]) -> None:
    found = bars_of(endings)
    assert found["n"].sum() == sum(endings.values())
    assert found["share"].sum() == pytest.approx(1)
    for start, end in found.select("start", "end").rows():
        assert (start < -0.5) == (end < -0.5)
    stacked = found.group_by("start").agg(
        pl.max("top").alias("height"), pl.sum("share"), pl.min("base")
    )
    assert stacked["base"].to_list() == [0.0] * len(stacked)
    assert stacked["height"].to_list() == pytest.approx(stacked["share"].to_list())
    for key in found["margin_key"]:
        least, _, most = key.partition("..")
        assert (int(least) < 0) == (int(most or least) < 0)


@pytest.mark.parametrize("count", [10, 150])
def test_no_bar_above_par_stands_on_both_sides_of_the_line(count: int) -> None:
    """The line is right of par, which is not above it; with many bids several share a bar."""
    drawn = bars_of({(margin, "made"): 1 for margin in range(-count, count)}, 1)
    assert drawn["n"].sum() == 2 * count
    assert all(end < 0.5 or start > 0.5 for start, end in drawn.select("start", "end").rows())


def test_bars_say_what_they_are_and_the_answer_tells_games_with_enough_contracts() -> None:
    found = bars_of({(-1, "set"): 1, (0, "made"): 2, (4, "made"): 1})
    assert found["margin"].to_list() == ["−1", "0", "+4"]
    assert found["margin_key"].to_list() == ["-1", "0", "4"]
    assert found["said"][0] == "−1, set: 1 contract"
    assert found["set"].to_list() == [1, 0, 0]
    row = {"value": 0.09, "low": 0.07, "high": 0.12, "enough": True}
    told = by_one_sentence(
        [("King *Pedro*", row), ("Pedro", {**row, "enough": False}), ("Pidro", None)]
    )
    assert told == (
        "Of 100 contracts exactly one point was missing in **9** (7 to 12) in King \\*Pedro\\*."
    )
    assert by_one_sentence([("Pidro", None)]).startswith("There are too few contracts")


def test_each_game_has_bars(club: AppTest, club_warehouse: Path, visit: Visit) -> None:
    go(club, urls.BIDS, view="Margins")
    assert len(club.get("vega_lite_chart")) == 2
    check_charts(club)
    with open_facts(club_warehouse) as facts:
        found = bid_map.margins(facts).filter(pl.col("variant") == "pedro")
        missed = bid_map.by_one(facts).filter(pl.col("variant") == "pedro")["hits"].item()
    rows = table_of(club, "Pedro, 4 partners: contracts by points over the need")
    assert total(rows, "contracts") == found["n"].sum()
    assert "set by exactly one: " in text_of(club)
    by_one = {"margin-from": ["-1"], "margin-to": ["-1"], "variant": ["pedro"]}
    query = next(each for each in queries_in(club) if by_one.items() <= each.items())
    assert f"{missed:,} hands: " in text_of(visit(club_warehouse, urls.HANDS, **query))


def test_too_few_contracts_have_bars_and_no_answer(app: AppTest) -> None:
    go(app, urls.BIDS, view="Margins")
    assert len(app.get("vega_lite_chart")) == 4
    assert "too few contracts to say" in text_of(app)


# --- Cells of tables
AMOUNTS = st.floats(-1e6, 1e6)
TRACK = cells.Track(-4, 4, tick=0)


def per_cents(html: str) -> list[float]:
    return [float(each) for each in re.findall(r"(-?[\d.]+)%", html)]


@given(AMOUNTS, AMOUNTS, AMOUNTS)
def test_an_interval_stays_within_its_cell(first: float, second: float, third: float) -> None:
    low, value, high = sorted((first, second, third))
    found = cells.interval(TRACK, value, low, high, "said")
    tick, left, width, dot = per_cents(found.html)
    assert tick == 50
    assert 0 <= left <= dot + 0.1
    assert dot <= left + width + 0.1 <= 100.2


@given(st.lists(st.floats(0, 1e6), max_size=12))
def test_columns_are_as_high_as_their_values(values: list[float]) -> None:
    heights = per_cents(cells.columns(values, "said").html)
    assert len(heights) == len(values)
    assert all(0 <= each <= 100 for each in heights)
    if any(values):
        assert max(heights) == 100


def test_values_stand_where_their_scale_says() -> None:
    found = cells.interval(TRACK, 2, 1, 3, "+2 (+1 to +3)", cells.Colour.ONE)
    assert per_cents(found.html) == [50, 62.5, 25, 75]
    assert "tl-one" in found.html
    # Too few cases are a ring without a bar, and words are never HTML.
    found = cells.interval(TRACK, 2, None, None, "too few hands", few=True)
    assert "tl-few" in found.html
    assert "<u" not in found.html
    found = cells.interval(TRACK, 1, 0, 2, "<b>Ann</b>")
    assert "&lt;b&gt;Ann&lt;/b&gt;" in cells.picture_html(found)
    # A line ends in its last value.
    for values, across, course, end in (
        ([-4, 0, 4], None, "0.0% 94.0%,50.0% 44.0%,100.0% -6.0%", "left:100.0%;top:0.0%"),
        ([0, 0], [0.25, 0.75], "25.0% 44.0%,75.0% 44.0%", "left:75.0%;top:50.0%"),
    ):
        found = cells.line(values, TRACK, "said", across=across)
        assert found.html.endswith(f'<b style="{end}"></b></span>')
        assert course in found.html
    found = cells.squares([True, False, None, True], "won, lost, open, won")
    marks = re.findall(r'<i class="([^"]*)">', found.html)
    assert marks == ["tl-marked", "", "tl-few", "tl-marked"]
