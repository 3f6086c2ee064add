"""The page of evenings: one of them, and its season. ``test_said.py`` has what it says."""

import re
from datetime import date, timedelta
from functools import partial
from itertools import chain
from pathlib import Path

import polars as pl

import tricklog
from tests.dashboard.conftest import Visit, page_over
from tests.kit.app_pages import addresses_in, check_charts, table_of, text_of
from tests.kit.evening_logs import FIRST, KING, LAST, NEXT, at, holed_game, write_records
from tricklog.dashboard.address import urls
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.sections import season
from tricklog.ingest.chances import words
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import measure

GAMES, SEASON_VIEW = "Games of the evening", "Season"


evening = page_over("evenings", urls.EVENINGS)


def test_the_latest_evening_comes_first_and_leads_to_the_one_before(evening: Visit) -> None:
    app = evening()
    assert app.selectbox(key=urls.EVENING).options == [NEXT, LAST, FIRST]
    assert "Saturday 21 November 2026" in text_of(app)
    assert f"evenings?evening={LAST}" in text_of(app)
    (row,) = table_of(app, GAMES)
    assert row["chances, decided by"].startswith("from ")
    # A click in the calendar leads to another, whose findings lead to their hands.
    app = evening(view=SEASON_VIEW)
    app.session_state[season.PICKED] = FIRST
    app.run()
    assert not app.exception
    assert "Friday 13 November 2026" in text_of(app)
    assert "2 not in order" in text_of(app)
    assert re.search(r'href="replay\?hand=broken-\d+">game 1, hand \d+<', text_of(app))


def test_games_say_who_won_and_what_decided_them(evening: Visit, evenings: Path) -> None:
    app = evening(evening=LAST)
    shown, links = text_of(app), addresses_in(app)
    rows = {row["began"]: row for row in table_of(app, GAMES)}
    assert [*rows] == ["18:00", "19:30", "21:00", "22:30", "23:40"]
    assert rows["18:00"]["table"] == "1"
    assert addresses.of_game("early") in links
    early = rows["19:30"]
    high, low = sorted(KING[-1]["claimed"]["scores"], reverse=True)
    assert early["score"].split() == [str(high), ":", str(low)]
    assert early["hands"] == str(len(KING))
    assert rows["23:40"]["won by"] == early["won by"]
    assert "1 hand belongs to no game" in shown
    first = words.deciding(tricklog.win_chances(evenings, "early")).row(0, named=True)
    cell = early["chances, decided by"]
    assert cell.startswith(f"hand {first['hand']}, +{100 * first['chance_change']:.0f} %")
    assert cell.endswith("to 100 %")
    assert addresses.of_step(first["hand_id"]) in links
    # Of a game of seven, of which the page says why.
    assert rows["18:00"]["chances, decided by"] == ""
    for said in (
        *("between equal sides", "carried half of all that chances changed by"),
        *("worked out for two sides", "hands of the same rules"),
    ):
        assert said in shown
    # Standings have a square for each game.
    rows_of_people = table_of(app, "Standings of the evening")
    assert len(rows_of_people) == 4 + 7
    won = [int(row["won"]) for row in rows_of_people]
    assert won == sorted(won, reverse=True)
    assert [row["games in order"].count("won") for row in rows_of_people] == won
    saved = [each.proto.label for each in app.get("download_button")]
    assert saved == ["Save as HTML", "Save with numbers in the place of names"]
    assert "dashed square" in shown
    assert "places" in shown


def test_further_findings_are_those_of_the_evening(tmp_path: Path, visit: Visit) -> None:
    games = (
        at(holed_game(), f"broken {hour}", f"{LAST}T{hour}:00:00+02:00") for hour in (18, 20, 22)
    )
    log = write_records(tmp_path / "log.jsonl", [*chain.from_iterable(games)])
    tricklog.ingest.load(log, db=tmp_path / "db")
    shown = text_of(visit(tmp_path / "db", urls.EVENINGS, variant="king-pedro"))
    assert f"audit?variant=king-pedro&amp;since={LAST}&amp;until={LAST}" in shown
    assert "and 4 more" in shown


def test_people_of_one_name_are_said_with_their_ids(tmp_path: Path, visit: Visit) -> None:
    games = [*at(KING, "king", f"{LAST}T19:30:00+02:00")]
    games += at(holed_game(), "broken", f"{LAST}T21:00:00+02:00")
    for each in games:
        for player, name in zip(each["players"], ("Ann", "Bo", "Ann", "Cy"), strict=True):
            player["name"] = name
    tricklog.ingest.load(write_records(tmp_path / "log.jsonl", games), db=tmp_path / "db")
    for asked in ({}, {"view": SEASON_VIEW}):
        shown = text_of(visit(tmp_path / "db", urls.EVENINGS, **asked))
        assert re.search(r"\bAnn\b", shown)
        assert not re.search(r"\bAnn\b(?! \()", shown)


def test_filters_choose_evenings_and_those_about_players_are_passed_over(evening: Visit) -> None:
    assert evening(variant="Twenty-Nine").selectbox(key=urls.EVENING).options == [LAST]
    app = evening(player="guest-bot-bold-1")
    assert "passed over" in text_of(app)
    assert len(app.selectbox(key=urls.EVENING).options) == 3


def test_a_season_has_games_won_records_and_trends(visit: Visit, club_warehouse: Path) -> None:
    club = partial(visit, club_warehouse, urls.EVENINGS, view=SEASON_VIEW)
    app = club()
    won = table_of(app, "Games won")
    assert len(won) == 4
    shares = [row["won, 95 % interval"] for row in won]
    assert all(" to " in each or "too few" in each for each in shares)
    records = {row["record"] for row in table_of(app, "Records")}
    assert {"Highest bid made", "Shortest game"} <= records
    assert any(each.startswith(("games?game=", "replay?hand=")) for each in addresses_in(app))
    check_charts(app)
    for course, drawn in {season.GAMES: 4, season.PEOPLE: 4, season.PAIRS: 2}.items():
        assert len(club(of=course).get("vega_lite_chart")) == 2 + drawn


def test_a_club_that_plays_on_many_days_has_a_row_for_each() -> None:
    fridays = [date(2026, 1, 9) + timedelta(weeks=week) for week in range(30)]
    assert not season.is_by_weekday(fridays)
    assert season.is_by_weekday([*fridays, *(day + timedelta(days=1) for day in fridays)])
    assert season.is_by_weekday([date(2026, 1, 5), date(2026, 2, 10), date(2026, 3, 18)])


def test_a_line_for_each_player_ends_at_games_won_less_lost(season: Path, visit: Visit) -> None:
    app = visit(season, urls.EVENINGS, view="season")
    assert "How the season went" in text_of(app)
    with open_facts(season) as facts:
        won = measure(facts, "win-rate", ("player",))
    ends = {row["player"]: 2 * row["hits"] - row["n"] for row in won.iter_rows(named=True)}
    lines = {}
    for chart in app.get("vega_lite_chart"):
        player, _, said = chart.proto.alt.partition(": ")
        if said == "games won less games lost, by evening":
            drawn = pl.read_ipc_stream(chart.proto.data.data).sort("moment")
            lines[player] = drawn["value"][-1]
    assert lines == ends
