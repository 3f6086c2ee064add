"""Undoing the latest load: what was published before it is published again."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tricklog.ingest.store import publishing, warehouse
from tricklog.ingest.store.publishing import WAIT
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.ingest.warehouses import is_lake, open_snapshot


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
    something else was published since, and of a lake.
    """
    if is_lake(db):
        raise WarehouseError(
            f"{db} is a lake, where no load can be undone. Make it again from the other logs: "
            "tricklog db rebuild LOG... --output LAKE."
        )
    folder = Path(db)
    with publishing.writing(folder, wait=WAIT):
        loads = _loads(warehouse.current_snapshot(folder))
        if not loads:
            raise WarehouseError(f"Nothing has been loaded into {db} that could be undone.")
        number, loaded_at, paths = loads[-1]
        if load not in {None, number}:
            raise WarehouseError(
                f"Load {load} is not the latest one, which is {number}. Only that can be undone."
            )
        before = [None, *warehouse.snapshots(folder)][-2]
        if _loads(before) != loads[:-1]:
            raise WarehouseError(
                f"What {db} was before its latest load is kept no longer, or something else was "
                "published since. Make it again from the other logs: tricklog db rebuild LOG... "
                "--output FOLDER."
            )
        hands = _hands(folder)
        with publishing.draft(folder, fresh=before is None, like=before):
            pass
        return Undone(number, loaded_at, paths, hands, _hands(folder))


def _loads(snapshot: Path | None) -> list[tuple[int, datetime, list[str]]]:
    if snapshot is None:
        return []
    with closing(warehouse.open_file(snapshot)) as tables:
        return tables.execute(
            "SELECT import_id, loaded_at, paths FROM imports ORDER BY import_id"
        ).fetchall()


def _hands(db: Path) -> int:
    with closing(open_snapshot(db, once=True)) as tables:
        ((count,),) = tables.execute("SELECT count(*) FROM hands").fetchall()
    return int(count)
