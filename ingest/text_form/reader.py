"""Reads hands from lines of text: each as a record of the log, with all that is wrong in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tricklog.core import Ruleset
from tricklog.ingest.text_form import gaps, plain_lines
from tricklog.ingest.text_form.acts import read_acts
from tricklog.ingest.text_form.cards import SUIT_WORDS
from tricklog.ingest.text_form.draft import DraftGap, places_by_pointer
from tricklog.ingest.text_form.fields import FIELDS, SHORT, WRITES
from tricklog.ingest.text_form.finishing import Record, SoFar, finish, next_number
from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.page import Page
from tricklog.ingest.text_form.problems import MOST, Problem, Severity, shown
from tricklog.ingest.text_form.scanner import (
    WHOLE_LINE,
    closing,
    first_word,
    is_one_statement,
    keyword_of,
    statements,
    tokens,
)
from tricklog.ingest.text_form.settings import SETTINGS, is_heading
from tricklog.ingest.text_form.slips import Slip, slip_of
from tricklog.ingest.text_form.vocabulary import KEYWORDS, NONES, VERBS

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
    def first_line(self) -> int:
        """The line where the hand begins that has not ended, 0 for none."""
        draft = self._page.draft
        return draft.line if draft else 0

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
        if line.partition(" ")[0] in _PLAIN_KEYWORDS:
            return self._says_plainly(line)
        return plain_lines.take(self._page, line)

    def _says_plainly(self, line: str) -> bool:
        """Take a line that is one statement with a keyword; return whether it was."""
        text = line.rstrip(" ")
        head = _plain_head(self._page, text)
        if head is None or head.keyword in WHOLE_LINE or not is_one_statement(text):
            return False
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
        places = {**page.table.places, **places_by_pointer(draft)}
        hand = TextHand(draft.line, draft.byte, record, tuple(problems[:MOST]), places)
        self._ready.append(hand)

    # --- Statements

    def _say(self, text: str, column: int) -> None:
        """Read a statement and those that follow it without a semicolon."""
        for _ in range(_MOST_STATEMENTS):
            page = self._page
            if page.draft is not None and page.draft.is_given_up and not _begins_anew(text):
                return
            begin = self._one(text, column)
            if begin is None:
                return
            text, column = text[begin - column :], begin
        self._page.error(column, "this line says too much: divide it into lines")

    def _one(self, text: str, column: int) -> int | None:
        """Read a statement; return the column at which another one follows it."""
        page = self._page
        folded = fold(text[:40])
        if folded.startswith("tricklog text"):
            if fold(text) != FIRST_LINE:
                page.opened()
                page.error(column, f"this file says {shown(text)}; this reader reads {FIRST_LINE}")
            return None
        if _END_OF_HAND.fullmatch(text):
            self._close()
            return None
        if (slip := slip_of(page, text)) is not None:
            return self._supposed(slip, text, column)
        if is_heading(page, text, column):
            return None
        if (trick := _trick_of(text)) is not None:
            return self._numbered_trick(trick, text, column)
        first = first_word(text)
        if first in SUIT_WORDS and (trumps := _trumps_of(text)):
            read_acts(page, tokens(trumps, column))
            return None
        head = _head(text, column) if first in _FIRST_WORDS else None
        if head is not None:
            return self._keyword(head, text, column)
        if first in _BIDS and (said := _BID_BY.match(text)):
            text = _turned(text, said)
        return read_acts(page, tokens(text, column))

    def _keyword(self, head: _Head, text: str, column: int) -> int | None:
        page = self._page
        keyword, rest, at = head
        if keyword in SETTINGS:
            if page.draft is not None and page.draft.has_content:
                self._close()
            SETTINGS[keyword](page, rest.strip(), at)
            return None
        if keyword == "hand":
            return self._begin_hand(rest, at)
        if keyword == "bids":
            return self._bids(rest, at)
        if keyword == "trick":
            page.opened()
            page.error(column, "which trick? Write its number: trick 3 Ann 7h 6h 8h Jh")
            return None
        if keyword == "then":
            gaps.read_then(page, rest, at)
            return None
        if keyword == "contract":
            gaps.read_contract(page, rest, at)
            return None
        return self._field(head, text, column)

    def _supposed(self, slip: Slip, text: str, column: int) -> int | None:
        """Read a statement with the keyword that was meant, and say which."""
        head = _Head(slip.keyword, text[slip.begin :], column + slip.begin)
        if slip.keyword not in SETTINGS:
            self._page.error(column, slip.message)
            return self._keyword(head, text, column)
        self._keyword(head, text, column)
        self._page.refuse(slip.keyword, column, slip.message)
        return None

    def _begin_hand(self, text: str, column: int) -> int | None:
        """``hand 4``: a hand begins, with what follows."""
        self._close()
        draft = self._page.open()
        rest = text.lstrip()
        column += len(text) - len(rest)
        if found := _HAND.match(rest):
            draft.number = int(found[1])
            behind = found.end()
        elif rest.startswith("?"):
            behind = 1
        else:
            draft.number, behind = 0, 0
        return column + behind if rest[behind:].strip(" ,.:") else None

    def _bids(self, text: str, column: int) -> int | None:
        """``bids Ann 7 …``: the calls, all of them and as they were."""
        draft = self._page.opened()
        draft.is_exact = True
        line = tokens(text, column)
        if line and line[0].word.folded in NONES:
            line = line[1:]
        if draft.last_caller is None and "dealer" in draft.fields:
            draft.last_caller = draft.fields["dealer"]
        return read_acts(self._page, line, calls=True, inside=True)

    def _numbered_trick(self, trick: tuple[int, int], text: str, column: int) -> int | None:
        """``trick 3: …``: a trick with its number; those between were not written down."""
        number, behind = trick
        page = self._page
        draft = page.opened()
        gap = draft.gaps[-1] if draft.gaps and draft.gaps[-1].before == len(draft.actions) else None
        expected = _next_trick(page, gap)
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
        if keyword == "result":
            # The word itself says how it ended: made, set by 1.
            rest, at = text, column
        draft = page.open() if keyword == "id" else page.opened()
        for pointer in WRITES.get(keyword, ()):
            draft.wheres[pointer] = (page.line, column)
        behind = None
        if keyword in SHORT:
            rest, behind = _up_to_keyword(rest, at)
            rest, remark = _without_remark(rest)
            if remark:
                draft.remarks.append(remark)
        stripped = rest.strip()
        at += len(rest) - len(rest.lstrip())
        others = FIELDS[keyword](page, stripped, at)
        if others:
            return read_acts(page, others, inside=True)
        return behind


# --- Parts of statements


def _begins_anew(text: str) -> bool:
    """Whether a statement begins a hand, ends one, or holds for the hands that follow."""
    keyword = keyword_of(text)
    return keyword == "hand" or keyword in SETTINGS or bool(_END_OF_HAND.fullmatch(text))


def _head(text: str, column: int) -> _Head | None:
    """Return the keyword, in one or two words, that a statement begins with."""
    words = []
    for word in _KEYWORD.finditer(text):
        words.append(word)
        if len(words) == 2:  # noqa: PLR2004
            break
    for last in reversed(words):
        phrase = text[: last.end()]
        keyword = KEYWORDS.get(fold(" ".join(phrase.split())))
        if keyword:
            rest = text[last.end() :]
            cut = len(rest) - len(rest.lstrip(" :"))
            return _Head(keyword, rest[cut:], column + last.end() + cut)
    return None


def _plain_head(page: Page, text: str) -> _Head | None:
    """Return the keyword of a statement that can be nothing else: ``dealer Ann``."""
    word, space, rest = text.partition(" ")
    keyword = _PLAIN_KEYWORDS.get(word)
    if keyword is None or not space or not page.table.is_met:
        return None
    stripped = rest.lstrip(" :")
    return _Head(keyword, stripped, 1 + len(text) - len(stripped))


def _trick_of(text: str) -> tuple[int, int] | None:
    """Return the number that a line of a trick begins with, and the place behind it."""
    found = _TRICK.match(text)
    if found and (found[1] is None or KEYWORDS.get(fold(found[1])) == "trick"):
        return int(found[2]), found.end()
    found = _TRICK_WITHOUT_SIGN.match(text)
    if found and KEYWORDS.get(fold(found[1])) == "trick":
        return int(found[2]), found.end()
    return None


def _next_trick(page: Page, gap: DraftGap | None) -> int | None:
    """Return the number that the next trick has, if that is known.

    ``gap``: what is not recorded just before it. Where it numbers its tricks, they count.
    """
    table = page.table
    return next_number(page.opened(), table, gap) if table.players else None


def _trumps_of(text: str) -> str | None:
    """Return ``hearts are trumps`` as ``trumps hearts``."""
    found = _ARE_TRUMPS.fullmatch(text)
    return f"{found[2]} {found[1]}" if found and VERBS.get(fold(found[2])) == "trump" else None


def _turned(text: str, said: re.Match[str]) -> str:
    """Return ``bid 8 by Ann …`` as ``Ann 8 …``, in as many characters."""
    name, _, rest = text[said.end() :].partition(",")
    turned = f"{name.strip()} {said[1]}"
    return turned.ljust(len(text) - len(rest) - 1) + ("," + rest if rest else "")


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


def _without_remark(text: str) -> tuple[str, str]:
    """Return a text without the remark in brackets at its end, and that remark."""
    opened = text.find("(")
    if opened < 0 or closing(text, opened) != len(text.rstrip()):
        return text, ""
    inside = tokens(text[opened:], 1)
    return text[:opened], inside[0].text
