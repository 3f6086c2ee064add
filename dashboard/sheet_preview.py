"""What a score sheet would bring, on the page Import: its first rows, refused rows, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from dashboard import sheet_hints
from dashboard.escaping import as_markdown
from dashboard.labels import title_of
from dashboard.tables import Cell, Lines, show_table
from ingest.score_sheets.grid import shown
from ingest.score_sheets.layout import Kind, Section
from ingest.score_sheets.preview import MOST_CHECKED, Preview
from ingest.score_sheets.settings import Column
from ingest.score_sheets.words import Means
from schemas.render import one_line

_FIRST_ROWS: Final = 6
_MOST_SHOWN: Final = 100


def show_rows(section: Section, columns: Sequence[Column], heads: Mapping[str, str]) -> None:
    """Show the first rows as they are read; ``heads`` are meanings by the letters of columns."""
    used = [each for each in columns if each.means != Means.IGNORE]
    rows: list[list[Cell]] = []
    for row, kind in section.rows:
        if kind == Kind.HAND and len(rows) < _FIRST_ROWS:
            cells = [one_line(shown(row.cell(each.index))) for each in used]
            told = [
                f"{heads[each.at]}: {cell}" for each, cell in zip(used, cells, strict=True) if cell
            ]
            rows.append([str(row.number), *cells, str(row.number), Lines((" · ".join(told),))])
    st.caption("The first rows, as they are read:")
    names = [heads[each.at] for each in used]
    show_table(["row", *names, "row", "what it says"], rows, name="The first rows", for_phones=2)


def show_what_comes(read: Preview) -> None:
    """Say what a load would bring, and what is wrong."""
    st.subheader("What would be loaded")
    with st.container(horizontal=True):
        for label, value in (
            ("Hands", read.hands),
            ("Games", read.games),
            ("Rows refused", len(read.refused)),
            ("Findings", len(read.found)),
        ):
            st.metric(label, f"{value:,}", border=True, width=160)
    for names in dict.fromkeys(
        seating.players for sheet in read.sheets for seating in sheet.seatings
    ):
        st.caption(f"By seat: {as_markdown(', '.join(names))}")
    if read.checked < read.hands:
        st.caption(f"The first {MOST_CHECKED:,} hands were checked; a load checks all of them.")
    _show_refused(read)
    _show_found(read)
    for what, count in (("rows", len(read.refused)), ("findings", len(read.found))):
        if count > _MOST_SHOWN:
            st.caption(f"The first {_MOST_SHOWN} {what} of {count:,}.")


def _show_refused(read: Preview) -> None:
    if not read.refused:
        return
    st.caption("Rows that make no hand:")
    rows: list[list[Cell]] = []
    for each in read.refused[:_MOST_SHOWN]:
        place, why, hint = _row(read, each.sheet, each.row), one_line(each.why), each.hint
        todo = sheet_hints.on_page(hint)
        rows.append([place, why, todo, place, Lines((why, todo))])
    heads = ["row", "why", "what to do", "row", "why, and what to do"]
    show_table(heads, rows, name="Rows refused", for_phones=2)


def _show_found(read: Preview) -> None:
    if not read.found:
        return
    st.caption("What does not fit the rules or does not add up:")
    rows: list[list[Cell]] = []
    for each in read.found[:_MOST_SHOWN]:
        place, title = _row(read, each.sheet, each.row), title_of(each.finding.code)
        message, rule = one_line(each.finding.message), each.finding.rule
        told = Lines((title, message, f"Rule {rule}"))
        rows.append([place, each.cells, title, message, rule, each.cells or place, told])
    heads = ["row", "cells", "finding", "what is wrong", "rule", "cells", "what is wrong"]
    show_table(heads, rows, name="Findings", for_phones=2)


def _row(read: Preview, sheet: str, row: int) -> str:
    return f"{one_line(sheet)}, {row}" if len(read.sheets) > 1 else str(row)
