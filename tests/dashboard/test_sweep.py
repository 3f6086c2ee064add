"""Every part of every page, opened once in each language, and all that has to hold of any of them.

No part fails, each says what it is there for, takes nothing in logs for markup, draws charts that
are valid, tells which parameters it does not know and what the terms it links to mean, and leaves
nothing in English where another language was chosen.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from tests.kit.app_pages import faults_of_charts, go, open_app, text_of, warnings_of
from tests.kit.dashboard_logs import MARK
from tests.kit.rule_cases import rows_in
from tests.kit.spoken_pages import english_in, texts_of
from tests.kit.tiers import is_thorough
from tricklog.core.native import library
from tricklog.dashboard.address import urls
from tricklog.dashboard.text import findings
from tricklog.schemas.languages.current import LANGUAGES, UNREVIEWED

OTHERS: Final = [
    pytest.param(code, marks=[] if code == "sv" else pytest.mark.thorough("another language"))
    for code in LANGUAGES
    if code != "en"
]
SCRIPTS: Final = {
    # Both write the same full stop, which stands among the letters of Hindi.
    "hi": re.compile("[\u0900-\u0963\u0966-\u097f]"),
    "bn": re.compile("[\u0980-\u09ff]"),
}
IN_HTML: Final = re.compile(
    f"<(?:img|script|iframe|svg onload|h1>{MARK}|b>(?:hand|{MARK}))|id=.{MARK}|\u202e"
)
"""What nothing in a log may become in HTML."""
IN_MARKDOWN: Final = re.compile(
    rf"(?<!\\)(?:<img|<script|<b>|\*\*{MARK}|:smile:|\[(?:{MARK}|names)\]\()|\u202e"
)
"""What nothing in a log may become in Markdown, where a backslash makes it text."""
FROM_LOGS: Final = re.compile(
    rf"{MARK}|onerror|of names|smile|game (?:claimed|revoked)|Tab and|\.jsonl|tricklog [a-z]"
    r'|"(?:kind|game|step|format) ?"'
)
"""What names in logs and records have, and commands, which are the same in all languages."""
IN_ENGLISH: Final = re.compile(r"Missing field|Unknown format|The field 'id' is missing")
"""What was wrong with a line is kept, and shown, in English."""


class Part(NamedTuple):
    screen: str
    says: str
    charts: int
    asked: dict[str, list[str]]


def parts() -> Iterator[Part]:
    for tier, address, says, *charts in rows_in(Path(__file__).with_suffix(".txt")):
        path, _, query = address.partition("?")
        if tier == "first" or is_thorough():
            yield Part(urls.PAGES[path].file, says, int(*charts), parse_qs(query))


PARTS: Final = (*parts(),)


@pytest.fixture(autouse=True)
def _nothing_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave what is solved to the tests of those pages, and out the rules, which are in English."""
    monkeypatch.setattr(findings, "text_of", lambda name: f"{name}\n")
    monkeypatch.setattr(library, "is_there", lambda: False)


def opened(db: Path, monkeypatch: pytest.MonkeyPatch, part: Part, language: str) -> AppTest:
    asked = {**part.asked, urls.LANGUAGE: [language], "plyer": ["ann"]}
    if part.screen != urls.STEPS:
        asked[urls.WHOSE] = ["everybody"]
    return go(open_app(db, monkeypatch), part.screen, **asked)


@pytest.fixture(scope="module")
def defined(swept: Path) -> set[str]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        app = go(open_app(swept, monkeypatch), urls.DEFINITIONS)
    return set(re.findall(r"definitions\?about=([\w+-]+)", text_of(app)))


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("screen", urls.MENU, ids=lambda screen: screen.title)
def test_every_part_of_every_page(
    swept: Path,
    defined: set[str],
    monkeypatch: pytest.MonkeyPatch,
    screen: urls.Screen,
    language: str,
) -> None:
    own = [part for part in PARTS if part.screen == screen.file]
    assert own, f"add a row of {screen.title} to test_sweep.txt"
    wrong = []
    for part in own:
        english, other = (opened(swept, monkeypatch, part, each) for each in ("en", language))
        found = [*wrong_with(english, part), *left_in_english(other, english, language)]
        linked = set(re.findall(r"definitions\?about=([\w+-]+)", text_of(english)))
        found += [f"it links to the definition of {each}" for each in linked - defined]
        if warnings_of(english).count("\n") != warnings_of(other).count("\n"):
            found.append(f"it does not tell the same: {warnings_of(other)!r}")
        wrong += [f"{part.asked}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


def wrong_with(app: AppTest, part: Part) -> Iterator[str]:
    if part.says not in text_of(app):
        yield f"it does not say {part.says!r}"
    if "The address asks for “plyer”, which this page does not know" not in warnings_of(app):
        yield f"it tells nobody of the unknown parameter: {warnings_of(app)!r}"
    yield from markup_in(app)
    yield from faults_of_charts(app)
    if len(app.get("vega_lite_chart")) < part.charts:
        yield f"it draws {len(app.get('vega_lite_chart'))} charts, not {part.charts}"


def markup_in(app: AppTest) -> Iterator[str]:
    texts = [(IN_HTML, each.proto.body) for each in app.get("html")]
    said = [*app.markdown, *app.caption, *app.header, *app.subheader, *app.title]
    said += [*app.info, *app.warning, *app.error, *app.success]
    texts += [(IN_MARKDOWN, each.value) for each in said]
    labelled = [*app.get("page_link"), *app.get("expandable"), *app.get("button")]
    texts += [(IN_MARKDOWN, each.proto.label) for each in labelled]
    for pattern, text in texts:
        if found := pattern.search(text):
            yield f"markup: {text[max(found.start() - 40, 0) : found.end() + 40]!r}"


def left_in_english(app: AppTest, english: AppTest, language: str) -> Iterator[str]:
    for text in english_in(app, texts_of(english), language):
        if not FROM_LOGS.search(text) and not IN_ENGLISH.search(text):
            yield f"left in English: {text!r}"
    if language not in SCRIPTS:
        return
    texts = texts_of(app)
    if sum(bool(SCRIPTS[language].search(each)) for each in texts) <= 10:
        yield "hardly anything is in the language"
    foreign = SCRIPTS["bn" if language == "hi" else "hi"]
    named = {LANGUAGES[each] for each in UNREVIEWED}
    for text in texts:
        if foreign.search(text) and text not in named:
            yield f"in another language: {text!r}"
