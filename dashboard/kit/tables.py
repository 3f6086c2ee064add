"""Tables on a page: plain HTML, which a keyboard, a screen reader and a phone can use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import streamlit as st

from tricklog.dashboard.kit.cells import Picture, picture_html
from tricklog.dashboard.text.escaping import as_html
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number

_NUMBER: Final = ' class="tl-number"'


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
    """A cell of several lines, for phones: under a picture, if there is one, which they tell."""

    texts: tuple[str, ...]
    picture: Picture | None = None


Cell = str | int | Link | Short | Picture | Lines


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
    for_phones: int = 0,
) -> None:
    """Show a table; numbers stand to the right, all text is shown as it is.

    ``name`` is what it is called aloud, “Table” without one. With ``whole_rows`` a click anywhere
    in a row follows its link. A phone shows the last ``for_phones`` columns and no others;
    elsewhere they are not seen.
    """
    numbers = [bool(rows) and _is_number(cell) for cell in (rows[0] if rows else [""] * len(heads))]
    head = "".join(
        _head_html(each, is_number=is_number)
        for each, is_number in zip(heads, numbers, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_cell_html, row))}</tr>" for row in rows)
    called = say("Table") if name is None else name
    classes = "tl-figures"
    classes += " tl-rows" if whole_rows else ""
    classes += f" tl-phone-{for_phones}" if for_phones else ""
    st.html(
        f'<div class="tl-scroll" tabindex="0" role="group" aria-label="{as_html(called)}">'
        f'<table class="{classes}">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


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


def _is_number(cell: Cell) -> bool:
    return isinstance(cell.text if isinstance(cell, Link) else cell, int)


def _cell_html(cell: Cell) -> str:
    aligned = _NUMBER if _is_number(cell) else ""
    if isinstance(cell, Link):
        said = f' aria-label="{as_html(cell.said)}"' if cell.said else ""
        return (
            f'<td{aligned}><a href="{as_html(cell.address)}"{said}>{_text_html(cell.text)}</a></td>'
        )
    if isinstance(cell, Short):
        return f'<td title="{as_html(cell.whole)}">{_text_html(cell.text)}</td>'
    if isinstance(cell, Picture):
        return f'<td class="tl-picture">{picture_html(cell)}</td>'
    if isinstance(cell, Lines):
        drawn = cell.picture.html if cell.picture else ""
        return f'<td class="tl-told">{drawn}{"".join(map(_text_html, cell.texts))}</td>'
    return f"<td{aligned}>{_text_html(cell)}</td>"


def _text_html(text: str | int) -> str:
    return number(text) if isinstance(text, int) else f"<bdi>{as_html(text)}</bdi>"
