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
from tricklog.schemas.languages.current import LANGUAGES

SAMPLES = Path(__file__).parents[2] / "sample_logs" / "invalid"
FIVE_FINDINGS = SAMPLES / "five-findings.jsonl"
# A few words are the same in both languages, and some are of the log or of the game.
OF_BOTH = {"kitty", "super", "ditto", "solo", "tricklog"}
SAME = {"sv": OF_BOTH | {"pass", "partner", "version"}, "fi": OF_BOTH, "es": OF_BOTH}
SAME |= {"hi": {"tricklog"}, "bn": {"tricklog"}}
CODES = re.compile("|".join(sorted(finding_codes(), key=len, reverse=True)))
PLACES = re.compile(r"\S*(sample|invalid)\S*")
Both = Callable[..., tuple[set[str], set[str]]]
VALUES = re.compile(r"\{(?:[^{}]|\{[^{}]*\})*\}|\b\d+\.[a-z-]+|^[OSC]\d+ +")
TRIED = some(TRANSLATED, 1)
"""That each has all messages is looked at in the first tier, too, see project/test_languages.py."""
OURS = re.compile(r"[a-z]{3,}")


def texts_of(html: str) -> set[str]:
    body = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    said = re.findall(r">([^<>]+)<", body) + re.findall(r'aria-label="([^"]+)"', body)
    return {unescape(each).strip() for each in said} - {""}


def left_in_english(
    english: set[str], other: set[str], language: str, *, names: set[str]
) -> list[str]:
    """What both have in common, but for names, codes of findings and what has no word in it.

    What nobody has translated yet is not counted.
    """
    known = names | SAME[language]
    return sorted(
        each
        for each in english & other
        if not set(OURS.findall(CODES.sub("", each).lower())) <= known
        and not has_no_translation(each, language)
    )


def names_in(db: Path) -> set[str]:
    query = """
        SELECT p.id || ' ' || coalesce(p.name, '') FROM games.seatings, unnest(players) AS t(p)
        UNION ALL SELECT variant || ' ' || title FROM games.rulesets"""
    with open_facts(db) as facts:
        rows = facts.execute(query).fetchall()
    return {word for (text,) in rows for word in OURS.findall(text.lower())}


@pytest.fixture
def both(page: Page) -> Both:
    def made(db: Path, language: str, *asked: str) -> tuple[set[str], set[str]]:
        english, other = page(db, *asked), page(db, *asked, "--language", language)
        assert '<html lang="en">' in english
        assert f'<html lang="{language}">' in other
        return texts_of(english), texts_of(other)

    return made


READ = pytest.mark.thorough("an evening and a replay are read in the first tier")


@pytest.mark.parametrize("language", TRIED)
@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(("--evening", FIRST), marks=READ),
        ("--evening", LAST),
        pytest.param(("--season", "2026"), marks=READ),
        pytest.param(("--player", "bot-bold-1"), marks=READ),
    ],
)
def test_no_report_is_left_in_english(
    both: Both, request: pytest.FixtureRequest, asked: tuple[str, str], language: str
) -> None:
    db = request.getfixturevalue("evenings" if asked[0] == "--evening" else "club_warehouse")
    said, other = both(db, language, *asked)
    assert left_in_english(said, other, language, names=names_in(db)) == []


@READ
def test_what_cards_cost_is_told_in_the_language(both: Both, solved: Path) -> None:
    said, swedish = both(solved, "sv")
    assert left_in_english(said, swedish, "sv", names=names_in(solved)) == []
    assert "Dyraste korten" in swedish


def test_numbers_and_days_are_those_of_the_language(page: Page, evenings: Path) -> None:
    html, said = page.told(evenings, "--evening", LAST, "--language", "sv")
    day = date.fromisoformat(LAST)
    title = f"Kvällen fredag {day.day} november {day.year}"
    assert said.strip().endswith(f"{title}.")
    assert f"<h1>{title}</h1>" in html
    assert not re.search(r">[+−]?\d+\.\d+<", html)


