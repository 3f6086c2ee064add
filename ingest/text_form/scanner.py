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
        elif sign == "(":
            at = closing(line, place) or len(line)
        else:
            quoted = _QUOTED.match(line, place)
            at = quoted.end() if quoted else place + 1
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
_NO_WORD: Final = word_of("")


def tokens(text: str, column: int) -> list[Token]:
    """Return the words and signs of a text that begins at ``column``."""
    found: list[Token] = []
    if _SIMPLE.fullmatch(text):
        # Words and commas without any other signs, as most lines are.
        for match in _WORD_OR_COMMA.finditer(text):
            word, (begin, end) = match[0], match.span()
            kind = Kind.COMMA if word == "," else Kind.WORD
            found.append(Token(kind, word, column + begin, column + end, word_of(word)))
        return found
    at = 0
    while True:
        skipped = _SKIPPED.match(text, at)
        at = skipped.end() if skipped else at
        if at >= len(text):
            return found
        plain = _PLAIN.match(text, at)
        token = _plain_word(text, plain) if plain else _sign(text, at)
        at = token.end
        found.append(token._replace(column=column + token.column, end=column + at))


def _plain_word(text: str, plain: re.Match[str]) -> Token:
    """Return a word, or its beginning where it holds dots or the beginning of an arrow."""
    word, (at, end) = plain[0], plain.span()
    if "." in word and (dots := _DOTS.search(word)):
        if dots.start() == 0:
            return Token(Kind.GAP, dots[0], at, at + dots.end(), _NO_WORD)
        word, end = word[: dots.start()], at + dots.start()
    elif word[-1] in "-=" and len(word) > 1 and text[end : end + 1] == ">":
        word, end = word[:-1], end - 1
    elif word.endswith(".") and len(word) > 1:
        word = word[:-1]
    return Token(Kind.WORD, word, at, end, word_of(word))


def _sign(text: str, at: int) -> Token:
    """Return what is no word, with its places in the text."""
    sign = text[at]
    if sign == "(":
        return _note(text, at)
    if sign == "@":
        if text[at + 1 : at + 2] in {'"', "“"}:
            return _quoted(text, at + 1)._replace(column=at)
        found = _AT.match(text, at)
        assert found
        return Token(Kind.AT, found[1], at, found.end(), _NO_WORD)
    if sign in '"“„«':
        return _quoted(text, at)
    if arrow := _ARROW.match(text, at):
        return Token(Kind.WINNER, arrow[0], at, arrow.end(), _NO_WORD)
    if dots := _DOTS.match(text, at):
        return Token(Kind.GAP, "...", at, dots.end(), _NO_WORD)
    return Token(Kind.COMMA, sign, at, at + 1, _NO_WORD)


def _note(text: str, at: int) -> Token:
    if found := _JSON_NOTE.match(text, at):
        return _json_text(Kind.NOTE, found[1], at, found.end())
    end = closing(text, at)
    if end is None:
        return Token(Kind.BROKEN, "(", at, len(text), _NO_WORD)
    return Token(Kind.NOTE, text[at + 1 : end - 1].strip(), at, end, _NO_WORD)


def _quoted(text: str, at: int) -> Token:
    found = _QUOTED.match(text, at)
    if found is None:
        return Token(Kind.BROKEN, '"', at, len(text), _NO_WORD)
    if text[at] == '"':
        return _json_text(Kind.QUOTED, found[0], at, found.end())
    return Token(Kind.QUOTED, found[0].strip("“„«”»"), at, found.end(), _NO_WORD)


def _json_text(kind: Kind, text: str, at: int, end: int) -> Token:
    said = json_text(text)
    if said is None:
        return Token(Kind.BROKEN, text, at, end, _NO_WORD)
    return Token(kind, said, at, end, _NO_WORD)


def json_text(text: str) -> str | None:
    """Return what a JSON string says, nothing when it is none, or holds half of a character."""
    try:
        said = json.loads(text, strict=False)
        said.encode()
    except (ValueError, AttributeError):
        return None
    return str(said)
