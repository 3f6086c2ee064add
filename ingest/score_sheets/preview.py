"""What a score sheet would bring, before it is loaded: hands, games, rows refused, findings.

Of a long sheet the first rows tell how it is read; a load says the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, NamedTuple

from tricklog.core import Finding, check_game, replay
from tricklog.core.rulesets.ruleset import resolved
from tricklog.ingest.reading.text_documents import hand_of
from tricklog.ingest.score_sheets.hands import cells_of
from tricklog.ingest.score_sheets.reader import Fate, ReadSheet, grids_of, read_grid
from tricklog.ingest.score_sheets.settings import SheetSettings
from tricklog.schemas.hand import Hand
from tricklog.schemas.languages.messages import mark

MOST_READ: Final = 2_000
"""Rows that are read of a file; a load reads all of them."""
CORRECT_CELL: Final = mark("Correct the cell, or choose what its column means.")


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
        first = replace(grid, rows=grid.rows[: MOST_READ - read.rows_read])
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
