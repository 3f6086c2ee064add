"""The part of Point capture that follows the fives: sentence, flow, tables and links."""

import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tests.kit.tiers import some
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit.palette import LIGHT
from tricklog.dashboard.pages.capture import fives_said, flow_chart, lost_fives
from tricklog.dashboard.pages.capture.flow_chart import Band, bands, counts
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import METRIC, fives, listings, measure
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.query import Cases, Which

HERE = Filters.of({"variant": "pedro", "seating": "4 partners"})


@pytest.fixture(scope="module")
def facts(club_warehouse: Path) -> DuckDBPyConnection:
    return open_facts(club_warehouse)


# --- The sentence


def where(**parts: tuple[float, bool]) -> pl.DataFrame:
    rows = [
        {"part": part, "of": of, "n": 400, "hits": 0, "games": 40, "value": value}
        | {"low": value - 0.04, "high": value + 0.04, "enough": enough}
        for name, (value, enough) in parts.items()
        for part, _, of in [name.partition("_")]
    ]
    return pl.DataFrame(rows)


def people(*rows: tuple[str, float, bool, list[int]]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "player": [name for name, *_ in rows],
            "value": [0.17 + difference for _, difference, *_ in rows],
            "low": [0.1 for _ in rows],
            "high": [0.33 for _ in rows],
            "difference": [difference for _, difference, *_ in rows],
            "named": [named for _, _, named, _ in rows],
            "place": [*range(1, len(rows) + 1)],
            "tricks": [tricks for *_, tricks in rows],
        }
    )


def test_the_answer_tells_all_whose_lead_and_who_is_named() -> None:
    found = where(all_all=(0.17, True), lead_defenders=(0.54, True), lead_makers=(0.05, True))
    losers = people(
        ("a<b>", -0.08, True, [1, 0]), ("bo", 0.0, False, [0, 0]), ("cy", 0.08, True, [0, 5, 5, 9])
    )
    assert fives_said.sentence(found, losers, {"cy": "C*y"}) == (
        "Makers lose **17 of 100 fives they played** (13 to 21). When a defender has the lead it "
        "is 54 (50 to 58), when they lead themselves 5 (1 to 9). **C\\*y loses 25** (10 to 33), "
        "most often in trick 4. Fewest are lost by **a\\<b\\>**, 9 (10 to 33)."
    )


def test_the_answer_names_nobody_by_chance_and_says_what_is_too_few() -> None:
    found = where(all_all=(0.17, True), lead_defenders=(0.54, False), lead_makers=(0.05, True))
    nobody = people(("ann", 0.05, False, [3, 3]), ("bo", -0.05, False, [0, 0]))
    said = fives_said.sentence(found, nobody, {})
    assert said.startswith("Makers lose **17 of 100 fives they played** (13 to 21). Nobody stands")
    assert "among 2 players" in said
    assert fives_said.sentence(found, nobody.clear(), {}).endswith(
        "There are too few games to compare players."
    )
    few = "Too few to say how often makers lose a five: 400 fives in 40 games."
    assert fives_said.sentence(where(all_all=(0.17, False)), nobody, {}) == few


@pytest.mark.parametrize(
    ("tricks", "said"),
    [
        ([0, 0], "."),
        ([], "."),
        ([2, 5, 1], ", most often in trick 2."),
        ([2, 2, 1], "."),
    ],
)
def test_a_trick_is_told_only_where_it_has_more_than_any_other(
    tricks: list[int], said: str
) -> None:
    (row,) = people(("bo", 0.08, True, tricks)).iter_rows(named=True)
    assert fives_said._loser_words(row, {}) == f"**bo loses 25** (10 to 33){said}"


# --- The flow


def test_bands_and_nodes_have_all_fives(facts: DuckDBPyConnection) -> None:
    ways = fives.ways(facts, HERE)
    found = bands(ways)
    for start in (0, 1):
        assert sum(band.n for band in found if band.start == start) == ways["n"].sum()
    nodes = counts(found)
    assert all(sum(column.values()) == ways["n"].sum() for column in nodes)
    assert list(nodes[0]) == ["maker", "partner", "left", "right"]
    assert list(nodes[2]) == ["makers", "defenders"]
    won = ways.filter((pl.col("side") == "makers") == pl.col("kept"))["n"].sum()
    assert nodes[2]["makers"] == won


def test_bands_lie_beside_each_other_within_their_nodes(facts: DuckDBPyConnection) -> None:
    found = bands(fives.ways(facts, HERE))
    points = [*flow_chart._points(found, LIGHT)]
    nodes = [(each["y"], each["y2"]) for each in points if each["part"] == "node"]
    assert len(nodes) == sum(map(len, counts(found)))
    for column in (0.0, 1.0, 2.0):
        for side in (flow_chart._HALF, -flow_chart._HALF):
            edges = sorted(
                (each["y"], each["y2"])
                for each in points
                if each["part"] == "band" and each["x"] == pytest.approx(column + side)
            )
            assert edges or (column, side > 0) in [(0.0, False), (2.0, True)]
            for (_, end), (start, _) in pairwise(edges):
                assert start >= end - 1e-6
            assert all(
                any(top - 1e-6 <= y and y2 <= end + 1e-6 for top, end in nodes) for y, y2 in edges
            )


def test_a_five_of_no_trick_goes_its_own_way() -> None:
    ways = pl.DataFrame(
        {"holder": ["maker"], "leader": [None], "side": ["makers"], "kept": [True], "n": [3]},
        schema_overrides={"leader": pl.String},
    )
    first, second = bands(ways)
    assert first == Band(0, "maker", flow_chart.NO_TRICK, "makers", kept=True, n=3)
    assert second.ends == (flow_chart.NO_TRICK, "makers")
    assert lost_fives._behind(first) == ({"trick": "0", "holder": "maker"}, Which.COUNTED)


