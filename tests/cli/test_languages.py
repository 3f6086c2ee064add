"""Reports and audits in other languages: nothing of them is left in English."""

import re
from collections.abc import Callable
from datetime import date
from html import unescape
from pathlib import Path
from typing import get_args

import pytest

from tests.cli.command_line import CommandLine, Page
from tests.kit.evening_logs import FIRST, LAST
from tests.kit.spoken_pages import has_no_translation
from tests.kit.tiers import some
from tests.regenerate.languages import TRANSLATED
from tricklog.core import load_variant, variants
from tricklog.core.judging.findings import finding_codes
from tricklog.ingest.cli.languages import Language
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.store.warehouse import open_snapshot
from tricklog.schemas.languages.current import LANGUAGES

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "invalid"
# A few words are the same in both languages, and some are of the log or of the game.
SAME = {
    "sv": {"kitty", "super", "ditto", "solo", "pass", "partner", "tricklog", "version"},
    "fi": {"kitty", "super", "ditto", "solo", "tricklog"},
    "es": {"kitty", "super", "ditto", "solo", "tricklog"},
    "hi": {"tricklog"},
    "bn": {"tricklog"},
}
CODES = re.compile("|".join(sorted(finding_codes(), key=len, reverse=True)))
PLACES = re.compile(r"\S*(sample|invalid)\S*")
Both = Callable[..., tuple[set[str], set[str]]]
VALUES = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}|\b\d+\.[a-z-]+|^[OSC]\d+ +")
TITLES = [load_variant(name).title for name in variants()]
TRIED = some(TRANSLATED, 1)
"""That each has all messages is looked at in the first tier, too, see project/test_languages.py."""
OURS = re.compile(r"[a-z]{3,}")
BETWEEN_TAGS = re.compile(r">([^<>]+)<")


@pytest.fixture
def db(evenings: Path) -> Path:
    return evenings


def texts_of(html: str) -> set[str]:
    """What stands between the tags of a page, and what is read out of its drawings."""
    body = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    said = BETWEEN_TAGS.findall(body) + re.findall(r'aria-label="([^"]+)"', body)
    return {unescape(each).strip() for each in said} - {""}


def left_in_english(
    english: set[str], other: set[str], language: str, *, names: set[str]
) -> list[str]:
    """What both have in common, but for names, codes of findings and what has no word in it.

    What nobody has translated yet is not counted.
    """
    return sorted(
        each
        for each in english & other
        if not set(OURS.findall(CODES.sub("", each).lower())) <= names
        and not has_no_translation(each, language)
    )


def names_in(db: Path) -> set[str]:
    facts = open_facts(db)
    rows = facts.execute(
        "SELECT p.id || ' ' || coalesce(p.name, '') FROM games.seatings, unnest(players) AS t(p)"
    ).fetchall()
    rows += facts.execute("SELECT variant || ' ' || title FROM games.rulesets").fetchall()
    facts.close()
    return {word for (text,) in rows for word in OURS.findall(text.lower())}


def test_the_command_line_has_every_language() -> None:
    assert get_args(Language) == tuple(LANGUAGES)


@pytest.fixture
def both(page: Page) -> Both:
    """Make a report in English and in another language, and return the texts of both."""

    def made(db: Path, language: str, *asked: str) -> tuple[set[str], set[str]]:
        english, other = page(db, *asked), page(db, *asked, "--language", language)
        assert '<html lang="en">' in english
        assert f'<html lang="{language}">' in other
        return texts_of(english), texts_of(other)

    return made


@pytest.mark.parametrize("language", TRIED)
@pytest.mark.parametrize(
    "day", [pytest.param(FIRST, marks=pytest.mark.thorough("the other evening has more")), LAST]
)
def test_nothing_of_an_evening_is_left_in_english(
    both: Both, db: Path, day: str, language: str
) -> None:
    said, other = both(db, language, "--evening", day)
    assert left_in_english(said, other, language, names=names_in(db) | SAME[language]) == []


@pytest.mark.thorough("an evening and a replay are read in the first tier")
@pytest.mark.parametrize("language", TRIED)
@pytest.mark.parametrize("asked", [("--season", "2026"), ("--player", "bot-bold-1")])
def test_nothing_of_a_season_or_a_player_is_left_in_english(
    both: Both, club_warehouse: Path, asked: tuple[str, str], language: str
) -> None:
    said, other = both(club_warehouse, language, *asked)
    assert (
        left_in_english(said, other, language, names=names_in(club_warehouse) | SAME[language])
        == []
    )


@pytest.mark.thorough("an evening and a replay are read in the first tier")
def test_what_cards_cost_is_told_in_the_language(both: Both, solved: Path) -> None:
    said, swedish = both(solved, "sv")
    assert left_in_english(said, swedish, "sv", names=names_in(solved) | SAME["sv"]) == []
    assert "Dyraste korten" in swedish


def test_numbers_and_days_are_those_of_the_language(page: Page, db: Path) -> None:
    html, said = page.told(db, "--evening", LAST, "--language", "sv")
    day = date.fromisoformat(LAST)
    title = f"Kvällen fredag {day.day} november {day.year}"
    assert said.strip().endswith(f"{title}.")
    assert f"<h1>{title}</h1>" in html
    assert not re.search(r">[+−]?\d+\.\d+<", html)


