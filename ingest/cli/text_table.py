"""Lines of plain text that fit the terminal, and tables as wide as what stands in them, or so."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_LEAST: Final = 8
"""Characters to which a column is folded, at the least."""


def aligned(
    heads: Sequence[str], right: Sequence[bool], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Return the lines of a table: the heads, a rule, and the rows.

    ``right`` says of each column whether its cells stand to the right. On a terminal that is too
    narrow the others are folded, and where that is not enough each cell of a row has a line of its
    own; in files and pipes every row is one line.
    """
    widths = [max(map(columns_of, column)) for column in zip(heads, *rows, strict=True)]
    if not _fits(widths, right):
        return [line for cells in rows for line in (*_labelled(heads, cells), "")]

    def lines(cells: Sequence[str]) -> Iterator[str]:
        folded = [_folded(cell, width) for cell, width in zip(cells, widths, strict=True)]
        for parts in zip_longest(*folded, fillvalue=""):
            filled = []
            for part, width, to_right in zip(parts, widths, right, strict=True):
                room = " " * (width - columns_of(part))
                filled.append(f"{room}{part}" if to_right else f"{part}{room}")
            yield "  ".join(filled).rstrip()

    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    return [*lines(heads), rule, *(line for cells in rows for line in lines(cells))]


def boxed(
    heads: Sequence[str],
    rows: Iterable[Sequence[RenderableType]] = (),
    *,
    fixed: Container[str] = (),
    **options: Any,  # noqa: ANN401 - of a table
) -> Table:
    """Return a table that rich fits into a console; columns that are ``fixed`` are not folded."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, **options)
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=head in fixed)
    for row in rows:
        table.add_row(*row)
    return table


def room_of(stream: TextIO) -> int | None:
    """Return how many columns a line may take; ``None`` in files and pipes, where it is not folded.

    A terminal says how many it has, and ``COLUMNS`` says it for files and pipes too.
    """
    if stream.isatty() or os.environ.get("COLUMNS"):
        return shutil.get_terminal_size().columns
    return None


def wrapped(line: str, width: int, *, before: str = "", cuts: bool = False) -> list[str]:
    """Return a line as several, between words; those of an indented one stand deeper.

    ``before`` is what stands in front of the first one, and takes room there. ``cuts``: also
    within a word that is longer than a line. Without it a path can be copied.
    Signs of other scripts take no more columns than they are.
    """
    deeper = " " * (len(line) - len(line.lstrip()) + 2) if line.startswith(" ") else ""
    first, *others = textwrap.wrap(
        line,
        width,
        initial_indent=before,
        subsequent_indent=deeper,
        expand_tabs=False,
        replace_whitespace=False,
        break_on_hyphens=False,
        break_long_words=cuts,
    ) or [before]
    return [first.removeprefix(before), *others]


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _fits(widths: list[int], right: Sequence[bool]) -> bool:
    """Make columns of text narrower, the widest first; return whether the terminal has room."""
    columns = room_of(sys.stdout)
    if columns is None:
        return True
    room = columns - 2 * (len(widths) - 1)
    texts = [place for place, to_right in enumerate(right) if not to_right]
    while sum(widths) > room:
        widest = max(texts, key=lambda place: widths[place], default=None)
        if widest is None or widths[widest] <= _LEAST:
            return False
        widths[widest] -= 1
    return True


def _labelled(heads: Sequence[str], cells: Sequence[str]) -> list[str]:
    """Return the cells of a row that say something, each behind the head of its column."""
    width = max(map(len, heads)) + 2
    room = max(shutil.get_terminal_size().columns - width, _LEAST)
    return [
        f"{label:{width}}{part}"
        for head, cell in zip(heads, cells, strict=True)
        if cell
        for label, part in zip_longest([head], _folded(cell, room), fillvalue="")
    ]


def _folded(cell: str, width: int) -> list[str]:
    if columns_of(cell) <= width:
        return [cell]
    from rich.text import Text

    from tricklog.ingest.cli.output import out

    return [each.plain.rstrip() for each in Text(cell).wrap(out(), width, overflow="fold")]
