"""What a score sheet would bring, on the page Import: its first rows, refused rows, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from tricklog.dashboard.kit.page_parts import show_values
from tricklog.dashboard.kit.tables import Cell, show_table
from tricklog.dashboard.pages.import_logs import sheet_hints
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import title_of
from tricklog.ingest.score_sheets.grid import shown
from tricklog.ingest.score_sheets.layout import Kind, Section
from tricklog.ingest.score_sheets.reader import Preview
from tricklog.ingest.score_sheets.settings import Column
from tricklog.ingest.score_sheets.words import Means
from tricklog.schemas.languages.messages import say, say_in
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.printable import one_line

_FIRST_ROWS: Final = 6
_MOST_SHOWN: Final = 100


def show_rows(section: Section, columns: Sequence[Column], heads: Mapping[str, str]) -> None:
    """Show the first rows as they are read; ``heads`` are meanings by the letters of columns."""
    used = [each for each in columns if each.means != Means.IGNORE]
    rows: list[list[Cell]] = []
    for row, kind in section.rows:
        if kind == Kind.HAND and len(rows) < _FIRST_ROWS:
            cells = [one_line(shown(row.cell(each.index))) for each in used]
            rows.append([str(row.number), *cells])
    st.caption(say("The first rows, as they are read:"))
    names = [heads[each.at] for each in used]
    show_table([_row_head(), *names], rows, name=say("The first rows"))


def _row_head() -> str:
    return say_in("column of a table", "row")


def show_what_comes(read: Preview) -> None:
    """Say what a load would bring, and what is wrong."""
    st.subheader(say("What would be loaded"))
    values = (
        (say_in("a number of them", "Hands"), read.hands),
        (say_in("a number of them", "Games"), read.games),
        (say("Rows refused"), len(read.refused)),
        (say_in("a number of them", "Findings"), len(read.found)),
    )
    show_values((label, number(value)) for label, value in values)
    for names in dict.fromkeys(
        seating.players for sheet in read.sheets for seating in sheet.seatings
    ):
        st.caption(say("By seat: {players}", players=as_markdown(", ".join(names))))
    if read.rows_read < read.rows:
        shown, every = number(read.rows_read), number(read.rows)
        st.caption(
            say(
                "This is of the first {shown} rows of {all}; a load reads all of them.",
                shown=shown,
                all=every,
            )
        )
    _show_refused(read)
    _show_found(read)


def _show_refused(read: Preview) -> None:
    if not read.refused:
        return
    st.caption(say("Rows that make no hand:"))
    rows: list[list[Cell]] = []
    for each in read.refused:
        place, why, hint = _row(read, each.sheet, each.row), one_line(each.why), each.hint
        rows.append([place, why, sheet_hints.on_page(hint)])
    heads = [_row_head(), say_in("column of a table", "why"), say("what to do")]
    show_table(heads, rows, name=say("Rows refused"), most=_MOST_SHOWN)


def _show_found(read: Preview) -> None:
    if not read.found:
        return
    st.caption(say("What does not fit the rules or does not add up:"))
    rows: list[list[Cell]] = []
    for each in read.found:
        place, title = _row(read, each.sheet, each.row), title_of(each.finding.code)
        said, rule = one_line(str(each.finding.said)), each.finding.rule
        rows.append([place, each.cells, title, said, rule])
    cells, wrong = say_in("column of a table", "cells"), say("what is wrong")
    finding = say_in("column of a table", "finding")
    heads = [_row_head(), cells, finding, wrong, say_in("column of a table", "rule")]
    found = say_in("a number of them", "Findings")
    show_table(heads, rows, name=found, most=_MOST_SHOWN)


def _row(read: Preview, sheet: str, row: int) -> str:
    return f"{one_line(sheet)}, {row}" if len(read.sheets) > 1 else str(row)
