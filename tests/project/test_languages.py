"""No translation is wrong, what has none is shown in English, and a bad one breaks nothing."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from gettext import NullTranslations
from pathlib import Path
from string import Formatter
from threading import Barrier

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import write_po

from tests.kit.rule_cases import rows_in
from tests.regenerate import languages
from tests.regenerate.languages import KEYWORDS, TRANSLATED, calls_in, entries, said_by, stored
from tricklog import Counts, Verdict, ingest
from tricklog.core.render.sentences import hands_with_verdict
from tricklog.ingest.cli.output import counts_sentence
from tricklog.schemas.languages import catalogs, numbers
from tricklog.schemas.languages.current import LANGUAGES, current, in_language
from tricklog.schemas.languages.messages import (
    Message,
    either,
    message,
    message_counted,
    plain,
    say,
)

ROOT = Path(__file__).parents[2]
FIVE_FINDINGS = ROOT / "sample_logs" / "invalid" / "five-findings.jsonl"
DAY = date(2026, 11, 24)


# --- The files
MARKUP = re.compile(r"</?[a-zA-Z][^>]*>|\*\*|`[^`]*`|\]\([^)]*\)|\|")


def problems(catalog: Catalog) -> Iterator[str]:
    """Yield what is wrong with the translations of a catalog, each with its message.

    What has no translation, or one to be looked at again, is shown in English and not wrong.
    """
    for entry in entries(catalog):
        texts = _texts(entry.string)
        if entry.fuzzy or not any(texts):
            continue
        if entry.pluralizable and (len(texts) != catalog.num_plurals or not all(texts)):
            yield f"not {catalog.num_plurals} forms: {_texts(entry.id)[0]}"
        else:
            yield from _lost(entry)


def _lost(entry: Entry) -> Iterator[str]:
    sources = _texts(entry.id)
    for place, text in enumerate(_texts(entry.string)):
        source = sources[min(place, len(sources) - 1)]
        try:
            differing = names_of(text) ^ names_of(source)
        except ValueError as error:
            yield f"{error}: {text}"
            continue
        if differing:
            yield f"{sorted(differing)} in one of both: {text}"
        marked, wanted = Counter(MARKUP.findall(text)), Counter(MARKUP.findall(source))
        if marked != wanted:
            yield f"{sorted((marked - wanted) + (wanted - marked))} in one of both: {text}"


def names_of(text: str) -> set[str]:
    """Return the names of the values in a text. Raises ``ValueError`` for braces left open."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _texts(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def glued(source: str) -> Iterator[int]:
    """Yield the lines on which a message is put together instead of standing there whole."""
    for parts, _ in calls_in(source, KEYWORDS):
        for part in parts:
            if not (isinstance(part, ast.Constant) and isinstance(part.value, str)):
                yield part.lineno


@pytest.fixture(scope="module")
def translations() -> dict[str, Catalog]:
    return {language: stored(language) for language in TRANSLATED}


def test_no_translation_is_wrong(translations: dict[str, Catalog]) -> None:
    wrong = {language: list(problems(catalog)) for language, catalog in translations.items()}
    assert not any(wrong.values()), wrong


