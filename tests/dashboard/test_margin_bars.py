"""The part of Bid accuracy with margins: its bars, its sentence and its links."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit.margin_bars import bars
from tricklog.dashboard.pages.bids.margins import sentence
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import bid_map

TITLE = "Pedro, 4 partners: contracts by points over the need"
ENDINGS = st.dictionaries(
    st.tuples(st.integers(-90, 90), st.sampled_from(["made", "set"])),
    st.integers(1, 500),
    min_size=1,
)


@given(ENDINGS)
def test_bars_have_all_contracts_and_none_crosses_the_line(
    endings: dict[tuple[int, str], int],
) -> None:
    rows = sorted((margin, result, n) for (margin, result), n in endings.items())
    found = bars(pl.DataFrame(rows, schema=["margin", "result", "n"], orient="row"))
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


def test_bars_say_what_they_are() -> None:
    rows = [(-1, "set", 1), (0, "made", 2), (4, "made", 1)]
    found = bars(pl.DataFrame(rows, schema=["margin", "result", "n"], orient="row"))
    assert found["margin"].to_list() == ["−1", "0", "+4"]
    assert found["margin_key"].to_list() == ["-1", "0", "4"]
    assert found["said"][0] == "−1, set: 1 contract"
    assert found["set"].to_list() == [1, 0, 0]


def test_the_answer_tells_games_with_enough_contracts() -> None:
    row = {"value": 0.09, "low": 0.07, "high": 0.12, "enough": True}
    told = sentence([("King *Pedro*", row), ("Pedro", {**row, "enough": False}), ("Pidro", None)])
    assert told == (
        "Of 100 contracts exactly one point was missing in **9** (7 to 12) in King \\*Pedro\\*."
    )
    assert sentence([("Pidro", None)]).startswith("There are too few contracts")


def test_each_game_has_its_bars_and_the_share_set_by_one(
    club: AppTest, club_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(club, urls.BIDS, view="Margins")
    assert len(club.get("vega_lite_chart")) == 2
    check_charts(club)
    with open_facts(club_warehouse) as facts:
        found = bid_map.margins(facts).filter(pl.col("variant") == "pedro")
        missed = bid_map.by_one(facts).filter(pl.col("variant") == "pedro")["hits"].item()
    rows = table_of(club, TITLE)
    assert sum(int(row["contracts"].replace(",", "")) for row in rows) == found["n"].sum()
    assert "set by exactly one: " in text_of(club)
    by_one = [
        parse_qs(urlsplit(each).query)
        for each in addresses_in(club)
        if "margin-from=-1&margin-to=-1" in each and "variant=pedro&" in f"{each}&"
    ]
    assert by_one
    arrived = open_app(club_warehouse, monkeypatch)
    go(arrived, urls.HANDS, **by_one[0])
    assert f"{missed:,} hands: " in text_of(arrived)


def test_odd_filters_leave_a_page(
    app: AppTest, small_warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(app, urls.BIDS, view="Margins")
    assert len(app.get("vega_lite_chart")) == 4
    assert "too few contracts to say" in text_of(app)
    later = open_app(small_warehouse, monkeypatch)
    go(later, urls.BIDS, view="Margins", since="2100-01-01")
    assert "No hand matches" in text_of(later)
