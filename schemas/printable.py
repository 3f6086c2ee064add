"""Text of others, fit for a screen."""

import re
from typing import Final

_UNFIT: Final = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f"  # control characters
    "\\ud800-\\udfff"  # halves of pairs
    "\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]"  # ends of lines, and turns of their direction
)


def one_line(text: str) -> str:
    """Return ``text`` fit for one line of a screen: nothing that moves a cursor or turns text."""
    return _UNFIT.sub(_gap, text)


def _gap(sign: re.Match[str]) -> str:
    return " " if sign[0] in "\t\n\r" else ""
