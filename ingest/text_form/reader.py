"""Reads hands from lines of text: each as a record of the log, with all that is wrong in it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from tricklog.core import Ruleset
from tricklog.ingest.text_form import plain_lines
from tricklog.ingest.text_form.acts import read_acts
from tricklog.ingest.text_form.cards import SUIT_WORDS, cards_of
from tricklog.ingest.text_form.fields import FIELDS, read_contract, read_then
from tricklog.ingest.text_form.finishing import Record, SoFar, finish, next_number
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import MOST, Problem, Severity, nearest, shown
from tricklog.ingest.text_form.scanner import (
    WHOLE_LINE,
    closing,
    first_word,
    is_one_statement,
    keyword_of,
    statements,
    tokens,
)
from tricklog.ingest.text_form.settings import SETTINGS, games, is_heading
from tricklog.ingest.text_form.vocabulary import KEYWORDS, NONES, VERBS
from tricklog.schemas.limits import MIN_SEATS

FIRST_LINE: Final = "tricklog text 1"
"""What a text may begin with, and the writer begins with."""
MOST_BYTES: Final = 1 << 18
"""Bytes of a line, unless it is JSON."""
_MOST_STATEMENTS: Final = 64
"""Statements of a line that are not parted by semicolons."""
_END_OF_HAND: Final = re.compile(r"[-=_*~]{3,}")
_TRICK: Final = re.compile(r"(?:(\S+)\s+)?([0-9]{1,2})\s*[.):](?=\s|$)\s*")
_TRICK_WITHOUT_SIGN: Final = re.compile(r"(\S+)\s+([0-9]{1,2})\s+(?=\S)")
_ARE_TRUMPS: Final = re.compile(r"([^\W\d]+|[♠♥♦♣])(?:\s+(?:are|is|är|on|son|ovat))?\s+([^\W\d]+)")
_BID_BY: Final = re.compile(r"bids?\s+([1-9][0-9]{0,2})\s+(?:by|av)\s+", re.IGNORECASE)
_HAND: Final = re.compile(r"(?:no\.?|nr\.?|#)?\s*([0-9]{1,6})\b[.:,]?\s*")
_AFTER_COMMA: Final = re.compile(r"\s*,\s*")
_FIRST_WORDS: Final = frozenset(phrase.partition(" ")[0] for phrase in KEYWORDS)
"""First words of keywords, of those in two words too."""
_PLAIN_KEYWORDS: Final = {
    word: keyword
    for word, keyword in KEYWORDS.items()
    if word.isalpha()
    and word not in SUIT_WORDS
    and keyword != "trick"
    and not any(phrase.startswith(f"{word} ") for phrase in KEYWORDS)
}
"""Keywords that no other word makes another one, and that begin no line of another kind."""
_BIDS: Final = frozenset({"bid", "bids"})
_KEYWORD: Final = re.compile(r"[^\s:,;()\"=]+")


@dataclass(frozen=True, slots=True)
class TextHand:
    """A hand of a text, or what stands in the place of one: settings that cannot be read."""

    line: int
    """Where it begins, from 1."""
    byte: int
    """Where that line begins."""
    record: Record | None
    """Its fields as in the log, but for ``format``; nothing when something is wrong."""
    problems: tuple[Problem, ...]
    """All that is wrong, and what was warned about, in the order of the text."""
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Line and column of the parts of it that are written, by their JSON pointers in the log."""


class _Head(NamedTuple):
    """The keyword that a statement begins with."""

    keyword: str
    rest: str
    column: int
    """Of the rest."""


