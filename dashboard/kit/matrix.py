"""People against people: a table with a cell for each two, coloured by how much is between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import streamlit as st

from tricklog.dashboard.text.escaping import as_html, name_html

_STRONGEST: Final = 50
"""Per cent of its colour that the strongest cell has; text on it reads well."""


class Between(NamedTuple):
    """What stands in a cell, and the hands that it leads to."""

    text: str
    small: str
    """What it is made of."""
    said: str
    address: str
    strength: float = 0.0
    """From -1, orange, to 1, blue."""
    sure: bool = False
    """Whether it is framed."""


def show_matrix(
    name: str,
    corner: str,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], Between],
    labels: Mapping[str, str],
) -> None:
    """Show the cells of people; ``labels`` are their names, ``corner`` what both sides are.

    ``name`` is what the table is called aloud.
    """

    def head(scope: str, each: str) -> str:
        return f'<th scope="{scope}">{name_html(labels.get(each, each))}</th>'

    body = "".join(
        f"<tr>{head('row', one)}"
        f"{''.join(_cell_html(cells.get((one, other))) for other in columns)}</tr>"
        for one in rows
    )
    st.html(
        f'<div class="tl-scroll" tabindex="0" role="group" aria-label="{as_html(name)}">'
        f'<table class="tl-matrix"><thead><tr><td>{as_html(corner)}</td>'
        f"{''.join(head('col', each) for each in columns)}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell_html(cell: Between | None) -> str:
    if cell is None:
        return "<td></td>"
    colour = "one" if cell.strength > 0 else "two"
    strength = _STRONGEST * min(abs(cell.strength), 1)
    style = f"background:color-mix(in srgb, var(--tl-{colour}) {strength:.0f}%, var(--tl-page))"
    return (
        f'<td style="{style}"{" class=tl-framed" if cell.sure else ""}>'
        f'<a href="{as_html(cell.address)}" aria-label="{as_html(cell.said)}">'
        f"<b>{as_html(cell.text)}</b><span>{as_html(cell.small)}</span></a></td>"
    )
