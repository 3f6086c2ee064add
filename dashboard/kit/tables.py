"""Tables on a page: plain HTML, which a keyboard, a screen reader and a phone can use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import streamlit as st

from tricklog.dashboard.kit.cells import Picture, picture_html
from tricklog.dashboard.text.escaping import as_html
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number

_NUMBER: Final = ' class="tl-number"'
_FEW_COLUMNS: Final = 3
"""A table of so many has room everywhere."""


@dataclass(frozen=True, slots=True)
class Link:
    """A cell that leads somewhere."""

    text: str | int
    address: str
    said: str | None = None
    """What it is called aloud, where its text alone does not tell where it leads."""


@dataclass(frozen=True, slots=True)
class Short:
    """A cell of which only the end is shown, and the whole on hovering."""

    text: str
    whole: str


@dataclass(frozen=True, slots=True)
class Lines:
    """A cell of several lines."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Html:
    """A cell with marks of its own: cards in their colours, a tag."""

    html: str


Cell = str | int | Link | Short | Picture | Lines | Html

Column = tuple[str, Callable[[Any], Cell] | str]
"""A heading, and what fills a cell from a row, or the name of what stands in it."""


Way = Literal["ascending", "descending"]


@dataclass(frozen=True, slots=True)
class Sorting:
    """The heading of a column that rows can be put in order by."""

    text: str
    address: str
    """The same page in the order that a click asks for."""
    now: Way | None = None
    """Which way the rows are in the order of this column."""


_ARROWS: Final[dict[Way, str]] = {"ascending": " ▲", "descending": " ▼"}


def show_table(
    heads: Sequence[str | Sorting],
    rows: Sequence[Sequence[Cell]],
    *,
    name: str | None = None,
    whole_rows: bool = False,
    most: int | None = None,
    tight: bool = False,
) -> None:
    """Show a table; numbers stand to the right, all text is shown as it is.

    ``name`` is what it is called aloud, “Table” without one. With ``whole_rows`` a click anywhere
    in a row follows its link. Where a table of many columns has no room, as on a phone, the cells
    of a row stand below its first one, or the first that leads somewhere with ``whole_rows``.

    Of more rows than ``most`` the first are shown, and a sentence below says so. A ``tight`` table
    has room everywhere.
    """
    count, rows = len(rows), rows[:most]
    numbers = [bool(rows) and _is_number(cell) for cell in (rows[0] if rows else [""] * len(heads))]
    head = "".join(
        _head_html(each, is_number=is_number)
        for each, is_number in zip(heads, numbers, strict=True)
    )
    first, is_wide = 0, len(heads) > _FEW_COLUMNS and not tight
    if whole_rows and rows:
        first = next((at for at, cell in enumerate(rows[0]) if isinstance(cell, Link)), 0)
    said = [
        _attribute(head, is_first=at == first) if is_wide else "" for at, head in enumerate(heads)
    ]
    body = "".join(f"<tr>{''.join(map(_cell_html, row, said))}</tr>" for row in rows)
    called = say("Table") if name is None else name
    classes = "tl-figures"
    classes += " tl-rows" if whole_rows else ""
    classes += " tl-wide" if is_wide else ""
    st.html(
        f'<div class="tl-scroll" tabindex="0" role="group" aria-label="{as_html(called)}">'
        f'<table class="{classes}">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
    if count > len(rows):
        st.caption(first_of(len(rows), count))


def in_columns(rows: Iterable[Any], *columns: Column) -> tuple[list[str], list[list[Cell]]]:
    """Return the headings and the rows of a table, each column with what fills it."""
    filled = [
        [row[fill] if isinstance(fill, str) else fill(row) for _, fill in columns] for row in rows
    ]
    return [head for head, _ in columns], filled


def first_of(shown: int, count: int) -> str:
    """Return that only the first of many are shown."""
    return say("The first {shown} of {number}.", shown=number(shown), number=number(count))


def _head_html(head: str | Sorting, *, is_number: bool) -> str:
    aligned = _NUMBER if is_number else ""
    if isinstance(head, str):
        return f'<th scope="col"{aligned}>{as_html(head)}</th>'
    way = f' aria-sort="{head.now}"' if head.now else ""
    arrow = f'<span aria-hidden="true">{_ARROWS[head.now]}</span>' if head.now else ""
    return (
        f'<th scope="col"{aligned}{way}><a href="{as_html(head.address)}">{as_html(head.text)}</a>'
        f"{arrow}</th>"
    )


def _attribute(head: str | Sorting, *, is_first: bool) -> str:
    """Return what a cell knows of its column, for where headings have no room."""
    if is_first:
        return " data-first"
    text = head if isinstance(head, str) else head.text
    return f' data-head="{as_html(text)}"' if text else ""


def _is_number(cell: Cell) -> bool:
    return isinstance(cell.text if isinstance(cell, Link) else cell, int)


def _cell_html(cell: Cell, of: str) -> str:
    """Return a cell; ``of`` are attributes that tell its column."""
    if cell == "":
        return "<td></td>"
    aligned = (_NUMBER if _is_number(cell) else "") + of
    if isinstance(cell, Link):
        said = f' aria-label="{as_html(cell.said)}"' if cell.said else ""
        return (
            f'<td{aligned}><a href="{as_html(cell.address)}"{said}>{_text_html(cell.text)}</a></td>'
        )
    if isinstance(cell, Short):
        return f'<td title="{as_html(cell.whole)}"{of}>{_text_html(cell.text)}</td>'
    if isinstance(cell, Html):
        return f"<td{of}>{cell.html}</td>"
    if isinstance(cell, Picture):
        return f'<td class="tl-picture">{picture_html(cell)}</td>'
    if isinstance(cell, Lines):
        return f'<td class="tl-told"{of}>{"".join(map(_text_html, cell.texts))}</td>'
    return f"<td{aligned}>{_text_html(cell)}</td>"


def _text_html(text: str | int) -> str:
    return number(text) if isinstance(text, int) else f"<bdi>{as_html(text)}</bdi>"