class TextReader:
    """Reads a text line by line."""

    def __init__(self, source: str, judged_by: Ruleset | None = None) -> None:
        """Begin a text.

        Args:
            source: what its hands are called where no match is named.
            judged_by: the rules that say whose turn it is, instead of those that the text names.
        """
        self._page = Page(source, judged_by)
        self._so_far = SoFar()
        self._ready: list[TextHand] = []

    @property
    def begins(self) -> tuple[int, int] | None:
        """Line and byte where the hand begins that has not ended, if there is one."""
        draft = self._page.draft
        return (draft.line, draft.byte) if draft else None

    @property
    def setting_lines(self) -> set[int]:
        """The lines above that say the game and the players of the hands that follow."""
        return {line for line, _ in self._page.table.places.values()}

    def feed(self, number: int, byte: int, line: str) -> list[TextHand]:
        """Read a line; return the hands that have ended."""
        page = self._page
        page.line, page.byte = number, byte
        if len(line) > MOST_BYTES and keyword_of(line[:200].lstrip(" >")) not in WHOLE_LINE:
            page.opened()
            page.error(1, f"this line has {len(line):,} characters; the most is {MOST_BYTES:,}")
        elif line and not self._take_plainly(line):
            for statement in statements(line):
                self._say(statement.text, statement.column)
        return self._ended()

    def _take_plainly(self, line: str) -> bool:
        """Take a line that can be read in one way alone; return whether it was."""
        draft = self._page.draft
        if draft is None or draft.is_given_up:
            return False
        word, space, rest = line.rstrip(" ").partition(" ")
        keyword = _PLAIN_KEYWORDS.get(word)
        if keyword is None:
            return plain_lines.take(self._page, line)
        # One statement with a keyword, which can be nothing else: dealer Ann.
        text = line.rstrip(" ")
        if not space or keyword in WHOLE_LINE or not is_one_statement(text):
            return False
        stripped = rest.lstrip(" :")
        head = _Head(keyword, stripped, 1 + len(text) - len(stripped))
        begin = self._keyword(head, text, 1)
        if begin is not None:
            self._say(text[begin - 1 :], begin)
        return True

    def end(self) -> Iterator[TextHand]:
        """Return the hands that end with the text, and settings no hand has reported."""
        self._close()
        yield from self._ended()
        for draft in self._page.unread.values():
            yield TextHand(draft.line, draft.byte, None, tuple(draft.problems))
        self._page.told()

    def complain(self, column: int, message: str) -> None:
        """Report what is wrong with the last line itself."""
        self._page.opened()
        self._page.error(column, message)

    def give_up(self, message: str) -> None:
        """Report that the hand that is open cannot be a hand; pass over the rest of it."""
        draft = self._page.opened()
        if draft.is_long:
            return
        problem = Problem(self._page.line, 1, Severity.ERROR, message)
        draft.problems = [*draft.problems[: MOST - 1], problem]
        draft.is_long = True

    def _ended(self) -> list[TextHand]:
        if not self._ready:
            return []
        ended, self._ready = self._ready, []
        return ended

    def _close(self) -> None:
        """End the hand that is open, under the settings of now."""
        page = self._page
        draft, page.draft = page.draft, None
        if draft is None or not (draft.has_content or draft.problems):
            return
        draft.problems += page.cautions
        record = finish(draft, page.table, self._so_far)
        page.told()
        problems = sorted(draft.problems, key=lambda each: (each.line, each.column))
        deal = {f"/deal/{seat}": (each.line, each.column) for seat, each in draft.deal.items()}
        acts = {f"/actions/{index}": place for index, place in enumerate(draft.places)}
        places = {**page.table.places, **draft.wheres, **deal, **acts}
        hand = TextHand(draft.line, draft.byte, record, tuple(problems[:MOST]), places)
        self._ready.append(hand)

    # --- Statements

    def _say(self, text: str, column: int) -> None:
        """Read a statement and those that follow it without a semicolon."""
        page = self._page
        for _ in range(_MOST_STATEMENTS):
            if page.draft is not None and page.draft.is_given_up:
                # One that begins a hand, ends one, or holds for the hands that follow is read.
                keyword = keyword_of(text)
                if not (keyword == "hand" or keyword in SETTINGS or _END_OF_HAND.fullmatch(text)):
                    return
            begin = self._one(text, column)
            if begin is None:
                return
            text, column = text[begin - column :], begin
        page.error(column, "this line says too much: divide it into lines")

    def _one(self, text: str, column: int) -> int | None:
        """Read a statement; return the column at which another one follows it."""
        page = self._page
        if fold(text[:40]).startswith("tricklog text"):
            if fold(text) != FIRST_LINE:
                page.opened()
                page.error(column, f"this file says {shown(text)}; this reader reads {FIRST_LINE}")
            return None
        if _END_OF_HAND.fullmatch(text):
            self._close()
            return None
        if (slip := _slip_of(page, text)) is not None:
            # The keyword that was meant is read, and it is said which.
            head, message = slip
            head = head._replace(column=column + head.column)
            if head.keyword not in SETTINGS:
                page.error(column, message)
                return self._keyword(head, text, column)
            self._keyword(head, text, column)
            page.refuse(head.keyword, column, message)
            return None
        if is_heading(page, text, column):
            return None
        if (trick := _trick_of(text)) is not None:
            return self._numbered_trick(trick, text, column)
        first = first_word(text)
        found = _ARE_TRUMPS.fullmatch(text) if first in SUIT_WORDS else None
        if found and VERBS.get(fold(found[2])) == "trump":
            read_acts(page, tokens(f"{found[2]} {found[1]}", column))
            return None
        head_of = _head(text, column) if first in _FIRST_WORDS else None
        if head_of is not None:
            return self._keyword(head_of, text, column)
        if first in _BIDS and (said := _BID_BY.match(text)):
            # "bid 8 by Ann …" is "Ann 8 …", in as many characters.
            name, _, rest = text[said.end() :].partition(",")
            turned = f"{name.strip()} {said[1]}".ljust(len(text) - len(rest) - 1)
            text = turned + ("," + rest if rest else "")
        return read_acts(page, tokens(text, column))

    def _keyword(self, head: _Head, text: str, column: int) -> int | None:
        page = self._page
        keyword, rest, at = head
        if keyword in SETTINGS:
            if page.draft is not None and page.draft.has_content:
                self._close()
            SETTINGS[keyword](page, rest.strip(), at)
        elif keyword == "hand":
            return self._begin_hand(rest, at)
        elif keyword == "bids":
            return self._bids(rest, at)
        elif keyword == "trick":
            page.opened()
            page.error(column, "which trick? Write its number: trick 3 Ann 7h 6h 8h Jh")
        elif keyword == "then":
            read_then(page, rest, at)
        elif keyword == "contract":
            read_contract(page, rest, at)
        else:
            return self._field(head, text, column)
        return None

    def _begin_hand(self, text: str, column: int) -> int | None:
        """``hand 4``: a hand begins, with what follows."""
        self._close()
        draft = self._page.open()
        rest = text.lstrip()
        column += len(text) - len(rest)
        behind = 0
        if found := _HAND.match(rest):
            draft.number = int(found[1])
            behind = found.end()
        elif rest.startswith("?"):
            behind = 1
        else:
            draft.number = 0
        return column + behind if rest[behind:].strip(" ,.:") else None

    def _bids(self, text: str, column: int) -> int | None:
        """``bids Ann 7 …``: the calls, all of them and as they were."""
        draft = self._page.opened()
        draft.is_exact = True
        line = tokens(text, column)
        if line and line[0].word.folded in NONES:
            line = line[1:]
        if draft.last_caller is None:
            draft.last_caller = draft.fields.get("dealer")
        return read_acts(self._page, line, calls=True, inside=True)

    def _numbered_trick(self, trick: tuple[int, int], text: str, column: int) -> int | None:
        """``trick 3: …``: a trick with its number; those between were not written down."""
        number, behind = trick
        page = self._page
        draft = page.opened()
        gap = draft.gaps[-1] if draft.gaps and draft.gaps[-1].before == len(draft.actions) else None
        expected = next_number(draft, page.table, gap) if page.table.players else None
        if expected is not None and number > expected:
            gap = gap or draft.gap_here()
            gap.missing, gap.tricks = "tricks", (expected, number - 1)
        elif expected is not None and number < expected:
            message = f"this is written as trick {number}, but would be trick {expected}"
            page.warn(column, message)
        return read_acts(page, tokens(text[behind:], column + behind))

    def _field(self, head: _Head, text: str, column: int) -> int | None:
        """A field of the hand, and what stands behind it."""
        page = self._page
        keyword, rest, at = head
        said = FIELDS[keyword]
        if keyword == "result":
            # The word itself says how it ended: made, set by 1.
            rest, at = text, column
        draft = page.open() if keyword == "id" else page.opened()
        draft.wheres |= dict.fromkeys(said.pointers, (page.line, column))
        behind = None
        if said.is_short:
            rest, behind = _up_to_keyword(rest, at)
            opened = rest.find("(")
            if opened >= 0 and closing(rest, opened) == len(rest.rstrip()):
                if remark := tokens(rest[opened:], 1)[0].text:
                    draft.remarks.append(remark)
                rest = rest[:opened]
        at += len(rest) - len(rest.lstrip())
        others = said.put(page, rest.strip(), at)
        return read_acts(page, others, inside=True) if others else behind