def test_the_setting_names_a_language(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "sv_FI.UTF-8")
    game = ("rules", "pidro")
    assert "How many play?" in tricklog(*game).text
    monkeypatch.setenv("TRICKLOG_LANGUAGE", "SV ")
    assert "Hur många spelar?" in tricklog(*game).text
    assert "How many play?" in tricklog(*game, "--language", "en").text
    monkeypatch.setenv("TRICKLOG_LANGUAGE", "klingon")
    ran = tricklog(*game)
    assert ran.status == 2
    assert "TRICKLOG_LANGUAGE is 'klingon'" in ran.stderr
    assert "en, sv, fi, es" in ran.stderr


# --- Audits


@pytest.mark.parametrize("language", TRIED)
def test_nothing_of_an_audit_is_left_in_english(tricklog: CommandLine, language: str) -> None:
    # Sentences about lines that cannot be read are in English, so these are left out.
    # That every sentence has a translation is looked at in project/test_languages.py.
    logs = sorted(file for file in SAMPLES.rglob("*.jsonl") if file.parent.name != "line")
    logs.remove(SAMPLES / "play" / "no-such-seat.jsonl")
    logs = some(logs, 24)
    said, other = (
        {PLACES.sub("", line).strip() for line in ran.text.splitlines()}
        for ran in (tricklog("audit", *logs, "--language", each) for each in ("en", language))
    )
    names = {"ann", "dee", "dan", "eve", "fay", "gus"} | SAME[language]
    assert left_in_english(said, other, language, names=names) == []


# --- Replays


@pytest.mark.parametrize("language", TRIED)
def test_nothing_of_a_replay_is_left_in_english(tricklog: CommandLine, language: str) -> None:
    # They differ in calls, in the exchange, and in when trumps are known.
    games = some(("pidro", "sancho", "snoozer", "king-pedro", "sixty-three", "lucknow"), 1)
    valid = SAMPLES.parent / "valid"
    logs = [SAMPLES / "five-findings.jsonl", *(min((valid / each).iterdir()) for each in games)]
    said, other = (
        {
            PLACES.sub("", line).strip()
            for log in logs
            for line in tricklog("replay", log, "--language", each).text.splitlines()[1:]
        }
        for each in ("en", language)
    )
    names = {"ann", "dee", "dan", "eve", "fay", "gus", "bot", "bold", "weak"}
    assert (
        left_in_english(
            said, other, language, names=names | {"careful", "steady", "joker"} | SAME[language]
        )
        == []
    )


def test_what_a_hand_was_worth_is_told_in_english_alone(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = SAMPLES / "five-findings.jsonl"
    for option in ("--solve", "--ledger", "--json"):
        ran = tricklog("replay", log, option, "--language", "sv")
        assert ran.status == 2
        assert "English alone" in ran.stderr
    english = tricklog("replay", log, "--json").text
    monkeypatch.setenv("TRICKLOG_LANGUAGE", "sv")
    assert tricklog("replay", log, "--json").text == english
    assert "Sedan: " in tricklog("replay", log).text


# --- Rules in words


@pytest.mark.parametrize("language", TRIED)
def test_nothing_of_the_rules_is_left_in_english(tricklog: CommandLine, language: str) -> None:
    asked = [(), ("--compare", "pedro", "twenty-nine"), *((name,) for name in some(variants(), 2))]
    said, other = (
        {
            VALUES.sub("", line).strip()
            for options in asked
            for line in tricklog("rules", *options, "--language", each).text.splitlines()
        }
        for each in ("en", language)
    )
    names = set(OURS.findall(" ".join([*variants(), *TITLES]).lower())) | SAME[language]
    assert left_in_english(said, other, language, names=names | {"queens", "county"}) == []


def test_rules_of_a_file_of_ones_own_are_as_they_were_written(
    tricklog: CommandLine, tmp_path: Path
) -> None:
    own = tmp_path / "club.toml"
    own.write_text(
        'extends = "pidro"\nid = "club"\ntitle = "Our {club}"\n'
        'summary = "As we play it, with {braces}."\n',
        "utf-8",
    )
    ran = tricklog("rules", own, "--language", "sv")
    assert ran.status == 0, ran.stderr
    assert "As we play it, with {braces}." in ran.text
    assert "Hur många spelar?" in ran.text


def test_rules_as_json_are_english_alone(tricklog: CommandLine) -> None:
    ran = tricklog("rules", "--json", "--language", "sv")
    assert ran.status == 2
    assert "English alone" in ran.stderr


# --- What stays English


def test_what_is_for_programs_stays_english(
    tricklog: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = SAMPLES / "five-findings.jsonl"
    english = tricklog("audit", log, "--json").text
    monkeypatch.setenv("TRICKLOG_LANGUAGE", "sv")
    assert tricklog("audit", log, "--json").text == english
    assert "Givar: 1 felaktig" in tricklog("audit", log).text
    ran = tricklog("audit", log, "--json", "--language", "sv")
    assert ran.status == 2
    assert "--format json is for programs" in ran.stderr


def test_a_warehouse_keeps_english(
    tricklog: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRICKLOG_LANGUAGE", "sv")
    tricklog("load", SAMPLES / "five-findings.jsonl", "--db", tmp_path / "db")
    with open_snapshot(tmp_path / "db") as opened:
        said = opened.execute("SELECT message FROM findings").fetchall()
    assert any("while holding" in message for (message,) in said)
