"""Charts: each is what Altair draws, though Altair draws only one of each structure."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import altair as alt
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.kit.tiers import scaled
from tricklog import dashboard
from tricklog.dashboard.kit import charts
from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind
from tricklog.dashboard.pages.capture import flow_chart
from tricklog.dashboard.pages.games import race_chart
from tricklog.dashboard.pages.ledger import chart as ledger_chart
from tricklog.dashboard.pages.ledger import course as ledger_course
from tricklog.dashboard.pages.players import profile_chart
from tricklog.dashboard.pages.variants import margin_chart
from tricklog.dashboard.sections import bid_charts, calendar_chart, trend_chart

PHASES = (Phase.reuse, Phase.generate)
"""Without making an example smaller: each is drawn twice, which takes long."""
INTERVALS = st.builds(
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
TRENDS = st.builds(
    trend_chart.Structure,
    small=st.booleans(),
    percent=st.booleans(),
    signed=st.booleans(),
    form=st.sampled_from([None, "%b %Y"]),
    given_days=st.booleans(),
)
KINDS: Final[list[tuple[ChartKind[Any, Any], st.SearchStrategy[Any]]]] = [
    (charts.INTERVALS, INTERVALS),
    (trend_chart.TREND, TRENDS),
    *((each, st.none()) for each in (bid_charts.MADE, bid_charts.SCORES, bid_charts.MARGINS)),
    *((each, st.none()) for each in (profile_chart.AGAINST_FIELD, flow_chart.FLOW)),
    (ledger_course.COURSE, st.none()),
    *((each, st.booleans()) for each in (race_chart.RACE, margin_chart.MARGINS)),
    *((each, st.booleans()) for each in (calendar_chart.CALENDAR, ledger_chart.WATERFALL)),
]
"""Every kind of chart, with its structures."""


def like(stand_in: object) -> st.SearchStrategy[Any]:
    """Return values of the kind of one that stands in a content."""
    if isinstance(stand_in, list):
        if isinstance(stand_in[0], dict):
            days = st.dates().map(lambda day: {"year": day.year, "month": day.month})
            return st.lists(days, max_size=8)
        size = len(stand_in) if not isinstance(stand_in[0], str) else 0
        return st.lists(like(stand_in[0]), min_size=size, max_size=size or 6)
    if isinstance(stand_in, int):
        return st.integers(1, 5000)
    finite = st.floats(allow_nan=False, allow_infinity=False)
    return finite if isinstance(stand_in, float) else st.text()


@pytest.mark.parametrize(
    ("kind", "structures"),
    KINDS,
    ids=[f"{kind.draw.__module__}.{kind.draw.__name__}" for kind, _ in KINDS],
)
@settings(max_examples=scaled(2), phases=PHASES)
@given(data=st.data())
def test_every_chart_is_what_altair_draws(
    kind: ChartKind[Any, Any], structures: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    structure = data.draw(structures)
    content = kind._stand_ins._make(data.draw(like(each)) for each in kind._stand_ins)
    assert kind.spec(structure, content) == kind.draw(structure, content).to_dict()


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


@pytest.mark.thorough("a matter of speed alone")
def test_the_collector_never_looks_at_what_charts_are_drawn_with() -> None:
    drawing = """if True:
        import gc
        from tricklog.dashboard.app import collector
        collector.spare()
        from tricklog.dashboard.kit.charts import INTERVALS, Structure
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
    tested = {kind.draw.__module__.rpartition(".")[2] for kind, _ in KINDS}
    assert kinds == {f"{each}.py" for each in tested}
