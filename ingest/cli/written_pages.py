"""What the program says about itself, written beforehand: nothing need be loaded to show it.

A page is text. A line that begins with ``# `` is a heading. Lines that begin with a tab are rows of
a table: of a name and what is said of it, or of three texts. ``./dev regenerate help`` writes them.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Final

from tricklog.ingest.cli.output import PIPE_WIDTH, Style, styled
from tricklog.ingest.cli.text_table import columns_of, wrapped

PAGES: Final = Path(__file__).with_name("pages")
"""The help of each command."""
LISTS: Final = Path(__file__).with_name("lists")
"""What commands list that no warehouse changes, and in other languages what is said there."""
HEADING: Final = "# "
"""How a line of a page begins that is a heading."""
_NARROWEST: Final = 40
"""Columns below which a page is not folded."""
_SHARES: Final = (5, 5, 2)
"""How three texts side by side share the room."""
_GAP: Final = 2
"""Columns between texts."""


def file_of(name: str) -> Path:
    """Return where the help of a command stands, or that of ``tricklog``."""
    return PAGES / f"{name.replace(' ', '-')}.txt"


def page(name: str) -> str:
    """Return the help of a command, or that of ``tricklog``, as wide as the terminal."""
    return laid_out(file_of(name).read_text("utf-8"))


@cache
def translations(language: str) -> Mapping[str, str]:
    """Return what the English texts of lists are in a language; none of those that stay."""
    file = LISTS / f"{language}.tsv"
    lines = file.read_text("utf-8").splitlines() if file.exists() else ()
    return dict(line.split("\t") for line in lines)


def put_into(language: str, text: str) -> str:
    """Return a page in another language, as far as there are translations."""
    said = translations(language)
    lines = []
    for line in text.splitlines():
        start = HEADING if line.startswith(HEADING) else ""
        cells = line.removeprefix(start).split("\t")
        lines.append(start + "\t".join(said.get(each, each) for each in cells))
    return "\n".join(lines)


def laid_out(text: str) -> str:
    """Return a page as wide as the terminal."""
    width = max(shutil.get_terminal_size((PIPE_WIDTH, 0)).columns, _NARROWEST)
    lines: list[str] = []
    for cells, group in groupby(text.splitlines(), lambda line: line.count("\t")):
        rows = [line[1:].split("\t") for line in group] if cells else []
        if cells == 0:
            lines += (each for line in group for each in _folded(line, width))
        elif cells == len(_SHARES):
            lines += _side_by_side(rows, width)
        else:
            lines += _named(rows, width)
    return "\n".join(lines)


def _named(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines of a table: what is too long for the first column has a line of its own."""
    room = min(max(len(name) for name, _ in rows), width // 3)
    for name, said in rows:
        first, *rest = _folded(said, width - room - 2 * _GAP)
        is_long = len(name) > room
        if is_long:
            yield f"  {name}"
        yield f"  {'' if is_long else name:{room}}  {first}".rstrip()
        yield from (f"{'':{room + 2 * _GAP}}{line}" for line in rest)


def _side_by_side(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines of a table of three texts; the last says what the others rest on."""
    shared = width - _GAP * (len(_SHARES) - 1)
    rooms = [shared * share // sum(_SHARES) for share in _SHARES]
    for row in rows:
        folded = (_folded(cell, room) for cell, room in zip(row, rooms, strict=True))
        for first, second, last in zip_longest(*folded, fillvalue=""):
            shown = styled(last, Style.DIM, sys.stdout) if last else ""
            one, other = (
                cell + " " * (room - columns_of(cell))
                for cell, room in zip((first, second), rooms, strict=False)
            )
            yield f"{one}  {other}  {shown}".rstrip()


def _folded(line: str, width: int) -> list[str]:
    if line.startswith(HEADING):
        lines = _folded(line.removeprefix(HEADING), width)
        return [styled(each, Style.BOLD, sys.stdout) for each in lines]
    return wrapped(line, width, cuts=True)
