"""Text of others, fit for a screen."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

_UNFIT: Final = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f"  # control characters
    "\\ud800-\\udfff"  # halves of pairs
    "\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"  # ends of lines, and turns of their direction
)


def one_line(text: str) -> str:
    """Return ``text`` fit for one line of a screen: nothing that moves a cursor or turns text."""
    return _UNFIT.sub(_gap, text)


def distinct_words(words: Mapping[str, str]) -> dict[str, str]:
    """Return words for values on one line; where several would be the same, the value too."""
    return dict(zip(words, distinct(words.items()), strict=True))


def distinct(called: Iterable[tuple[str, str]]) -> list[str]:
    """Return ``distinct_words`` for values with their words, in which a value may come twice."""
    cleaned = [
        (one_line(text).strip() or one_line(value).strip(), one_line(value))
        for value, text in called
    ]
    count = Counter(text for text, _ in dict.fromkeys(cleaned))
    return [
        f"{text} ({value})" if count[text] > 1 and text != value else text
        for text, value in cleaned
    ]


def _gap(sign: re.Match[str]) -> str:
    return " " if sign[0] in "\t\n\r" else ""
