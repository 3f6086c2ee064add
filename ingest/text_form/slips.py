"""Keywords that are written with a slip: which one was meant, so that its line can be read on."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from tricklog.ingest.text_form.cards import SUIT_WORDS, cards_of
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import nearest, shown
from tricklog.ingest.text_form.scanner import tokens
from tricklog.ingest.text_form.settings import games
from tricklog.ingest.text_form.vocabulary import KEYWORDS, NONES, VERBS
from tricklog.schemas.limits import MIN_SEATS

_STATEMENT: Final = re.compile(r"([^\W\d_]{4,20})(?:\s*:\s*|\s+)(?=[\w\"@+?-])")
_SUPPOSED: Final = frozenset(
    {"game", "players", "dealer", "date", "before", "points", "change", "after", "winners"}
)
"""Keywords that are supposed where a line begins with a word that is near."""
_SHORTEST: Final = 4
"""Letters of a word in which a slip can be seen."""
_WORDS: Final = tuple(
    word for word, keyword in KEYWORDS.items() if keyword in _SUPPOSED and len(word) >= _SHORTEST
)
_LIST: Final = re.compile(r"[,&+]")


class Slip(NamedTuple):
    """A keyword that was meant, and what stands behind it."""

    keyword: str
    begin: int
    """Where that begins in the text."""
    message: str


def slip_of(page: Page, text: str) -> Slip | None:
    """Return the keyword that a statement begins with but for a slip, if there is one."""
    found = _STATEMENT.match(text)
    if found is None:
        return None
    written, rest = found[1], text[found.end() :].strip()
    meant = _meant(written)
    if not meant or not _goes_with(KEYWORDS[meant], written, rest) or _is_player(page, text):
        return None
    message = f"{shown(written)} is no word of the form; did you mean {meant}?"
    return Slip(KEYWORDS[meant], found.end(), message)


@lru_cache(maxsize=1 << 10)
def _meant(written: str) -> str:
    """Return the keyword that is near a word that means nothing itself, empty for none."""
    word = fold(written)
    if word in KEYWORDS or word in VERBS or word in SUIT_WORDS or word in NONES or cards_of(word):
        return ""
    if any(phrase.startswith(f"{word} ") for phrase in (*KEYWORDS, *VERBS)):
        return ""
    return nearest(written, _WORDS)


def _is_player(page: Page, text: str) -> bool:
    """Whether a statement begins with a player, or with a word that is near one's name."""
    names = page.table.names
    line = tokens(text, 1)
    known = {word for key in names.keys for word in (key, key.partition(" ")[0])}
    return names.at(line, 0)[0] is not None or bool(nearest(line[0].text, known))


def _goes_with(keyword: str, written: str, rest: str) -> bool:
    """Whether what stands behind a word is what stands behind such a keyword."""
    if keyword == "game":
        return fold(rest) in games()
    if keyword == "players":
        others = [fold(part.strip()) for part in _LIST.split(rest)][1:]
        # Players may be called Player 1, Player 2.
        alike = any(other.startswith(fold(written)) for other in others)
        return bool(others or rest.count(" ") >= MIN_SEATS - 1) and not alike
    if keyword in {"dealer", "winners"}:
        return not any(map(str.isdigit, rest))
    return any(map(str.isdigit, rest))
