"""Dropping lines in quarantine, as those of a log that was loaded by mistake.

A load that added nothing else is dropped with the last of its lines, so that a warehouse that is
rebuilt from its logs does not read them again.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tricklog.ingest.loading.loading import Folder
from tricklog.ingest.store import long_texts, quarantine
from tricklog.ingest.store.publishing import WAIT
from tricklog.ingest.store.quarantine import CHOSEN
from tricklog.ingest.warehouses import lake_at, open_snapshot

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.lake.door import LakeWarehouse

DROPPING: Final = "dropping rejects"
"""What a lake is said to be held by meanwhile."""
Chosen = dict[str, str | None]


def drop_rejects(db: str | Path, *, code: str | None = None, log: str | None = None) -> int:
    """Drop lines in quarantine and publish what is left; return how many were dropped.

    ``code`` and ``log`` choose them as for ``quarantine.lines``. Where there are none, nothing is
    published. Raises ``WarehouseError`` when the warehouse cannot be read or written.
    """
    chosen: Chosen = {"code": code, "load": None, "log": log}
    with closing(open_snapshot(db, once=True)) as connection:
        if not _count(connection, chosen):
            return 0
    if lake := lake_at(db):
        return _drop_in_lake(lake, chosen)
    folder = Folder(Path(db))
    with (
        folder.held(WAIT, lambda: None),
        folder.draft(facts=True, on_progress=lambda _: None) as connection,
    ):
        count = _count(connection, chosen)
        for table, goes in _GOES.items():
            connection.execute(f"DELETE FROM {table} WHERE {goes}", chosen)  # noqa: S608 - names of our own
        quarantine.tidy_parts(connection)
    return count


def _drop_in_lake(warehouse: LakeWarehouse, chosen: Chosen) -> int:
    """Write the tables again without the lines; of a lake no rows go out of a file."""
    from tricklog.ingest.lake import reading, tables
    from tricklog.ingest.lake.publish import in_words

    lake, storage = warehouse.lake, warehouse.storage
    with in_words(storage), lake.begin(DROPPING) as begun:
        assert begun.before, "it has just been read"
        with closing(reading.open_tables(lake, begun.before, once=True)) as connection:
            count = _count(connection, chosen)
            rows = {
                table: tables.batches(connection, table, f" WHERE NOT ({goes})", chosen)
                for table, goes in _GOES.items()
            }
            written = [tables.write(storage, *each, begun.number, 0) for each in rows.items()]
        added = [file for file in written if file]
        begun.publish(added, begun.before.counts, replaced=_GOES.keys())
    return count


def _count(connection: DuckDBPyConnection, chosen: Chosen) -> int:
    query = f"SELECT count(*) FROM rejects WHERE {CHOSEN}"  # noqa: S608 - our own
    ((count,),) = connection.execute(query, chosen).fetchall()
    return int(count)


_GOES: Final = {
    "long_texts": (
        f"text_hash IN (SELECT {long_texts.HASH_OF} FROM ("  # noqa: S608 - names of our own
        f"({long_texts.references(tables=['rejects'], where=CHOSEN)}) EXCEPT "
        f"({long_texts.references(tables=['rejects'], where=f'NOT ({CHOSEN})')}) EXCEPT "
        f"({long_texts.references(tables=['hands', 'seatings'])})))"
    ),
    "imports": (
        f"accepted = 0 AND import_id IN (SELECT import_id FROM rejects WHERE {CHOSEN}) "  # noqa: S608 - our own
        f"AND import_id NOT IN (SELECT import_id FROM rejects WHERE NOT ({CHOSEN}))"
    ),
    "rejects": CHOSEN,
}
"""Of each table which rows go, to be asked before any has gone."""
