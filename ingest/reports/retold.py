"""The sentences of stored findings in the language of whoever reads them.

A warehouse has them in English. In another language the hands are judged again, each by itself and
those of a game together, and the messages are taken that give the stored sentences.
"""

from __future__ import annotations

from dataclasses import replace

from duckdb import DuckDBPyConnection

from tricklog.core import BadRecord, Replay, RulesetError, replay
from tricklog.core.judging.games import check_game
from tricklog.ingest.sheets.model import Sheet
from tricklog.ingest.store.warehouse import RecordError, hands
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.messages import Message


def sentences_of(tables: DuckDBPyConnection, sheet: Sheet) -> dict[tuple[str, str], Message]:
    """Return the messages of the findings of a game, by the hand and the English sentence.

    Empty in English, where the stored sentences do, and for a game without findings. What cannot be
    judged again has none.
    """
    wanted = [row.hand for row in sheet.rows if row.hand]
    if current() == ENGLISH or not any(row.marks for row in sheet.rows):
        return {}
    judged = _judged(tables, wanted)
    in_order = [judged[hand] for hand in wanted if hand in judged]
    return {
        (replayed.hand.id, finding.message): finding.said
        for replayed, found in zip(in_order, check_game(in_order), strict=True)
        for finding in (*replayed.findings, *found)
    }


def retold(tables: DuckDBPyConnection, sheet: Sheet) -> Sheet:
    """Return a score sheet with the sentences of its findings in the language of this context."""
    said = sentences_of(tables, sheet)
    if not said:
        return sheet
    rows = (
        replace(
            row,
            marks=tuple(
                replace(mark, message=str(said.get((row.hand or "", mark.message), mark.message)))
                for mark in row.marks
            ),
        )
        for row in sheet.rows
    )
    return replace(sheet, rows=tuple(rows))


def _judged(tables: DuckDBPyConnection, wanted: list[str]) -> dict[str, Replay]:
    found = {}
    for stored in hands(tables, wanted):
        try:
            found[stored.id] = replay(stored.hand)
        except (BadRecord, RecordError, RulesetError):
            continue
    return found
