"""How a sheet is laid out: which rows are hands, and which head, part or foot them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets import headers
from tricklog.ingest.score_sheets.grid import Grid, Row
from tricklog.ingest.score_sheets.recognising import recognise
from tricklog.ingest.score_sheets.settings import Column, SheetSettings, Sure
from tricklog.ingest.score_sheets.values import is_number
from tricklog.ingest.score_sheets.words import Means, key


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
    sections = sections_of(grid, settings.headings)
    alike: dict[object, list[Section]] = defaultdict(list)
    for section in sections:
        alike[_shape(section, rules)].append(section)
    for group in alike.values():
        rows = [row for section in group for row in section.hands]
        for section in group:
            found = recognise(section.headings, rows, rules)
            section.labels, section.columns = found.labels, found.columns
            if settings.columns:
                section.columns = _as_said(section, settings)
                section.labels = _labels_said(section) or found.labels
    return sections


def sections_of(grid: Grid, said: frozenset[str] = frozenset()) -> list[Section]:
    """Return the sections of a sheet with their rows, before it is known what columns mean.

    ``said`` are headings that a mapping names, whose row is one of headings whatever they say.
    """
    rows, width = grid.rows, grid.width
    sections = [Section([])]
    at = 0
    while at < len(rows):
        row, below = rows[at], _filled_after(rows, at)
        if not row.is_blank and below is not None and _are_two_headers(rows, at, below, said):
            sections.append(Section(headers.joined(row, below)))
            between = rows[at : rows.index(below, at) + 1]
            sections[-1].rows += [
                (each, Kind.BLANK if each.is_blank else Kind.HEADER) for each in between
            ]
            at += len(between)
            continue
        is_first = not any(section.headings or section.hands for section in sections)
        if not row.is_blank and _is_header(row, below, said, is_first=is_first):
            sections.append(Section(list(headers.texts_of(row))))
            sections[-1].rows.append((row, Kind.HEADER))
        else:
            sections[-1].rows.append((row, _kind(row, width)))
        at += 1
    return [section for section in sections if section.rows]


def _is_header(row: Row, below: Row | None, said: frozenset[str], *, is_first: bool) -> bool:
    return (
        headers.is_header(row, below)
        or headers.has_said(headers.texts_of(row), said)
        or (is_first and headers.is_unknown_header(row, below))
    )


def _filled_after(rows: Sequence[Row], at: int) -> Row | None:
    return next((row for row in rows[at + 1 : at + 4] if not row.is_blank), None)


def _are_two_headers(rows: Sequence[Row], at: int, below: Row, said: frozenset[str]) -> bool:
    place = rows.index(below, at)
    if place != at + 1:
        return False
    if headers.has_said(headers.joined(rows[at], below), said):
        return not headers.has_said(headers.texts_of(rows[at]), said)
    after = _filled_after(rows, place)
    return headers.is_header(below, after) and headers.is_upper_header(rows[at], below)


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


def _as_said(section: Section, settings: SheetSettings) -> tuple[Column, ...]:
    """Return what the user says the columns mean; those that they do not name are not used."""
    placed = _placed(section.headings, settings.columns)
    return tuple(
        Column(each.at, said.means, each.header, said.of)
        if (said := placed.get(each.index))
        else Column(each.at, Means.IGNORE, each.header, "", Sure.NOT_KNOWN)
        for each in section.columns
    )


def _placed(headings: Sequence[str], said: Sequence[Column]) -> dict[int, Column]:
    """Return by its place what each column is said to mean.

    A column is found by its heading, of several with one heading by its letter or in their order;
    without a heading, and where no heading fits, by its letter.
    """
    texts = [key(text) for text in headings]
    named = [each for each in said if each.header]
    fits = any(key(each.header) in texts for each in named)
    placed = {
        each.index: each
        for each in said
        if each.at and (not fits or texts[each.index : each.index + 1] == [key(each.header)])
    }
    done = set(map(id, placed.values()))
    for each in (each for each in named if fits and id(each) not in done):
        free = (
            at for at, text in enumerate(texts) if text == key(each.header) and at not in placed
        )
        if (at := next(free, None)) is not None:
            placed[at] = each
    for each in said:
        if each.at and not each.header:
            placed.setdefault(each.index, each)
    return placed


def _labels_said(section: Section) -> tuple[str, ...]:
    """Return the names over the columns that are said to be of sides, in the order of ``of``."""
    labels = {
        each.of: headers.heading_of(each.header).label
        for each in reversed(section.columns)
        if each.of.isdecimal() and each.header
    }
    found = tuple(labels.get(str(number), "") for number in range(1, len(labels) + 1))
    return found if all(found) else ()
