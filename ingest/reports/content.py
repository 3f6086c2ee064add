"""What a report consists of, before it is a page: headings, sentences, tables and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from tricklog.schemas.languages.messages import message

MADE_WITH: Final = message("Tricklog report")
OPEN_CARDS: Final = message(
    "* With all cards open: best play when everybody sees every card. Nobody at the table does, so "
    "a card that cost something need not have been a mistake."
)
INTERVALS: Final = message(
    "Intervals are at 95 %, and at 99 % for differences. They go by games, as partners and "
    "opponents repeat within one."
)
"""Sentences that stand in several reports."""


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads somewhere: to a hand in the same file, or to an address."""

    text: str
    target: str
    """``#`` and an anchor of the file, or an address."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card, or the glyph of a suit, as a small white card."""

    text: str
    """As ``tricklog.schemas.cards.pretty_card`` writes it, or a glyph alone."""
    suit: int | None
    """0 to 3 for the colour; ``None`` for the joker."""


@dataclass(frozen=True, slots=True)
class Strong:
    """A text that stands out."""

    text: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing as SVG, with what it shows in words."""

    svg: str
    said: str


Part: TypeAlias = str | Link | Card | Strong | Drawing
Cell: TypeAlias = Part | Sequence[Part]
"""What stands in a cell of a table: a part, or several with spaces between."""


def plain_cell(cell: Cell) -> str:
    """Return the text of a cell; of a drawing what it shows."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, Drawing):
        return cell.said
    return cell.text if isinstance(cell, Link | Card | Strong) else " ".join(map(plain_cell, cell))


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its rows are as long as its heads."""

    name: str
    """What it is a table of, for those who cannot see it."""
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numbers: frozenset[int] = frozenset()
    """The columns that stand to the right."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences in a row."""

    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Listed:
    """Sentences below each other, each with what is said less loudly after it."""

    items: Sequence[tuple[Cell, str]]


@dataclass(frozen=True, slots=True)
class Score:
    """A side and its score in large."""

    who: str
    score: str
    won: bool


@dataclass(frozen=True, slots=True)
class Scores:
    """The sides of a game beside each other."""

    sides: Sequence[Score]


Block: TypeAlias = Table | Sentences | Listed | Scores | Drawing


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under a heading."""

    heading: str
    blocks: Sequence[Block]
    about: str = ""
    """What the heading leaves open, in small beside it."""
    half: bool = False
    """Whether it takes half of the page, beside the next one that does."""


class Column(NamedTuple):
    """A column of a table: its head, and what stands in it of whatever a row is about."""

    head: str
    cell: Callable[[Any], Cell]
    is_number: bool = False


def table_of(name: str, columns: Sequence[Column], rows: Iterable[Any]) -> Table:
    """Return a table with a row for each of ``rows``."""
    return Table(
        name,
        [each.head for each in columns],
        [[each.cell(row) for each in columns] for row in rows],
        frozenset(at for at, each in enumerate(columns) if each.is_number),
    )


def tabled(
    heading: str,
    columns: Sequence[Column],
    rows: Iterable[Any],
    *,
    name: str = "",
    about: str = "",
    half: bool = False,
) -> list[Section]:
    """Return a section with one table, called as the section unless it has a name; none of none."""
    table = table_of(name or heading, columns, rows)
    return [Section(heading, [table], about, half)] if table.rows else []


@dataclass(frozen=True, slots=True)
class HandInFull:
    """A hand with its deal, calls, tricks and findings."""

    anchor: str
    heading: str
    html: str
    """Made by ``tricklog.core.render.html``, names escaped."""


@dataclass(frozen=True, slots=True)
class Report:
    """A report as a whole."""

    title: str
    above: str
    """What stands above the title in small."""
    about: Sequence[str]
    """Lines beside the title: what was played, and when."""
    lead: Sequence[str]
    """The answer in sentences."""
    sections: Sequence[Section]
    notes: Sequence[str] = ()
    """What words and signs of the report mean."""
    hands: Sequence[HandInFull] = field(default=())
    """Hands that the report leads to; they are not printed."""
