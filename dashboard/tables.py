"""Tables on a page: plain HTML, which a keyboard, a screen reader and a phone can use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from dashboard.escaping import as_html

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


Cell = str | int | Link | Short


def show_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    name: str = "Table",
    whole_rows: bool = False,
) -> None:
    """Show a table; numbers stand to the right, all text is shown as it is.

    ``name`` is what it is called aloud. With ``whole_rows`` a click anywhere in a row follows its
    link.
    """
    numbers = [bool(rows) and _is_number(cell) for cell in (rows[0] if rows else heads)]
    head = "".join(
        f'<th scope="col"{_NUMBER if is_number else ""}>{as_html(each)}</th>'
        for each, is_number in zip(heads, numbers, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_cell_html, row))}</tr>" for row in rows)
    st.html(
        f'<div class="tl-scroll" tabindex="0" role="group" aria-label="{as_html(name)}">'
        f'<table class="tl-figures{" tl-rows" if whole_rows else ""}">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
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
    return f"<td{aligned}>{_text_html(cell)}</td>"


def _text_html(text: str | int) -> str:
    return f"{text:,}" if isinstance(text, int) else f"<bdi>{as_html(text)}</bdi>"
