"""The second step of a load: whose are the ids that hands claim?

An id belongs to the hand that is stored under it, else to the hand read first. The same hand again
is a duplicate, and so is a record of which it is known that the hand goes on from it; another hand
with its id is in conflict. Claims and what is known are all that is looked at, so claims may come
from anywhere and hands be stored anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final, Protocol

import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.reading.unfinished import continues
from tricklog.ingest.store import database, warehouse
from tricklog.schemas.hand import Hand, content_hash, decode_hand

MEMORY_LIMIT: Final = "400MB"
_FEW: Final = 100_000
_BATCH: Final = 10_000
"""Ids in dispute of which the records are held at a time."""
CLAIM: Final = pa.schema(
    {
        "hand_id": pa.string(),
        "content_hash": pa.uuid(),
        "file_no": pa.int32(),
        "line": pa.int64(),
        "hand_no": pa.int64(),
    }
)
"""Columns of ``Claims.hands``; ``hand_no`` is a number of its own, as a log may be read twice."""
_LOST: Final = pa.schema({"hand_no": pa.int64(), "place": pa.string()})
_CONTINUED: Final = pa.schema([("content_hash", pa.string()), ("whole", pa.string())])
"""Which record says all that one with a content says, as hex; a whole one says so itself."""

Rivals = Callable[[Sequence[str]], Iterable[tuple[str, bytes]]]
"""Returns id and record of the hands that claim some ids, by id and as they were read."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Which hand claims which id."""

    hands: pa.Table
    files: pa.Table
    """``file_no`` and ``file`` of the logs, numbered in the order in which they are read."""


@dataclass(frozen=True, slots=True)
class Fates:
    """What becomes of the hands whose id is another's; all others are new."""

    lost: pa.Table = field(default_factory=_LOST.empty_table)
    """``hand_no`` of each, as they were read, and of those in conflict ``place``, where the hand is
    that the id belongs to, ``file:line``; it is null for a hand that is there already."""
    given_way: Sequence[str] = ()
    """The ids whose stored hand gives way to a new one that goes on from it."""


class Known(Protocol):
    """Hands that are stored."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stored."""

    def show(self, connection: DuckDBPyConnection) -> None:
        """Make the relation ``known``: ``hand_id``, ``content_hash`` (UUID), ``place``."""

    def hands(self, ids: Sequence[str]) -> Mapping[str, Hand]:
        """Return the hands that are stored under some ids."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The hands of a snapshot, or none where there is no ``path``."""

    path: Path | None

    @property
    def is_empty(self) -> bool:
        """Whether there is none."""
        return self.path is None

    def show(self, connection: DuckDBPyConnection) -> None:
        """Make the relation ``known``."""
        if self.path:
            warehouse.attach(connection, "current", self.path)
        connection.execute(_KNOWN if self.path else _NONE_KNOWN)

    def hands(self, ids: Sequence[str]) -> dict[str, Hand]:
        """Return the hands that are stored under some ids."""
        if self.path is None:
            return {}
        with closing(warehouse.open_file(self.path, once=True)) as current:
            return {each.id: each.hand for each in warehouse.hands(current, ids)}


def settle(
    claims: Claims, known: Known, scratch: str, rivals: Rivals, gone: Sequence[str] = ()
) -> Fates:
    """Return what becomes of the hands that are not new.

    An id in dispute belongs to the record that goes on from the others: these are duplicates of it,
    and where one of them is stored that gives way. Those ``gone`` are ids of which the stored hand
    gives way in any case. ``scratch`` is a folder for what does not fit into memory. Raises
    ``duckdb.Error`` when what is known cannot be read.
    """
    ids = claims.hands["hand_id"]
    # A few hands that claim an id each take less than to open a database.
    if known.is_empty and len(ids) <= _FEW and len(ids.unique()) == len(ids):
        return Fates()
    with database.connect(memory_limit=MEMORY_LIMIT, temp_directory=scratch) as connection:
        known.show(connection)
        connection.register("claims", claims.hands)
        connection.register("files", claims.files)
        connection.execute(_DOUBT)
        if connection.execute("SELECT count(*) FROM doubt").fetchall() == [(0,)]:
            return Fates()
        lost, disputed = _fates(connection, gone, _CONTINUED.empty_table())
        given_way: list[str] = []
        found = []
        for first in range(0, len(disputed), _BATCH):
            batch = disputed[first : first + _BATCH]
            stored = known.hands(sorted(set(batch).difference(gone)))
            some, continued = _completed(rivals(batch), stored)
            given_way += some
            found += [continued] if len(continued) else []
        if found:
            lost, _ = _fates(connection, [*gone, *given_way], pa.concat_tables(found))
        return Fates(lost, given_way)


