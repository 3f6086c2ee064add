"""``tricklog load --inspect``: what a score sheet that comes in says, and what its columns mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tricklog.ingest.cli.output import SUCCESS, UNREADABLE, UserError, print_json, write_text
from tricklog.ingest.cli.score_sheets import SheetOptions, settings_for
from tricklog.ingest.reading.rejects import printable
from tricklog.ingest.reading.sources import SourceError, find_sources
from tricklog.ingest.score_sheets import reader
from tricklog.ingest.score_sheets.grid import MAX_ROWS
from tricklog.ingest.score_sheets.reader import (
    ReadSheet,
    content_of,
    read_content,
    recognised_settings,
)
from tricklog.ingest.score_sheets.settings import SheetSettings, write_mapping
from tricklog.schemas.words import counted

_SHOWN = 10
"""Rows that cannot be read that are shown."""


def print_meaning(paths: Sequence[str], options: SheetOptions, *, json: bool) -> int:
    """Print what the columns of one sheet mean, as a mapping or an object; return the exit status.

    Raises ``UserError`` for a file that is no score sheet.
    """
    if len(paths) > 1:
        raise UserError("--inspect looks at one score sheet", "Name one file.")
    (file,) = paths
    settings = settings_for(options)
    (source,) = find_sources([file])
    try:
        sheets = read_content(content_of(source), source.name, settings, reader.MOST_READ)
    except SourceError as error:
        raise UserError(f"{file}: {error.message.rstrip('.')}", error.hint) from error
    if json:
        print_json(_as_json(sheets, settings))
    else:
        remarks = [f"# {printable(line)}" for each in sheets for line in _told(file, each)]
        mapping = write_mapping(recognised_settings(sheets, settings))
        write_text("\n".join([*remarks, mapping]))
    wrong = any(_wrong_rows(each) for each in sheets) or any(each.trouble for each in sheets)
    return UNREADABLE if wrong else SUCCESS


def _wrong_rows(read: ReadSheet) -> list[tuple[int, str]]:
    """Return the rows that make no hand, each with the reason."""
    found = []
    for fate in read.fates:
        if fate.trouble is not None:
            found.append((fate.row.number, fate.trouble.message.rstrip(".")))
        elif fate.line is not None and fate.line.wrong:
            found.append((fate.row.number, "; ".join(map(str, fate.line.wrong))))
    return found


def _told(file: str, read: ReadSheet) -> Iterator[str]:
    kinds = Counter(fate.kind.value for fate in read.fates)
    wrong = _wrong_rows(read)
    name = f"{file}[{read.name}]" if read.name else file
    nouns = {"header": "row of headings", "title": "title", "footer": "row of totals"}
    rows = [counted(kinds["hand"], "row")]
    rows += [f"{kinds[kind]:,} x {noun}" for kind, noun in nouns.items() if kinds[kind]]
    rows += [f"{kinds['blank']:,} blank"] if kinds["blank"] else []
    yield f"{name}: {', '.join(rows)}"
    for seating in read.seatings:
        yield f"Players in the order of the seats: {', '.join(seating.players)}"
    games = {fate.record["game"] for fate in read.fates if fate.record}
    yield f"{counted(kinds['hand'] - len(wrong), 'hand')} in {counted(len(games), 'game')}"
    for row, why in wrong[:_SHOWN]:
        yield f"Row {row} makes no hand: {why}"
    if len(wrong) > _SHOWN:
        yield f"and {len(wrong) - _SHOWN:,} more rows make no hand"
    if read.trouble is not None:
        yield read.trouble.message
    if read.is_cut:
        yield f"This is of the first {len(read.fates):,} rows; a load reads {MAX_ROWS:,} at most"


def _as_json(sheets: list[ReadSheet], settings: SheetSettings) -> dict[str, object]:
    found = recognised_settings(sheets, settings)
    return {
        "columns": found.columns,
        "sheets": [
            {
                "sheet": each.name,
                "rows": Counter(fate.kind.value for fate in each.fates),
                "is_cut": each.is_cut,
                "players": [list(seating.players) for seating in each.seatings],
                "wrong": [{"row": row, "why": why} for row, why in _wrong_rows(each)],
            }
            for each in sheets
        ],
    }
