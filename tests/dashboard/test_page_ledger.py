"""The page with the ledger of one hand: chart, table, words, and why there is none."""

import re
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import check_charts, go, open_app, table_of, text_of
from tests.kit.spoken_pages import untranslated
from tricklog.core.native import library
from tricklog.core.study import contracts
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.ledger.chart import Bar, ends_of, number_text, rows_of, signed_text

pytestmark = pytest.mark.usefixtures("quick_ledgers")
Visit = Callable[..., AppTest]
PLAYED = "pidro-8-1-1"
FIRST = 8
"""Stocks that are dealt before anybody asks for more."""


@pytest.fixture
def visit(ledgers: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    return lambda **asked: go(open_app(ledgers, monkeypatch), urls.LEDGER, **asked)


def test_parts_stand_in_a_table_and_on_a_chart_and_add_up(visit: Visit) -> None:
    for unit, column in (("points", "points"), ("score", "score, makers less others")):
        app = visit(hand=PLAYED, unit=unit)
        rows = table_of(app, "Parts of the ledger")
        table = {row["part"]: row[column] for row in rows}
        assert [*table] == [
            *("start", "deal", "auction", "exchange", "draw", "makers' play", "defence", "result"),
        ]
        assert {row["whose"] for row in rows[1:-1]} <= {"luck", "choice", "none"}
        bars = table_of(app, one_by_one(app))
        of_bars = [tenths(row[unit]) for row in bars if not row["part"].startswith("best play")]
        assert of_bars == [tenths(text) for text in table.values()]
        parts = sum(tenths(text) for part, text in table.items() if part != "result")
        assert parts == tenths(table["result"])
        text = text_of(app)
        assert "In words." in text
        assert "sum to the result exactly" in text
        assert f"Other stocks dealt: {FIRST}" in text
        in_score = "of score, makers less the others,"
        assert (in_score if unit == "score" else "points of") in text
        check_charts(app)


def one_by_one(app: AppTest) -> str:
    """The name of the table that stands for the chart on a phone."""
    bodies = "".join(each.proto.body for each in app.get("html"))
    names: list[str] = re.findall(r'aria-label="([^"]*, one by one)"', bodies)
    return next(each for each in names if "table below" in each)


def tenths(text: str) -> int:
    """Return a number as it stands on the page, without what it may be off."""
    return round(float(text.partition(" ±")[0].replace("−", "-").replace(",", "")) * 10)


def test_more_stocks_are_dealt_when_asked_for(visit: Visit) -> None:
    more = visit(hand=PLAYED, stocks=str(contracts.STOCKS))
    assert f"Other stocks dealt: {contracts.STOCKS}" in text_of(more)


def test_nothing_of_it_stays_english(ledgers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert untranslated(ledgers, monkeypatch, urls.LEDGER, hand=PLAYED) == []


def test_without_a_hand_in_the_address_a_valid_one_is_shown(visit: Visit) -> None:
    app = visit()
    assert f"Ledger of hand {app.query_params['hand']}" in text_of(app)
    assert table_of(app, "Parts of the ledger")


def test_a_hand_that_does_not_exist_is_told_of(visit: Visit) -> None:
    assert "nowhere" in text_of(visit(hand="nowhere"))


def test_without_the_library_the_page_says_where_to_look(visit: Visit) -> None:
    with patch.object(library, "is_there", lambda: False):
        assert "tricklog demo --check" in text_of(visit(hand=PLAYED))


# --- The chart


BARS = [
    Bar("start", (), 0.0, 7.0, 0.4, total=True),
    Bar("deal", (), 7.0, 8.3, 0.5, luck=True),
    Bar("draw", (), 8.3, 5.4, 0.4, luck=True),
    Bar("play", ("Dan −10",), 5.4, -8.6, 0.0),
    Bar("result", (), 0.0, -8.6, 0.0, total=True),
]


def test_each_bar_begins_where_the_one_before_ended() -> None:
    rows = rows_of(BARS, 9)
    bars = rows.filter(pl.col("drawn") == "bar")
    assert bars["kind"].to_list() == ["total", "luck", "luck", "cost", "total"]
    assert bars["said"].to_list() == ["7", "+1.3", "−2.9", "−14", "−8.6"]
    assert bars.select("low", "high").rows() == [
        (0.0, 7.0),
        (7.0, 8.3),
        (5.4, 8.3),
        (-8.6, 5.4),
        (-8.6, 0.0),
    ]


def test_luck_is_hatched_and_nothing_else_is() -> None:
    stripes = rows_of(BARS, None).filter(pl.col("drawn") == "stripe")
    assert set(stripes["label"]) == {"deal", "draw"}
    for bar in BARS[1:3]:
        own = stripes.filter(pl.col("label") == bar.name)["low"]
        low, high = sorted((bar.start, bar.end))
        assert own.is_between(low, high).all()
        assert len(own) > 1


def test_the_axis_has_room_for_all_of_it() -> None:
    low, high = ends_of(BARS, 9)
    rows = rows_of(BARS, 9)
    assert rows.select(pl.col("low", "high").is_between(low, high).all()).row(0) == (True, True)


def test_numbers_are_written_as_people_write_them() -> None:
    assert [signed_text(each) for each in (0.0, -0.01, 1.26, -2.0)] == ["0", "0", "+1.3", "−2"]
    assert number_text(-14.0) == "−14"
