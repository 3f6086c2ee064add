"""Every part of every page, opened once in each language, and all that has to hold of any of them.

No part fails, each says what it is there for, takes nothing in logs for markup, draws charts that
are valid, tells which parameters it does not know and what the terms it links to mean, and leaves
nothing in English where another language was chosen.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from streamlit.testing.v1 import AppTest

from tests.dashboard.conftest import HARMFUL
from tests.kit.app_pages import faults_of_charts, go, open_app, text_of, warnings_of
from tests.kit.dashboard_logs import HANDS, MARK, NAMES, REVOKE
from tests.kit.spoken_pages import english_in, texts_of
from tests.kit.tiers import is_thorough
from tricklog.core.native import library
from tricklog.dashboard.address import urls
from tricklog.dashboard.sections import season
from tricklog.dashboard.sections.ranking import RANK
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
    """What stands on it, in English."""
    charts: int = 0
    """How many charts it draws at least."""
    asked: dict[str, str | list[str]] = {}  # noqa: RUF012 - nobody changes it


def view(screen: str, name: str, says: str, charts: int = 0, **more: str) -> Part:
    return Part(screen, says, charts, {urls.VIEW: name, **more})


bids, capture = partial(view, urls.BIDS), partial(view, urls.CAPTURE)
profile = partial(view, urls.PLAYERS, player="bot-steady-1", min="2", all="true")

FIRST: Final = (
    Part(urls.OVERVIEW, "Last evenings"),
    Part(urls.EVENINGS, "Standings of the evening"),
    view(urls.EVENINGS, "Season", "Games won", 2, **{season.OF: season.PAIRS}),
    Part(urls.PLAYERS, "chance to be the best"),
    Part(urls.PLAYERS, "Players by contracts made", asked={RANK: "Bidding: Contracts made"}),
    Part(urls.PLAYERS, "Who suits whom?", asked={urls.VIEW: "Partners"}),
    profile("Tendencies", "against the field", 1),
    profile("Leaks", "Pedros lost"),
    profile("Over time", "The figures", 1),
    profile("Partners", "partner"),
    profile("Opponents", "opponent"),
    profile("Seats", "seat"),
    profile("Side by side", "difference", 0, **{urls.WITH: HARMFUL}),
    Part(urls.PLAYERS, "in the records", asked={"player": HARMFUL}),
    bids("By bid", "trumps held before any exchange", 1),
    bids("By bid", ": contracts made by bid", 1, question="made-rate-by-bid"),
    bids("Same cards", "too few contracts of this game"),
    bids("Against par", "has been held against par yet"),
    bids("By player", "Whose contracts are set?", 1),
    bids("By player", "set by exactly one: ", 1, question="margins"),
    bids("By bid", "How many trumps are enough?", 1, question="made-rate-by-trumps-held"),
    capture("Sides", "What makers and defenders take", 1),
    capture("Pedros", "Where do the fives go?"),
    capture("Pedros", "Who loses the makers’ pedros?", 1, question="pedros-lost-by-player"),
    capture("Cards", "In which trick are point cards lost?", 1, question="cards-kept-by-trick"),
    capture("Seats and leads", "oint cards kept by who led", 1, question="cards-kept-by-led-by"),
    capture("Sides", "partner aside?", 1, question="own-points-share-by-player"),
    Part(
        urls.VARIANTS,
        "Rules that differ",
        2,
        {"one": "Pedro", "other": "King Pedro", "margin-in": "card points"},
    ),
    view(urls.VARIANTS, "All games", " by month", 1),
    Part(urls.EXPLORER, "How often a contract was made", 1),
    Part(urls.HANDS, "Hands behind: ", asked={"figure": "made-rate", "which": "counted"}),
    Part(urls.GAMES, "Result"),
    Part(urls.GAMES, "Score sheet", 1, {urls.GAME: "pedro-21-12"}),
    Part(urls.GAMES, "while holding", asked={urls.GAME: f"game {REVOKE}"}),
    Part(urls.GAMES, "Score sheet", asked={urls.GAME: f"game {NAMES}"}),
    Part(urls.STEPS, "Pedro", asked={urls.HAND: HANDS[1]}),
    Part(urls.STEPS, "Twenty-Nine", asked={urls.HAND: REVOKE}),
    Part(urls.SAME_DEAL, "With the same cards"),
    Part(urls.LEDGER, "tricklog demo --check", asked={urls.HAND: "pidro-22-1-1"}),
    view(urls.LEDGER, "Many hands", "ledgers"),
    Part(urls.PRACTICE, "Practice", asked={"practice-topic": "latest bids and passes"}),
    Part(urls.AUDIT, "Revoke"),
    view(urls.AUDIT, "counts", "Kinds of findings", 1),
    view(urls.AUDIT, urls.UNREADABLE, "lines kept aside"),
    Part(urls.RECORD, "Record"),
    Part(urls.IMPORT, "Import"),
    Part(urls.DEFINITIONS, "about=made-rate"),
)
MORE: Final = (
    view(urls.EVENINGS, "Season", "Games won", 2),
    Part(urls.PLAYERS, "has been held against par yet", asked={urls.VIEW: "Luck and choices"}),
    *(profile("Tendencies", "against the field", 1, group=group) for group in ("Capture", "Play")),
    *(profile("Tendencies", "against the field", 1, group=group) for group in ("Scoring", "Audit")),
    bids("Same cards", "dashed: the bid itself", 1, question="captured-by-makers-by-bid"),
    bids("Same cards", "too few contracts of this game", question="bid-or-pass"),
    bids("By player", "points short by player", 1, variant="Pedro", question="overbid-by-player"),
    bids("By bid", "What does a set contract cost?", 1, question="set-cost-by-bid"),
    capture("Cards", "Which point cards are kept?", 1),
    Part(urls.VARIANTS, "Figures of both games", 2, {"one": "Pedro", "other": "Finnish Pidro"}),
    Part(urls.EXPLORER, "points lost by trick", 1, {"metric": "Points lost", "by": "trick"}),
    Part(urls.HANDS, "hands. Click a row"),
    Part(urls.STEPS, "Pedro", asked={urls.HAND: NAMES}),
    Part(urls.AUDIT, "Claimed points", asked={"find": NAMES}),
    Part(urls.DEFINITIONS, "All definitions", asked={"about": "leaks"}),
)
"""Parts of other figures and hands, or that a test of their own opens; those of the second tier."""
PARTS: Final = (*FIRST, *MORE) if is_thorough() else FIRST


@pytest.fixture(autouse=True)
def _nothing_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave what is solved to the tests of those pages, and out the rules, which are in English."""
    monkeypatch.setattr(findings, "text_of", lambda name: f"{name}\n")
    monkeypatch.setattr(library, "is_there", lambda: False)


def opened(db: Path, monkeypatch: pytest.MonkeyPatch, part: Part, language: str) -> AppTest:
    asked = {**part.asked, urls.LANGUAGE: language, "plyer": "ann"}
    if part.screen != urls.STEPS:
        asked[urls.WHOSE] = "everybody"
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
    parts = [part for part in PARTS if part.screen == screen.file]
    assert parts, f"add a Part of {screen.title} to FIRST"
    wrong = []
    for part in parts:
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
