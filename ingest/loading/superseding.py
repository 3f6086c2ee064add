"""Stored hands that give way: to the complete record of the same hand, or to a corrected sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.loading import games
from tricklog.ingest.reading.unfinished import continues
from tricklog.ingest.store import long_texts
from tricklog.schemas.hand import Hand, content_hash, decode_hand


@dataclass(frozen=True, slots=True)
class GivesWay:
    """Stored hands of a score sheet and a day that give way to what the sheet says now."""

    sheet: str
    """What their ids begin with."""
    day: str
    """``2024-01-05``; empty where none is written."""
    players: Sequence[str]
    """What those who play are called."""
    hands: int
    """How many give way."""
    stored: int
    """How many of the sheet and the day are stored."""
    is_plain: bool
    """Whether the sheet says mostly what it said of most of them, and nothing less."""
    emptied: Sequence[str] = ()
    """Columns of which it says less than it did."""


@dataclass(frozen=True, slots=True)
class Superseded:
    """Stored hands that give way."""

    corrected: Sequence[str] = ()
    """Ids under which the sheet has another row now."""
    taken_out: Sequence[str] = ()
    """Ids of rows that the sheet has no more."""
    moved: Sequence[str] = ()
    """Ids of hands that are the same in another place of the sheet, so that findings name that."""
    games: Sequence[str] = ()
    """Games of these, to be checked again."""
    completed: Sequence[str] = ()
    """Ids under which an unfinished record is stored, and the complete one has come."""
    days: Sequence[GivesWay] = ()
    """Those that are corrected or taken out, by sheet and day."""

    @property
    def ids(self) -> list[str]:
        """The ids of all of them."""
        return [*self.corrected, *self.taken_out, *self.moved, *self.completed]


NOTHING: Final = Superseded()
CONTINUED: Final = pa.schema([("content_hash", pa.string()), ("whole", pa.string())])
"""Which record says all that one with a content says, as hex; a whole one says so itself."""


def completed(
    rivals: Iterable[tuple[str, bytes]], stored: Mapping[str, Hand]
) -> tuple[list[str], pa.Table]:
    """Return what comes of records of which some go on from others.

    These are the ids whose ``stored`` hand gives way to a record that goes on from it, and a table
    in the columns of ``CONTINUED``. ``rivals`` are ids and lines of new hands, by id and in the
    order in which they were read.
    """
    given_way, contents, wholes = [], [], []
    for hand_id, lines in groupby(rivals, key=itemgetter(0)):
        whole = stored.get(hand_id)
        begun: set[str] = set()
        for _, text in lines:
            hand = decode_hand(text)
            if whole is None or continues(hand, whole):
                begun |= {content_hash(whole)} if whole else set()
                whole = hand
            elif continues(whole, hand):
                begun.add(content_hash(hand))
        if whole is not None and begun:
            content = content_hash(whole)
            contents += [*sorted(begun), content]
            wholes += [content] * (len(begun) + 1)
            if hand_id in stored and content_hash(stored[hand_id]) != content:
                given_way.append(hand_id)
    return given_way, pa.table([contents, wholes], schema=CONTINUED)


def take_out(connection: DuckDBPyConnection, ids: Sequence[str]) -> None:
    """Take hands out of a draft, with what is said of them; their lines count as duplicates."""
    if not ids:
        return
    connection.register("superseded", pa.table({"hand_id": pa.array(ids, pa.string())}))
    for statement in _TAKE_OUT:
        connection.execute(statement)
    connection.unregister("superseded")


def tidy(connection: DuckDBPyConnection, ids: Sequence[str]) -> None:
    """Leave out what no hand has any more since some were taken out; make games, players again."""
    if not ids:
        return
    for statement in _TIDY:
        connection.execute(statement)
    games.refresh(connection)


_COUNTS: Final = """
UPDATE imports SET accepted = accepted - lost, duplicate = duplicate + lost
FROM (
    SELECT import_id AS losing, count(*) AS lost
    FROM hands SEMI JOIN superseded USING (hand_id)
    GROUP BY import_id
)
WHERE import_id = losing
"""
_TEXTS: Final = f"""
DELETE FROM long_texts
WHERE text_hash NOT IN (SELECT {long_texts.HASH_OF} FROM ({long_texts.references()}))
"""  # noqa: S608 - names of our own
_TAKE_OUT: Final = (
    _COUNTS,
    "DELETE FROM findings WHERE hand_id IN (SELECT hand_id FROM superseded)",
    "DELETE FROM hands WHERE hand_id IN (SELECT hand_id FROM superseded)",
)
_TIDY: Final = (
    "DELETE FROM seatings WHERE seating_id NOT IN (SELECT seating_id FROM hands)",
    "DELETE FROM rulesets WHERE ruleset NOT IN (SELECT ruleset FROM seatings)",
    _TEXTS,
)
