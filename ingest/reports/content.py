"""What a report consists of: pieces of text with their HTML, tables, and sections of them.

Every piece has its plain text too, for commands that print parts of a report on a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, Final, NamedTuple, TypeAlias

from tricklog.schemas.languages.messages import message, say
from tricklog.schemas.render import SUIT_COLOURS

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


class Piece(NamedTuple):
    """A text, and the HTML that shows it."""

    text: str
    html: str


class Drawing(Piece):
    """What a drawing shows in words, and its SVG."""

    __slots__ = ()


Cell: TypeAlias = str | Piece | Sequence[str | Piece]
"""What stands in a cell of a table: a text or piece, or several with spaces between."""


def plain_cell(cell: Cell) -> str:
    """Return the text of a cell; of a drawing what it shows."""
    if isinstance(cell, str):
        return cell
    return cell.text if isinstance(cell, Piece) else " ".join(map(plain_cell, cell))


def cell_html(cell: Cell) -> str:
    """Return a cell as HTML."""
    if isinstance(cell, str):
        return escape(cell)
    return cell.html if isinstance(cell, Piece) else " ".join(map(cell_html, cell))


def link(text: str, target: str) -> Piece:
    """Return a text that leads to an anchor of the file, ``#hand-1``, or to an address."""
    return Piece(text, f'<a href="{escape(target)}">{escape(text)}</a>')


def card(text: str, suit: int | None) -> Piece:
    """Return a card or the glyph of a suit as a small white card; the joker has no suit."""
    colour = "#111" if suit is None else SUIT_COLOURS[suit]
    return Piece(text, f'<span class="card" style="color:{colour}">{escape(text)}</span>')


def strong(text: str) -> Piece:
    """Return a text that stands out."""
    return Piece(text, f"<b>{escape(text)}</b>")


def less(text: str) -> str:
    """Return the HTML of what is said less loudly behind something; empty for nothing."""
    return f" <small>{escape(text)}</small>" if text else ""


def sentences(*texts: str) -> Piece:
    """Return sentences in a row as a block."""
    text = " ".join(texts)
    return Piece(text, f"<p>{escape(text)}</p>")


def listing(items: Iterable[tuple[Cell, str]]) -> Piece:
    """Return sentences below each other as a block, each with what is said less loudly."""
    items = list(items)
    shown = "".join(f"<li>{cell_html(cell)}{less(after)}</li>" for cell, after in items)
    return Piece("\n".join(plain_cell(cell) for cell, _ in items), f"<ul>{shown}</ul>")


def large_scores(sides: Iterable[tuple[str, str, bool]]) -> Piece:
    """Return the sides of a game beside each other: who, the score, and whether they won."""
    sides = list(sides)
    shown = ""
    for who, score, has_won in sides:
        kind, won = (' class="won"', f"<span>{escape(say('won'))}</span>") if has_won else ("", "")
        named = f"<b>{escape(who)}</b><strong>{escape(score)}</strong>"
        shown += f"<div{kind}>{named}{won}</div>"
    text = ", ".join(f"{who} {score}" for who, score, _ in sides)
    return Piece(text, f'<div class="scores">{shown}</div>')


class Table(NamedTuple):
    """A table; its rows are as long as its heads."""

    name: str
    """What it is a table of, for those who cannot see it."""
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numbers: frozenset[int]
    """The columns that stand to the right."""


Block: TypeAlias = Table | Piece


class Section(NamedTuple):
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
    *below: Block,
    name: str = "",
    about: str = "",
    half: bool = False,
) -> list[Section]:
    """Return a section with one table, called as the section unless it has a name; none of none."""
    table = table_of(name or heading, columns, rows)
    return [Section(heading, [table, *below], about, half)] if table.rows else []


class Report(NamedTuple):
    """A report as a whole."""

    title: str
    above: str
    """What stands above the title in small."""
    about: Sequence[str]
    """Lines beside the title: what was played, and when."""
    lead: Sequence[str]
    """The answer in sentences."""
    sections: Sequence[Section]
    notes: Sequence[str]
    """What words and signs of the report mean."""
    hands: Sequence[str]
    """Hands in full that the report leads to, as HTML; they are not printed."""
