"""TOML that people write: read once it is known to be no more than a file of theirs needs."""

import re
import tomllib
from itertools import accumulate
from typing import Any, Final

MAX_FILE: Final = 1 << 16
"""Bytes of the longest file; rules that set every policy and cite each take some 10 KB."""
MAX_DEPTH: Final = 16
"""Brackets within each other, and parts of a dotted key; rules need 3."""
_MAX_DIGITS: Final = 40
_QUOTED: Final = re.compile(
    r"""\"{3}(?:[^\\]|\\.)*?\"{3}|\'{3}.*?\'{3}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\#[^\n]*""", re.DOTALL
)
"""Texts and comments, in which brackets, dots and digits are no more than characters."""
_LONG_KEY: Final = re.compile(rf"(?:\.[^.\n=]*){{{MAX_DEPTH},}}")
_LONG_NUMBER: Final = re.compile(rf"(?<![\w-])\d\w{{{_MAX_DIGITS},}}")
_STEPS: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


class TomlError(ValueError):
    """What is wrong with a file, as the end of a sentence that begins with its name."""


def read_toml(content: bytes) -> dict[str, Any]:
    """Return the content of a file. Raises ``TomlError`` for what is no TOML, or too much of it."""
    if len(content) > MAX_FILE:
        raise TomlError(f"has more than {MAX_FILE:,} bytes, which no such file needs")
    try:
        # Some editors begin a file with a mark of its encoding.
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TomlError(f"is not TOML: {error}") from None
    bare = _QUOTED.sub("", text)
    depths = accumulate(_STEPS.get(character, 0) for character in bare)
    if max(depths, default=0) > MAX_DEPTH or _LONG_KEY.search(bare):
        raise TomlError(f"is nested more than {MAX_DEPTH} deep, which no such file needs")
    if _LONG_NUMBER.search(bare):
        raise TomlError(f"has a number of more than {_MAX_DIGITS} digits, which no such file needs")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(f"is not TOML: {error}") from None
