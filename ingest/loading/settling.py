"""The second step of a load: whose are the ids that hands claim?

An id belongs to the hand that is stored under it, else to the hand read first. The same hand again
is a duplicate, and so is a record of which it is known that the hand goes on from it; another hand
with its id is in conflict. Claims and what is known are all that is looked at, so claims may come
from anywhere and hands be stored anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

import duckdb
import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.loading.superseding import CONTINUED
from tricklog.ingest.store import database, warehouse
from tricklog.schemas.hand import Hand

MEMORY_LIMIT: Final = "400MB"
_FEW: Final = 100_000
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
    disputed: Sequence[str] = ()
    """The ids of all that are in conflict, sorted."""


class Known(Protocol):
    """Hands that are stored."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stored."""

    def show(self, connection: DuckDBPyConnection) -> None:
        """Make the relation ``known``: ``hand_id``, ``content_hash`` (UUID), ``place``."""


class Snapshot:
    """The hands of a snapshot, or none; ``without`` those with some ids, which are to give way."""

    def __init__(self, path: Path | None, without: Sequence[str] = ()) -> None:
        self.path: Final = path
        self.without: Final = without

    @property
    def is_empty(self) -> bool:
        """Whether there is none."""
        return self.path is None

    def show(self, connection: DuckDBPyConnection) -> None:
        """Make the relation ``known``."""
        if self.path:
            warehouse.attach(connection, "current", self.path)
            without = pa.table({"hand_id": pa.array(self.without, pa.string())})
            connection.register("superseded", without)
            connection.execute(_KNOWN)
        else:
            connection.execute(_NONE_KNOWN)

    def stored_among(self, rejects: Iterable[list[str]]) -> Iterator[list[str]]:
        """Return of keys of rejects, which come in batches, those that are stored."""
        batches = iter(rejects)
        first = next(batches, None)
        if self.path is None or first is None:
            return
        with warehouse.open_snapshot(self.path.parent, once=True) as current:
            for keys in chain([first], batches):
                yield _joined(current, pa.table({"reject": keys}))

    def hands(self, ids: Sequence[str]) -> dict[str, Hand]:
        """Return the hands that are stored under some ids."""
        if self.path is None:
            return {}
        there = set(ids) - set(self.without)
        with closing(warehouse.open_file(self.path, once=True)) as current:
            return {each.id: each.hand for each in warehouse.hands(current, sorted(there))}


def _joined(current: DuckDBPyConnection, keys: pa.Table) -> list[str]:
    current.register("keys", keys)
    try:
        found = current.execute("SELECT reject FROM keys JOIN rejects USING (reject)").fetchall()
    finally:
        # A result that broke off halfway is still open, and what broke it off is what to tell.
        with suppress(duckdb.ResourceInUseException):
            current.unregister("keys")
    return [key for (key,) in found]


def settle(claims: Claims, known: Known, scratch: str, continued: pa.Table | None = None) -> Fates:
    """Return what becomes of the hands that are not new.

    ``continued``: which records go on from others, in the columns of ``CONTINUED``: an id belongs
    to the whole one, and the others are duplicates of it. ``scratch`` is a folder for what does not
    fit into memory. Raises ``duckdb.Error`` when what is known cannot be read.
    """
    if known.is_empty and _all_differ(claims):
        return Fates()
    with database.connect(memory_limit=MEMORY_LIMIT, temp_directory=scratch) as connection:
        known.show(connection)
        connection.register("claims", claims.hands)
        connection.register("files", claims.files)
        connection.register(
            "continued", CONTINUED.empty_table() if continued is None else continued
        )
        connection.execute(_RANGE)
        connection.execute(_DOUBT)
        if connection.execute("SELECT count(*) FROM doubt").fetchall() == [(0,)]:
            return Fates()
        connection.execute(_FATES)
        return Fates(
            connection.sql(_LOST_HANDS).to_arrow_table(),
            [name for (name,) in connection.execute(_DISPUTED).fetchall()],
        )


def _all_differ(claims: Claims) -> bool:
    """Whether a few hands claim an id each, which takes less than to open a database."""
    ids = claims.hands["hand_id"]
    return len(ids) <= _FEW and len(ids.unique()) == len(ids)


_KNOWN: Final = (
    "CREATE VIEW known AS SELECT hand_id, content_hash, file || ':' || line AS place "
    "FROM current.hands ANTI JOIN superseded USING (hand_id)"
)
_NONE_KNOWN: Final = "CREATE TABLE known (hand_id VARCHAR, content_hash UUID, place VARCHAR)"
# Most of what is stored has ids that are above or below all these, and is not looked through.
_RANGE: Final = """
SET VARIABLE lowest = (SELECT min(hand_id) FROM claims);
SET VARIABLE highest = (SELECT max(hand_id) FROM claims);
"""
# Grouping by hashes takes two thirds of the memory that ids take; few ids share a hash.
_DOUBT: Final = """
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
    SELECT hand_id, content_hash, place FROM known SEMI JOIN doubt USING (hand_id)
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
