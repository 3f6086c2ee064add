"""Forgetting a player: their hands stay, under an id that names nobody."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tricklog.ingest.forgetting.report import ForgetReport
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.warehouses import lake_at

__all__ = ["ForgetReport", "forget"]


def forget(
    player: str,
    *,
    db: str | Path,
    also: Sequence[str] = (),
    dry_run: bool = False,
    wait: float = 0.0,
    on_progress: OnProgress | None = None,
) -> ForgetReport:
    """Forget a player: their hands stay in the warehouse, under an id that names nobody.

    Args:
        player: the id of the player; ids that are merged with it are forgotten as well.
        db: the warehouse's folder, or the address of a lake.
        also: further names to be looked for in texts.
        dry_run: only tell what would be done.
        wait: seconds to wait for another run that is changing the warehouse; a lake that is held is
            not waited for.
        on_progress: called now and then with how far the run is.

    Raises ``WarehouseError``: nobody has the id, another run is at work (``BusyError``), the disk
    is full or fails (``StorageError``), or what is stored is damaged. Before the first step the
    warehouse is then as it was; later on the same call finishes what was begun.
    """
    if lake := lake_at(db):
        from tricklog.ingest.forgetting import lakes

        return lakes.forget(player, lake, also=also, dry_run=dry_run, on_progress=on_progress)
    from tricklog.ingest.forgetting import folders

    return folders.forget(
        player, Path(db), also=also, dry_run=dry_run, wait=wait, on_progress=on_progress
    )
