"""Charts: each is what Altair draws, though Altair draws only one of each structure."""

import re
import subprocess
import sys
from pathlib import Path

import altair as alt
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import dashboard
from dashboard import (
    bid_charts,
    calendar_chart,
    charts,
    flow_chart,
    ledger_chart,
    margin_chart,
    profile_chart,
    race_chart,
    trend_chart,
)
from dashboard.chart_kinds import ROWS, ChartKind

PHASES = (Phase.reuse, Phase.generate)
"""Without making an example smaller: each is drawn twice, which takes long."""
NAMES = st.lists(st.text(), max_size=4)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
DAYS = st.dates().map(lambda day: {"year": day.year, "month": day.month, "date": day.day})
STRUCTURES = st.builds(
    charts.Structure,
    along=st.sampled_from(["x", "y"]),
    percent=st.booleans(),
    bars=st.booleans(),
    coloured=st.booleans(),
    dashed=st.booleans(),
    in_time=st.sampled_from([None, "%-d %b %Y"]),
    many_days=st.booleans(),
    few_days=st.booleans(),
    given_ends=st.booleans(),
)
CONTENTS = st.builds(
    charts.Content,
    height=st.integers(1, 5000),
    category=st.text(),
    measure=st.text(),
    series=st.text(),
    order=NAMES,
    names=NAMES,
    days=st.lists(DAYS, max_size=8),
    ends=st.lists(NUMBERS, min_size=2, max_size=2),
)
AGAINST_FIELD = st.builds(
    profile_chart.Content,
    height=st.integers(1, 5000),
    order=NAMES,
    names=st.lists(st.text(), min_size=2, max_size=2),
    player=st.text(),
)

FLOWS = st.builds(
    flow_chart.Content,
    ends=st.lists(NUMBERS, min_size=2, max_size=2),
    page=st.sampled_from(["#ffffff", "#12161d"]),
    ink=st.sampled_from(["#1b2430", "#e9ecf1"]),
)
COLOURS = st.sampled_from(["#ffffff", "#12161d", "#1f5aa6", "#7db2f5"])
MADE = st.builds(
    bid_charts.MadeContent,
    height=st.integers(1, 5000),
    bids=NAMES,
    holdings=NAMES,
    holding=st.text(),
    steps=st.lists(COLOURS, min_size=6, max_size=6),
    ink=COLOURS,
    on_high=COLOURS,
    quiet=COLOURS,
    line=COLOURS,
)
SCORES = st.builds(bid_charts.ScoreContent, bids=NAMES, colour=COLOURS, quiet=COLOURS, ink=COLOURS)
MARGINS = st.builds(
    bid_charts.MarginContent,
    colour=COLOURS,
    ink=COLOURS,
    ends=st.lists(NUMBERS, min_size=2, max_size=2),
)
RACES = st.builds(
    race_chart.Content,
    across=st.lists(NUMBERS, min_size=2, max_size=2),
    along=st.lists(NUMBERS, min_size=2, max_size=2),
    size=st.integers(1, 500),
    page=st.sampled_from(["#ffffff", "#12161d"]),
)

NEEDED = st.builds(
    margin_chart.Content,
    across=st.lists(NUMBERS, min_size=2, max_size=2),
    most=st.lists(NUMBERS, min_size=2, max_size=2),
    colour=st.sampled_from(["#1f5aa6", "#f0a05c"]),
    ink=st.sampled_from(["#1b2430", "#e9ecf1"]),
)
CALENDARS = st.builds(
    calendar_chart.Content,
    across=NAMES,
    along=NAMES,
    height=st.integers(1, 5000),
    frame=st.sampled_from(["#1b2430", "#e9ecf1"]),
    page=st.sampled_from(["#ffffff", "#12161d"]),
)
LEDGERS = st.builds(
    ledger_chart.Content,
    order=NAMES,
    ends=st.lists(NUMBERS, min_size=2, max_size=2),
    unit=st.sampled_from(["points", "score, makers less others"]),
    ink=COLOURS,
    gain=COLOURS,
    cost=COLOURS,
    luck=COLOURS,
)
TRENDS = st.builds(
    trend_chart.Structure,
    small=st.booleans(),
    percent=st.booleans(),
    signed=st.booleans(),
    form=st.sampled_from([None, "%b %Y"]),
    given_days=st.booleans(),
)
OF_TRENDS = st.builds(
    trend_chart.Content,
    ends=st.lists(NUMBERS, min_size=2, max_size=2),
    order=NAMES,
    days=st.lists(DAYS, max_size=8),
    span=st.lists(DAYS, min_size=2, max_size=2),
    measure=st.text(),
    period=st.text(),
    one=st.sampled_from(["#1f5aa6", "#7db2f5"]),
    grey=st.sampled_from(["#5d6571", "#98a2b0"]),
)


@settings(max_examples=30, phases=PHASES)
@given(STRUCTURES, CONTENTS)
def test_intervals_are_what_altair_draws(
    structure: charts.Structure, content: charts.Content
) -> None:
    drawn = charts.INTERVALS.draw(structure, content).to_dict()
    assert charts.INTERVALS.spec(structure, content) == drawn


@settings(max_examples=10, phases=PHASES)
@given(AGAINST_FIELD)
def test_a_player_against_the_field_is_what_altair_draws(content: profile_chart.Content) -> None:
    drawn = profile_chart.AGAINST_FIELD.draw(None, content).to_dict()
    assert profile_chart.AGAINST_FIELD.spec(None, content) == drawn


