"""A hand, its audit and its ledger in other languages: no English is left but names."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.kit.app_pages import text_of
from tests.kit.log_lines import write_lines
from tests.kit.spoken_pages import has_no_translation, texts_of
from tests.kit.spoken_pages import spoken as spoken_page
from tests.kit.table_data import data_of
from tests.regenerate.refusals import refusals as all_refusals
from tricklog import ingest
from tricklog.core import Replay, replay
from tricklog.core.judging.findings import finding_said
from tricklog.dashboard.address import urls
from tricklog.dashboard.card_table.spoken import script, spoken, texts
from tricklog.dashboard.pages.audit.expected import expected
from tricklog.dashboard.pages.ledger import words as ledger_words
from tricklog.dashboard.text import refusals
from tricklog.schemas.hand import decode_hand
from tricklog.schemas.languages.current import LANGUAGES, in_language

FIVE_FINDINGS = Path(__file__).parents[2] / "sample_logs" / "invalid" / "five-findings.jsonl"
OTHERS = [code for code in LANGUAGES if code != "en"]


@pytest.fixture(scope="module")
def replayed() -> Replay:
    return replay(decode_hand(FIVE_FINDINGS.read_bytes().splitlines()[0]))


# --- The card table


def test_english_is_not_handed_to_the_browser() -> None:
    assert spoken() == {"language": "en"}


@pytest.mark.parametrize("language", OTHERS)
def test_the_browser_gets_a_translation_of_each_text(language: str) -> None:
    with in_language(language):
        told = spoken()
    assert told["language"] == language
    for text, many, context in texts():
        found = told["texts"][f"{context}\n{text}" if context else text]
        assert len(found) == 2 if many else isinstance(found, str)
    with_words = [
        (text, context)
        for text, many, context in texts()
        if not many and len(re.findall(r"(?<!\{)\b[a-z]{2,}\b(?!\})", text)) > 1
    ]
    assert len(with_words) > 100
    for text, context in with_words:
        found = told["texts"][f"{context}\n{text}" if context else text]
        assert found != text or has_no_translation(text, language)


def test_scripts_say_nothing_that_is_not_handed_over() -> None:
    found = {part for text in texts() for part in text}
    assert {"What if?", "trumps {trump}", "ace", "legal"} <= found
    code = re.sub(r"^\s*(//|/?\*).*$", "", script(), flags=re.MULTILINE)
    sentences = re.findall(r'["`]([A-Z][a-z]+ [^"`]*)["`]', code)
    assert len(sentences) > 50
    assert [each for each in sentences if each not in found and not each.startswith("Shift")] == []


def test_what_stands_in_the_data_of_a_hand_is_in_the_language(replayed: Replay) -> None:
    english = set(_sentences(data_of(replayed)))
    with in_language("fi"):
        finnish = set(_sentences(data_of(replayed)))
    assert len(english) > 40
    assert [each for each in english & finnish if _has_words(each)] == []


def test_words_that_a_browser_compares_stay_english(replayed: Replay) -> None:
    english = data_of(replayed)
    with in_language("es"):
        spanish = data_of(replayed)
    for key in ("verdict", "hand", "sides", "names"):
        assert spanish[key] == english[key]
    assert [each["number"] for each in spanish["groups"]] == [
        each["number"] for each in english["groups"]
    ]
    assert [seat["roles"] for seat in spanish["frames"][0]["seats"]] == [
        seat["roles"] for seat in english["frames"][0]["seats"]
    ]


def _has_words(text: str) -> bool:
    words = re.sub(r"[\ue000-\ue006]", "", text)
    return len(re.findall(r"[a-z]{3,}", words)) > 1


def _sentences(node: object, key: str = "") -> Iterator[str]:
    """Every text of the data but the record, ids, cards and the text of rules, which is English."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for name, each in node.items():
            if name not in {"line", "hand", "rules", "verdict", "roles", "names", "plain"}:
                yield from _sentences(each, name)
    elif isinstance(node, list):
        for each in node:
            yield from _sentences(each, key)


# --- Words


@pytest.mark.parametrize("language", OTHERS)
def test_reasons_without_a_value_are_said(language: str) -> None:
    with in_language(language):
        said = {text: refusals.why_not(text) for text, _ in all_refusals()}
    assert len(said) > 50
    left = [text for text, told in said.items() if text == told]
    assert not [text for text in left if not has_no_translation(text, language)]


def test_what_the_rules_would_have_had_is_in_the_language(replayed: Replay) -> None:
    names = ["ann", "bo", "cy", "dee"]
    english = [expected(each, names) for each in replayed.findings]
    with in_language("sv"):
        assert [expected(each, names) for each in replayed.findings] != english


def test_parts_of_a_ledger_are_named() -> None:
    with in_language("fi"):
        named = [str(each) for each in ledger_words.NAMES.values()]
    assert named == [
        *("jako", "tarjouskilpailu", "vaihto", "nosto", "pelinviejän puolen peli", "puolustus")
    ]


# --- Pages


def test_the_audit_and_the_score_sheet_of_a_hand_are_in_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = msgspec.json.decode(FIVE_FINDINGS.read_bytes()) | {"game": (game := "one"), "hand": 1}
    ingest.load(
        write_lines(tmp_path / "log.jsonl", [msgspec.json.encode(hand)]), db=tmp_path / "db"
    )
    app = spoken_page(tmp_path / "db", monkeypatch, urls.AUDIT, "sv")
    shown = texts_of(app)
    assert "I loggen" in shown
    assert "Enligt reglerna" in shown
    assert any("cy spelade" in each for each in shown)
    with in_language("sv"):
        names = [str(finding_said(code)) for code in ("revoke", "wrong-leader")]
    assert any(name.lower() in each.lower() for each in shown for name in names)
    left = {"In the log", "By the rules", "Find", "Save as CSV", "Every kind"}
    assert not left & set(shown)
    sheet = {urls.GAME: game}
    english = text_of(spoken_page(tmp_path / "db", monkeypatch, urls.GAMES, "en", **sheet))
    swedish = text_of(spoken_page(tmp_path / "db", monkeypatch, urls.GAMES, "sv", **sheet))
    assert "cy led K♦, but the lead was bo" in english
    assert "cy spelade ut K♦, men utspelet var hos bo" in swedish
    assert "but the lead was" not in swedish
