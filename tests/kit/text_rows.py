"""Tables of tests that are written as text: a row a line, its parts separated by ` | `.

An indented line goes on with the row before, lines that begin with `#` are remarks.
"""

import re
import tomllib
from pathlib import Path
from typing import Any


def rows_in(path: Path) -> list[list[str]]:
    """Return the rows of a file, each with its parts; an empty one is an empty text."""
    text = re.sub(r"^#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
    lines = re.sub(r"\n +", " ", text).splitlines()
    parted = (re.split(r"(?:^| )\|(?= |$)", line) for line in lines if line)
    return [[part.strip() for part in parts] for parts in parted]


def fields_in(text: str) -> dict[str, Any]:
    """Return fields written as in a table of TOML within one line: `change = [1, 0]`."""
    return dict(tomllib.loads(f"it = {{{text}}}")["it"])
