"""An evening lasts until the morning, and a game counts where it began."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import msgspec
import pytest

from tests.kit.evening_logs import KING, at, write_records
from tests.kit.in_process import run_here
from tests.kit.log_lines import record
from tests.kit.sound_hands import INVALID
from tricklog import ingest
from tricklog.ingest.cli.output import USAGE
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.ingest.metrics.listings import hand_list, player_list
from tricklog.ingest.sessions.evening import evenings
from tricklog.ingest.sheets.games import game_list
from tricklog.ingest.sheets.sheet import sheets_of
from tricklog.ingest.store import mornings
from tricklog.ingest.store.queries import hand_beside, overview, players
from tricklog.ingest.store.record_codec import moment_of
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.ingest.upkeep.reauditing import reaudit
from tricklog.ingest.warehouses import open_facts
from tricklog.schemas.hand import Hand


def day_of(started_at: str) -> date | None:
    moment = moment_of(msgspec.convert(record(started_at=started_at), Hand))
    assert moment is not None
    return moment.day


@pytest.mark.parametrize(
    ("started_at", "day"),
    [
        ("2026-11-20T23:59:59+02:00", 20),
        ("2026-11-21T00:03:00+02:00", 20),
        ("2026-11-21T05:59:59.5+02:00", 20),
        ("2026-11-21T06:00:00+02:00", 21),
        ("2026-11-21T02:00:00Z", 20),
        ("2026-11-21T00:03", 20),
        ("2026-11-21T06:00", 21),
        ("2026-11-21", 21),
    ],
)
def test_an_evening_lasts_until_the_morning(started_at: str, day: int) -> None:
    assert day_of(started_at) == date(2026, 11, day)


@pytest.mark.parametrize(
    "started_at",
    [
        *("0001-01-01T01:00:00Z", "1900-01-01", "1901-01-01T05:59:00Z", "1970-01-01T00:00:00Z"),
        *("1970-01-01T00:00:00+14:00", "1969-12-31", "2100-01-01", "9999-12-31T23:59:59Z"),
    ],
)
def test_nobody_played_on_a_day_that_cannot_be(started_at: str) -> None:
    assert day_of(started_at) is None


@pytest.mark.parametrize("day", ["1901-01-01", "1969-12-29", "1970-01-04", "2099-12-31"])
def test_any_other_day_counts(day: str) -> None:
    assert day_of(f"{day}T20:00:00Z") == day_of(day) == date.fromisoformat(day)


def test_the_hour_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(mornings.SETTING, "0")
    assert day_of("2026-11-21T00:03:00+02:00") == date(2026, 11, 21)


@pytest.mark.parametrize("text", ["13", "-1", "six", "6.5"])
def test_what_is_no_hour_of_a_morning_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
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


def test_reading_again_brings_older_days_up_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
