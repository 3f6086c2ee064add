"""Undoing the latest load: what was published before it is published again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from duckdb import DuckDBPyConnection

from tricklog.ingest.store import publishing, warehouse
from tricklog.ingest.store.publishing import WAIT
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.ingest.warehouses import lake_at

UNDO: Final = "undo"
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

        with lake.lake.begin(UNDO) as begun:
            ours = tables_of_this_version()
            states = [each for each in lake.lake.snapshots() if each.tables == ours]
            opened = partial(open_tables, lake.lake, once=True)
            undone, earlier = _looked_up(db, load, states, opened)
            begun.publish_again(earlier)
        return undone
    folder, number_of = Path(db), warehouse.number_of
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
