"""The page of evenings: one of them, and its season."""

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

import tricklog
from tests.kit.app_pages import addresses_in, check_charts, go, open_app, table_of, text_of
from tests.kit.dashboard_logs import NASTY
from tests.kit.evening_logs import FIRST, KING, LAST, NEXT, two_evenings, write_records
from tests.kit.made_once import made_once
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.sections import season
from tricklog.dashboard.sections.calendar import is_by_weekday
from tricklog.ingest.chances import words
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.loading.loading import load
from tricklog.ingest.metrics import measure

SEASON_VIEW = "Season"
Visit = Callable[..., AppTest]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        records = two_evenings()
        for each in records:
            if each["id"].startswith("early"):
                each["players"][0]["name"] = NASTY
        load(write_records(folder / "log.jsonl", records), db=folder / "db")
        open_facts(folder / "db").close()

    return made_once(tmp_path_factory, "warehouse", make) / "db"


@pytest.fixture
def visit(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    return lambda **asked: go(open_app(warehouse, monkeypatch), urls.EVENINGS, **asked)


@pytest.fixture
def club(club_warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> Visit:
    return lambda **asked: go(open_app(club_warehouse, monkeypatch), urls.EVENINGS, **asked)


def test_the_latest_evening_comes_first_and_leads_to_the_one_before(visit: Visit) -> None:
    app = visit()
    assert app.selectbox(key=urls.EVENING).options == [NEXT, LAST, FIRST]
    assert "Saturday 21 November 2026" in text_of(app)
    assert f"evenings?evening={LAST}" in text_of(app)


def test_games_lead_to_their_sheets_and_say_who_won(visit: Visit) -> None:
    app = visit(evening=LAST)
    rows = table_of(app, "Games of the evening")
    assert [row["began"] for row in rows] == ["18:00", "19:30", "21:00", "22:30", "23:40"]
    assert rows[0]["table"] == "1"
    assert addresses.of_game("early") in addresses_in(app)
    early, late = rows[1], rows[4]
    high, low = sorted(KING[-1]["claimed"]["scores"], reverse=True)
    assert early["score"].split() == [str(high), ":", str(low)]
    assert early["hands"] == str(len(KING))
    assert late["won by"] == early["won by"]
    assert "1 hand belongs to no game" in text_of(app)


def test_games_say_which_hand_decided_them(visit: Visit, warehouse: Path) -> None:
    app = visit(evening=LAST)
    rows = {row["began"]: row for row in table_of(app, "Games of the evening")}
    own = tricklog.win_chances(warehouse, "early")
    first = words.deciding(own).row(0, named=True)
    gain = f"+{100 * first['chance_change']:.0f} %"
    cell = rows["19:30"]["chances, decided by"]
    assert cell.startswith(f"hand {first['hand']}, {gain}")
    assert cell.endswith("to 100 %")
    assert addresses.of_step(first["hand_id"]) in addresses_in(app)
    # Of a game of seven, of which the page says why.
    assert rows["18:00"]["chances, decided by"] == ""
    shown = text_of(app)
    assert "between equal sides" in shown
    assert "carried half of all that chances changed by" in shown
    assert "worked out for two sides" in shown
    assert "hands of the same rules" in shown
    (row,) = table_of(visit(evening=NEXT), "Games of the evening")
    assert row["chances, decided by"].startswith("from ")


def test_standings_have_a_square_for_each_game(visit: Visit) -> None:
    app = visit(evening=LAST)
    rows = table_of(app, "Standings of the evening")
    assert len(rows) == 4 + 7
    assert [int(row["won"]) for row in rows] == sorted(
        (int(row["won"]) for row in rows), reverse=True
    )
    for row in rows:
        assert row["games in order"].count("won") == int(row["won"])
    assert "dashed square" in text_of(app)
    assert "places" in text_of(app)


def test_findings_lead_to_their_hands(visit: Visit) -> None:
    app = visit(evening=FIRST)
    assert "2 not in order" in text_of(app)
    assert re.search(r'href="replay\?hand=broken-\d+"', text_of(app))


def test_names_are_not_taken_for_markup(visit: Visit) -> None:
    shown = text_of(visit(evening=LAST)) + text_of(visit(view=SEASON_VIEW))
    assert "<img src=x" not in shown
    assert "&lt;img src=x" in shown


def test_filters_choose_evenings_and_those_about_players_are_passed_over(visit: Visit) -> None:
    assert visit(variant="Twenty-Nine").selectbox(key=urls.EVENING).options == [LAST]
    app = visit(player="guest-bot-bold-1")
    assert "passed over" in text_of(app)
    assert len(app.selectbox(key=urls.EVENING).options) == 3
    empty = visit(at="variant:sancho", until="2026-11-13")
    assert "no evening to show" in text_of(empty)


def test_an_evening_that_is_not_there_is_said_so(visit: Visit) -> None:
    app = visit(evening="2020-01-01")
    assert "2020" in app.warning[0].value
    assert "Saturday 21 November 2026" in text_of(app)


def test_a_season_has_games_won_records_and_trends(club: Visit) -> None:
    app = club(view=SEASON_VIEW)
    won = table_of(app, "Games won")
    assert len(won) == 4
    shares = [row["won, 95 % interval"] for row in won]
    assert all(" to " in each or "too few" in each for each in shares)
    records = {row["record"]: row for row in table_of(app, "Records")}
    assert {"Highest bid made", "Shortest game"} <= set(records)
    assert any(each.startswith(("games?game=", "replay?hand=")) for each in addresses_in(app))
    check_charts(app)
    for course, drawn in {season.GAMES: 4, season.PEOPLE: 4, season.PAIRS: 2}.items():
        chosen = club(view=SEASON_VIEW, of=course)
        assert len(chosen.get("vega_lite_chart")) == 2 + drawn


def test_a_season_is_the_days_that_are_chosen(visit: Visit) -> None:
    shown = text_of(visit(view=SEASON_VIEW))
    assert "Season 2026" in shown
    assert "3 evenings" in shown
    app = visit(view=SEASON_VIEW, since=FIRST, until=FIRST)
    assert f"<h2>{FIRST}</h2>" in text_of(app)
    assert "1 evening " in text_of(app)


def test_a_click_in_the_calendar_leads_to_the_evening(visit: Visit) -> None:
    app = visit(view=SEASON_VIEW)
    app.session_state[season.PICKED] = FIRST
    app.run()
    assert not app.exception
    assert "Friday 13 November 2026" in text_of(app)


def test_a_club_that_plays_on_many_days_has_a_row_for_each() -> None:
    from datetime import date, timedelta

    fridays = [date(2026, 1, 9) + timedelta(weeks=week) for week in range(30)]
    assert not is_by_weekday(fridays)
    assert is_by_weekday([*fridays, *(day + timedelta(days=1) for day in fridays)])
    assert is_by_weekday([date(2026, 1, 5), date(2026, 2, 10), date(2026, 3, 18)])


def test_other_pages_lead_to_the_evening(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = go(open_app(warehouse, monkeypatch), urls.GAMES, game="early")
    assert "evenings?evening=2026-11-20" in text_of(app)


def test_evening_and_season_can_be_saved_as_reports(visit: Visit) -> None:
    for asked, name in ({"evening": LAST}, f"evening-{LAST}"), ({"view": SEASON_VIEW}, "season"):
        app = visit(**asked)
        assert [each.proto.label for each in app.get("download_button")] == [
            "Save as HTML",
            "Save with numbers in the place of names",
        ], name


def test_a_line_for_each_player_ends_at_games_won_less_games_lost(
    season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = go(open_app(season, monkeypatch), urls.EVENINGS, **{urls.VIEW: "season"})
    assert "How the season went" in text_of(app)
    with open_facts(season) as facts:
        won = measure(facts, "win-rate", ("player",))
    ends = {row["player"]: 2 * row["hits"] - row["n"] for row in won.iter_rows(named=True)}
    lines = {}
    for chart in app.get("vega_lite_chart"):
        said = chart.proto.alt
        if said.endswith(": games won less games lost, by evening"):
            drawn = pl.read_ipc_stream(chart.proto.data.data).sort("moment")
            lines[said.partition(":")[0]] = drawn["value"][-1]
    assert lines == ends
