"""The part of Point capture that follows the fives: sentence, matrix, tables and links."""

import html
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest
from duckdb import DuckDBPyConnection
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tests.kit.tiers import some
from tricklog.dashboard.address import urls
from tricklog.dashboard.pages.capture import fives_said
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import fives, measure
from tricklog.ingest.metrics.filters import Filters

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


# --- The matrix


def test_the_matrix_says_how_many_fives_of_one_the_other_took(
    club: AppTest, facts: DuckDBPyConnection
) -> None:
    go(club, urls.CAPTURE, view="Pedros", table="Pedro, 4 partners", min="10")
    bodies = [each.proto.body for each in club.get("html")]
    (matrix,) = (each for each in bodies if 'aria-label="Who loses fives to whom"' in each)
    links = re.findall(r'<a href="([^"]*)" aria-label="([^"]*)">', matrix)
    assert len(links) > 6
    for address, said in some(links, 2):
        query = parse_qs(urlsplit(html.unescape(address)).query)
        taken, against = map(int, re.findall(r"\d+", said.rpartition(":")[2]))
        (taker,) = query["lost-to"]
        mine = HERE.also("player", *query["player"])
        (row,) = measure(facts, fives.LOST, (), mine.also("opponent", taker)).to_dicts()
        assert row["n"] == against
        lost = measure(facts, fives.LOST, ("lost-to",), mine).filter(pl.col("lost-to") == taker)
        assert lost["n"].sum() == taken


# --- The page


def test_the_fives_of_a_game_fill_sentence_and_tables(
    club: AppTest, facts: DuckDBPyConnection
) -> None:
    go(club, urls.CAPTURE, view="Pedros", table="Pedro, 4 partners")
    assert re.search(
        r"Makers lose \*\*\d+ of 100 fives they played\*\* \(\d+ to \d+\)", text_of(club)
    )
    (whole,) = measure(facts, fives.LOST, (), HERE).iter_rows(named=True)
    for title in ("Which five", "Held by", "In trick", "On the lead of", "Played"):
        rows = table_of(club, f"Makers’ fives lost: {title.lower()}")
        assert sum(int(row["fives"].replace(",", "")) for row in rows) == whole["n"], title
    rows = table_of(club, "Who loses the makers’ fives")
    assert sum(int(row["fives"].replace(",", "")) for row in rows) == whole["n"]
    kept = measure(facts, fives.KEPT, ("side",), HERE).filter(side="makers").to_dicts()[0]
    assert f"Makers keep {kept['hits']:,} of their {kept['n']:,} fives" in text_of(club)


def test_a_row_leads_to_its_hands_and_a_name_to_the_player(club: AppTest) -> None:
    go(club, urls.CAPTURE, view="Pedros", table="Pedro, 4 partners")
    linked = [parse_qs(urlsplit(each).query) for each in addresses_in(club) if "leader" in each]
    (of_left,) = [each for each in linked if each["leader"] == ["left"] and "holder" not in each]
    assert of_left["figure"] == [fives.LOST]
    assert of_left["variant"] == ["pedro"]
    assert any(each.startswith("players?") for each in addresses_in(club))
    go(club, urls.HANDS, **of_left)
    assert "Makers' pedros lost" in text_of(club).replace("\\", "")
    assert "leader from the maker left" in text_of(club).replace("\\", "")


def test_games_without_fives_say_so(app: AppTest) -> None:
    go(app, urls.CAPTURE, view="Pedros", variant="Twenty-Nine")
    (said,) = (each.value for each in app.info if "No five that counts was played" in each.value)
    assert "Twenty\\-Nine" in said
    go(app, urls.CAPTURE, view="Pedros", since="2199-01-01", table="whist")
    assert "No hand matches" in text_of(app)
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


def test_the_tick_of_who_took_them_is_what_one_opponent_takes(
    facts: DuckDBPyConnection, club: AppTest
) -> None:
    found = fives.where_lost(facts, HERE)
    (whole,) = found.filter(pl.col("part") == fives.ALL)["value"]
    # Two opponents sit at a table of four.
    assert fives.taken_by_one(found) == pytest.approx(whole / 2)
    assert fives.taken_by_one(found.clear()) is None
    go(club, urls.CAPTURE, view="Pedros", table="Pedro, 4 partners")
    assert text_of(club).count("tick: what one opponent takes on average") == 2
    check_charts(club)
