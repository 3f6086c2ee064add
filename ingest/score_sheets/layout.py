"""How a sheet is laid out: which rows are hands, and which head, part or foot them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from ingest.score_sheets import headers
from ingest.score_sheets.grid import Grid, Row
from ingest.score_sheets.recognising import Recognised, recognise
from ingest.score_sheets.settings import Column, SheetSettings
from ingest.score_sheets.values import is_number
from ingest.score_sheets.words import Means, key
from replay.engine.records import Rules


class Kind(StrEnum):
    """What a row is."""

    HAND = "hand"
    BLANK = "blank"
    HEADER = "header"
    TITLE = "title"
    FOOTER = "footer"


@dataclass(slots=True)
class Section:
    """Rows under one heading, and what their columns mean."""

    headings: list[str]
    rows: list[tuple[Row, Kind]] = field(default_factory=list)
    columns: tuple[Column, ...] = ()
    labels: tuple[str, ...] = ()
    """Whose columns they are, of column ``of`` 1, 2 …"""

    @property
    def hands(self) -> list[Row]:
        """The rows that are hands."""
        return [row for row, kind in self.rows if kind == Kind.HAND]


def lay_out(grid: Grid, settings: SheetSettings, rules: Rules) -> list[Section]:
    """Return the sections of a sheet, in order; together they have each of its rows once."""
    sections = sections_of(grid)
    alike: dict[object, list[Section]] = defaultdict(list)
    for section in sections:
        alike[_shape(section, rules)].append(section)
    for group in alike.values():
        rows = [row for section in group for row in section.hands]
        for section in group:
            found = recognise(section.headings, rows, rules)
            section.labels = found.labels
            section.columns = (
                _as_said(section, settings, found) if settings.columns else found.columns
            )
    return sections


def sections_of(grid: Grid) -> list[Section]:
    """Return the sections of a sheet with their rows, before it is known what columns mean."""
    rows = grid.rows
    sections = [Section([])]
    at = 0
    while at < len(rows):
        row, below = rows[at], _filled_after(rows, at)
        if not row.is_blank and below is not None and _are_two_headers(rows, at, below):
            sections.append(Section(headers.joined(row, below)))
            between = rows[at : rows.index(below, at) + 1]
            sections[-1].rows += [
                (each, Kind.BLANK if each.is_blank else Kind.HEADER) for each in between
            ]
            at += len(between)
            continue
        if not row.is_blank and headers.is_header(row, below):
            sections.append(Section(list(headers.texts_of(row))))
            sections[-1].rows.append((row, Kind.HEADER))
        else:
            sections[-1].rows.append((row, _kind(row, grid.width)))
        at += 1
    return [section for section in sections if section.rows]


def _filled_after(rows: Sequence[Row], at: int) -> Row | None:
    return next((row for row in rows[at + 1 : at + 4] if not row.is_blank), None)


def _are_two_headers(rows: Sequence[Row], at: int, below: Row) -> bool:
    place = rows.index(below, at)
    after = _filled_after(rows, place)
    return (
        place == at + 1
        and headers.is_header(below, after)
        and headers.is_upper_header(rows[at], below)
    )


def _kind(row: Row, width: int) -> Kind:
    if row.is_blank:
        return Kind.BLANK
    if headers.is_footer(row):
        return Kind.FOOTER
    title = headers.title_of(row)
    is_title = title and width > 1 and not is_number(title)
    return Kind.TITLE if is_title else Kind.HAND


def _shape(section: Section, rules: Rules) -> object:
    """Return by what sections are alike: what their headings mean, whoever is named in them."""
    found = recognise(section.headings, (), rules) if any(section.headings) else None
    return tuple((each.at, each.means, each.of) for each in found.columns) if found else ()


def _as_said(section: Section, settings: SheetSettings, found: Recognised) -> tuple[Column, ...]:
    """Return what the user says the columns mean: by their headings, else by their letters."""
    texts = [key(text) for text in section.headings]
    by_header = {key(each.header): each for each in settings.columns if each.header}
    if any(text in by_header for text in texts if text):
        placed = {
            place: by_header[text] for place, text in enumerate(texts) if text and text in by_header
        }
    else:
        placed = {each.index: each for each in settings.columns}
    columns = []
    for each in found.columns:
        said = placed.get(each.index)
        means, of = (said.means, said.of) if said else (Means.IGNORE, "")
        columns.append(Column(each.at, means, each.header, of))
    return tuple(columns)