def test_what_has_no_translation_is_listed_and_fails_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(catalogs, "FOLDER", tmp_path)
    wanted = Catalog()
    for text in ("Nobody bid.", "{player} bid {bid}.", "A new sentence of {player}."):
        wanted.add(text, locations=[("replay/some.py", 0)])
    wanted.add(("{count} card", "{count} cards"), locations=[("replay/some.py", 0)])
    wanted.add(("{count} trick", "{count} tricks"), locations=[("replay/some.py", 0)])
    monkeypatch.setattr(languages, "template", lambda: wanted)
    known = Catalog(locale="sv", charset="utf-8")
    known.add("Nobody bid.", "Ingen bjöd.")
    known.add("{player} bid {bid}.", "{player} bjöd {bid}.", flags=["fuzzy"])
    known.add(("{count} card", "{count} cards"), ("{count} kort", "{count} kort"))
    known.add(("{count} trick", "{count} tricks"), ("{count} stick", ""))
    with (tmp_path / "sv.po").open("wb") as file:
        write_po(file, known)

    assert languages.write_untranslated(["sv", "fi"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "sv: 3 of 5 sentences are shown in English",
        *("  {player} bid {bid}.", "    replay/some.py"),
        *("  A new sentence of {player}.", "    replay/some.py"),
        *("  {count} trick", "    replay/some.py"),
        "fi: 5 of 5 sentences are shown in English",
        *("  Nobody bid.", "    replay/some.py"),
        *("  {player} bid {bid}.", "    replay/some.py"),
        *("  A new sentence of {player}.", "    replay/some.py"),
        *("  {count} card", "    replay/some.py"),
        *("  {count} trick", "    replay/some.py"),
    ]
    assert languages.write_untranslated(["de"]) == 2
    assert not list(problems(stored("fi")))


def test_a_text_is_known_as_what_a_message_without_translation_says() -> None:
    catalog = Catalog()
    catalog.add("{player} (of 4) bid {bid}.")
    catalog.add(("{count} card", "{count} cards"))
    one, counted = map(said_by, entries(catalog))
    assert one.fullmatch("Ann <b> (of 4) bid 7.")
    assert not one.fullmatch("Ann bid 7.")
    assert counted.fullmatch("1 card")
    assert counted.fullmatch("31 cards")


def test_no_translation_is_of_another_language(translations: dict[str, Catalog]) -> None:
    languages_of: dict[tuple[str, str], set[str]] = defaultdict(set)
    for language, catalog in translations.items():
        for entry in entries(catalog):
            if entry.string != entry.id and len(_words_of(str(entry.string))) > 2:
                languages_of[str(entry.id), str(entry.string)].add(language)
    assert [text for text, found in languages_of.items() if len(found) > 1] == []


def _words_of(text: str) -> list[str]:
    """The words of a translation; names of values are the same in all languages."""
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"\{[^}]*\}", " ", text))


def test_a_bad_translation_is_found() -> None:
    assert names_of("{player} bid {bid}, {{not}} {player}") == {"player", "bid"}
    catalog = Catalog(locale="sv")
    catalog.add("{player} passed.", "{player} passade.")
    assert not list(problems(catalog))
    catalog.add("Nobody bid.")
    catalog.add("The hand is over.", "Given är över.", flags=["fuzzy"])
    assert not list(problems(catalog))
    catalog.add("{player} bid {bid}.", "{player} bjöd {bud}.")
    catalog.add("{player} led.", "{player spelade ut.")
    catalog.add(("{count} card", "{count} cards"), ("{count} kort",))
    catalog.add("<b>{player}</b> dealt.", "<b>{player} gav.")
    catalog.add("See `tricklog load`.", "Se `tricklog ladda`.")
    assert len(list(problems(catalog))) == 5


def test_a_changed_sentence_waits_for_its_translator() -> None:
    wanted = Catalog()
    wanted.add("{player} played {card}, but had folded before.")
    changed = languages.brought_up_to_date("sv", wanted)
    assert "#, fuzzy" in changed
    assert "{player} spelade {card} men hade lagt sig." in changed


def test_no_message_is_glued() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}"
        for package in languages.PACKAGES
        for file in (ROOT / package).rglob("*.py")
        if "from tricklog.schemas.languages.messages import" in (source := file.read_text("utf-8"))
        for line in glued(source)
    ]
    assert found == []
    source = 'say(f"{player} passed")\nmessage("a" + b)\nsay_in("a", text)\nsay("{player} passed")'
    assert list(glued(source)) == [1, 2, 3]


# --- What is shown
def test_findings_are_shown_in_each_language_and_kept_in_english() -> None:
    found = [finding for item in ingest.audit(FIVE_FINDINGS) for finding in item.findings]
    said = {}
    for language in LANGUAGES:
        with in_language(language):
            again = [finding for item in ingest.audit(FIVE_FINDINGS) for finding in item.findings]
            assert [each.message for each in again] == [each.message for each in found]
            said[language] = [str(each.said) for each in again]
    assert said["en"] == [each.message for each in found]
    assert said["sv"][2] == "cy spelade Q♥ på utspelet ruter men hade 6♠ 5♠ K♦ 10♦ på handen."
    assert said["fi"][3] == "cy aloitti kortilla K♦, mutta aloitusvuorossa oli bo."
    assert said["es"][1] == "bo habló fuera de turno: le tocaba a ann."


