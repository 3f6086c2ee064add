"""One evening: what was played and who won, counted again from the log.

It lasts until the morning, and a game counts where it began.
"""

from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from duckdb import DuckDBPyConnection

from tests.kit.evening_logs import (
    FIRST,
    KING,
    LAST,
    NEXT,
    PIPS,
    SEVEN,
    at,
    two_evenings,
    write_records,
)
from tests.kit.facts import facts_in
from tests.kit.in_process import run_here
from tests.kit.log_lines import record
from tests.kit.simulated_club import simulate_club
from tests.kit.sound_hands import INVALID
from tests.kit.stored import open_scope
from tricklog import ingest
from tricklog.ingest.cli.output import USAGE
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.listings import hand_list, player_list
from tricklog.ingest.sessions import words
from tricklog.ingest.sessions.evening import (
    Evening,
    Played,
    day_of_game,
    evening_of,
    evenings,
    names_of,
    of_tables,
    sessions_named,
)
from tricklog.ingest.sheets.games import game_list
from tricklog.ingest.sheets.sheet import sheets_of
from tricklog.ingest.store import mornings
from tricklog.ingest.store.queries import hand_beside, overview, players
from tricklog.ingest.store.record_codec import moment_of
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.upkeep.reauditing import reaudit
from tricklog.schemas.hand import Hand

DAY, BEFORE, AFTER = map(date.fromisoformat, (LAST, FIRST, NEXT))


facts = facts_in("evenings")


@pytest.fixture(scope="module")
def evening(facts: DuckDBPyConnection) -> Evening:
    return found(facts, DAY)


def found(facts: DuckDBPyConnection, day: date, filters: Filters = EVERYTHING) -> Evening:
    evening = evening_of(facts, day, filters)
    assert evening is not None
    return evening


def game(evening: Evening, name: str) -> Played:
    (played,) = [each for each in evening.games if each.game == name]
    return played


def test_each_day_has_its_hands_as_the_log_has_them(facts: DuckDBPyConnection) -> None:
    expected: dict[str, int] = {}
    for hand in two_evenings():
        if "started_at" in hand:
            day = LAST if hand.get("game") == "late" else hand["started_at"][:10]
            expected[day] = expected.get(day, 0) + 1
    rows = evenings(facts)
    found = zip(rows["day"].cast(str), rows["hands"] + rows["left_out"], strict=True)
    assert list(found) == sorted(expected.items())
    assert rows["left_out"].to_list()[0] == 2


def test_games_come_in_the_order_of_play_with_the_clock_at_the_table(evening: Evening) -> None:
    assert [each.game for each in evening.games] == ["seven", "early", "pips", "open", "late"]
    assert [f"{each.began:%H:%M}" for each in evening.games] == [
        *("18:00", "19:30", "21:00", "22:30", "23:40"),
    ]
    last = datetime(2026, 11, 20, 23, 40) + timedelta(minutes=5 * (len(KING) - 1))  # noqa: DTZ001 - the clock at the table
    assert evening.began is not None
    assert evening.ended is not None
    assert (f"{evening.began:%H:%M}", f"{evening.ended:%H:%M}") == ("18:00", f"{last:%H:%M}")
    assert (evening.before, evening.after) == (BEFORE, AFTER)
    # Tables are known by who sits there, and hands without a game are counted and not lost.
    assert [each.table for each in evening.games] == [1, 2, 2, 1, 2]
    assert (evening.tables, evening.fixed) == (2, True)
    assert "2 tables" in words.about(evening)
    assert evening.without_game == 1
    assert evening.hands == sum(each.hands for each in evening.games) + 1
    # Who won is who has the scores.
    for name, records in (("early", KING), ("pips", PIPS), ("late", KING)):
        played, scores = game(evening, name), records[-1]["claimed"]["scores"]
        assert played.scores == tuple(scores)
        assert played.winner == scores.index(max(scores))
        assert played.hands == len(records)
    assert game(evening, "open").winner is None
    assert words.state_text(game(evening, "open")) == "not finished"
    assert words.winner_text(game(evening, "open"), {}) == "nobody yet"
    # Squares say which games each won.
    standings = {each.player: each.games for each in evening.standings}
    for side, people in enumerate(game(evening, "early").sides):
        won = [game(evening, name).winner == side for name in ("early", "pips", "late")]
        for player in people:
            assert standings[player] == tuple("won" if each else "lost" for each in won)
    of_guests = [games for player, games in standings.items() if player.startswith("guest-")]
    assert len(of_guests) == 7
    assert sorted(games[0] for games in of_guests) == ["lost"] * 6 + ["won"]
    assert all(games[1] == "open" for games in of_guests)
    counts = [each.won for each in evening.standings]
    assert counts == sorted(counts, reverse=True)


def test_games_count_where_they_began_and_broken_ones_are_said(facts: DuckDBPyConnection) -> None:
    assert [each.game for each in found(facts, AFTER).games] == ["next"]
    assert day_of_game(facts, "late") == DAY
    assert day_of_game(facts, "dayless") is None
    evening = found(facts, BEFORE)
    (broken,) = evening.games
    assert (broken.missing, broken.left_out) == (1, 2)
    assert words.state_text(broken) == "1 missing, 2 not in order"
    assert "2 not in order" in words.about(evening)
    assert broken.findings > 0


