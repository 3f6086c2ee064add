"""Pages in other languages: which one it is, the frame, links, and that no English is left."""

import asyncio
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import address_of, text_of
from tests.kit.score_sheets import as_csv, one_row_a_hand, scored
from tests.kit.spoken_pages import english_in, has_no_translation, spoken, texts_of
from tests.kit.table_data import data_of
from tests.regenerate.languages import refusals as all_refusals
from tricklog import Player, Replay, RulesRef, decode_hand, load_variant, replay
from tricklog.core.recording.evening import begin
from tricklog.dashboard.address import languages, urls
from tricklog.dashboard.app.remembered import Remembered
from tricklog.dashboard.card_table.spoken import TABLE, Scripts, script, texts
from tricklog.dashboard.card_table.spoken import spoken as handed
from tricklog.dashboard.kit.drawing import locale_of
from tricklog.dashboard.pages.audit.expected import expected
from tricklog.dashboard.pages.hands.hand_table import as_file
from tricklog.dashboard.pages.ledger import words as ledger_words
from tricklog.dashboard.pages.record import SCRIPTS as RECORDER
from tricklog.dashboard.pages.record.screen import screen_of
from tricklog.dashboard.pages.record.taps import question_about
from tricklog.dashboard.sections import season
from tricklog.dashboard.sections.ranking import RANK
from tricklog.dashboard.text import refusals
from tricklog.dashboard.text.labels import title_of, value_words
from tricklog.ingest.facts.files import open_facts
from tricklog.ingest.metrics import listings
from tricklog.ingest.recording.keeping import Kept
from tricklog.schemas.languages.current import LANGUAGES, in_language
from tricklog.schemas.languages.messages import translated

OTHERS = [code for code in LANGUAGES if code != "en"]
Spoken = Callable[..., AppTest]


@pytest.fixture
def small(small_warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> Spoken:
    return partial(spoken, small_warehouse, monkeypatch)


@pytest.fixture
def club(club_warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> Spoken:
    return partial(spoken, club_warehouse, monkeypatch)


# --- Which language
def test_what_was_chosen_goes_before_the_setting_and_that_before_the_browser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for cookie, setting, locale, code in (
        ("es", "fi", "sv-FI", "es"),
        ("klingon", "fi", "sv-FI", "fi"),
        ("", "klingon", "sv_FI", "sv"),
        ("", "", "de-DE", "en"),
        ("", "", "hi-IN", "en"),
        ("", "bn", "hi-IN", "bn"),
        ("hi", "", "en-IN", "hi"),
        ("", "", "", "en"),
    ):
        monkeypatch.setenv(languages.SETTING, setting)
        assert languages.usual({languages.COOKIE: cookie}, [locale]) == code


def test_an_address_chooses_the_language_of_the_session(small: Spoken) -> None:
    app = small(urls.HANDS, "sv")
    assert app.header[0].value == "Givar"
    # It goes on without the parameter, also in what runs outside the page, as callbacks do.
    app.query_params.clear()
    with in_language("sv"):
        assert app.run().header[0].value == "Givar"
    assert "hreflang" in text_of(app)
    app = small(urls.HANDS, "klingon")
    assert app.header[0].value == "Hands"
    assert "lang “klingon”, which this page does not know" in app.warning[0].value


def test_an_address_made_in_one_language_opens_in_another(small: Spoken) -> None:
    oldest_first = {"en": "Oldest first", "sv": "Äldsta först", "fi": "Vanhimmat ensin"}
    for language, other in (("en", "fi"), ("sv", "en"), ("fi", "sv")):
        app = small(urls.HANDS, language, **{urls.SORT: oldest_first[other]})
        assert not app.warning
        assert app.selectbox(key=urls.SORT).value == listings.Order.OLDEST
        assert address_of(app)[urls.SORT] == "oldest"
        # So do values with numbers, and names of findings.
        with in_language(other):
            seating, finding = value_words("seating", "4 partners"), title_of("wrong-leader")
        app = small(urls.HANDS, language, seating=seating, finding=finding)
        assert not app.warning
        told = {"seating": "4 partners", "finding": "wrong-leader"}
        assert told.items() <= address_of(app).items()
    # A value that nobody knows leaves the others.
    app = small(urls.HANDS, "sv", seating=["4 partners", "a dozen"])
    assert "a dozen" in app.warning[0].value
    assert "partners" not in app.warning[0].value
    assert app.multiselect(key="seating").value == ["4 partners"]


# --- What the server does
async def _page(scope: Scope, _: Receive, send: Send) -> None:
    assert not {b"accept-encoding", b"if-none-match"} & {name for name, _ in scope["headers"]}
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b'<!doctype html><html lang="en"><p>'})


