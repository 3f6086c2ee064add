"""Stored hands of a lake that give way to the complete record of the same hand.

A load adds files to a lake and changes none, but for this: where a stored hand gives way, the few
files that have rows of it are written again without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tricklog.ingest.lake import compaction, index, reading, tables
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.tables import File
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import database, publishing

_KEYS: Final = {"ids": "id_hash"}
"""Columns by which files are known to have rows of a hand, where that is not its number."""


class GivenWay(msgspec.Struct, frozen=True):
    """A stored hand that gives way."""

    hand_no: int
    id_hash: int


class Rewriting:
    """Files of a snapshot that are written again, which nobody sees before they are published.

    ``load`` is the number under which they are written. Methods raise ``WarehouseError`` when what
    is stored cannot be read, and ``OSError`` when the store fails.
    """

    def __init__(self, lake: Lake, snapshot: Snapshot, load: int) -> None:
        self.added: list[File] = []
        self.gone: list[File] = []
        """The files in whose place they are."""
        self._lake, self._snapshot, self._load = lake, snapshot, load
        self._files = lake.all_files(snapshot)

    def _write(self, file: File, rows: pa.Table | Iterator[pa.RecordBatch]) -> None:
        """Write rows in the place of those of a file."""
        added = tables.write(self._lake.storage, file.table, rows, self._load, 0)
        self.added += [added] if added else []
        self.gone.append(file)

    def _each(self, table: str) -> Iterator[tuple[File, pa.Table]]:
        """Return the files of a small table, each with its rows."""
        schema = tables.schema_of(table)
        for file in self._files.get(table, []):
            batches = compaction.rows_of(self._lake.storage, file)
            yield file, pa.Table.from_batches(batches, schema)

    def leave_hands(self, given_way: Sequence[GivenWay]) -> None:
        """Leave out hands that give way.

        What is said of them by game is left: their games are derived again, or superseded.
        """
        lake, storage = self._lake, self._lake.storage
        numbers = {
            name: np.sort(np.array([getattr(each, name) for each in given_way], np.int64))
            for name in ("hand_no", "id_hash")
        }
        dead = numbers["hand_no"]
        columns = ["hand_no", "seating_id", "import_id"]
        hands = index.rows_with(lake, self._snapshot, "hands", "hand_no", dead, columns)
        for table in tables.LAYOUTS:
            if table in tables.BY_GAME or "hand_no" not in tables.columns_of(table):
                continue
            key = _KEYS.get(table, "hand_no")
            for file in self._files.get(table, []):
                is_there = index.may_hold(numbers[key], file.low[key], file.high[key])
                if is_there and compaction.dead_rows(storage, file, dead):
                    self._write(file, compaction.live_rows(storage, [file], dead))
        self._count_seatings_again(hands)
        lost = Counter(hands["import_id"].to_pylist())
        for file, imports in self._each("imports"):
            rows = imports.to_pylist()
            for row in rows:
                # Lines whose hands gave way count as duplicates.
                row["accepted"] -= lost[row["import_id"]]
                row["duplicate"] += lost[row["import_id"]]
            self._write(file, pa.Table.from_pylist(rows, imports.schema))

    def _count_seatings_again(self, hands: pa.Table) -> None:
        """Count again how many hands seatings have without some of theirs."""
        wanted = np.unique(hands["seating_id"].to_numpy())
        loads = np.unique(hands["hand_no"].to_numpy() >> tables.LOAD_BITS).tolist()
        query = _OF_THESE + sql_text("tricklog.ingest.lake", "sat.sql")
        given_way = hands["hand_no"].to_pylist()
        with (
            reading.open_tables(self._lake, self._snapshot) as there,
            database.connect(memory_limit=publishing.MEMORY_LIMIT) as counting,
        ):
            sat = []
            for number in loads:
                ends = [number << tables.LOAD_BITS, (number + 1) << tables.LOAD_BITS]
                found = there.sql(query, params=[*ends, wanted.tolist(), given_way])
                sat.append(found.to_arrow_table())
            counting.register("sat", pa.concat_tables(sat))
            counting.register("wanted", pa.table({"seating_id": wanted}))
            for file, rows in self._each("seatings"):
                if pc.any(pc.is_in(rows["seating_id"], value_set=pa.array(wanted))).as_py():
                    counting.register("seatings", rows)
                    self._write(file, counting.sql(_COUNTED_AGAIN).to_arrow_table())

    def leave_sessions(self, moved: Sequence[int], superseded: Sequence[int]) -> None:
        """Leave out sessions of which nothing is left in the snapshot.

        These are sessions of the games ``moved``, which begin on another day now; what is still
        played in them comes with the load. Games that are ``superseded`` count no more.
        """
        with reading.open_facts(self._lake, self._snapshot) as facts:
            found = facts.sql(_LEFT, params=[list(moved), list(superseded)])
            left = found.to_arrow_table()["session"]
        for file, rows in self._each("sessions"):
            kept = rows.filter(pc.invert(pc.is_in(rows["session"], value_set=left)))
            if len(kept) < len(rows):
                self._write(file, kept)


_LEFT: Final = f"""
WITH moved AS (
    SELECT DISTINCT session, day
    FROM seat_rows
    WHERE game_no IN (SELECT unnest($1::BIGINT[])) AND session IS NOT NULL
)
SELECT {tables.stored_value("session", "UBIGINT")} AS session
FROM moved
WHERE session NOT IN (
    SELECT session
    FROM seat_rows
    WHERE
        day IN (SELECT day FROM moved)
        AND session IS NOT NULL
        AND game_no NOT IN (SELECT unnest($2::BIGINT[]))
)
"""  # noqa: S608 - names of our own
_OF_THESE: Final = """
WITH hands AS (
    FROM memory.main.hands
    WHERE
        hand_no >= $1
        AND hand_no < $2
        AND seating_id IN (SELECT unnest($3::BIGINT[]))
        AND hand_no NOT IN (SELECT unnest($4::BIGINT[]))
)
"""
_COUNTED_AGAIN: Final = """
SELECT seatings.* REPLACE (
    if(wanted.seating_id IS NULL, seatings.hands, coalesce(sat.hands, 0)) AS hands,
    if(wanted.seating_id IS NULL, seatings.latest, sat.latest) AS latest
)
FROM seatings
LEFT JOIN wanted USING (seating_id)
LEFT JOIN sat USING (seating_id)
ORDER BY seating_id
"""
