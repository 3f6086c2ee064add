"""How a sheet is laid out: which rows are hands, which head, part or foot them, what columns mean.

Beside the hands it is told which columns are not used, or are guessed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from msgspec.structs import replace

from tricklog.core.engine.records import Rules
from tricklog.ingest.score_sheets import headers
from tricklog.ingest.score_sheets.grid import Grid, Row
from tricklog.ingest.score_sheets.recognising import recognise
from tricklog.ingest.score_sheets.settings import Column, SheetSettings, Sure
from tricklog.ingest.score_sheets.values import is_number
from tricklog.ingest.score_sheets.words import Means, key
from tricklog.ingest.text_form.problems import Problem, Severity, did_you_mean
from tricklog.schemas.printable import one_line

MAP_IT: Final = "Say what the columns mean: tricklog load --inspect FILE prints a mapping to edit."
_ANOTHER = (
    "If this is another sheet or evening, give the file a name of its own, or its rows the day: "
    "the stored hands stay. "
)
CORRECT_IT: Final = (
    f"{_ANOTHER}Only if this row was corrected, load the sheet with --correct: it says which "
    "stored hands it replaces, and asks where it agrees with few of them."
)
CORRECT_IN_LAKE: Final = (
    f"{_ANOTHER}If this row was corrected, load the sheet into a new lake, or into a warehouse in "
    "a folder: in a lake no row takes the place of a stored one."
)
_UNUSED: Final = "is not used"
ADVICE: Final = "; a mapping can say what it means, see tricklog load --inspect"
_MOST_NAMED: Final = 8
_CONTRACT: Final = frozenset(
    {
        *(Means.MAKER, Means.BID, Means.RESULT, Means.SET, Means.BY),
        *(Means.POINTS, Means.CHANGE, Means.SCORE),
    }
)
"""What says that something was bid or scored in a hand."""


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
    # Alike are those whose headings mean the same, whoever is named in them.
    alike: dict[object, list[Section]] = defaultdict(list)
    for section in sections:
        found = recognise(section.headings, (), rules).columns
        alike[tuple((each.at, each.means, each.of) for each in found)].append(section)
    for group in alike.values():
        rows = [row for section in group for row in section.hands]
        for section in group:
            section.columns, section.labels = recognise(section.headings, rows, rules)
            if settings.columns:
                _apply(settings.columns, section)
    return sections


def sections_of(grid: Grid, said: frozenset[str] = frozenset()) -> list[Section]:
    """Return the sections of a sheet with their rows, before it is known what columns mean.

    ``said`` are headings that a mapping names, whose row is one of headings whatever they say.
    """
    rows, width = grid.rows, grid.width
    sections = [Section([])]
    at = 0
    while at < len(rows):
        row, kind, count = rows[at], Kind.HEADER, 1
        is_first = not any(section.headings or section.hands for section in sections)
        if row.is_blank:
            kind = Kind.BLANK
        elif _are_two_headers(rows, at, said):
            count = 2
            sections.append(Section(headers.joined(row, rows[at + 1])))
        elif _is_header(row, _filled_after(rows, at), said, is_first=is_first):
            sections.append(Section(headers.texts_of(row)))
        elif headers.is_footer(row):
            kind = Kind.FOOTER
        else:
            title = headers.title_of(row)
            is_title = title and width > 1 and not is_number(title)
            kind = Kind.TITLE if is_title else Kind.HAND
        sections[-1].rows += [(each, kind) for each in rows[at : at + count]]
        at += count
    return [section for section in sections if section.rows]


def _is_header(row: Row, below: Row | None, said: frozenset[str], *, is_first: bool) -> bool:
    return (
        headers.is_header(row, below)
        or headers.has_said(headers.texts_of(row), said)
        or (is_first and headers.is_unknown_header(row, below))
    )


def _filled_after(rows: Sequence[Row], at: int) -> Row | None:
    return next((row for row in rows[at + 1 : at + 4] if not row.is_blank), None)


def _are_two_headers(rows: Sequence[Row], at: int, said: frozenset[str]) -> bool:
    if at + 1 == len(rows) or rows[at + 1].is_blank:
        return False
    row, below = rows[at], rows[at + 1]
    if headers.has_said(headers.joined(row, below), said):
        return not headers.has_said(headers.texts_of(row), said)
    after = _filled_after(rows, at + 1)
    return headers.is_header(below, after) and headers.is_upper_header(row, below)


def _apply(said: Sequence[Column], section: Section) -> None:
    """Give columns the meaning that the user says; those that they do not name are not used.

    The names over columns that are said to be of sides are their labels, in the order of ``of``.
    """
    placed = _placed(section.headings, said)
    section.columns = tuple(
        Column(each.at, found.means, each.header, found.of)
        if (found := placed.get(each.index))
        else each.unused()
        for each in section.columns
    )
    labels = {
        each.of: headers.heading_of(each.header).label
        for each in reversed(section.columns)
        if each.of.isdecimal() and each.header
    }
    listed = tuple(labels.get(str(number), "") for number in range(1, len(labels) + 1))
    if listed and all(listed):
        section.labels = listed


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


# --- What is said of a sheet beside its hands


def told_of(sections: Sequence[Section], settings: SheetSettings) -> list[Problem]:
    """Return what is said of the columns of a sheet, each once: not used, or guessed.

    It stands at the heading; at the first hand where there is none.
    """
    found: list[Problem] = []
    seen: set[tuple[str, str]] = set()
    for section in sections:
        for each in section.columns:
            known = (each.at, key(each.header))
            is_filled = any(row.cell(each.index) is not None for row in section.hands)
            if known in seen or not is_filled:
                continue
            seen.add(known)
            message = ""
            if each.means == Means.IGNORE:
                message = "" if _is_said_unused(each, settings) else _UNUSED
            elif each.sure == Sure.GUESSED:
                of = ""
                if each.of.isdecimal():
                    whose = dict(enumerate(section.labels, 1)).get(int(each.of))
                    of = f" of {whose or f'side {each.of}'}"
                message = f"is taken for {each.means.value}{of}, by what stands in it alone"
            if message == _UNUSED and all(_UNUSED not in other.message for other in found):
                message += ADVICE
            if message:
                heads = [row.number for row, kind in section.rows if kind == Kind.HEADER]
                row = heads[-1] if heads else section.hands[0].number
                heading = f" {one_line(each.header)!r}" if each.header else ""
                named = f"column {each.at}{heading} (cell {each.at}{row})"
                message = f"{named} {message}"
                found.append(Problem(row, each.index + 1, Severity.NOTE, message))
    return found


def _is_said_unused(column: Column, settings: SheetSettings) -> bool:
    """Whether a mapping says of a column that it is not to be used."""
    return any(
        said.means == Means.IGNORE
        and (key(said.header) == key(column.header) if key(said.header) else said.at == column.at)
        for said in settings.columns
    )


def not_there(sections: Iterable[Section], settings: SheetSettings) -> Iterator[str]:
    """Return a sentence for each heading of a mapping that no table of a file has."""
    texts = {key(text): text for section in sections for text in section.headings if text}
    for each in settings.columns:
        if each.header and key(each.header) not in texts:
            hint = did_you_mean(each.header, texts.values(), "")
            heading = repr(one_line(each.header))
            yield f"the mapping names a heading {heading}, which is not here{hint}"


def named_anew(file: str, settings: SheetSettings) -> Iterator[str]:
    """Return a sentence for a file whose hands are not called after it, as others are."""
    if file in settings.names:
        taken = replace(settings, names={}).called(file)
        name = settings.names[file]
        yield f"{taken!r} is the name of another sheet, so the ids of these hands begin with {name}"


def says_nothing(section: Section) -> str:
    """Return a sentence for a table none of whose columns says what was bid or scored."""
    if any(each.means in _CONTRACT for each in section.columns):
        return ""
    named = [f"{each.at} {one_line(each.header)!r}" for each in section.columns if each.header]
    what = f" It is not known what {', '.join(named[:_MOST_NAMED])} mean." if named else ""
    return f"No column says what was bid or scored.{what}"