def test_points_above_others_are_of_the_scores(facts: DuckDBPyConnection, evening: Evening) -> None:
    """In seven singles the others are the six others, and nothing else is played by them."""
    own = found(facts, DAY, Filters.of({"variant": "sancho"}))
    hands = [*SEVEN, *SEVEN[: len(SEVEN) // 3]]
    changes = [[each["claimed"]["change"][seat] for each in hands] for seat in range(7)]
    for seat, player in enumerate(SEVEN[0]["players"]):
        name = f"guest-{player['id'].rpartition(':')[2]}"
        (standing,) = [each for each in own.standings if each.player == name]
        others = sum(sum(each) for place, each in enumerate(changes) if place != seat)
        # 18 points are at stake in each hand of Sancho.
        expected = sum(changes[seat]) / (18 * len(hands)) - others / (6 * 18 * len(hands))
        assert standing.above == pytest.approx(expected)
        (whole,) = [each for each in evening.standings if each.player == name]
        assert whole.above == pytest.approx(standing.above)


def test_filters_choose_tables_and_sessions_have_two_names(facts: DuckDBPyConnection) -> None:
    assert evening_of(facts, BEFORE, Filters.of({"variant": "sancho"})) is None
    assert evening_of(facts, DAY, Filters(until=BEFORE)) is None
    # Players are passed over.
    chosen = of_tables(Filters.of({"player": "x", "bid": "7", "variant": "y"}))
    assert chosen == Filters.of({"variant": "y"})
    rows = sessions_named(facts, f"{LAST} · guest")
    assert len(rows) == 1
    session = rows["session"].item()
    assert sessions_named(facts, str(session))["name"].to_list() == rows["name"].to_list()
    assert sessions_named(facts, "%").is_empty()


def test_the_headline_says_who_won(facts: DuckDBPyConnection, evening: Evening) -> None:
    names = names_of(facts)
    best = [each for each in evening.standings if each.won == evening.standings[0].won]
    said = words.headline(evening, names)
    if len(best) <= words.MOST_NAMED:
        assert all(each.player in said for each in best)
    only = found(facts, DAY, Filters.of({"variant": "twenty-nine"}))
    assert [each.game for each in only.games] == ["pips"]
    alone = words.headline(only, names)
    high, low = sorted(PIPS[-1]["claimed"]["scores"], reverse=True)
    assert alone.endswith(f"in Twenty-Nine, {high} to {low}.")
    assert words.headline(found(facts, BEFORE), names).endswith(".")


def test_a_game_whose_players_changed_is_won_by_nobody(tmp_path: Path) -> None:
    hands = simulate_club(3, evenings=1)
    own = [each for each in hands if each["game"] == hands[0]["game"]]
    for each in own[-2:]:
        each["players"][0] = {"id": "guest", "kind": "human"}
    first = own[0]["players"][0]["id"]
    ingest.load(write_records(tmp_path / "log.jsonl", own), db=tmp_path / "db")
    with open_facts(tmp_path / "db") as facts:
        evening = found(facts, evenings(facts)["day"][-1])
    (played,) = evening.games
    assert played.winner is None
    assert played.others == (first,)
    assert "players changed" in words.state_text(played)
    assert words.winner_text(played, {}) == "–"
    assert words.headline(evening, {}) == "No game of this evening has a winner."
    # Scores and sides stand in one order, whichever side it is that leads.
    assert played.scores is not None
    lead = played.scores.index(max(played.scores))
    for scores, leads in ((played.scores, lead), (played.scores[::-1], 1 - lead)):
        turned = replace(played, scores=scores)
        both = [words.side_text({}, played.sides[each]) for each in (leads, 1 - leads)]
        assert words.others_text(turned, {}) == " – ".join(both)
        assert words.score_text(turned).startswith(f"{max(scores)}")
    assert {each.player for each in evening.standings} >= {first, "guest"}
    assert all(not each.won for each in evening.standings)
    people = tuple({each["id"] for each in own[0]["players"]})
    with open_scope(tmp_path / "db", people=people) as facts:
        evening = found(facts, evenings(facts)["day"][-1])
    (played,) = evening.games
    assert played.winner is None
    assert played.hands == len(own) - 2
    assert "others played in it" in words.state_text(played)


# --- Until the morning
def day_of(started_at: str) -> date | None:
    moment = moment_of(msgspec.convert(record(started_at=started_at), Hand))
    assert moment is not None
    return moment.day


DAYS: dict[str | None, list[str]] = {
    "2026-11-20": [
        *("2026-11-20T23:59:59+02:00", "2026-11-21T00:03:00+02:00", "2026-11-21T05:59:59.5+02:00"),
        *("2026-11-21T02:00:00Z", "2026-11-21T00:03"),
    ],
    "2026-11-21": ["2026-11-21T06:00:00+02:00", "2026-11-21T06:00", "2026-11-21"],
    # Nobody played on a day that cannot be.
    None: [
        *("0001-01-01T01:00:00Z", "1900-01-01", "1901-01-01T05:59:00Z", "1970-01-01T00:00:00Z"),
        *("1970-01-01T00:00:00+14:00", "1969-12-31", "2100-01-01", "9999-12-31T23:59:59Z"),
    ],
    **{
        day: [day, f"{day}T20:00:00Z"]
        for day in ("1901-01-01", "1969-12-29", "1970-01-04", "2099-12-31")
    },
}


def test_an_evening_lasts_until_the_morning() -> None:
    for started_at, day in [(time, day) for day, times in DAYS.items() for time in times]:
        assert day_of(started_at) == (day and date.fromisoformat(day))


def test_the_hour_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(mornings.SETTING, "0")
    assert day_of("2026-11-21T00:03:00+02:00") == date(2026, 11, 21)


@pytest.mark.parametrize("text", ["13", "-1", "six", "6.5"])
def test_wrong_hour_is_refused(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(mornings.SETTING, text)
    ran = run_here(["load", str(tmp_path), "--db", str(tmp_path / "db")], tmp_path)
    assert ran.status == USAGE
    assert f"TRICKLOG_MORNING is '{text}', which is no hour from 0 to 12" in ran.err
    assert not (tmp_path / "db").exists()


def test_a_game_counts_where_it_began(tmp_path: Path) -> None:
    """Whether hands are read one by one or by the million, and whether each has a time."""
    late = at(KING, "late", "2026-11-21T05:50:00+02:00")
    for each in late[2:4]:
        each["started_at"] = each["started_at"].replace("+02", ".25+02")
    del late[4]["started_at"]
    next_day = at(KING, "next", "2026-11-21T19:00:00+02:00")
    log = write_records(tmp_path / "log.jsonl", [*late, *next_day])
    ingest.load(log, db=tmp_path / "db")
    began = date(2026, 11, 20)
    with open_facts(tmp_path / "db") as facts:
        assert evenings(facts, EVERYTHING).select("day", "hands", "games").rows() == [
            (began, len(KING), 1),
            (date(2026, 11, 21), len(KING), 1),
        ]
        for table in ("seat_rows", "card_rows", "game_facts", "tallies"):
            days = facts.execute(
                f"SELECT DISTINCT day FROM {table} WHERE day < DATE '2026-11-21'"  # noqa: S608 - names of our own
            )
            assert days.fetchall() == [(began,)], table
        assert facts.execute("SELECT count(*) FROM seat_rows WHERE day IS NULL").fetchall() == [
            (0,)
        ]
        listed = hand_list(facts, limit=100)
        assert listed["day"].to_list() == [date(2026, 11, 21)] * len(KING) + [began] * len(KING)
        assert game_list(facts)["first_day"].to_list() == [date(2026, 11, 21), began]
    ids = listed["hand_id"].to_list()
    with open_snapshot(tmp_path / "db") as tables:
        on = [hand_beside(tables, each, by=-1) for each in ids]
    assert on == [*ids[1:], None]


def test_a_reaudit_brings_older_days_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = write_records(tmp_path / "log.jsonl", at(KING[:1], "late", "2026-11-21T00:03:00+02:00"))
    monkeypatch.setenv(mornings.SETTING, "0")
    ingest.load(log, db=tmp_path / "db")
    monkeypatch.delenv(mornings.SETTING)
    reaudit(tmp_path / "db")
    with open_facts(tmp_path / "db") as facts:
        assert evenings(facts, EVERYTHING)["day"].to_list() == [date(2026, 11, 20)]


@pytest.mark.parametrize("places", [(0, 1), (1, 0)])
def test_a_clock_that_goes_back_moves_no_game(places: tuple[int, int], tmp_path: Path) -> None:
    """In whichever order its hands were loaded."""
    lines = (INVALID / "game/began-before.jsonl").read_bytes().splitlines(keepends=True)
    db, began = tmp_path / "db", date(2026, 11, 20)
    for place in places:
        log = tmp_path / f"{place}.jsonl"
        log.write_bytes(lines[place])
        ingest.load(log, db=db)
        open_facts(db).close()
    with open_facts(db) as facts:
        assert evenings(facts, EVERYTHING).select("day", "hands").rows() == [(began, 2)]
        assert game_list(facts).select("first_day", "last_day").row(0) == (began, began)
        assert set(hand_list(facts)["day"]) == {began}
        days = facts.execute("SELECT day FROM sessions UNION ALL SELECT day FROM session_names")
        assert days.fetchall() == [(began,), (began,)]
        assert set(player_list(facts)[0].select("first_day", "last_day").rows()) == {(began, began)}
    with open_snapshot(db) as tables:
        assert set(players(tables).select("first_day", "last_day").rows()) == {(began, began)}
        assert overview(tables).select("first_day", "last_day", "days").row(0) == (began, began, 1)
        (sheet,) = sheets_of(tables, "sample:invalid-began-before")
        assert (sheet.first_day, sheet.last_day) == (began, began)
