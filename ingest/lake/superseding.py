"""Stored hands of a lake that give way to the complete record of the same hand.

A load adds files to a lake and changes none, but for this: where a stored hand gives way, the few
files that have rows of it are written again without them. Which hands do is what
``tricklog.ingest.loading.superseding`` says, here of the records that some parts of a load have set
aside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tricklog.ingest.lake import compaction, groups, index, reading, recalling, tables
from tricklog.ingest.lake.groups import Places
from tricklog.ingest.lake.plan import Plan
from tricklog.ingest.lake.publish import Lake, Snapshot
from tricklog.ingest.lake.staging import CAREFUL, SEATINGS, VALID
from tricklog.ingest.lake.storage import Storage
from tricklog.ingest.lake.tables import File
from tricklog.ingest.loading.spool import Spool
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import database, publishing
from tricklog.schemas.hand import Hand

BATCH: Final = 10_000
"""Ids in dispute of which the records are held at a time."""
_KEYS: Final = {"ids": "id_hash"}
"""Columns by which files are known to have rows of a hand, where that is not its number."""


class GivenWay(msgspec.Struct, frozen=True):
    """A stored hand that gives way."""

    hand_no: int
    id_hash: int


# --- Which hands


def rivals(
    plan: Plan, storage: Storage, claims: pa.Table, ids: Sequence[str]
) -> list[tuple[str, bytes]]:
    """Return id and record of all hands that claim one of ``ids``, by id and as they were read.

    ``claims`` has ``hand_id``, ``careful`` and where the hand was set aside: number of the
    ``part``, the ``bucket`` of its game, and its ``place`` there. Raises ``OSError`` when the store
    fails.
    """
    wanted = claims.filter(pc.is_in(claims["hand_id"], value_set=pa.array(ids, pa.string())))
    found: list[tuple[str, int, int, bytes]] = []
    for places in wanted.group_by(["part", "bucket"]).aggregate([]).to_pylist():
        number, bucket = places["part"], places["bucket"]
        here = wanted.filter(
            pc.and_(pc.equal(wanted["part"], number), pc.equal(wanted["bucket"], bucket))
        )
        for hand_id, file_no, line, text in _set_aside(plan, storage, number, bucket, here):
            place = file_no + plan.first_files[number], line + plan.first_lines[number]
            found.append((hand_id, *place, text))
    return [(hand_id, text) for hand_id, *_, text in sorted(found)]


def _set_aside(
    plan: Plan, storage: Storage, number: int, bucket: int, claims: pa.Table
) -> Iterator[tuple[str, int, int, bytes]]:
    """Give id, number of the log, line and record of hands that a part has for a bucket."""
    part = plan.parts[number]

    def read(name: str) -> pa.Table:
        found = groups.read(storage, part.path(name), part.groups.get(name, []), bucket)
        return pa.concat_tables(found)

    of_careful = claims.filter(claims["careful"])
    if len(of_careful):
        for row in read(CAREFUL).take(of_careful["place"]).to_pylist():
            yield row["hand_id"], row["file_no"], row["line"], row["text"]
    of_valid = claims.filter(pc.invert(claims["careful"]))
    if len(of_valid):
        with Spool() as spool:
            for file in part.files:
                spool.file_number(file)
            spool.add_seatings(read(SEATINGS))
            spool.add_hands(read(VALID).take(of_valid["place"]))
            spool.finish()
            yield from spool.lines_of(of_valid["hand_id"].to_pylist())


def stored(lake: Lake, snapshot: Snapshot, hand_nos: Sequence[int]) -> dict[str, tuple[int, Hand]]:
    """Return number and record of stored hands, by their ids.

    Raises ``WarehouseError`` when what is stored cannot be read.
    """
    with reading.open_tables(lake, snapshot) as there:
        found = recalling.stored_hands(there, list(hand_nos))
        return {each.id: (number, each.hand) for number, each in found}


# --- Without them


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
    hands = _known_of(lake, snapshot, dead)
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
        rows = _without(_rows_of(lake.storage, file), lost)
        rewritten.write(lake.storage, file, rows, load)
    return rewritten


def _known_of(lake: Lake, snapshot: Snapshot, hand_nos: Places) -> pa.Table:
    columns = ["hand_no", "seating_id", "import_id"]
    return index.rows_with(lake, snapshot, "hands", "hand_no", hand_nos, columns)


def _rows_of(storage: Storage, file: File) -> pa.Table:
    schema = tables.schema_of(file.table)
    return pa.Table.from_batches(compaction.rows_of(storage, file), schema)


def _without(imports: pa.Table, lost: Mapping[int, int]) -> pa.Table:
    """Return what loads counted: lines whose hands gave way count as duplicates."""
    rows = imports.to_pylist()
    for row in rows:
        row["accepted"] -= lost.get(row["import_id"], 0)
        row["duplicate"] += lost.get(row["import_id"], 0)
    return pa.Table.from_pylist(rows, imports.schema)


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
