"""Reading score sheets as logs are read: every row a hand, a blank, something told, or a reject."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from tricklog.core import Finding, Ruleset, check_game, replay
from tricklog.core.rulesets.ruleset import resolved
from tricklog.ingest.reading.log_line import LogLine, WrittenText
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.rejects import RejectCode, Trouble
from tricklog.ingest.reading.sources import Source, SourceError, find_sources, read_pieces
from tricklog.ingest.reading.text_documents import hand_of
from tricklog.ingest.score_sheets.files import read_text_grid, read_workbook
from tricklog.ingest.score_sheets.games import Game, GameFinder, Line, named, style_of
from tricklog.ingest.score_sheets.grid import (
    MAX_FILE,
    MAX_ROWS,
    Grid,
    Row,
    SheetError,
    counter_grid,
)
from tricklog.ingest.score_sheets.hands import Record, Seating, Writer, cells_of, seat
from tricklog.ingest.score_sheets.headers import joined, texts_of
from tricklog.ingest.score_sheets.layout import (
    CORRECT_IT,
    MAP_IT,
    Kind,
    Section,
    lay_out,
    named_anew,
    not_there,
    says_nothing,
    sections_of,
    told_of,
)
from tricklog.ingest.score_sheets.settings import SheetSettings, header_key
from tricklog.ingest.text_form.problems import Problem, Severity
from tricklog.schemas.hand import Hand, content_hash, encode_hand
from tricklog.schemas.languages.messages import mark

_ZIP: Final = b"PK\x03\x04"
_OLE: Final = b"\xd0\xcf\x11\xe0"
MOST_READ: Final = 2_000
"""Rows that are read of a file; a load reads all of them."""
CORRECT_CELL: Final = mark("Correct the cell, or choose what its column means.")
_FIRST_ROWS: Final = 8
"""Rows among which the headings of a mapping that was kept are looked for."""
_TOLD: Final = {
    Kind.HEADER: "headings of columns",
    Kind.TITLE: "a title, read as no hand",
    Kind.FOOTER: "the foot of a table, read as no hand",
}


class Fate(NamedTuple):
    """What became of a row."""

    row: Row
    kind: Kind
    line: Line | None = None
    record: Record | None = None
    """The hand; nothing where a cell is wrong, and of other rows."""
    trouble: SheetError | None = None
    """Why the rows of its game make no hands."""


@dataclass(slots=True)
class ReadSheet:
    """A sheet as it was read."""

    name: str
    """What it is called in its workbook; empty for a text."""
    sections: list[Section]
    trouble: SheetError | None
    """Why it ends before its end."""
    is_cut: bool
    """Whether it goes on behind the rows that were asked for."""
    told: list[Problem]
    """What is to be known of its columns."""
    fates: list[Fate] = field(default_factory=list)
    """What became of each row, in the order of the rows."""
    seatings: list[Seating] = field(default_factory=list)


def read_sheets(
    settings: SheetSettings, *paths: str | Path | Source, byte_counter: ByteCounter | None = None
) -> Iterator[LogLine]:
    """Read score sheets as ``tricklog.ingest.reading.reader.read`` reads hand logs, row by row.

    A row that is no hand, such as a heading, is a line with a note that says so. The name of the
    file of a sheet in a workbook has that of the sheet behind it.
    """
    for source in find_sources(paths):
        try:
            content = content_of(source, byte_counter)
            sheets = read_content(content, source.name, settings)
        except SourceError as error:
            yield LogLine(source.name, 1, 0).rejected(error.trouble())
            continue
        missing = list(not_there((each for sheet in sheets for each in sheet.sections), settings))
        missing += named_anew(source.name, settings)
        for sheet in sheets:
            yield from _lines(source.name, sheet, missing, settings.moved)
            missing = []
        fates = [fate for sheet in sheets for fate in sheet.fates]
        if all(fate.kind != Kind.HAND for fate in fates):
            # That a file has no hand is told: it is no sheet by mistake.
            no_hands = SheetError(
                "No row of this file is a hand." if fates else "The file is empty.",
                "Save the sheet with a row for each hand, below headings that say what the columns "
                "mean.",
            )
            last = max((fate.row.number for fate in fates), default=0)
            yield LogLine(source.name, last + 1, 0).rejected(no_hands.trouble())


def content_of(source: Source, byte_counter: ByteCounter | None = None) -> bytes:
    """Return the bytes of a file, decompressed.

    Raises ``SheetError`` for one larger than any sheet, ``SourceError`` where it cannot be read.
    """
    content = bytearray()
    for piece in _pieces(source):
        if byte_counter:
            byte_counter.count(len(piece))
        content += piece
        if len(content) > MAX_FILE:
            raise SheetError(
                f"The file has more than {MAX_FILE:,} bytes, far more than a score sheet.",
                "Save the rows with the scores as a file of their own.",
            )
    return bytes(content)


def _pieces(source: Source) -> Iterator[bytes]:
    """Return the bytes of a file; a workbook is not unpacked, though it is an archive."""
    if source.is_pipe:
        raise SheetError(
            f"{source.name} is a pipe, and a score sheet is read from a file.",
            "Write it to a file first, then read that.",
        )
    try:
        with source.opener.open() as stream:
            head = stream.read(len(_ZIP))
            if head == _ZIP:
                yield head
                while piece := stream.read(1 << 18):
                    yield piece
                return
    except OSError:
        # Whoever reads it as a log says what is wrong with it.
        pass
    for _, piece in read_pieces(source):
        yield piece


def read_content(
    content: bytes, name: str, settings: SheetSettings, most: int = MAX_ROWS
) -> list[ReadSheet]:
    """Return the sheets of a file of such content and name, ``most`` rows of each.

    Raises ``SheetError`` for a file that cannot be read at all.
    """
    ruleset = resolved(settings.rules)
    return [read_grid(grid, name, settings, ruleset) for grid in grids_of(content, most)]


def grids_of(content: bytes, most: int = MAX_ROWS) -> list[Grid]:
    """Return the tables of a file, ``most`` rows of each.

    Raises ``SheetError`` for one that cannot be read at all.
    """
    if content.startswith(_OLE):
        raise SheetError(
            "The file is a workbook of an old kind, or one with a password.",
            "Save it as .xlsx, .ods or .csv without a password, then read that.",
        )
    if content.startswith(_ZIP):
        return read_workbook(content, most)
    return [counter_grid(content, most) or read_text_grid(content, most)]


def header_of(content: bytes, settings: SheetSettings) -> str:
    """Return by what a file is known again: the words over its first hands; empty without any.

    Raises ``SheetError`` for a file that cannot be read at all.
    """
    for grid in grids_of(content):
        for section in sections_of(grid, settings.headings):
            if section.hands:
                return header_key(section.headings)
    return ""


def headers_of(content: bytes) -> list[str]:
    """Return by what a file may be known again: its headings, or its first rows if they are not.

    Raises ``SheetError`` for a file that cannot be read at all.
    """
    grids = grids_of(content)
    sections = [each for grid in grids for each in sections_of(grid) if each.hands]
    rows = [row for grid in grids for row in grid.rows[:_FIRST_ROWS] if not row.is_blank]
    found = [header_key(each.headings) for each in sections[:1]]
    found += [header_key(texts_of(row)) for row in rows]
    found += [header_key(joined(upper, lower)) for upper, lower in itertools.pairwise(rows)]
    return [each for each in dict.fromkeys(found) if each]


def read_grid(grid: Grid, name: str, settings: SheetSettings, ruleset: Ruleset) -> ReadSheet:
    """Return what a table of a file says."""
    rules = ruleset.rules(len(settings.players) or ruleset.values["players"][0])
    sections = lay_out(grid, settings, rules)
    told = told_of(sections, settings)
    read = ReadSheet(grid.name, sections, grid.trouble, grid.is_cut, told)
    finder = GameFinder(rules)
    fates: dict[int, Fate] = {}
    for section in sections:
        finder.read(section, style_of(section, settings, rules))
        fates |= {row.number: Fate(row, kind) for row, kind in section.rows}
    lines: dict[int, list[Line]] = defaultdict(list)
    for game in finder.games:
        lines[id(game.section)] += game.lines
    tables: dict[int, Seating | SheetError] = {}
    for game, called in named(finder.games, settings.called(name), grid.name):
        at = id(game.section)
        if at not in tables:
            tables[at] = _seated(settings, game, lines[at], ruleset)
        table = tables[at]
        if isinstance(table, SheetError):
            for line in game.lines:
                fates[line.row.number] = Fate(line.row, Kind.HAND, line, None, table)
            continue
        if table not in read.seatings:
            read.seatings.append(table)
        for line, record in Writer(settings, ruleset, table, game, called).hands(grid.name):
            fates[line.row.number] = Fate(line.row, Kind.HAND, line, record)
    read.fates = [fates[number] for number in sorted(fates)]
    return read


def _seated(
    settings: SheetSettings, game: Game, lines: list[Line], ruleset: Ruleset
) -> Seating | SheetError:
    if trouble := says_nothing(game.section):
        return SheetError(trouble, MAP_IT)
    least, most = min(ruleset.values["players"]), max(ruleset.values["players"])
    labels = game.section.labels
    # Where each plays alone, there are as many as have a column.
    seats = len(labels) if ruleset.values["sides"] != "partners" else least
    seats = len(settings.players) or min(max(seats, least), most)
    try:
        return seat(settings.players, labels, lines, ruleset.rules(seats))
    except SheetError as error:
        return error


def recognised_settings(sheets: Sequence[ReadSheet], settings: SheetSettings) -> SheetSettings:
    """Return settings with the columns of the first section that has hands, to keep or to edit."""
    sections = [section for each in sheets for section in each.sections if section.hands]
    return replace(settings, columns=sections[0].columns) if sections else settings


def _lines(
    name: str, sheet: ReadSheet, missing: Sequence[str], moved: Mapping[str, str]
) -> Iterator[LogLine]:
    """Return the rows of a sheet; ``missing`` is said of the mapping with the first of them."""
    file = f"{name}[{sheet.name}]" if sheet.name else name
    counts = Counter(fate.kind for fate in sheet.fates)
    told: dict[int, list[Problem]] = defaultdict(list)
    for each in sheet.told:
        told[each.line].append(each)
    for fate in sheet.fates:
        number = fate.row.number
        here = LogLine(file, number, fate.row.byte, text=fate.row.text.encode())
        # Only the first row of a kind is noted: a sheet may have headings over every game.
        line = _line(here, fate, counts.pop(fate.kind, 0))
        if moved and line.hand and (stored_as := moved.get(content_hash(line.hand))):
            line = line.rejected(_stored_elsewhere(stored_as, line.hand.id))
        notes = [Problem(number, 1, Severity.WARNING, each) for each in missing] + told[number]
        missing = ()
        yield dataclasses.replace(line, warnings=(*line.warnings, *notes)) if notes else line
    if sheet.trouble is not None:
        end = sheet.fates[-1].row.number + 1 if sheet.fates else 1
        yield LogLine(file, end, 0).rejected(sheet.trouble.trouble())


def _stored_elsewhere(stored_as: str, hand_id: str) -> Trouble:
    """Return the trouble of a row that is stored already, from where it stood before."""
    is_of_the_day = stored_as.rsplit(":", 2)[0] == hand_id.rsplit(":", 2)[0]
    why = (
        "rows above it have come in, gone or moved"
        if is_of_the_day
        else "it had another day, or none, when it was loaded"
    )
    message = f"This row is stored as {stored_as!r}: {why}."
    return Trouble(RejectCode.ID_CONFLICT, "/id", message, hint=CORRECT_IT)


def _line(here: LogLine, fate: Fate, count: int) -> LogLine:
    """Return what became of a row; ``count`` rows of its kind are reported with it."""
    if fate.kind != Kind.HAND:
        told = _TOLD.get(fate.kind) if count else None
        if told and count > 1:
            told = f"{told}; with {count - 1:,} rows more of this kind"
        notes = (Problem(here.line, 1, Severity.NOTE, told),) if told else ()
        return dataclasses.replace(here, warnings=notes)
    if fate.trouble is not None:
        return here.rejected(fate.trouble.trouble())
    if fate.record is None:
        wrong = "; ".join(map(str, fate.line.wrong)) if fate.line else ""
        message = f"Row {here.line}, {wrong}." if wrong else f"Row {here.line}."
        return here.rejected(Trouble(RejectCode.BAD_SHEET, "", message))
    found = hand_of(fate.record)
    if isinstance(found, Hand):
        written = WrittenText(here.line, here.byte)
        text = encode_hand(found)
        return LogLine(here.file, here.line, here.byte, found, None, text, written=written)
    message = f"Row {here.line}: {found.pointer} {found.message}"
    return here.rejected(Trouble(RejectCode.BAD_SHEET, "", message))


# --- What a sheet would bring, before it is loaded


class Refused(NamedTuple):
    """A row that makes no hand."""

    sheet: str
    row: int
    why: str
    hint: str = ""


class Found(NamedTuple):
    """A finding in a row."""

    sheet: str
    row: int
    cells: str
    finding: Finding


@dataclass(slots=True)
class Preview:
    """What the first rows of a file would bring."""

    sheets: list[ReadSheet] = field(default_factory=list)
    rows: int = 0
    """Rows of the whole file, as far as a load reads it."""
    rows_read: int = 0
    """``MOST_READ`` at most."""
    hands: int = 0
    games: int = 0
    refused: list[Refused] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)


def preview(content: bytes, name: str, settings: SheetSettings) -> Preview:
    """Return what the first rows of a file of such content and name would bring.

    Raises ``SheetError`` for a file that cannot be read at all.
    """
    read, ruleset = Preview(), resolved(settings.rules)
    games: set[object] = set()
    for grid in grids_of(content):
        first = dataclasses.replace(grid, rows=grid.rows[: MOST_READ - read.rows_read])
        sheet = read_grid(first, name, settings, ruleset)
        read.sheets.append(sheet)
        read.rows += len(grid.rows)
        read.rows_read += len(first.rows)
        hands: list[tuple[int, Hand]] = []
        for fate in sheet.fates:
            made = _made_of(fate, sheet.name)
            if isinstance(made, Refused):
                read.refused.append(made)
            elif made is not None:
                hands.append((fate.row.number, made))
        if sheet.trouble is not None:
            last = grid.rows[-1].number if grid.rows else 0
            read.refused.append(Refused(sheet.name, last + 1, sheet.trouble.message))
        read.hands += len(hands)
        for game, group in groupby(hands, key=lambda each: each[1].game):
            games.add(game)
            of_game = list(group)
            replays = [replay(hand) for _, hand in of_game]
            of_games = check_game(replays)
            for (row, hand), played, beside in zip(of_game, replays, of_games, strict=True):
                read.found += [
                    Found(sheet.name, row, cells_of(hand, each), each)
                    for each in (*played.findings, *beside)
                ]
    read.games = len(games)
    return read


def _made_of(fate: Fate, sheet: str) -> Hand | Refused | None:
    """Return the hand of a row, why there is none, or nothing for a row that is none."""
    row = fate.row.number
    if fate.trouble is not None:
        return Refused(sheet, row, fate.trouble.message, fate.trouble.hint)
    if fate.record is None:
        if fate.line is None:
            return None
        why = f"{'; '.join(map(str, fate.line.wrong))}."
        return Refused(sheet, row, why, CORRECT_CELL)
    made = hand_of(fate.record)
    return made if isinstance(made, Hand) else Refused(sheet, row, made.message)
