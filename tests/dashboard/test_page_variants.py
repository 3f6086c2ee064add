"""The page of two games side by side, without a browser."""

import re
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import Visit, pages_over
from tests.kit.app_pages import (
    check_charts,
    go,
    lead_of,
    press,
    queries_in,
    table_of,
    text_of,
    total,
)
from tests.kit.facts import facts_in
from tricklog import Filters, differences, load_variant
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.variants import two_games
from tricklog.ingest.metrics import METRIC, measure
from tricklog.ingest.metrics.bid_map import margins
from tricklog.ingest.metrics.figure_words import figure_text

PEDRO, KING = "Pedro", "King Pedro"
BOTH = {PEDRO: "pedro", KING: "king-pedro"}
FIGURES = "Figures of both games"


app = pages_over("three_games")
facts = facts_in("three_games")


def open_two(app: AppTest, one: str = PEDRO, other: str = KING, **more: str) -> AppTest:
    return go(app, urls.VARIANTS, one=one, other=other, **more)


def test_every_figure_stands_with_both_values(app: AppTest, facts: DuckDBPyConnection) -> None:
    open_two(app)
    rows = {row["figure"]: row for row in table_of(app, FIGURES)}
    made = next(row for name, row in rows.items() if name.startswith("Contracts made"))
    counts = []
    for title, variant in BOTH.items():
        of_one = Filters.of({"variant": variant})
        whole = measure(facts, "made-rate", (), of_one).row(0, named=True)
        assert made[title] == figure_text(METRIC["made-rate"], whole, cases=False)
        counts.append(f"{whole['n']:,}")
    assert made["n of both"] == " / ".join(counts)
    behind = [each for each in queries_in(app) if "figure" in each]
    assert {"figure": ["made-rate"], "variant": ["pedro", "king-pedro"]} in behind
    assert {"figure": ["made-rate"], "variant": ["king-pedro"]} in behind
    assert all(each["figure"][0] in METRIC for each in behind)
    # A figure of this page alone leads to the same hands as a filter finds.
    by_one = {"margin-from": ["-1"], "margin-to": ["-1"]}
    assert {"figure": ["set-rate"], "variant": ["pedro"], **by_one} in behind
    asked = {"figure": "set-rate", "variant": PEDRO}
    go(app, urls.HANDS, **asked, **{"margin-from": "-1", "at": "margin:-1"})
    missed = margins(facts).filter(variant="pedro", margin=-1)["n"].sum()
    assert f"{missed:,} hands" in text_of(app)


def test_the_sentence_says_what_differs_for_sure_and_sides_are_swapped(app: AppTest) -> None:
    lead = lead_of(open_two(app))
    count = re.search(r"(\d+) of (\d+) figures differ for sure", lead)
    assert count
    told = [row["with all of these compared"] for row in table_of(app, FIGURES)]
    assert [str(told.count("sure")), str(len(told))] == [*count.groups()]
    assert "<b>" in lead
    # The rules that differ are those of the rules themselves.
    found = differences(load_variant("pedro"), load_variant("king-pedro"))
    rows = table_of(app, "Rules that differ") + table_of(app, "More rules that differ")
    assert [row["question"] for row in rows] == [each.question for each in found]
    bid = next(row for row in rows if row["question"] == "What is the lowest bid?")
    assert (bid[PEDRO], bid[KING]) == ("7", "30")
    press(app, "Swap")
    assert [app.selectbox(key=each).value for each in ("one", "other")] == ["king-pedro", "pedro"]
    assert list(table_of(app, "Rules that differ")[0]) == ["question", KING, PEDRO]


def test_too_few_games_say_so(app: AppTest) -> None:
    open_two(app, PEDRO, "Twenty-Nine")
    assert "It cannot be told yet" in lead_of(app)
    assert "with too few games to compare" in text_of(app)
    assert "Nobody has 10 games" in app.info[-1].value
    go(app, urls.HANDS)
    open_two(app, PEDRO, PEDRO)
    assert "same game" in app.info[0].value
    assert not table_of(app, FIGURES)


@pytest.mark.parametrize(
    ("measured", "along"),
    [(two_games.POINTS, "points over the need"), (two_games.NEED, "per cent of the need over it")],
)
def test_contracts_are_drawn_by_their_margin_and_bars_hold_each_once(
    app: AppTest, facts: DuckDBPyConnection, measured: str, along: str
) -> None:
    open_two(app, **{"margin-in": measured})
    check_charts(app)
    assert len(app.get("vega_lite_chart")) == 4
    found = margins(facts)
    for title, variant in BOTH.items():
        own = found.filter(variant=variant)
        rows = table_of(app, f"{title}: contracts by {along}")
        for outcome, which in (("made", own["margin"] >= 0), ("set", own["margin"] < 0)):
            drawn = (each for each in rows if each["outcome"] == outcome)
            assert total(drawn, "contracts") == own.filter(which)["n"].sum()


# --- Addresses
def test_an_address_with_a_figure_opens_all_games(app: AppTest) -> None:
    go(app, urls.VARIANTS, metric="Contracts made")
    assert app.selectbox(key="metric").value == "made-rate"
    assert not table_of(app, FIGURES)
    # It stays open, whatever else is chosen there.
    app.session_state["over"] = "week"
    app.run()
    assert "contracts made by week" in text_of(app)
    go(app, urls.HANDS)
    go(app, urls.VARIANTS)
    assert table_of(app, FIGURES)
    go(app, urls.HANDS)
    go(app, urls.VARIANTS, variant=["Twenty-Nine"])
    assert app.selectbox(key="one").value == "twenty-nine"


def test_one_game_alone_leads_to_imports(singles: Path, visit: Visit) -> None:
    app = visit(singles, urls.VARIANTS)
    assert any(each.proto.page == "import" for each in app.get("page_link"))
