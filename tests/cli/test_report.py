"""Reports: an evening, a season or a player as one file, with the numbers of the commands."""

import re
from datetime import date
from html import unescape
from pathlib import Path

import polars as pl
import pytest

from tests.cli.command_line import CommandLine, Page
from tests.kit.dashboard_logs import MARK, TEXTS, hostile_hand
from tests.kit.evening_logs import FIRST, KING, LAST, two_evenings
from tests.kit.log_lines import write_hands
from tests.kit.tiers import some
from tricklog import ingest
from tricklog.dashboard.kit import addresses
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.reports.drawings import ticks_within


def words_of(html: str) -> str:
    without = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", without))


def rows_of(html: str, table: str) -> list[list[str]]:
    (found,) = re.findall(
        rf'<table[^>]* aria-label="{re.escape(table)}">.*?<tbody>(.*?)</tbody>', html, re.DOTALL
    )
    return [
        [words_of(cell).strip() for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        for row in re.findall(r"<tr>(.*?)</tr>", found, re.DOTALL)
    ]


# --- An evening
def test_an_evening_has_every_hand_of_every_game(page: Page, evenings: Path) -> None:
    html = page(evenings, "--evening", LAST)
    rows = rows_of(html, "Hands of game 2")
    assert [row[0] for row in rows] == [str(number) for number in range(1, len(KING) + 1)]
    scores = [each["claimed"]["scores"] for each in KING]
    told = [[int(cell.replace("−", "-")) for cell in row[8:10]] for row in rows]
    assert told == scores
    assert len(rows_of(html, "Standings of the evening")) == 4 + 7
    assert "Hands that belong to no game: 1." in words_of(html)
    # Links lead to hands in the file.
    targets = set(re.findall(r'href="#([^"]+)"', html))
    assert targets <= set(re.findall(r'id="([^"]+)"', html))
    assert html.count("<article") == len(targets) > 0


def test_links_may_lead_to_a_dashboard(page: Page, evenings: Path) -> None:
    html = page(evenings, "--evening", FIRST, "--links", "http://localhost:8501/")
    assert "<article" not in html
    found = re.search(r'href="http://localhost:8501/([^"]+)"', html)
    assert found
    assert unescape(found[1]) == addresses.of_step("broken-0").partition("&")[0]


def test_findings_cite_their_rules(page: Page, evenings: Path) -> None:
    html = page(evenings, "--evening", FIRST)
    (listed,) = re.findall(r"<h2>Findings.*?<ul>(.*?)</ul>", html, re.DOTALL)
    items = re.findall(r"<li>(.*?)</li>", listed, re.DOTALL)
    assert items
    assert all("Rule " in item and "Game 1, hand" in item for item in items)


def test_what_cards_cost_stands_beside_solved_hands(page: Page, solved: Path) -> None:
    html = page(solved)
    assert "With all cards open" in words_of(html)
    dearest = rows_of(html, "Dearest cards")
    costs = [int(row[-1].replace("−", "-")) for row in dearest]
    assert costs == sorted(costs)
    with open_facts(solved) as facts:
        ((least,),) = facts.execute(
            "SELECT -max(loss) FROM decision_facts "
            "WHERE day = (SELECT max(day) FROM decision_facts)"
        ).fetchall()
    assert costs[0] == least


# --- A season and a player
def test_a_season_is_as_printed(page: Page, tricklog: CommandLine, club_warehouse: Path) -> None:
    html = page(club_warehouse, "--season", "2026")
    (told,) = tricklog("show season 2026 --json --db", club_warehouse).objects
    won = rows_of(html, "Games won")
    assert [row[0] for row in won] == [each["player"] for each in told["won"]]
    assert [row[3] for row in won] == [str(each["games"]) for each in told["won"]]
    assert len(rows_of(html, "Records")) == len(told["records"])
    hands = sum(each["hands"] for each in told["evenings"])
    assert f"{hands} hands" in words_of(html)
    assert html.count("<rect") > len(told["evenings"])


def test_a_player_is_beside_others(page: Page, tricklog: CommandLine, club_warehouse: Path) -> None:
    html = page(club_warehouse, "--player", "bot-bold-1")
    (row,) = [row for row in rows_of(html, "Bidding") if row[0] == "Contracts made"]
    (told,) = tricklog("stats made-rate --by player --format json --db", club_warehouse).objects
    (found,) = [each for each in told["figures"][0]["rows"] if each["player"] == "bot-bold-1"]
    assert row[2] == str(found["n"])
    assert row[1].startswith(f"{found['value']:.0%}".replace("%", " %"))


def test_of_few_games_nobody_is_said_to_be_like_the_others(page: Page, evenings: Path) -> None:
    words = words_of(page(evenings, "--player", "guest-bot-steady-1"))
    assert "There are too few games to compare yet." in words
    assert "No figure differs" not in words


def test_a_player_who_changed_is_told_when(tricklog: CommandLine, club_warehouse: Path) -> None:
    report = ("report --player bot-bold-1 --output r --db", club_warehouse)
    tricklog(*report, status=0)
    assert "changed" in words_of(Path("r").read_text("utf-8"))
    days = {"first": date(2026, 2, 20), "last": date(2026, 11, 20), "when": date(2026, 6, 1)}
    days |= {"when_low": date(2026, 5, 2), "when_high": date(2026, 7, 3)}
    sure = {"metric": "made-rate", "change": 0.24, "low": 0.15, "high": 0.34, "named": True}
    tricklog.patch.setattr(
        "tricklog.ingest.reports.player.changes", lambda *_, **__: pl.DataFrame([sure | days])
    )
    tricklog(*report, status=0)
    said = " ".join(words_of(Path("r").read_text("utf-8")).split())
    assert "contracts made +24.0 in 100 (+15.0 to +34.0) from 2026-02-20 to 2026-11-20" in said
    assert "it was on 2026-06-01 (2026-05-02 to 2026-07-03, 99 %)" in said


# --- One file that says no more than it should
@pytest.mark.parametrize(
    "asked", [("--evening", LAST), ("--season", "2026"), ("--player", "bot-bold-1")]
)
def test_a_report_needs_nothing_from_elsewhere(
    page: Page, evenings: Path, club_warehouse: Path, asked: tuple[str, str]
) -> None:
    html = page(evenings if LAST in asked else club_warehouse, *asked)
    assert "<script" not in html
    assert not re.search(r'(src|href|action)="(?!#)', html)
    assert "url(" not in html
    assert "default-src 'none'" in html


def test_hidden_names_are_nowhere_in_it(page: Page, evenings: Path) -> None:
    for asked in some([("--player", "{id}"), ("--evening", FIRST), ("--season", "2026")], 1):
        records = two_evenings()
        people = sorted({each["id"] for record in records for each in record["players"]})
        option, value = asked
        html = page(evenings, option, people[0] if value == "{id}" else value, "--hide-names")
        assert "Player 1" in html
        games = {record["game"] for record in records if record.get("game")}
        hands = {record["id"] for record in records}
        assert not [each for each in (*people, *hands) if each in html]
        assert not [each for each in games if f">{each}<" in html]


def test_links_of_a_report_without_names_hold_none(page: Page, evenings: Path) -> None:
    html = page(evenings, "--evening", FIRST, "--hide-names", "--links", "http://localhost:8501")
    addresses_found = re.findall(r'href="http://localhost:8501/replay\?hand=([^"]+)"', html)
    assert addresses_found
    assert all(re.fullmatch(r"(~|%7E)[0-9a-f]{32}", each) for each in addresses_found)
    assert not [each["id"] for each in two_evenings() if each["id"] in html]


def test_names_in_attack_are_text(page: Page, tmp_path: Path) -> None:
    hands = [hostile_hand(number) for number in some(range(len(TEXTS)), 8)]
    ingest.load(write_hands(tmp_path / "log.jsonl", hands), db=tmp_path / "db")
    html = page(tmp_path / "db")
    assert MARK in words_of(html)
    assert not re.search(r"<(img|script|b)\b[^>]*on\w+=", html)


def test_ticks_are_round_and_within() -> None:
    assert ticks_within(-7, 69) == [0, 20, 40, 60]
    assert ticks_within(0, 0) == [0]
    assert ticks_within(-0.1, 0.1) == pytest.approx([-0.1, -0.05, 0, 0.05, 0.1])


def test_a_player_without_valid_hands(tricklog: CommandLine, repository: Path) -> None:
    ingest.load(repository / "sample_logs/invalid/five-findings.jsonl", db="club")
    said = tricklog("report --db club --player sample:ann", status=2).stderr
    assert "'sample:ann' has no valid hand in club" in said
    assert "Did you mean" not in said
    assert re.search(r"tricklog stats .* says", said)
