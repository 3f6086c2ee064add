"""Taking back what was loaded: the latest load as a whole, or lines in quarantine.

What was published before the latest load is published again. Of lines in quarantine, as those of a
log that was loaded by mistake, any may be dropped; a load that added nothing else is dropped with
the last of its lines, so that a warehouse that is rebuilt from its logs does not read them again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from duckdb import DuckDBPyConnection

from tricklog.ingest.loading.loading import Folder
from tricklog.ingest.store import long_texts, publishing, quarantine, warehouse
from tricklog.ingest.store.absent import no_warehouse
from tricklog.ingest.store.publishing import WAIT
from tricklog.ingest.store.quarantine import CHOSEN
from tricklog.ingest.store.warehouse import NoSnapshotError, WarehouseError
from tricklog.ingest.warehouses import lake_at, open_snapshot

UNDO: Final = "undo"
DROPPING: Final = "dropping rejects"
"""What a lake is said to be held by meanwhile."""
State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class Undone:
    """A load that was undone."""

    load: int
    """Its number."""
    loaded_at: datetime
    """When it was made (UTC)."""
    paths: list[str]
    """What it had read."""
    hands: int
    """How many hands there were with it."""
    now: int
    """How many there are without it."""


def undo_load(db: str | Path, load: int | None = None) -> Undone:
    """Publish what stood in a warehouse before its latest load again.

    Hands that a correction had replaced are back as they were, and so is what was in quarantine.

    ``load``: the number of the load that is meant; by default whichever is the latest.

    Raises ``WarehouseError`` where nothing has been loaded, where another load is the latest, where
    something else was published since, and where another run changes the warehouse.
    """
    if lake := lake_at(db):
        from tricklog.ingest.lake.reading import open_tables
        from tricklog.ingest.lake.tables import tables_of_this_version

        # To begin would make a lake where there is none.
        lake.lake.opened()
        with lake.lake.begin(UNDO) as begun:
            ours = tables_of_this_version()
            states = [each for each in lake.lake.snapshots() if each.tables == ours]
            opened = partial(open_tables, lake.lake, once=True)
            undone, earlier = _looked_up(db, load, states, opened)
            begun.publish_again(earlier)
        return undone
    folder, number_of = Path(db), warehouse.number_of
    if warehouse.current_snapshot(folder) is None:
        raise NoSnapshotError(no_warehouse(db))
    with publishing.writing(folder, wait=WAIT):
        newest = number_of(warehouse.current_snapshot(folder))
        files = [each for each in warehouse.snapshots(folder) if number_of(each) <= newest]
        undone, before = _looked_up(db, load, files, warehouse.open_file)
        with publishing.draft(folder, fresh=before is None, like=before):
            pass
    return undone


def _looked_up(
    db: str | Path,
    load: int | None,
    states: Sequence[State],
    opened: Callable[[Any], DuckDBPyConnection],
) -> tuple[Undone, State | None]:
    """Return what is to be undone of the newest of ``states``, and the state before it."""
    before, newest = [None, None, *states][-2:]
    loads, hands = _said(newest, opened)
    if not loads:
        raise WarehouseError(f"Nothing has been loaded into {db} that could be undone.")
    number, loaded_at, paths = loads[-1]
    if load not in {None, number}:
        raise WarehouseError(
            f"Load {load} is not the latest one, which is {number}. Only that can be undone."
        )
    earlier, left = _said(before, opened)
    if earlier != loads[:-1]:
        raise WarehouseError(
            f"What {db} was before its latest load is kept no longer, or something else was "
            "published since. Make it again from the other logs: tricklog db rebuild LOG... "
            "--output FOLDER."
        )
    return Undone(number, loaded_at, paths, hands, left), before


def _said(
    state: State | None, opened: Callable[[Any], DuckDBPyConnection]
) -> tuple[list[tuple[int, datetime, list[str]]], int]:
    """Return the loads of a state, the latest last, and how many hands it has."""
    if state is None:
        return [], 0
    with closing(opened(state)) as tables:
        loads = tables.execute(
            "SELECT import_id, loaded_at, paths FROM imports ORDER BY import_id"
        ).fetchall()
        ((hands,),) = tables.execute("SELECT count(*) FROM hands").fetchall()
    return loads, int(hands)


# --- Lines in quarantine


def drop_rejects(db: str | Path, *, code: str | None = None, log: str | None = None) -> int:
    """Drop lines in quarantine and publish what is left; return how many were dropped.

    ``code`` and ``log`` choose them as for ``quarantine.lines``. Where there are none, nothing is
    published. Raises ``WarehouseError`` when the warehouse cannot be read or written.
    """
    chosen = {"code": code, "load": None, "log": log}

    def count(tables: DuckDBPyConnection) -> int:
        return int(tables.execute(_COUNT, chosen).fetchall()[0][0])

    with closing(open_snapshot(db, once=True)) as connection:
        if not count(connection):
            return 0
    if lake := lake_at(db):
        from tricklog.ingest.lake import reading, tables
        from tricklog.ingest.lake.publish import in_words

        # No rows go out of a file of a lake: the tables are written again without them.
        with in_words(lake.storage), lake.lake.begin(DROPPING) as begun:
            assert begun.before, "it has just been read"
            opened = reading.open_tables(lake.lake, begun.before, once=True)
            with closing(opened) as connection:
                dropped = count(connection)
                for table, goes in _GOES.items():
                    rows = tables.batches(connection, table, f" WHERE NOT ({goes})", chosen)
                    file = tables.write(lake.storage, table, rows, begun.number, 0)
                    begun.written += [file] if file else []
            begun.publish(begun.written, begun.before.counts, replaced=_GOES.keys())
        return dropped
    folder = Folder(Path(db))
    with (
        folder.held(WAIT, lambda: None),
        folder.draft(facts=True, on_progress=lambda _: None) as connection,
    ):
        dropped = count(connection)
        for table, goes in _GOES.items():
            connection.execute(f"DELETE FROM {table} WHERE {goes}", chosen)  # noqa: S608 - names of our own
        quarantine.tidy_parts(connection)
    return dropped


_COUNT: Final = f"SELECT count(*) FROM rejects WHERE {CHOSEN}"  # noqa: S608 - our own
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
