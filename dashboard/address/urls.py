"""Where pages lead to: files of the pages, and the parameters that put a view into the URL."""

from __future__ import annotations

from typing import Final, NamedTuple
from urllib.parse import urlencode

import streamlit as st

from tricklog.schemas.languages.messages import mark

OVERVIEW: Final = "../pages/overview/page.py"
BIDS: Final = "../pages/bids/page.py"
CAPTURE: Final = "../pages/capture/page.py"
EXPLORER: Final = "../pages/explorer/page.py"
PLAYERS: Final = "../pages/players/page.py"
EVENINGS: Final = "../pages/evenings/page.py"
VARIANTS: Final = "../pages/variants/page.py"
HANDS: Final = "../pages/hands/page.py"
GAMES: Final = "../pages/games/page.py"
STEPS: Final = "../pages/replay/page.py"
SAME_DEAL: Final = "../pages/same_deal/page.py"
LEDGER: Final = "../pages/ledger/page.py"
PRACTICE: Final = "../pages/practice/page.py"

AUDIT: Final = "../pages/audit/page.py"
IMPORT: Final = "../pages/import_logs/page.py"
IMPORT_PATH: Final = "import"
DEFINITIONS: Final = "../pages/definitions/page.py"
DEFINITIONS_PATH: Final = "definitions"
STEPS_PATH: Final = "replay"
SAME_DEAL_PATH: Final = "same-deal"
LEDGER_PATH: Final = "ledger"
PRACTICE_PATH: Final = "practice"
PRACTICE_WHO: Final = "practice-who"
PRACTICE_GAME: Final = "practice-game"
PRACTICE_TOPIC: Final = "practice-topic"
"""Parameters of practice: whose decisions are asked, and of which game, as its boxes name them."""
MOST_OFFERED: Final = 1_000
"""Players that practice can be about."""
RECORD: Final = "../pages/record/page.py"
RECORD_PATH: Final = "record"


class Screen(NamedTuple):
    """A page of the menu."""

    title: str
    path: str
    """Its path in the URL; the first page needs none."""
    file: str


GROUPS: Final = {
    mark("Our table"): (
        Screen(mark("Overview"), "", OVERVIEW),
        Screen(mark("Evenings"), "evenings", EVENINGS),
        Screen(mark("Players"), "players", PLAYERS),
    ),
    mark("Figures"): (
        Screen(mark("Bid accuracy"), "bids", BIDS),
        Screen(mark("Point capture"), "capture", CAPTURE),
        Screen(mark("Variants"), "variants", VARIANTS),
        Screen(mark("Explorer"), "explorer", EXPLORER),
    ),
    mark("Hands"): (
        Screen(mark("Hands"), "hands", HANDS),
        Screen(mark("Games"), "games", GAMES),
        Screen(mark("Replay"), STEPS_PATH, STEPS),
        Screen(mark("Same deal"), SAME_DEAL_PATH, SAME_DEAL),
        Screen(mark("Ledger"), LEDGER_PATH, LEDGER),
        Screen(mark("Practice"), PRACTICE_PATH, PRACTICE),
        Screen(mark("Audit"), "audit", AUDIT),
    ),
    mark("Logs"): (
        Screen(mark("Record"), RECORD_PATH, RECORD),
        Screen(mark("Import"), IMPORT_PATH, IMPORT),
        Screen(mark("Definitions"), DEFINITIONS_PATH, DEFINITIONS),
    ),
}
"""Every page, in the groups and the order of the menu."""

MENU: Final = tuple(screen for screens in GROUPS.values() for screen in screens)
"""Every page."""

WITHOUT_HANDS: Final = (RECORD_PATH, IMPORT_PATH, DEFINITIONS_PATH)
"""Paths of pages that have something to show before any hand is loaded: logs, and words."""
WITHOUT_TABLE: Final = (STEPS_PATH, LEDGER_PATH, PRACTICE_PATH, *WITHOUT_HANDS)
"""Paths of pages that are not about the hands of a table: those, and the ones of a single hand."""

PAGES: Final = {
    "": OVERVIEW,
    "overview": OVERVIEW,
    "evenings": EVENINGS,
    "bids": BIDS,
    "capture": CAPTURE,
    "explorer": EXPLORER,
    "players": PLAYERS,
    "variants": VARIANTS,
    "audit": AUDIT,
}
"""The pages with figures, by their path in the URL."""