def _answer(query: bytes, **headers: str) -> tuple[dict[bytes, bytes], bytes]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asked_with = {"accept": "text/html", "accept-encoding": "gzip", "if-none-match": "1"} | headers
    scope = {
        "type": "http",
        "query_string": query,
        "headers": [(name.encode(), value.encode()) for name, value in asked_with.items()],
    }
    asyncio.run(Remembered(_page)(scope, receive, send))
    return dict(sent[0]["headers"]), sent[1]["body"]


def test_the_server_keeps_a_choice_and_names_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(languages.SETTING, raising=False)
    headers, body = _answer(b"lang=fi&find=Ann")
    assert re.match(
        rb"tricklog-language=fi; Path=/; Max-Age=\d+; .*HttpOnly", headers[b"set-cookie"]
    )
    assert b'<html lang="fi">' in body
    headers, body = _answer(b"lang=xx", cookie="a=b; tricklog-language=es")
    assert not headers
    assert b'<html lang="es">' in body
    # Other programs on this host have cookies of their own, whatever they are called.
    for foreign in ("a/b=1", 'theme={"a": 1}', "(=)", "é"):
        _, body = _answer(b"", cookie=f"{foreign}; tricklog-language=es")
        assert b'<html lang="es">' in body
    assert b'<html lang="sv">' in _answer(b"", **{"accept-language": "sv-FI,sv;q=0.9,en"})[1]
    assert b'<html lang="en">' in _answer(b"", **{"accept-language": "de,sv;q=0.9"})[1]


# --- What is shown
def test_a_file_of_hands_is_in_english(small_warehouse: Path) -> None:
    with open_facts(small_warehouse) as facts:
        hands = listings.hand_list(facts, limit=5)
    titles = dict.fromkeys(hands["variant"], "Pidro")
    english = as_file(hands, titles)
    with in_language("sv"):
        assert as_file(hands, titles) == english


def test_values_are_called_in_the_language() -> None:
    for name, value, words in (
        ("card", "T", "tia"),
        ("weekday", "3", "onsdag"),
        ("month", "2026-11-01", "november 2026"),
        ("holder", "2 after", "2 efter spelföraren"),
        ("code", "wrong-leader", "Fel utspelare"),
        ("seating", "4 partners", "4 i par"),
        ("tag", "kept for Ann", "kept for Ann"),
    ):
        with in_language("sv"):
            assert value_words(name, value) == words


