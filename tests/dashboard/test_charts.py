"""Charts: each is a valid specification, whatever it shows, and no tick is written twice."""

import itertools
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.app_pages import faults_of_chart
from tricklog import dashboard
from tricklog.dashboard.kit import charts
from tricklog.dashboard.kit.charts import IntervalChart

DAYS = [date(2026, 1, 1) + timedelta(days=each) for each in range(50)]
STRUCTURES = st.fixed_dictionaries(
    {
        "along": st.sampled_from(["x", "y"]),
        "percent": st.booleans(),
        "bars": st.booleans(),
        "series": st.none() | st.just("side"),
        "mark": st.none() | st.just("the bid itself"),
        "signed": st.booleans(),
        "small": st.booleans(),
        "written": st.booleans(),
        "left": st.none() | st.just(70),
        "in_time": st.none() | st.just("%b %Y"),
        "span": st.none() | st.just((DAYS[0], DAYS[-1])),
        "domain": st.none() | st.just((-1.0, 1.0)),
    }
)


def rows(count: int) -> pl.DataFrame:
    """Rows with all that a chart may show."""
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


def test_what_rows_of_different_figures_count_has_no_sum() -> None:
    chart = IntervalChart(title="t", category="c", measure="m", percent=True)
    assert chart.notes(rows(3)) == "m · n = 3,000"
    assert replace(chart, mixed=True).notes(rows(3)) == "m"


@pytest.mark.thorough("a matter of speed alone")
def test_the_collector_never_looks_at_what_charts_are_drawn_with() -> None:
    drawing = """if True:
        import gc
        from tricklog.dashboard.kit import charts
        from tricklog.dashboard.app import collector
        collector.spare()
        gc.collect()
        print(len(gc.get_objects()))
    """
    command = [sys.executable, "-c", drawing]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    # Altair is tens of thousands of objects: 25 ms after each run of a page.
    assert int(done.stdout) < 300


def test_every_chart_of_the_pages_is_drawn_in_one_way() -> None:
    folder = Path(dashboard.__file__).parent
    charts_drawn = re.compile(r"\bst\.\w*_chart\(")
    shown = [path for path in folder.rglob("*.py") if charts_drawn.search(path.read_text("utf-8"))]
    assert shown == [folder / "kit" / "drawing.py"]
