"""`tricklog show evening`: an evening and a season on the screen and as JSON."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.kit.dashboard_logs import MARK, hostile_hand
from tests.kit.evening_logs import FIRST, KING, LAST, NEXT
from tests.kit.log_lines import write_hands
from tricklog import ingest


@pytest.fixture
def db(evenings: Path) -> Path:
    return evenings


def test_without_a_day_it_is_the_last_evening(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("show", "evening", "--db", db)
    assert ran.status == 0
    assert ran.text.startswith("Saturday 21 November 2026")
    assert "1 hand, 1 game" in ran.text


def test_an_evening_has_a_line_for_each_game_and_player(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("show", "evening", LAST, "--db", db)
    lines = ran.text.splitlines()
    (early,) = [line for line in lines if " early " in line and "Decided" not in line]
    high, low = sorted(KING[-1]["claimed"]["scores"], reverse=True)
    assert f"{high} : {low}" in early
    assert sum("guest-bot" in line and ("■" in line or "□" in line) for line in lines) == 7
    assert "Hands that belong to no game: 1." in ran.text


def test_the_evening_as_json(tricklog: CommandLine, db: Path) -> None:
    (told,) = tricklog("show", "evening", LAST, "--db", db, "--json").objects
    assert (told["day"], told["before"], told["after"]) == (LAST, FIRST, NEXT)
    assert [each["game"] for each in told["games"]] == ["seven", "early", "pips", "open", "late"]
    assert told["games"][1]["scores"] == KING[-1]["claimed"]["scores"]
    assert len(told["standings"]) == 11


def test_a_session_is_one_table(tricklog: CommandLine, db: Path) -> None:
    (told,) = tricklog("show", "evening", f"{LAST} · guest", "--db", db, "--json").objects
    assert [each["game"] for each in told["games"]] == ["seven", "open"]


def test_a_season_has_games_won_and_records(tricklog: CommandLine, db: Path) -> None:
    ran = tricklog("show", "season", "2026", "--db", db)
    assert ran.status == 0
    assert ran.text.startswith("Season 2026")
    assert "Shortest game" in ran.text
    evening, told = tricklog(
        "show", "evening", FIRST, "--season", "2026", "--db", db, "--json"
    ).objects
    assert evening["day"] == FIRST
    assert {each["kind"] for each in told["records"]} >= {"highest-bid", "shortest-game"}
    assert sum(each["hands"] for each in told["evenings"]) > 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["2026-11-19"], f"Did you mean {LAST} or {NEXT}?"),
        (["nobody"], "there is no session 'nobody'"),
        (["2026"], "have '2026' in their name"),
        (["--season", "2020"], "There are hands of 2026."),
        (["--season", "0"], "is no year"),
    ],
)
def test_what_is_not_there_is_said_so(
    tricklog: CommandLine, db: Path, asked: list[str], said: str
) -> None:
    ran = tricklog("show", "evening", *asked, "--db", db)
    assert ran.status == 2
    assert said in ran.stderr


def test_text_from_logs_moves_no_cursor(tricklog: CommandLine, tmp_path: Path) -> None:
    ingest.load(write_hands(tmp_path / "hostile.jsonl", [hostile_hand(14)]), db=tmp_path / "db")
    ran = tricklog("show", "evening", "--db", tmp_path / "db")
    if ran.status == 2:
        assert "has a day" in ran.stderr
        return
    assert MARK in ran.text
    assert not set("\x00\x07\x1b\x7f\u202e\u2028") & set(ran.text + ran.stderr)
