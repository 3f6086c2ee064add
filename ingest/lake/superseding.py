"""Stored hands of a lake that give way to the complete record of the same hand.

A load adds files to a lake and changes none, but for this: where a stored hand gives way, the few
files that have rows of it are written again without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tricklog.ingest.lake import compaction, index, reading, tables
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.tables import File
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import database, publishing

_KEYS: Final = {"ids": "id_hash"}
"""Columns by which files are known to have rows of a hand, where that is not its number."""


class GivenWay(msgspec.Struct, frozen=True):
    """A stored hand that gives way."""

    hand_no: int
    id_hash: int


@dataclass(slots=True)
class Rewritten:
    """Files that were written again, which nobody sees before they are published."""

    added: list[File] = field(default_factory=list)
    gone: list[File] = field(default_factory=list)
    """The files in whose place they are."""

    def write(
        self, storage: Storage, file: File, rows: pa.Table | Iterator[pa.RecordBatch], load: int
    ) -> None:
        """Write rows in the place of those of a file."""
        added = tables.write(storage, file.table, rows, load, 0)
        self.added += [added] if added else []
        self.gone.append(file)


def without(lake: Lake, snapshot: Snapshot, given_way: Sequence[GivenWay], load: int) -> Rewritten:
    """Write the files of a snapshot again that have rows of hands that give way.

    What is said of them by game is left: their games are derived again, or superseded. ``load`` is
    the number under which the files are written. Raises ``WarehouseError`` when what is stored
    cannot be read, and ``OSError`` when the store fails.
    """
    rewritten = Rewritten()
    numbers = {
        "hand_no": np.sort(np.array([each.hand_no for each in given_way], np.int64)),
        "id_hash": np.sort(np.array([each.id_hash for each in given_way], np.int64)),
    }
    dead = numbers["hand_no"]
    columns = ["hand_no", "seating_id", "import_id"]
    hands = index.rows_with(lake, snapshot, "hands", "hand_no", dead, columns)
    files = lake.all_files(snapshot)
    for table in tables.LAYOUTS:
        if table in tables.BY_GAME or "hand_no" not in tables.columns_of(table):
            continue
        key = _KEYS.get(table, "hand_no")
        for file in files.get(table, []):
            is_there = index.may_hold(numbers[key], file.low[key], file.high[key])
            if is_there and compaction.dead_rows(lake.storage, file, dead):
                live = compaction.live_rows(lake.storage, [file], dead)
                rewritten.write(lake.storage, file, live, load)
    _count_seatings_again(lake, snapshot, hands, files.get("seatings", []), load, rewritten)
    lost = Counter(hands["import_id"].to_pylist())
    for file in files.get("imports", []):
        imports = _rows_of(lake.storage, file)
        rows = imports.to_pylist()
        for row in rows:
            # Lines whose hands gave way count as duplicates.
            row["accepted"] -= lost[row["import_id"]]
            row["duplicate"] += lost[row["import_id"]]
        rewritten.write(lake.storage, file, pa.Table.from_pylist(rows, imports.schema), load)
    return rewritten


def _rows_of(storage: Storage, file: File) -> pa.Table:
    schema = tables.schema_of(file.table)
    return pa.Table.from_batches(compaction.rows_of(storage, file), schema)


def _count_seatings_again(
    lake: Lake,
    snapshot: Snapshot,
    hands: pa.Table,
    files: Sequence[File],
    load: int,
    rewritten: Rewritten,
) -> None:
    """Count again how many hands seatings have, of which some give way."""
    wanted = np.unique(hands["seating_id"].to_numpy())
    loads = np.unique(hands["hand_no"].to_numpy() >> tables.LOAD_BITS)
    with (
        reading.open_tables(lake, snapshot) as there,
        database.connect(memory_limit=publishing.MEMORY_LIMIT) as counting,
    ):
        sat = [
            there.sql(
                _OF_THESE + sql_text("tricklog.ingest.lake", "sat.sql"),
                params=[
                    int(number) << tables.LOAD_BITS,
                    int(number + 1) << tables.LOAD_BITS,
                    wanted.tolist(),
                    hands["hand_no"].to_pylist(),
                ],
            ).to_arrow_table()
            for number in loads
        ]
        counting.register("sat", pa.concat_tables(sat))
        counting.register("wanted", pa.table({"seating_id": wanted}))
        for file in files:
            rows = _rows_of(lake.storage, file)
            if pc.any(pc.is_in(rows["seating_id"], value_set=pa.array(wanted))).as_py():
                counting.register("seatings", rows)
                again = counting.sql(_COUNTED_AGAIN).to_arrow_table()
                rewritten.write(lake.storage, file, again, load)


def leave_sessions(
    lake: Lake,
    snapshot: Snapshot,
    moved: Sequence[int],
    superseded: Sequence[int],
    load: int,
    rewritten: Rewritten,
) -> None:
    """Write the files again that have sessions of which nothing is left in a snapshot.

    These are sessions of the games ``moved``, which begin on another day now; what is still played
    in them comes with the load. Games that are ``superseded`` count no more. Raises as ``without``.
    """
    with reading.open_facts(lake, snapshot) as facts:
        left = facts.sql(_LEFT, params=[list(moved), list(superseded)]).to_arrow_table()["session"]
    for file in lake.all_files(snapshot).get("sessions", []):
        rows = _rows_of(lake.storage, file)
        kept = rows.filter(pc.invert(pc.is_in(rows["session"], value_set=left)))
        if len(kept) < len(rows):
            rewritten.write(lake.storage, file, kept, load)


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