def test_values_are_in_the_language_too() -> None:
    said = message("The record stops during {phase}.", phase=message("the auction"))
    with in_language("sv"):
        assert str(said) == "Protokollet slutar här: budgivningen."
        assert said.english == "The record stops during the auction."
        assert str(either(["7", "14", "28-56"])) == "7, 14 eller 28-56"
    assert str(either(["7", "14", "28-56"])) == "7, 14 or 28-56"
    assert str(either([7, 14, 21], commas=False)) == "7 or 14 or 21"


def test_numbers_choose_their_form() -> None:
    cards = [message_counted("{count} card", "{count} cards", each) for each in (1, 3, 1204)]
    assert list(map(str, cards)) == ["1 card", "3 cards", "1,204 cards"]
    with in_language("fi"):
        assert list(map(str, cards)) == ["1 kortti", "3 korttia", "1\N{NO-BREAK SPACE}204 korttia"]


@pytest.mark.parametrize("language", ["en", "sv", "fi", "es"])
def test_verdicts_and_lines_agree_with_their_number(language: str) -> None:
    of_hands = ((Verdict.VALID, 1), (Verdict.PARTIAL, 1), (Verdict.VALID, 8), (Verdict.PARTIAL, 3))
    with in_language(language):
        said = [str(hands_with_verdict(*each)) for each in of_hands]
        said.append(counts_sentence(Counts(lines=1, accepted=1)))
    assert said == written(f"counts {language}")


def test_what_has_no_translation_is_shown_in_english() -> None:
    with in_language("fi"):
        assert say("Nobody has translated {this}.", this="that") == "Nobody has translated that."
        assert str(plain("A sentence with {braces}.")) == "A sentence with {braces}."
        assert say("") == ""
    with pytest.raises(LookupError, match="there are en, sv, fi, es, hi, bn"), in_language("de"):
        pass


@pytest.mark.parametrize("text", ["{nobody} passade.", "{player.x} passade.", "{player", "{}"])
def test_broken_translations_are_in_english(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(NullTranslations):
        def gettext(self, message: str) -> str:
            return text if "passed" in message else message

    monkeypatch.setattr("tricklog.schemas.languages.messages.catalog", lambda _: Broken())
    with in_language("sv"):
        assert str(Message("{player} passed.", {"player": "Ann"})) == "Ann passed."


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b'msgid "a\nmsgstr "b"\n'])
def test_a_file_that_cannot_be_read_leaves_english(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        (tmp_path / "sv.po").write_bytes(content)
    monkeypatch.setattr(catalogs, "FOLDER", tmp_path)
    monkeypatch.setattr(catalogs, "_read", catalogs._read.__wrapped__)
    assert catalogs.catalog.__wrapped__("sv").gettext("hearts") == "hearts"


def test_each_context_has_its_language() -> None:
    both = Barrier(2)

    def shown(language: str) -> str:
        with in_language(language):
            both.wait(300)
            return say("hearts")

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(shown, ("sv", "fi"))) == ["hjärter", "hertta"]
    assert current() == "en"


# --- Numbers and days
def written(name: str) -> list[str]:
    """A row of the table of text beside this module."""
    rows = {first: rest for first, *rest in rows_in(Path(__file__).with_suffix(".txt"))}
    return [each.replace("_", "\N{NO-BREAK SPACE}") for each in rows[name]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_days_and_places_are_written_as_the_language_does(language: str) -> None:
    with in_language(language):
        told = [
            numbers.number(1204),
            numbers.number(-3.14, 1, sign=True),
            numbers.number(12345.6, 2, sign=True),
            numbers.percent(0.125, 1),
            numbers.day_text(DAY),
            numbers.plain_day(DAY),
            numbers.month_text(DAY),
            numbers.short_day(DAY),
            " ".join(map(numbers.ordinal, (1, 2, 4, 7, 11, 23))),
        ]
        assert numbers.number(-0.001, 1, sign=True) in {"0.0", "0,0"}
    assert told == written(f"numbers {language}")


@pytest.mark.parametrize("language", ["hi", "bn"])
def test_large_numbers_are_counted_in_lakhs_and_crores(language: str) -> None:
    with in_language(language):
        for value, digits, written in (
            (999, 0, "999"),
            (99_999, 0, "99,999"),
            (123_456, 0, "1,23,456"),
            (-1_234_567.891, 2, "−12,34,567.89"),
            (10_000_000, 0, "1,00,00,000"),
            (123_456_789, 0, "12,34,56,789"),
        ):
            assert numbers.number(value, digits) == written
