"""What a rebuild of a lake gives out as tasks: reading files, comparing ids, writing hands."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection

from tricklog.ingest.lake import portions, reading, recalling, tables
from tricklog.ingest.lake.portions import Portion
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.staging import KeptHand
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.tables import File
from tricklog.ingest.store import database, publishing
from tricklog.ingest.store.warehouse import RecordError, StoredHand
from tricklog.schemas.hand import content_hash, encode_hand

TAKEN: Final = (
    "hands", "seatings", "rulesets", "findings", "rejects", "long_texts", "imports", "ids"
)  # fmt: skip
"""Tables that a rebuild takes rows from."""
_NAMED: Final = 20
"""Lost hands that a task names."""


@dataclass(frozen=True, slots=True)
class Left:
    """What can be read of a snapshot."""

    storage: Storage
    snapshot: Snapshot
    damaged: frozenset[str]
    """Tables and files, by their names below the root of the lake, that cannot be read."""

    def opened(self) -> tuple[Lake, Snapshot]:
        """Return the lake and the snapshot."""
        return Lake(self.storage), self.snapshot

    def files(self) -> dict[str, list[File]]:
        """Return the files that can be read of each table that a rebuild takes rows from."""
        lake, snapshot = self.opened()
        named = [name for name in TAKEN if name in snapshot.versions]
        return {
            table: [file for file in lake.files(snapshot, table) if file.name not in self.damaged]
            for table in named
            if table not in self.damaged
        }

    def tables(self) -> DuckDBPyConnection:
        """Open the tables as far as they can be read."""
        lake, snapshot = self.opened()
        return reading.open_tables(lake, snapshot, once=True, files=self.files())


@dataclass(frozen=True, slots=True)
class CompareTask:
    """Ids to be compared."""

    left: Left
    stored: Portion
    """Those of what is left."""
    made: Portion | None
    """Those of what was made of the logs, with hashes in the same range."""
    from_stored: int
    """The load of stored hands there; what it has is no log's."""
    storage: Storage
    path: str
    """Where the numbers of hands go that are lacking."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of comparing the ids of a range."""

    lacking: int
    """Stored hands that are not among those made."""
    is_displaced: bool
    """Whether another hand has the id of one of them there."""
    path: str


@dataclass(frozen=True, slots=True)
class WriteTask:
    """Stored hands to be written as a log."""

    left: Left
    hand_nos: tuple[int, ...]
    log: str
    """The name of the log below the root of the lake that is written."""
    storage: Storage


@dataclass(frozen=True, slots=True)
class Written:
    """What came of writing stored hands as a log."""

    log: str
    files: dict[str, int]
    """How many hands were written that came from each file."""
    lost: tuple[int, ...]
    """The numbers of hands that were not: what is stored of them is not what it once was."""
    named: tuple[str, ...]
    """The ids of the first of these."""


def compare_ids(task: CompareTask) -> Compared:
    """Look for the stored hands of a range that are not made with the same content.

    Raises ``WarehouseError`` when what is stored cannot be read, and ``OSError`` when the store
    fails.
    """
    stored = _stored_ids(task)
    made = portions.ids_of(task.made) if task.made else stored.slice(0, 0)
    with database.connect(memory_limit=publishing.MEMORY_LIMIT) as connection:
        connection.register("stored", stored)
        connection.register("made", made)
        rows = connection.execute(
            _LACKING, {"from_stored": task.from_stored, "bits": tables.LOAD_BITS}
        ).fetchnumpy()
    numbers = np.asarray(rows["hand_no"], np.int64)
    if len(numbers):
        with task.storage.open_output(task.path) as file:
            file.write(numbers.tobytes())
    return Compared(len(numbers), bool(np.any(rows["displaced"])), task.path)


def _stored_ids(task: CompareTask) -> pa.Table:
    """Return the ids of stored hands: from the index or, where anything is lost, from hands."""
    if not task.left.damaged:
        return portions.ids_of(task.stored)
    within = [task.stored.first, task.stored.behind - 1]
    with closing(task.left.tables()) as stored:
        return stored.sql(_FROM_HANDS, params=within).to_arrow_table()


def write_hands(task: WriteTask) -> Written:
    """Write stored hands as a log that says where each came from.

    A hand whose record is not the one that its hash was made from is left out, as is one that makes
    no record or that its number does not lead to. Raises as ``compare_ids`` does.
    """
    files: Counter[str] = Counter()
    lost = set(task.hand_nos)
    with closing(task.left.tables()) as stored, task.storage.open_output(task.log) as log:
        for number, hand in recalling.stored_hands(stored, list(task.hand_nos)):
            if _is_sound(hand):
                kept = KeptHand(hand.file, hand.line, msgspec.Raw(encode_hand(hand.hand)))
                log.write(msgspec.json.encode(kept) + b"\n")
                files[hand.file] += 1
                lost.discard(number)
    named: list[tuple[str]] = []
    if lost:
        with closing(task.left.tables()) as stored:
            named = stored.execute(_IDS_OF, [sorted(lost), _NAMED]).fetchall()
    ids = tuple(hand_id for (hand_id,) in named)
    return Written(task.log, dict(files), tuple(sorted(lost)), ids)


def _is_sound(stored: StoredHand) -> bool:
    """Whether the record of a stored hand is the one that its hash was made from."""
    try:
        return content_hash(stored.hand) == stored.content_hash
    except RecordError:
        return False


_IDS_OF: Final = """
SELECT DISTINCT hand_id
FROM hands
WHERE hand_no IN (SELECT unnest($1::BIGINT[]))
ORDER BY hand_id
LIMIT $2
"""
_LACKING: Final = """
SELECT hand_no, max(displaced) AS displaced
FROM (
    SELECT stored.hand_no, made.hand_no IS NOT NULL AS displaced
    FROM stored
    LEFT JOIN made USING (id_hash)
    WHERE made.hand_no IS NULL OR (
        made.content <> stored.content AND made.hand_no >> $bits <> $from_stored
    )
)
GROUP BY hand_no
"""
_FROM_HANDS: Final = f"""
SELECT id_hash, unhex(replace(content_hash::VARCHAR, '-', '')) AS content, hand_no
FROM (
    SELECT {tables.signed_hash("hand_id")} AS id_hash, content_hash, hand_no
    FROM hands SEMI JOIN seatings USING (seating_id)
)
WHERE id_hash BETWEEN $1 AND $2
"""  # noqa: S608 - names of our own
