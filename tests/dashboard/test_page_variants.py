"""The page of two games side by side, without a browser."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tests.kit.made_once import made_once, played
from tests.kit.tiers import some
from tricklog import Filters, differences, encode_hand, load_variant
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.variants.two_games import Measured
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics import METRIC, measure
from tricklog.ingest.metrics.bid_map import margins
from tricklog.ingest.metrics.figure_words import figure_text

PEDRO, KING = "Pedro", "King Pedro"
FIGURES = "Figures of both games"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        hands = [
            *played("pedro", 12, 21),
            *played("king-pedro", 12, 4),
            *played("twenty-nine", 1, 5),
        ]
        (folder / "log.jsonl").write_bytes(b"".join(encode_hand(hand) + b"\n" for hand in hands))
        load(folder / "log.jsonl", db=folder / "db")
        open_facts(folder / "db").close()

    return made_once(tmp_path_factory, "warehouse", make) / "db"


@pytest.fixture
def app(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return open_app(warehouse, monkeypatch)


@pytest.fixture(scope="module")
def facts(warehouse: Path) -> DuckDBPyConnection:
    return open_facts(warehouse)


def open_two(app: AppTest, one: str = PEDRO, other: str = KING, **more: str) -> AppTest:
    return go(app, urls.VARIANTS, one=one, other=other, **more)


def lead_of(app: AppTest) -> str:
    bodies: list[str] = [each.proto.body for each in app.get("html")]
    return next(each for each in bodies if "tl-lead" in each)


def test_every_figure_stands_with_both_values_and_leads_to_its_hands(
    app: AppTest, facts: DuckDBPyConnection
) -> None:
    open_two(app)
    rows = {row["figure"]: row for row in table_of(app, FIGURES)}
    whole = {
        variant: measure(facts, "made-rate", (), Filters.of({"variant": variant})).row(
            0, named=True
        )
        for variant in ("pedro", "king-pedro")
    }
    made = next(row for name, row in rows.items() if name.startswith("Contracts made"))
    for title, variant in ((PEDRO, "pedro"), (KING, "king-pedro")):
        assert made[title] == figure_text(METRIC["made-rate"], whole[variant], cases=False)
    assert made["n of both"] == f"{whole['pedro']['n']:,} / {whole['king-pedro']['n']:,}"
    behind = [parse_qs(urlsplit(each).query) for each in addresses_in(app) if "figure=" in each]
    assert {"figure": ["made-rate"], "variant": ["pedro", "king-pedro"]} in behind
    assert {"figure": ["made-rate"], "variant": ["king-pedro"]} in behind
    # A figure of this page alone leads to the same hands as a filter finds.
    assert {
        "figure": ["set-rate"],
        "variant": ["pedro"],
        "margin-from": ["-1"],
        "margin-to": ["-1"],
    } in (behind)
    for each in behind:
        assert each["figure"][0] in METRIC


def test_hands_behind_a_figure_are_as_it_says(app: AppTest, facts: DuckDBPyConnection) -> None:
    by_one = margins(facts).filter(variant="pedro", margin=-1)
    go(
        app,
        urls.HANDS,
        **{"figure": "set-rate", "variant": PEDRO, "margin-from": "-1"},
        at="margin:-1",
    )
    assert f"{by_one['n'].sum():,} hands" in text_of(app)


def test_the_sentence_says_what_differs_for_sure_and_sides_are_swapped(app: AppTest) -> None:
    lead = lead_of(open_two(app))
    count = re.search(r"(\d+) of (\d+) figures differ for sure", lead)
    assert count
    sure, of = map(int, count.groups())
    told = [row["with all of these compared"] for row in table_of(app, FIGURES)]
    assert (told.count("sure"), len(told)) == (sure, of)
    assert "<b>" in lead
    # The rules that differ are those of the rules themselves.
    found = differences(load_variant("pedro"), load_variant("king-pedro"))
    rows = table_of(app, "Rules that differ") + table_of(app, "More rules that differ")
    assert [row["question"] for row in rows] == [each.question for each in found]
    bid = next(row for row in rows if row["question"] == "What is the lowest bid?")
    assert (bid[PEDRO], bid[KING]) == ("7", "30")
    next(each for each in app.button if each.label == "Swap").click().run()
    assert not app.exception
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


@pytest.mark.parametrize("measured", list(Measured))
def test_contracts_are_drawn_by_their_margin(app: AppTest, measured: Measured) -> None:
    open_two(app, **{"margin-in": measured})
    check_charts(app)
    assert len(app.get("vega_lite_chart")) == 4


@pytest.mark.parametrize("measured", list(Measured))
def test_bars_hold_every_contract_once(
    app: AppTest, facts: DuckDBPyConnection, measured: Measured
) -> None:
    open_two(app, **{"margin-in": measured})
    along = (
        "points over the need" if measured == Measured.POINTS else "per cent of the need over it"
    )
    found = margins(facts)
    for title, variant in ((PEDRO, "pedro"), (KING, "king-pedro")):
        own = found.filter(variant=variant)
        rows = table_of(app, f"{title}: contracts by {along}")
        for outcome, which in (("made", own["margin"] >= 0), ("set", own["margin"] < 0)):
            drawn = sum(int(each["contracts"]) for each in rows if each["outcome"] == outcome)
            assert drawn == own.filter(which)["n"].sum()


# --- Filters and addresses
def test_odd_filters_leave_a_page_that_says_what_there_is(app: AppTest) -> None:
    odd: list[dict[str, str]] = [
        {"at": "card:5"},
        {"at": "code:revoke"},
        {"since": "2190-01-01"},
        {"side": "makers"},
        {"side": "makers", "at": "trick:1"},
        {"result": "set"},
        {"verdict": "rejected"},
        {"variant": PEDRO},
        {"seating": "nothing"},
        {"metric": "Score a hand", "at": "card:5"},
        {"metric": "Winning margin", "role": "maker"},
    ]
    for place, asked in some([*enumerate(odd)], 4):
        for view in some(["Two games", "All games"], 2 if place in (0, 3) else 1):
            go(app, urls.VARIANTS, view=view, **asked)
            assert app.info or app.get("vega_lite_chart"), asked


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


def test_games_that_the_filters_name_are_compared_first_and_unknown_ones_told(app: AppTest) -> None:
    go(app, urls.VARIANTS, variant=["Twenty-Nine"])
    assert app.selectbox(key="one").value == "twenty-nine"
    go(app, urls.HANDS)
    open_two(app, "Bridge", KING)
    assert "Bridge" in app.warning[0].value


def test_one_game_alone_says_what_to_do(
    singles: Path, warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = go(open_app(singles, monkeypatch), urls.VARIANTS)
    assert "it takes two games to compare" in app.info[0].value
    assert any(each.proto.page == "import" for each in app.get("page_link"))
    # Filters that leave one of several games are another matter.
    app = go(open_app(warehouse, monkeypatch), urls.VARIANTS, since="2190-01-01")
    assert "fewer than two games" in app.info[0].value