# --- Parts of statements


def _head(text: str, column: int) -> _Head | None:
    """Return the keyword, in one or two words, that a statement begins with."""
    words = list(itertools.islice(_KEYWORD.finditer(text), 2))
    for last in reversed(words):
        keyword = KEYWORDS.get(fold(" ".join(text[: last.end()].split())))
        if keyword:
            rest = text[last.end() :].lstrip(" :")
            return _Head(keyword, rest, column + len(text) - len(rest))
    return None


def _trick_of(text: str) -> tuple[int, int] | None:
    """Return the number that a line of a trick begins with, and the place behind it."""
    found = _TRICK.match(text)
    if found and found[1] is None:
        return int(found[2]), found.end()
    for numbered in (found, _TRICK_WITHOUT_SIGN.match(text)):
        if numbered and KEYWORDS.get(fold(numbered[1])) == "trick":
            return int(numbered[2]), numbered.end()
    return None


def _up_to_keyword(text: str, column: int) -> tuple[str, int | None]:
    """Return a text up to a comma before a keyword, and the column of the keyword."""
    at = 0
    while found := _AFTER_COMMA.search(text, at):
        opened = text.find("(", at, found.start())
        if opened >= 0:
            end = closing(text, opened)
            if end is None:
                break
            if end > found.start():
                at = end
                continue
        behind = text[found.end() : found.end() + 40]
        if keyword_of(behind) or fold(behind).startswith("no card"):
            return text[: found.start()], column + found.end()
        at = found.end()
    return text, None


