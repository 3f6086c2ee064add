"""Where pages lead to: files of the pages, and the parameters that put a view into the URL."""

from __future__ import annotations

from typing import Final, NamedTuple

import streamlit as st

from tricklog.schemas.languages.messages import mark


class Screen(NamedTuple):
    """A page of the menu."""

    group: str
    title: str
    path: str
    """Its path in the URL; the first page needs none."""
    figures: bool = False
    """Whether it shows figures, to which the list of hands behind one leads back."""
    needs_hands: bool = True
    """Whether it has nothing to show before a hand is loaded."""
    of_table: bool = True
    """Whether it is about all hands of our table, and says so above them."""
    of_load: bool = False
    """Whether it lists what one load brought."""
    folder: str = ""
    """Where it lies in ``dashboard/pages``, if not under the name of its path."""

    @property
    def file(self) -> str:
        """Return its file, as Streamlit calls it."""
        return f"../pages/{self.folder or self.path.replace('-', '_')}/page.py"


_TABLE, _FIGURES, _HANDS, _LOGS = mark("Our table"), mark("Figures"), mark("Hands"), mark("Logs")
MENU: Final = (
    Screen(_TABLE, mark("Overview"), "", figures=True, folder="overview"),
    Screen(_TABLE, mark("Evenings"), "evenings", figures=True),
    Screen(_TABLE, mark("Players"), "players", figures=True),
    Screen(_FIGURES, mark("Bid accuracy"), "bids", figures=True),
    Screen(_FIGURES, mark("Point capture"), "capture", figures=True),
    Screen(_FIGURES, mark("Variants"), "variants", figures=True),
    Screen(_FIGURES, mark("Explorer"), "explorer", figures=True),
    Screen(_HANDS, mark("Hands"), "hands", of_load=True),
    Screen(_HANDS, mark("Games"), "games"),
    Screen(_HANDS, mark("Replay"), "replay", of_table=False),
    Screen(_HANDS, mark("Same deal"), "same-deal"),
    Screen(_HANDS, mark("Ledger"), "ledger", of_table=False),
    Screen(_HANDS, mark("Practice"), "practice", of_table=False),
    Screen(_HANDS, mark("Audit"), "audit", figures=True, of_load=True),
    Screen(_LOGS, mark("Record"), "record", needs_hands=False, of_table=False),
    Screen(
        _LOGS, mark("Import"), "import", needs_hands=False, of_table=False, folder="import_logs"
    ),
    Screen(_LOGS, mark("Definitions"), "definitions", needs_hands=False, of_table=False),
)
"""Every page, in the order of the menu."""

GROUPS: Final = {
    group: tuple(each for each in MENU if each.group == group)
    for group in dict.fromkeys(each.group for each in MENU)
}
"""Every page, in the groups and the order of the menu."""
PAGES: Final = {each.path: each for each in MENU} | {"overview": MENU[0]}
"""Every page, by its path in the URL."""
OVERVIEW: Final = PAGES[""].file
BIDS: Final = PAGES["bids"].file
CAPTURE: Final = PAGES["capture"].file
EXPLORER: Final = PAGES["explorer"].file
PLAYERS: Final = PAGES["players"].file
EVENINGS: Final = PAGES["evenings"].file
VARIANTS: Final = PAGES["variants"].file
HANDS: Final = PAGES["hands"].file
GAMES: Final = PAGES["games"].file
STEPS: Final = PAGES["replay"].file
SAME_DEAL: Final = PAGES["same-deal"].file
LEDGER: Final = PAGES["ledger"].file
PRACTICE: Final = PAGES["practice"].file
AUDIT: Final = PAGES["audit"].file
IMPORT: Final = PAGES["import"].file
RECORD: Final = PAGES["record"].file
DEFINITIONS: Final = PAGES["definitions"].file
"""Files of pages, for links of Streamlit."""
DEFINITIONS_PATH: Final = "definitions"
STEPS_PATH: Final = "replay"
SAME_DEAL_PATH: Final = "same-deal"
LEDGER_PATH: Final = "ledger"
PRACTICE_PATH: Final = "practice"
"""Paths of pages, for links that a browser follows by itself."""

PRACTICE_WHO: Final = "practice-who"
PRACTICE_GAME: Final = "practice-game"
PRACTICE_TOPIC: Final = "practice-topic"
"""Parameters of practice: whose decisions are asked, of which game, and which of them."""

FIGURE: Final = "figure"
"""Parameter: the metric whose cases the list of hands shows."""
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
UNREADABLE: Final = "unreadable-lines"
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
"""Parameters and keys of the explorer: a metric and one or two dimensions."""


def id_of(title: str) -> str:
    """Return what an address calls something by its English title: ``by-bid``."""
    return title.lower().replace(" ", "-")


def keep_whose(word: str | None) -> None:
    """Write into all addresses that lead from here what the table looked at is called.

    ``None`` stands for the table that needs no name.
    """
    st.session_state[_WHOSE_KEPT] = word


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
    """Return the parameters of the page ``HANDS`` for the hands with one kind of finding."""
    return {"finding": finding} | whose_parameter()