FIGURE: Final = "figure"
"""Parameter: the metric whose cases the list of hands shows."""
OF_LOADS: Final = ("hands", "audit")
"""Paths of the pages that list what one load brought."""
AT: Final = "at"
"""Parameter: values of dimensions that are chosen on the way to a page, as ``dimension:value``."""
CAME_FROM: Final = "from"
"""Parameter: the page on which a figure was clicked on, with its parameters."""
WHICH: Final = "which"
"""Parameter and key: whether all of these cases are listed, or only some."""
STEP: Final = "ply"
"""Parameter and key: the step of a hand."""
HAND: Final = "hand"
"""Parameter: the hand on the table."""
ACTION: Final = "action"
"""Parameter: the action of a hand that a question stops before."""
BELOW: Final = "below"
HIDE: Final = "hide"
"""Parameters that the card table keeps itself: the seat below, and what is hidden."""
HIDDEN: Final = ("hands", "names", "trump")
"""What ``HIDE`` names, separated by commas."""
STUDY: Final = "study"
"""Parameter that the card table keeps itself: ``OFF`` for no values with all cards open."""
OFF: Final = "off"
TRY: Final = "try"
"""Parameter the card table keeps itself: the branch of ``tricklog.core.study.branches``."""
OF_TABLE: Final = (HAND, STEP, BELOW, HIDE, STUDY, TRY)
"""All parameters of the card table."""
PART: Final = "page"
"""Parameter and key: the part of a list that has several pages."""
SORT: Final = "sort"
"""Parameter and key: what the hands of a list come by."""
GAME: Final = "game"
"""Parameter: the game whose score sheet is shown."""
DEAL: Final = "deal"
"""Parameter: the key of the deal whose tables are compared."""
AGAINST: Final = "against"
"""Parameter and key: what the tables of a deal are compared with."""
LOG: Final = "log"
"""Parameter and key: the log whose game is shown, where several logs use its id."""
EVENING: Final = "evening"
"""Parameter and key: the day whose evening is shown."""
SEASON: Final = "season"
"""Parameter and key: the year whose season is shown."""
DRAFT: Final = "draft"
"""Parameter: the evening that is being recorded."""
VIEW: Final = "view"
"""Parameter and key: which part of a page is open."""
UNREADABLE: Final = "unreadable lines"
"""The part of the page ``AUDIT`` with the lines that could not be read."""
LOAD: Final = "load"
"""Parameter: the number of a load, of which alone hands, findings and lines are shown."""
SEARCHED: Final = "about"
"""Parameter and key: what the page of definitions is searched for."""
WHOSE: Final = "whose"
"""Parameter: the people and games that the page is about."""
_WHOSE_KEPT: Final = "whose-in-addresses"
LANGUAGE: Final = "lang"
"""Parameter: the code of the language in which pages are shown."""
WITH: Final = "with"
"""Parameter and key: the other player, of two side by side."""
METRIC: Final = "metric"
BY: Final = "by"
AND: Final = "and"
"""Parameters and keys of the explorer: the titles of a metric and of one or two dimensions."""


def keep_whose(word: str | None, *, in_address: bool) -> None:
    """Write into all addresses that lead from here what the table looked at is called.

    ``in_address`` says whether it belongs into that of the page as well, which else stays as it is.
    ``None`` stands for the table that needs no name.
    """
    st.session_state[_WHOSE_KEPT] = word
    if not in_address:
        return
    if word is None:
        st.query_params.pop(WHOSE, None)
    elif st.query_params.get(WHOSE) != word:
        st.query_params[WHOSE] = word


def whose_parameter() -> dict[str, str]:
    """Return the parameter of addresses that names the table looked at, empty if it needs none."""
    word = st.session_state.get(_WHOSE_KEPT)
    return {WHOSE: word} if word else {}


def to_step(hand_id: str, step: int = 0) -> dict[str, str]:
    """Return the parameters of the page ``STEPS`` for one hand before action ``step``."""
    return {HAND: hand_id} | ({STEP: str(step)} if step else {}) | whose_parameter()


def to_game(game: str) -> dict[str, str]:
    """Return the parameters of the page ``GAMES`` for the score sheet of one game."""
    return {GAME: game} | whose_parameter()


def to_deal(key: str) -> dict[str, str]:
    """Return the parameters of the page ``SAME_DEAL`` for the tables of one deal."""
    return {DEAL: key} | whose_parameter()


def to_hands(finding: str) -> dict[str, str]:
    """Return the parameters of the page ``HANDS`` for the hands with one kind of finding.

    A filter stands in the URL by what it is called on the page.
    """
    return {"finding": finding} | whose_parameter()


def with_parameter(page: str, name: str, value: str) -> str:
    """Return the address of this page, of which ``page`` is the path, with one parameter replaced.

    It leads to the first part of a list.
    """
    query = {key: st.query_params.get_all(key) for key in st.query_params if key != PART}
    return f"{page}?{urlencode(query | {name: [value]}, doseq=True)}"


def from_here() -> dict[str, list[str]]:
    """Return the parameter by which the list of hands offers the way back to this page."""
    page = here()
    if page not in PAGES:
        return {}
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    return {CAME_FROM: [f"{page}?{urlencode(query, doseq=True)}"]}


def here() -> str:
    """Return the path of the page that is shown."""
    return str(st.session_state.get("arrived-at", ""))


def arrive_at(page: str) -> bool:
    """On the way from another page, forget which part of the page before was shown.

    Streamlit keeps what is bound to the URL from page to page. For filters that is welcome; but a
    link to a hand means its first step, not the step of the hand looked at before. Returns whether
    the viewer has come from another page, or has just opened this one.
    """
    if st.session_state.get("arrived-at") == page:
        return False
    st.session_state["arrived-at"] = page
    for key in (STEP, PART, SORT, VIEW, LOG, EVENING, SEASON):
        st.session_state.pop(key, None)
    return True


def number_of(key: str, default: int) -> int:
    """Return the number a widget bound to the URL has, before the widget itself is made."""
    if key in st.session_state:
        return int(st.session_state[key])
    text = st.query_params.get(key, "")
    return int(text) if text.isascii() and text.isdigit() else default
