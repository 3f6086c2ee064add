"""A table as it stands in a file: rows of cells, each row with its number and place.

What counters of scores keep of a game is one, too: bids and scores of sides. So far that of
pidro-counter, which keeps a game in the browser, under ``game``, as JSON.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.reading.sources import SourceError

MAX_ROWS: Final = 100_000
"""Rows of a sheet that are read; a club of fifty years has fewer."""
MAX_COLUMNS: Final = 256
MAX_CELL: Final = 2_000
"""Characters of a cell that are kept."""
MAX_FILE: Final = 64 << 20
"""Bytes of a file that is read as a sheet."""
_LARGEST: Final = 1 << 20
"""Bytes of a game of a counter, at most."""

Value = str | int | float | bool | dt.date | dt.time | None
"""What a cell holds: text, or what a spreadsheet knows of it; ``None`` where it is empty.

``datetime`` values are dates, too.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a sheet."""

    number: int
    """From 1: that of the row in a workbook, of its first line in a text."""
    cells: tuple[Value, ...]
    byte: int = 0
    """Where it starts in a text; 0 in a workbook."""

    def cell(self, column: int) -> Value:
        """Return the cell of a column, counted from 0; nothing beyond the end of the row."""
        return self.cells[column] if column < len(self.cells) else None

    @property
    def filled(self) -> dict[int, Value]:
        """The cells in which something stands, by their column."""
        return {column: cell for column, cell in enumerate(self.cells) if cell is not None}

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands in it."""
        return all(cell is None for cell in self.cells)

    @property
    def text(self) -> str:
        """The row on one line, its cells separated by bars."""
        return " | ".join(map(shown, self.cells[: max(self.filled, default=-1) + 1]))


@dataclass(frozen=True, slots=True)
class Grid:
    """A sheet of a file."""

    rows: Sequence[Row]
    name: str = ""
    """What the sheet is called; empty for a text, which is a single one."""
    trouble: SheetError | None = None
    """Why it ends before its end."""
    is_cut: bool = False
    """Whether it goes on behind the rows that were asked for."""

    @property
    def width(self) -> int:
        """How many columns there are."""
        return max((len(row.cells) for row in self.rows), default=0)


class SheetError(SourceError):
    """A sheet, or the rest of one, that cannot be read: the kind, the sentence, what to do."""

    def __init__(self, message: str, hint: str, code: RejectCode = RejectCode.BAD_SHEET) -> None:
        super().__init__(code, message, hint)


def shown(value: Value) -> str:
    """Return a cell as people write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, dt.datetime):
        return value.isoformat(" ", "minutes")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value)


def letter(column: int) -> str:
    """Return what a spreadsheet calls a column, counted from 0: A to Z, AA and on."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def column_of(name: str) -> int | None:
    """Return the column that a spreadsheet calls ``name``, from 0; nothing for no such name."""
    name = name.strip().upper()
    if not (name.isascii() and name.isalpha() and len(name) <= 3):  # noqa: PLR2004 - XFD is the last
        return None
    column = 0
    for each in name:
        column = column * 26 + ord(each) - ord("A") + 1
    return column - 1


# --- Of counters


class _Points(msgspec.Struct):
    team: str
    points: int | float | str | None
    """Whatever was entered: what cannot be one is told where it stands, as in any sheet."""


class _Set(msgspec.Struct):
    """A hand; of the last one the score may be missing still."""

    round: Annotated[int, Meta(ge=1, le=MAX_ROWS)]
    bid: _Points
    score: list[_Points] = []


class _Game(msgspec.Struct):
    sets: list[_Set]
    teams: tuple[str, str]
    """The sides, ours first."""


def counter_grid(content: bytes, most: int = MAX_ROWS) -> Grid | None:
    """Return what a counter keeps as a table, ``most`` rows of it; nothing for other content."""
    if not content.startswith(b"{"):
        return None
    try:
        game = msgspec.json.decode(content, type=_Game)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    rows = [Row(1, ("Hand", "Bidder", "Bid", "Change we", "Change they"))]
    for number, each in enumerate(game.sets[: most - 1], 2):
        scored = {of.team: of.points for of in each.score}
        change = (scored.get(team) for team in game.teams)
        rows.append(Row(number, (each.round, each.bid.team, each.bid.points, *change)))
    return Grid(rows, is_cut=len(game.sets) >= most)


def is_counter_file(path: Path) -> bool:
    """Whether a file holds what a counter keeps of a game; not for one that cannot be read."""
    try:
        is_small = path.is_file() and path.stat().st_size <= _LARGEST
        return is_small and counter_grid(path.read_bytes()) is not None
    except OSError:
        return False