@settings(max_examples=10, phases=PHASES)
@given(st.booleans(), RACES)
def test_a_score_race_is_what_altair_draws(
    in_game_points: bool,  # noqa: FBT001 - drawn by hypothesis
    content: race_chart.Content,
) -> None:
    drawn = race_chart.RACE.draw(in_game_points, content).to_dict()
    assert race_chart.RACE.spec(in_game_points, content) == drawn


@settings(max_examples=10, phases=PHASES)
@given(st.booleans(), NEEDED)
def test_margins_are_what_altair_draws(
    percent: bool,  # noqa: FBT001 - drawn by hypothesis
    content: margin_chart.Content,
) -> None:
    drawn = margin_chart.MARGINS.draw(percent, content).to_dict()
    assert margin_chart.MARGINS.spec(percent, content) == drawn


@given(FLOWS)
def test_a_flow_is_what_altair_draws(content: flow_chart.Content) -> None:
    drawn = flow_chart.FLOW.draw(None, content).to_dict()
    assert flow_chart.FLOW.spec(None, content) == drawn


@settings(max_examples=10, phases=PHASES)
@given(MADE, SCORES, MARGINS)
def test_charts_of_contracts_are_what_altair_draws(
    made: bid_charts.MadeContent,
    scores: bid_charts.ScoreContent,
    margins: bid_charts.MarginContent,
) -> None:
    assert (
        bid_charts.MARGINS.spec(None, margins) == bid_charts.MARGINS.draw(None, margins).to_dict()
    )
    assert bid_charts.MADE.spec(None, made) == bid_charts.MADE.draw(None, made).to_dict()
    assert bid_charts.SCORES.spec(None, scores) == bid_charts.SCORES.draw(None, scores).to_dict()


@given(st.booleans(), CALENDARS)
def test_a_calendar_is_what_altair_draws(
    by_weekday: bool,  # noqa: FBT001 - drawn by hypothesis
    content: calendar_chart.Content,
) -> None:
    drawn = calendar_chart.CALENDAR.draw(by_weekday, content).to_dict()
    assert calendar_chart.CALENDAR.spec(by_weekday, content) == drawn


@settings(max_examples=10, phases=PHASES)
@given(st.booleans(), LEDGERS)
def test_a_ledger_is_what_altair_draws(
    needed: bool,  # noqa: FBT001 - drawn by hypothesis
    content: ledger_chart.Content,
) -> None:
    drawn = ledger_chart.WATERFALL.draw(needed, content).to_dict()
    assert ledger_chart.WATERFALL.spec(needed, content) == drawn


@settings(max_examples=15, phases=PHASES)
@given(TRENDS, OF_TRENDS)
def test_a_trend_is_what_altair_draws(
    structure: trend_chart.Structure, content: trend_chart.Content
) -> None:
    drawn = trend_chart.TREND.draw(structure, content).to_dict()
    assert trend_chart.TREND.spec(structure, content) == drawn


def draw(colour: str, content: tuple[str]) -> alt.LayerChart:
    layer: alt.Chart = alt.Chart().mark_bar(color=colour)
    return alt.LayerChart(data=ROWS, layer=[layer], title=alt.Title(content[0]))


def test_altair_draws_each_structure_once() -> None:
    drawn = []

    def counted(colour: str, content: tuple[str]) -> alt.LayerChart:
        drawn.append(colour)
        return draw(colour, content)

    kind = ChartKind(counted, ("<title>",))
    for title in ("a", "b", "<title>"):
        for colour in ("red", "blue"):
            assert kind.spec(colour, (title,)) == draw(colour, (title,)).to_dict()
    assert drawn == ["red", "blue"]


def test_what_is_done_to_a_specification_stays_with_it() -> None:
    kind = ChartKind(draw, ("<title>",))
    kind.spec("red", ("a",))["layer"][0]["mark"]["type"] = "rule"
    assert kind.spec("red", ("a",)) == draw("red", ("a",)).to_dict()


def test_the_collector_never_looks_at_what_charts_are_drawn_with() -> None:
    drawing = """if True:
        import gc
        from dashboard import launch
        launch.spare_the_collector()
        from dashboard.charts import INTERVALS, Structure
        INTERVALS.prepare(Structure(bars=True))
        gc.collect()
        print(len(gc.get_objects()))
    """
    command = [sys.executable, "-c", drawing]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    # Altair and its schema are 40,000 objects: 25 ms after each run of a page.
    assert int(done.stdout) < 300


def test_every_chart_of_the_pages_is_of_a_kind() -> None:
    folder = Path(dashboard.__file__).parent
    sources = {path.name: path.read_text("utf-8") for path in folder.rglob("*.py")}
    shown = {name for name, text in sources.items() if re.search(r"\bst\.\w*_chart\(", text)}
    kinds = {name for name, text in sources.items() if re.search(r"= ChartKind\(", text)}
    assert shown == {"chart_kinds.py"}
    assert kinds == {
        "bid_charts.py",
        "calendar_chart.py",
        "charts.py",
        "flow_chart.py",
        "ledger_chart.py",
        "ledger_course.py",
        "margin_chart.py",
        "profile_chart.py",
        "race_chart.py",
        "trend_chart.py",
    }, "each kind needs a test above"