def test_the_hands_behind_a_band_are_those_of_its_fives(facts: DuckDBPyConnection) -> None:
    for band in some(bands(fives.ways(facts, HERE)), 4):
        values, which = lost_fives._behind(band)
        filters = HERE
        for name, value in values.items():
            filters = filters.also(name, value)
        metric = METRIC[fives.KEPT]
        (row,) = measure(facts, metric, (), filters).iter_rows(named=True)
        assert band.n == (row["hits"] if band.kept else row["n"] - row["hits"])
        hands = listings.hand_count(
            facts, filters, cases=Cases(metric, which), code=None, text=None
        )
        assert 0 < hands <= band.n


def test_the_scale_of_intervals_is_that_of_what_is_known() -> None:
    known = where(all_all=(0.17, True), leader_left=(0.54, True), leader_right=(0.93, False))
    assert lost_fives._track(known, {"value": 0.17}) == (0.0, 0.6, 0.17)
    unknown = where(all_all=(0.4, False), leader_left=(0.96, False))
    assert lost_fives._track(unknown, None) == (0.0, 1.0, None)
    assert lost_fives._track(known.clear(), None) == (0.0, 0.1, None)


# --- The page


def test_the_fives_of_a_game_fill_sentence_flow_and_tables(
    club: AppTest, facts: DuckDBPyConnection
) -> None:
    go(club, urls.CAPTURE, view="Pedros", table="Pedro, 4 partners")
    assert re.search(
        r"Makers lose \*\*\d+ of 100 fives they played\*\* \(\d+ to \d+\)", text_of(club)
    )
    check_charts(club)
    (whole,) = measure(facts, fives.LOST, (), HERE).iter_rows(named=True)
    for title in ("Which five", "Held by", "In trick", "On the lead of", "Played"):
        rows = table_of(club, f"Makers’ fives lost: {title.lower()}")
        assert sum(int(row["fives"].replace(",", "")) for row in rows) == whole["n"], title
    rows = table_of(club, "Who loses the makers’ fives")
    assert sum(int(row["fives"].replace(",", "")) for row in rows) == whole["n"]
    ways = table_of(club, "The way of the fives")
    (both,) = measure(facts, fives.KEPT, (), HERE).iter_rows(named=True)
    assert both["n"] == sum(
        int(row[name].replace(",", ""))
        for row in ways
        for name in ("stays with its side", "won by the other side")
    )


def test_a_row_leads_to_its_hands_and_a_name_to_the_player(club: AppTest) -> None:
    go(club, urls.CAPTURE, view="Pedros", table="Pedro, 4 partners")
    linked = [parse_qs(urlsplit(each).query) for each in addresses_in(club) if "leader" in each]
    (of_left,) = [
        each for each in linked if "leader:left" in each["at"] and "holder" not in str(each)
    ]
    assert of_left["figure"] == [fives.LOST]
    assert of_left["variant"] == ["Pedro"]
    assert any(each.startswith("players?") for each in addresses_in(club))
    go(club, urls.HANDS, **of_left)
    assert "Makers' pedros lost" in text_of(club).replace("\\", "")
    assert "leader from the maker left" in text_of(club).replace("\\", "")


def test_games_without_fives_say_so(app: AppTest) -> None:
    go(app, urls.CAPTURE, view="Pedros", variant="Twenty-Nine")
    assert "No five that counts was played in these hands: Twenty\\-Nine." in text_of(app)
    go(app, urls.CAPTURE, view="Pedros", player="<img src=x onerror=alert(1)> **b** 0")
    assert "No five that counts was played" in text_of(app)
    go(app, urls.CAPTURE, view="Pedros", table="Whist")
    assert "does not know" not in text_of(app)


def test_a_game_that_is_not_there_is_said(club: AppTest) -> None:
    go(club, urls.CAPTURE, view="Pedros", table="Whist, 4 partners")
    assert "The address asks for table “Whist, 4 partners”" in text_of(club).replace("\\", "")
    assert "Makers lose" in text_of(club)


def test_seven_singles_have_places_after_the_maker(
    singles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_app(singles, monkeypatch)
    go(app, urls.CAPTURE, view="Pedros", seating="7 singles")
    leads = table_of(app, "Makers’ fives lost: on the lead of")
    assert {row["On the lead of"] for row in leads} >= {"3 after the maker"}
    assert not {"left opponent", "maker’s partner"} & {row["On the lead of"] for row in leads}
    assert "Too few" in text_of(app)
    check_charts(app)


def test_the_tick_of_who_took_them_is_what_one_opponent_takes(
    facts: DuckDBPyConnection, club: AppTest
) -> None:
    found = fives.where_lost(facts, HERE)
    (whole,) = found.filter(pl.col("part") == fives.ALL)["value"]
    # Two opponents sit at a table of four.
    assert fives.taken_by_one(found) == pytest.approx(whole / 2)
    assert fives.taken_by_one(found.clear()) is None
    go(club, urls.CAPTURE, view="Pedros", table="Pedro, 4 partners")
    said = f"the tick is what one opponent takes on average, {100 * whole / 2:.0f} %"
    assert said in text_of(club)
    body = next(
        each.proto.body for each in club.get("html") if "fives lost: taken by" in each.proto.body
    )
    highest = float(re.findall(r"0 to (\d+) %", body)[0]) / 100
    (tick,) = set(re.findall(r'<i style="left:([0-9.]+)%"', body))
    assert float(tick) == pytest.approx(100 * whole / 2 / highest, abs=0.06)
