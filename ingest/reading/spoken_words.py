"""The words of a text, as a name is looked for in it: folded, with accents and signs kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

LEAST: Final = 2
"""Characters of a name that is looked for in texts; a single letter stands for too much else."""
_SINGLE: Final = "\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
"""Signs of scripts that put no space between words: each is a word of its own."""
_LAST_MARK: Final = 0x1F000
"""No sign that combines with a letter before it comes after this one."""

_AFTER_SIGNS: Final = 0x1FB00
"""No emoji comes after it."""


class Words(NamedTuple):
    """Some words that follow each other in a text."""

    start: int
    end: int
    folded: str
    """They, folded, with one space between."""


@cache
def _pattern() -> re.Pattern[str]:
    # Vowel signs of Indian scripts are marks, which no class of ``re`` takes for part of a word.
    marks = "".join(
        chr(c) for c in range(0x300, _LAST_MARK) if unicodedata.category(chr(c))[0] == "M"
    )
    marks = re.escape(marks) + "\u200c\u200d"
    return re.compile(rf"[{_SINGLE}][{marks}]*|(?:[^\W_{_SINGLE}]|[{marks}])+")


@cache
def _signs() -> re.Pattern[str]:
    # Emoji and the like, with what joins and colours them.
    kinds = ("S", "M")
    signs = "".join(
        chr(c) for c in range(0x80, _AFTER_SIGNS) if unicodedata.category(chr(c))[0] in kinds
    )
    return re.compile(rf"[{re.escape(signs)}\u200d]+")


@cache
def _plain() -> re.Pattern[str]:
    return re.compile(r"[^\W_]+", re.ASCII)


def folded(word: str) -> str:
    """Return a word as it is compared: whatever its capital letters and the way it is encoded."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold())


def name_key(name: str) -> str:
    """Return what a name is found by: its words, folded; empty for one that is not looked for.

    A name without a word is found by its signs.
    """
    key = " ".join(each.folded for each in words_of(name) or signs_of(name))
    return key if len(key) >= LEAST or not key.isalnum() else ""


def name_keys(name: str) -> set[str]:
    """Return all that a name is found by: its words, and these with the signs among them.

    Of ``🦊fox`` no fox is left beside what stands for the word.
    """
    with_signs = " ".join(each.folded for each in tokens_of(name))
    return {name_key(name), with_signs if words_of(name) and signs_of(name) else ""} - {""}


def length_of(key: str) -> int:
    """Return how many words a name has."""
    return key.count(" ") + 1


def words_of(text: str) -> list[Words]:
    """Return the words of a text one by one."""
    return [Words(found.start(), found.end(), folded(found[0])) for found in _matches(text)]


def signs_of(text: str) -> list[Words]:
    """Return the emoji and other signs of a text, those that follow each other as one."""
    if text.isascii():
        return []
    found = _signs().finditer(text)
    return [Words(each.start(), each.end(), folded(each[0])) for each in found]


def tokens_of(text: str) -> list[Words]:
    """Return the words and the signs of a text in their order, none of which overlap."""
    found: list[Words] = []
    for each in sorted([*words_of(text), *signs_of(text)]):
        if not found or each.start >= found[-1].end:
            found.append(each)
    return found


def written_key(name: str) -> str:
    """Return a name as it is written, folded, from its first word or sign to its last."""
    tokens = tokens_of(name)
    return folded(name[tokens[0].start : tokens[-1].end]) if tokens else ""


def runs_at(words: list[Words], first: int, longest: int) -> Iterator[Words]:
    """Return the words that begin with that at ``first``, the most first, up to ``longest``."""
    for last in range(min(first + longest, len(words)) - 1, first - 1, -1):
        folded_run = " ".join(word.folded for word in words[first : last + 1])
        yield Words(words[first].start, words[last].end, folded_run)


def _matches(text: str) -> Iterator[re.Match[str]]:
    return (_plain() if text.isascii() else _pattern()).finditer(text)