def _fates(
    connection: DuckDBPyConnection, gone: Sequence[str], continued: pa.Table
) -> tuple[pa.Table, list[str]]:
    """Return ``Fates.lost``, and the ids of all that are in conflict, sorted."""
    connection.register("gone", pa.table({"hand_id": pa.array(gone, pa.string())}))
    connection.register("continued", continued)
    connection.execute(_FATES)
    lost = connection.sql(_LOST_HANDS).to_arrow_table()
    disputed = [name for (name,) in connection.execute(_DISPUTED).fetchall()]
    connection.execute("DROP TABLE fates")
    return lost, disputed


def _completed(
    rivals: Iterable[tuple[str, bytes]], stored: Mapping[str, Hand]
) -> tuple[list[str], pa.Table]:
    """Return what comes of records of which some go on from others.

    These are the ids whose ``stored`` hand gives way to a record that goes on from it, and a table
    in the columns of ``_CONTINUED``.
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
    return given_way, pa.table([contents, wholes], schema=_CONTINUED)


_KNOWN: Final = (
    "CREATE VIEW known AS SELECT hand_id, content_hash, file || ':' || line AS place "
    "FROM current.hands"
)
_NONE_KNOWN: Final = "CREATE TABLE known (hand_id VARCHAR, content_hash UUID, place VARCHAR)"
# Most of what is stored has ids that are above or below all these, and is not looked through.
# Grouping by hashes takes two thirds of the memory that ids take; few ids share a hash.
_DOUBT: Final = """
SET VARIABLE lowest = (SELECT min(hand_id) FROM claims);
SET VARIABLE highest = (SELECT max(hand_id) FROM claims);
CREATE TABLE doubt AS
WITH suspects AS MATERIALIZED (
    SELECT hash(hand_id) AS mixed FROM claims GROUP BY ALL HAVING count(*) > 1
)
SELECT hand_id
FROM claims
WHERE hash(hand_id) IN (FROM suspects)
GROUP BY hand_id
HAVING count(*) > 1
UNION
SELECT hand_id FROM claims SEMI JOIN (
    FROM known WHERE hand_id BETWEEN getvariable('lowest') AND getvariable('highest')
) USING (hand_id)
"""
_FATES: Final = """
CREATE TABLE fates AS
WITH wholes AS (
    SELECT content_hash::UUID AS content_hash, whole::UUID AS whole FROM continued
), rivals AS (
    SELECT
        * REPLACE (coalesce(whole, content_hash) AS content_hash),
        CASE WHEN whole IS NULL THEN 1 WHEN whole = content_hash THEN 0 ELSE 2 END AS rank
    FROM (FROM claims SEMI JOIN doubt USING (hand_id)) LEFT JOIN wholes USING (content_hash)
), owners AS (
    SELECT hand_id, content_hash, place
    FROM known SEMI JOIN doubt USING (hand_id) ANTI JOIN gone USING (hand_id)
)
SELECT
    rivals.hand_id,
    rivals.file_no,
    rivals.line,
    hand_no,
    rivals.content_hash
        = coalesce(owners.content_hash, first_value(rivals.content_hash) OVER read) AS same,
    coalesce(owners.place, first_value(file || ':' || rivals.line) OVER read) AS place,
    owners.hand_id IS NULL AND row_number() OVER read = 1 AS stays
FROM rivals
JOIN files USING (file_no)
LEFT JOIN owners USING (hand_id)
WINDOW read AS (PARTITION BY rivals.hand_id ORDER BY rank, rivals.file_no, rivals.line, hand_no)
"""
_LOST_HANDS: Final = """
SELECT hand_no, CASE WHEN NOT same THEN place END AS place
FROM fates
WHERE NOT stays
ORDER BY file_no, line, hand_no
"""
_DISPUTED: Final = (
    "SELECT DISTINCT hand_id FROM fates WHERE NOT stays AND NOT same ORDER BY hand_id"
)
