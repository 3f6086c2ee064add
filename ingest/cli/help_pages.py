"""The help of each command, which was written beforehand: nothing need be loaded to show it.

A page is text. Lines that begin with a tab are rows of a table, of a name and what is said of it.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

PAGES: Final = Path(__file__).with_name("pages")
_NARROWEST: Final = 40
"""Columns below which a page is not folded."""


def file_of(name: str) -> Path:
    """Return where the page of a command stands, or that of ``tricklog``."""
    return PAGES / f"{name.replace(' ', '-')}.txt"


def page(name: str) -> str:
    """Return the page of a command, or that of ``tricklog``, as wide as the terminal."""
    width = max(shutil.get_terminal_size().columns, _NARROWEST)
    lines: list[str] = []
    text = file_of(name).read_text("utf-8")
    for is_table, group in groupby(text.splitlines(), lambda line: line.startswith("\t")):
        if is_table:
            lines += _table([line[1:].split("\t") for line in group], width)
        else:
            lines += (each for line in group for each in _folded(line, width))
    return "\n".join(lines)


def _table(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines of a table: what is too long for the first column has a line of its own."""
    room = min(max(len(name) for name, _ in rows), width // 3)
    for name, said in rows:
        first, *rest = _folded(said, width - room - 4)
        is_long = len(name) > room
        if is_long:
            yield f"  {name}"
        yield f"  {'' if is_long else name:{room}}  {first}".rstrip()
        yield from (f"{'':{room + 4}}{line}" for line in rest)


def _folded(line: str, width: int) -> list[str]:
    deeper = " " * (len(line) - len(line.lstrip()) + 2) if line.startswith(" ") else ""
    return textwrap.wrap(line, width, subsequent_indent=deeper, break_on_hyphens=False) or [""]