# --- Keywords that are written with a slip


_STATEMENT: Final = re.compile(r"([^\W\d_]{4,20})(?:\s*:\s*|\s+)(?=[\w\"@+?-])")
_SUPPOSED: Final = frozenset(
    {"game", "players", "dealer", "date", "before", "points", "change", "after", "winners"}
)
"""Keywords that are supposed where a line begins with a word that is near."""
_SHORTEST: Final = 4
"""Letters of a word in which a slip can be seen."""
_NEAR: Final = tuple(
    word for word, keyword in KEYWORDS.items() if keyword in _SUPPOSED and len(word) >= _SHORTEST
)
_LIST: Final = re.compile(r"[,&+]")


def _slip_of(page: Page, text: str) -> tuple[_Head, str] | None:
    """Return the keyword that a statement begins with but for a slip, and what to say of it."""
    found = _STATEMENT.match(text)
    meant = _meant(found[1]) if found else ""
    if found is None or not meant:
        return None
    if not _goes_with(KEYWORDS[meant], found[1], text[found.end() :].strip()):
        return None
    # A statement may begin with a player, or with a word that is near one's name.
    names = page.table.names
    line = tokens(text, 1)
    known = {word for key in names.keys for word in (key, key.partition(" ")[0])}
    if names.at(line, 0)[0] is not None or nearest(line[0].text, known):
        return None
    message = f"{shown(found[1])} is no word of the form; did you mean {meant}?"
    return _Head(KEYWORDS[meant], text[found.end() :], found.end()), message


@lru_cache(maxsize=1 << 10)
def _meant(written: str) -> str:
    """Return the keyword that is near a word that means nothing itself, empty for none."""
    word = fold(written)
    if word in KEYWORDS or word in VERBS or word in SUIT_WORDS or word in NONES or cards_of(word):
        return ""
    if any(phrase.startswith(f"{word} ") for phrase in (*KEYWORDS, *VERBS)):
        return ""
    return nearest(written, _NEAR)


def _goes_with(keyword: str, written: str, rest: str) -> bool:
    """Whether what stands behind a word is what stands behind such a keyword."""
    if keyword == "game":
        return fold(rest) in games()
    if keyword == "players":
        others = [fold(part.strip()) for part in _LIST.split(rest)][1:]
        # Players may be called Player 1, Player 2.
        alike = any(other.startswith(fold(written)) for other in others)
        return bool(others or rest.count(" ") >= MIN_SEATS - 1) and not alike
    has_digits = any(map(str.isdigit, rest))
    return not has_digits if keyword in {"dealer", "winners"} else has_digits


# --- What a text of hands begins with, by which it is known where its name does not tell


_LONGEST: Final = 400
"""Characters of a first line that is looked at."""
_BEHIND: Final = re.compile(r"\s*+[^\s:,;()\"=]+\s*:?\s+\S")


def begins_text(line: str) -> bool:
    """Whether the first line that is no comment shows that hands follow as text.

    It is the line that texts of Tricklog begin with, a keyword with something behind it, the name
    of a game, a date, or the names of the players.
    """
    line = line.strip()
    if len(line) > _LONGEST:
        return False
    if line.casefold().startswith(FIRST_LINE.rpartition(" ")[0]):
        return True
    if keyword_of(line) is not None:
        return bool(_BEHIND.match(line))
    page = Page("")
    return is_heading(page, line, 1) and not page.table.broken