def test_a_setting_names_a_language(tricklog: CommandLine) -> None:
    assert get_args(Language) == tuple(LANGUAGES)
    tricklog.patch.setenv("LC_ALL", "sv_FI.UTF-8")
    assert "How many play?" in tricklog("rules pidro").text
    tricklog.patch.setenv("TRICKLOG_LANGUAGE", "SV ")
    assert "Hur många spelar?" in tricklog("rules pidro").text
    assert "How many play?" in tricklog("rules pidro --language en").text
    tricklog.patch.setenv("TRICKLOG_LANGUAGE", "klingon")
    said = tricklog("rules pidro", status=2).stderr
    assert "TRICKLOG_LANGUAGE is 'klingon'" in said
    assert "en, sv, fi, es" in said


# --- Audits, replays and rules in words
Commands = list[tuple[str, *tuple[Path, ...]]]


def audits() -> Commands:
    # Sentences about lines that cannot be read are in English, so these are left out.
    # That every sentence has a translation is looked at in project/test_languages.py.
    logs = sorted(file for file in SAMPLES.rglob("*.jsonl") if file.parent.name != "line")
    logs.remove(SAMPLES / "play" / "no-such-seat.jsonl")
    return [("audit", *some(logs, 24))]


def replays() -> Commands:
    # They differ in calls, in the exchange, and in when trumps are known.
    games = some(("pidro", "sancho", "snoozer", "king-pedro", "sixty-three", "lucknow"), 1)
    logs = [min((SAMPLES.parent / "valid" / each).iterdir()) for each in games]
    return [("replay", each) for each in (FIVE_FINDINGS, *logs)]


def rules() -> Commands:
    asked = ("rules", "rules --compare pedro twenty-nine")
    return [(each,) for each in (*asked, *(f"rules {name}" for name in some(variants(), 2)))]


AT_TABLE = {"ann", "dee", "dan", "eve", "fay", "gus"}
TITLES = [load_variant(name).title for name in variants()]
OF_GAMES = set(OURS.findall(" ".join([*variants(), *TITLES]).lower())) | {"queens", "county"}
ASKED = {
    "audit": (audits, PLACES, AT_TABLE),
    "replay": (replays, PLACES, AT_TABLE | {"bot", "bold", "weak", "careful", "steady", "joker"}),
    "rules": (rules, VALUES, OF_GAMES),
}


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("language", TRIED)
def test_no_command_is_left_in_english(tricklog: CommandLine, language: str, kind: str) -> None:
    if kind == "rules":
        # Values that are long stand on one line, so that they can be left out.
        tricklog.patch.setenv("COLUMNS", "1000")
    asked, left_out, names = ASKED[kind]
    said, other = (
        {
            left_out.sub("", line).strip()
            for command, *logs in asked()
            for line in tricklog(command, *logs, "--language", each).text.splitlines()
        }
        for each in ("en", language)
    )
    assert left_in_english(said, other, language, names=names) == []


def test_rules_of_a_file_of_ones_own_are_as_they_were_written(tricklog: CommandLine) -> None:
    Path("club.toml").write_text(
        'extends = "pidro"\nid = "club"\ntitle = "Our {club}"\n'
        'summary = "As we play it, with {braces}."\n',
        "utf-8",
    )
    text = tricklog("rules club.toml --language sv", status=0).text
    assert "As we play it, with {braces}." in text
    assert "Hur många spelar?" in text


# --- What stays English
@pytest.mark.parametrize(
    ("command", "says", "in_swedish"),
    [
        ("replay --solve", "English alone", None),
        ("replay --ledger", "English alone", None),
        ("replay --json", "English alone", "Sedan: "),
        ("audit --json", "--format json is for programs", "Givar: 1 felaktig"),
    ],
)
def test_what_is_for_programs_or_studies_stays_english(
    tricklog: CommandLine, command: str, says: str, in_swedish: str | None
) -> None:
    assert says in tricklog(f"{command} --language sv", FIVE_FINDINGS, status=2).stderr
    if in_swedish:
        english = tricklog(command, FIVE_FINDINGS).text
        tricklog.patch.setenv("TRICKLOG_LANGUAGE", "sv")
        assert tricklog(command, FIVE_FINDINGS).text == english
        assert in_swedish in tricklog(command.split(maxsplit=1)[0], FIVE_FINDINGS).text
