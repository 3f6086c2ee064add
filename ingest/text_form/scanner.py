"""From the lines of a text to statements, and from statements to words with their places."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from tricklog.ingest.text_form.folding import fold
from tricklog.ingest.text_form.vocabulary import KEYWORDS, Word, word_of

JSON_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
WHOLE_LINE: Final = frozenset({"option", "definition", "ext"})
"""Keywords whose line is JSON to its end, whatever signs it has."""

_SPACES: Final = re.compile(r"[^\S\n]|\x00")
_SIMPLE: Final = re.compile(r"[\w ,'’/?*+♠♥♦♣-]*+")
"""A text without signs that stand for anything."""
_QUOTED_MAIL: Final = re.compile(r"\s*+(?:(?:>|[-•–*])\s+)*+>?\s*+")
_FIRST_WORD: Final = re.compile(r"\s*+([^\s:,;()\"=]+)")
_STOP: Final = re.compile(r'[;#("“„«]')
_SEVERAL: Final = re.compile(r'[;#("“„«\x00]|[^\S ]')
_JSON_NOTE: Final = re.compile(rf"\(\s*+({JSON_STRING})\s*+\)")
_QUOTED: Final = re.compile(rf"{JSON_STRING}|[“„«][^”“»]*+[”“»]?")
_BRACKET: Final = re.compile(r"[()]")


def is_one_statement(line: str) -> bool:
    """Whether a line that begins with a word has one statement, and no comment or brackets."""
    return _SEVERAL.search(line) is None


class Statement(NamedTuple):
    """Part of a line that says one thing."""

    text: str
    """Without spaces around it."""
    column: int
    """Of its first character, from 1."""


class Kind(Enum):
    """What a token is."""

    WORD = auto()
    NOTE = auto()
    """A remark in brackets."""
    QUOTED = auto()
    """A name in quotes."""
    AT = auto()
    """A name, or the number of a seat, behind an @."""
    COMMA = auto()
    WINNER = auto()
    """The sign before who took a trick."""
    GAP = auto()
    """Three dots."""
    BROKEN = auto()
    """A bracket or a quote that is never closed."""


class Token(NamedTuple):
    """A word or sign of a statement."""

    kind: Kind
    text: str
    column: int
    end: int
    """Column behind it."""
    word: Word
    """What it can mean, if it is a word."""


def statements(line: str) -> Iterator[Statement]:
    """Return the statements of a line, which has no line feed; a comment is none."""
    if not _SIMPLE.fullmatch(line):
        line = _SPACES.sub(" ", line)
    elif line and line[0] != " " and keyword_of(line) not in WHOLE_LINE:
        yield Statement(line.rstrip(" "), 1)
        return
    opened = _QUOTED_MAIL.match(line)
    begin = at = opened.end() if opened else 0
    if keyword_of(line[at:]) in WHOLE_LINE:
        yield Statement(line[at:].strip(), at + 1)
        return
    while found := _STOP.search(line, at):
        sign, place = found[0], found.start()
        if sign == ";":
            yield from _statement(line, begin, place)
            begin = at = place + 1
        elif sign == "#":
            if place and line[place - 1] != " ":
                at = place + 1
                continue
            yield from _statement(line, begin, place)
            return
        else:
            at = _behind(line, place)
    yield from _statement(line, begin, len(line))


def _statement(line: str, begin: int, end: int) -> Iterator[Statement]:
    text = line[begin:end]
    if stripped := text.strip():
        yield Statement(stripped, begin + len(text) - len(text.lstrip()) + 1)


def first_word(text: str) -> str:
    """Return the first word of a text, folded."""
    first = _FIRST_WORD.match(text)
    return fold(first[1]) if first else ""


def keyword_of(text: str) -> str | None:
    """Return the keyword that the first word of a text is."""
    return KEYWORDS.get(first_word(text))


def _behind(line: str, place: int) -> int:
    """Return the place behind the remark or the quoted name that begins at ``place``."""
    if line[place] == "(":
        end = closing(line, place)
        return len(line) if end is None else end
    quoted = _QUOTED.match(line, place)
    return quoted.end() if quoted else place + 1


def closing(text: str, place: int) -> int | None:
    """Return the place behind the bracket that closes the one at ``place``, if one does."""
    if found := _JSON_NOTE.match(text, place):
        return found.end()
    depth = 0
    for bracket in _BRACKET.finditer(text, place):
        depth += 1 if bracket[0] == "(" else -1
        if not depth:
            return bracket.end()
    return None


# --- Words of a statement

_PLAIN: Final = re.compile(r"[^\s,:;()\"“”„«»>|…→@]+")
_WORD_OR_COMMA: Final = re.compile(r"[^ ,]+|,")
_SKIPPED: Final = re.compile(r"[\s;)”»]*+")
_AT: Final = re.compile(r"@([^\s,:;()\">|…→]*+)")
_ARROW: Final = re.compile(r"[-=]?>|→")
_DOTS: Final = re.compile(r"\.{2,}|…")
_SIGNS: Final = re.compile(r"\.{2,}|[-=]\Z")
_NO_WORD: Final = word_of("")


def tokens(text: str, column: int) -> list[Token]:
    """Return the words and signs of a text that begins at ``column``."""
    if _SIMPLE.fullmatch(text):
        return _simple_tokens(text, column)
    found: list[Token] = []
    at = 0
    while True:
        skipped = _SKIPPED.match(text, at)
        at = skipped.end() if skipped else at
        if at >= len(text):
            return found
        plain = _PLAIN.match(text, at)
        if plain:
            word, end = plain[0], plain.end()
            if cut := _cut(text, word, end):
                kind, word = cut
                end = at + len(word)
                found.append(_token(kind, word, column, at, end))
            else:
                shown = word[:-1] if word.endswith(".") and len(word) > 1 else word
                found.append(Token(Kind.WORD, shown, column + at, column + end, word_of(shown)))
            at = end
            continue
        token, at = _sign(text, at, column)
        found.append(token)


def _simple_tokens(text: str, column: int) -> list[Token]:
    """Return the words and commas of a text without any other signs, as most lines are."""
    found: list[Token] = []
    for match in _WORD_OR_COMMA.finditer(text):
        word, (begin, end) = match[0], match.span()
        kind = Kind.COMMA if word == "," else Kind.WORD
        found.append(Token(kind, word, column + begin, column + end, word_of(word)))
    return found


def _cut(text: str, word: str, end: int) -> tuple[Kind, str] | None:
    """Return the beginning of a word that holds dots or the beginning of an arrow, if it does."""
    if "." in word and (dots := _DOTS.search(word)):
        if dots.start() == 0:
            return Kind.GAP, dots[0]
        return Kind.WORD, word[: dots.start()]
    if word[-1] in "-=" and len(word) > 1 and text[end : end + 1] == ">":
        return Kind.WORD, word[:-1]
    return None


def _sign(text: str, at: int, column: int) -> tuple[Token, int]:
    sign = text[at]
    if sign == "(":
        return _note(text, at, column)
    if sign == "@":
        behind = text[at + 1 : at + 2]
        if behind in {'"', "“"}:
            token, end = _quoted(text, at + 1, column)
            return token._replace(column=column + at), end
        found = _AT.match(text, at)
        assert found
        return _token(Kind.AT, found[1], column, at, found.end()), found.end()
    if sign in '"“„«':
        return _quoted(text, at, column)
    if arrow := _ARROW.match(text, at):
        return _token(Kind.WINNER, arrow[0], column, at, arrow.end()), arrow.end()
    if dots := _DOTS.match(text, at):
        return _token(Kind.GAP, "...", column, at, dots.end()), dots.end()
    return _token(Kind.COMMA, sign, column, at, at + 1), at + 1


def _note(text: str, at: int, column: int) -> tuple[Token, int]:
    if found := _JSON_NOTE.match(text, at):
        return _json_text(Kind.NOTE, found[1], column, at, found.end()), found.end()
    end = closing(text, at)
    if end is None:
        return _token(Kind.BROKEN, "(", column, at, len(text)), len(text)
    return _token(Kind.NOTE, text[at + 1 : end - 1].strip(), column, at, end), end


def _quoted(text: str, at: int, column: int) -> tuple[Token, int]:
    found = _QUOTED.match(text, at)
    if found is None:
        return _token(Kind.BROKEN, '"', column, at, len(text)), len(text)
    if text[at] == '"':
        return _json_text(Kind.QUOTED, found[0], column, at, found.end()), found.end()
    return _token(Kind.QUOTED, found[0].strip("“„«”»"), column, at, found.end()), found.end()


def _json_text(kind: Kind, text: str, column: int, at: int, end: int) -> Token:
    said = json_text(text)
    if said is None:
        return _token(Kind.BROKEN, text, column, at, end)
    return _token(kind, said, column, at, end)


def json_text(text: str) -> str | None:
    """Return what a JSON string says, nothing when it is none."""
    try:
        said = json.loads(text, strict=False)
    except ValueError:
        return None
    return said if isinstance(said, str) and _is_text(said) else None


def _is_text(text: str) -> bool:
    """Whether there is no half of a character in a text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _token(kind: Kind, text: str, column: int, at: int, end: int) -> Token:
    word = word_of(text) if kind is Kind.WORD else _NO_WORD
    return Token(kind, text, column + at, column + end, word)