CHARTS = {
    "sv": (",", [3], "söndag", "må"),
    "fi": (",", [3], "sunnuntai", "ma"),
    "es": (",", [3], "domingo", "lu"),
    "hi": (".", [3, 2], "रविवार", "सोम"),
    "bn": (".", [3, 2], "রবিবার", "সোম"),
}
"""By language: the decimal sign, groups of digits, and the first two days of the week."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_charts_write_numbers_and_days_in_the_language(language: str) -> None:
    locale = locale_of(language)
    if language == "en":
        assert not locale
        return
    number, time = locale["number"], locale["time"]
    decimal, groups, sunday, monday = CHARTS[language]
    assert (number["decimal"], number["grouping"][:2]) == (decimal, groups)
    assert time["days"][0] == sunday
    assert time["shortDays"][1].startswith(monday)
    counts = [len(time[each]) for each in ("days", "shortDays", "months", "shortMonths")]
    assert counts == [7, 7, 12, 12]


# --- Links to parts and findings
def test_a_link_opens_a_part_in_the_language_of_who_follows_it(club: Spoken) -> None:
    app = club(urls.EVENINGS, "sv", **{urls.VIEW: "Season", season.OF: season.PAIRS})
    assert app.segmented_control(key=season.OF).value == season.PAIRS
    assert not app.warning
    app = club(urls.PLAYERS, "fi", **{urls.VIEW: "Partners"})
    assert app.session_state[urls.VIEW] == "Parit"
    assert not app.warning
    app = club(urls.PLAYERS, "sv", **{RANK: "Scoring: Games won"})
    assert app.selectbox(key=RANK).value == "win-rate"
    assert not app.warning
    # One named in another language opens as well.
    with in_language("fi"):
        season_in_finnish = translated("Season")
    app = club(urls.EVENINGS, "sv", **{urls.VIEW: season_in_finnish})
    assert not app.warning
    assert app.session_state[urls.VIEW] == "Säsong"
    assert address_of(app)[urls.VIEW] == "season"
    # It is known where there is no evening.
    app = club(urls.EVENINGS, "en", **{urls.VIEW: "Season", "month": "1999-01"})
    assert not [each for each in app.warning if f"“{urls.VIEW}”" in each.value]


def test_the_choice_of_languages_says_which_nobody_reviewed(small: Spoken) -> None:
    bodies = [each.proto.body for each in small(urls.HANDS, "hi").get("html")]
    choice = next(each for each in bodies if 'hreflang="bn"' in each)
    marked = re.findall(r'hreflang="(\w+)"[^>]*>[^<]*</a> <small>([^<]+)</small>', choice)
    assert marked == [(code, "समीक्षा नहीं हुई") for code in ("sv", "fi", "es", "hi", "bn")]
    for language, said in {"sv": "svenska (inte granskad)", "en": "English"}.items():
        shown = small(urls.HANDS, language)
        labels = [each.proto.popover.label for each in shown.get("popover")]
        assert said in labels
        reviewed = "Ingen som spelar på det här språket" in text_of(shown)
        assert reviewed == (language == "sv")


# --- Practice, Record and Import
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "bot-bold-1", "bot-weak-1", "bot-steady-1")


def in_both(
    db: Path,
    monkeypatch: pytest.MonkeyPatch,
    screen: str,
    act: Callable[[AppTest], None],
    /,
    **parameters: str,
) -> list[str]:
    shown = []
    for language in ("en", "sv"):
        with in_language(language):
            said = {name: translated(value) for name, value in parameters.items()}
            app = spoken(db, monkeypatch, screen, language, **said)
            act(app)
        assert not app.exception, app.exception
        shown.append(app)
    english, swedish = shown
    return english_in(swedish, texts_of(english), allowed=NAMES)


def test_an_answer_is_in_swedish(
    club_warehouse: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(app: AppTest) -> None:
        option = next(e for e in app.button if (e.key or "").startswith("practice-option"))
        option.click().run()
        app.button(key="practice-play").click().run()

    db = shutil.copytree(club_warehouse, tmp_path / "db")
    topic = {"practice-topic": "latest bids and passes"}
    assert in_both(db, monkeypatch, urls.PRACTICE, answer, **topic) == []


def test_a_sheet_is_read_in_swedish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = one_row_a_hand(scored("pedro", 2, 3), leave_out=["Trump"])
    rows[1][4] = "many"

    def drop(app: AppTest) -> None:
        app.file_uploader(key="import-files").upload("club.csv", as_csv(rows)).run()

    found = in_both(tmp_path, monkeypatch, urls.IMPORT, drop)
    # What is wrong with a cell is said in English alone, as it is kept.
    assert [text for text in found if "is no player of this game" not in text] == []


def words_in(shown: object, silent: tuple[str, ...]) -> Iterator[str]:
    """Every text of what a browser is given, but for the values of these names."""
    if isinstance(shown, dict):
        for name, value in shown.items():
            if name not in silent:
                yield from words_in(value, silent)
    elif isinstance(shown, list | tuple):
        for value in shown:
            yield from words_in(value, silent)
    elif isinstance(shown, str):
        yield shown


@pytest.mark.parametrize("variant", ["pedro", "pidro", "twenty-nine"])
@pytest.mark.parametrize("is_quick", [False, True])
def test_the_recorder_is_in_swedish(variant: str, *, is_quick: bool) -> None:
    four = [Player(id=name.casefold(), name=name) for name in NAMES[:4]]
    evening = begin("sunday", RulesRef(variant), four, dealer=3, quick=is_quick)
    kept = Kept(revision=0, evening=evening, log="evenings", asked="1 bid 99")
    said = {}
    for language in ("en", "sv"):
        with in_language(language):
            shown = [screen_of(evening), handed(RECORDER), question_about(kept)]
            said[language] = set(words_in(shown, ("tap", "prefix", "kind", "word")))
    # English stands in the scripts.
    said["en"].update(words_in(texts(RECORDER), ()))
    same = said["en"] & said["sv"] - {load_variant(variant).title}
    pairs = ["Ann & Cy", "Bo & Dee"]
    assert [
        each for each in sorted(same) if " " in each and not set(each) <= set(" ♠♥♦♣&")
    ] == pairs


# --- The card table
FIVE_FINDINGS = Path(__file__).parents[2] / "sample_logs" / "invalid" / "five-findings.jsonl"


@pytest.fixture(scope="module")
def replayed() -> Replay:
    return replay(decode_hand(FIVE_FINDINGS.read_bytes().splitlines()[0]))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(("parts", "least"), [(TABLE, 100), (RECORDER, 5)])
def test_the_browser_gets_a_translation_of_each_text_but_no_english(
    parts: Scripts, least: int, language: str
) -> None:
    assert handed(parts) == {"language": "en"}
    with in_language(language):
        told = handed(parts)
    assert told["language"] == language
    compared = 0
    for text, many, context in texts(parts):
        found = told["texts"][f"{context}\n{text}" if context else text]
        assert len(found) == 2 if many else isinstance(found, str)
        if not many and len(re.findall(r"(?<!\{)\b[a-z]{2,}\b(?!\})", text)) > 1:
            assert found != text or has_no_translation(text, language)
            compared += 1
    assert compared > least


def test_scripts_say_nothing_that_is_not_handed_over() -> None:
    parts = (*TABLE, *RECORDER)
    found = {part for text in texts(parts) for part in text}
    assert {"What if?", "trumps {trump}", "ace", "legal", "Score pad"} <= found
    code = re.sub(r"^\s*(//|/?\*).*$", "", script(parts), flags=re.MULTILINE)
    sentences = re.findall(r'["`]([A-Z][a-z]+ [^"`]*)["`]', code)
    assert len(sentences) > 50
    assert [each for each in sentences if each not in found and not each.startswith("Shift")] == []


NOT_SAID = ("line", "hand", "rules", "verdict", "roles", "names", "plain")
"""The record, ids, cards and the text of rules, which is English."""


def test_what_stands_in_the_data_of_a_hand_is_in_the_language(replayed: Replay) -> None:
    data = {}
    for language in ("en", "fi", "es"):
        with in_language(language):
            data[language] = data_of(replayed)
    english, finnish = ({*words_in(data[each], NOT_SAID)} for each in ("en", "fi"))
    assert len(english) > 40
    same = (re.sub(r"[\ue000-\ue006]", "", each) for each in english & finnish)
    assert [each for each in same if len(re.findall(r"[a-z]{3,}", each)) > 1] == []
    # Words that a browser compares stay English.
    compared = [
        [
            *(told[key] for key in ("verdict", "hand", "sides", "names")),
            [each["number"] for each in told["groups"]],
            [seat["roles"] for seat in told["frames"][0]["seats"]],
        ]
        for told in (data["en"], data["es"])
    ]
    assert compared[0] == compared[1]


# --- Words
@pytest.mark.parametrize("language", OTHERS)
def test_reasons_without_a_value_are_said(language: str) -> None:
    with in_language(language):
        said = {text: refusals.why_not(text) for text, _ in all_refusals()}
    assert len(said) > 50
    left = [text for text, told in said.items() if text == told]
    assert not [text for text in left if not has_no_translation(text, language)]


def test_words_of_the_audit_and_the_ledger_are_in_the_language(replayed: Replay) -> None:
    names = ["ann", "bo", "cy", "dee"]
    english = [expected(each, names) for each in replayed.findings]
    with in_language("sv"):
        assert [expected(each, names) for each in replayed.findings] != english
    with in_language("fi"):
        named = [str(each) for each in ledger_words.NAMES.values()]
    assert named == [
        *("jako", "tarjouskilpailu", "vaihto", "nosto", "pelinviejän puolen peli", "puolustus")
    ]
