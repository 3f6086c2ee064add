"""Loading logs into a warehouse: read, replay, check games, publish; the same hands add nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ingest.loading import bulk
from ingest.loading.run import LoadReport, OnReject, Run
from ingest.loading.valid_hands_buffer import ValidHandsBuffer
from ingest.loading.writing import Writer
from ingest.reading.intake import Intake
from ingest.reading.progress import ByteCounter, OnProgress, Stage
from ingest.reading.reader import read
from ingest.store import publishing, warehouse
from replay.compiled import kernel

WAIT: Final = 60.0


def load(
    *paths: str | Path,
    db: str | Path,
    on_progress: OnProgress | None = None,
    on_reject: OnReject | None = None,
    wait: float = WAIT,
    dry_run: bool = False,
) -> LoadReport:
    """Load hand logs into the warehouse in the folder ``db`` and publish a new snapshot.

    Args:
        paths: files, folders or ``-``, as ``ingest.read`` takes them.
        db: the warehouse's folder; it is made when it does not exist.
        on_progress: called now and then with how far the load is, for a progress display.
        on_reject: called for every line put into quarantine.
        wait: seconds to wait for another load into the same folder.
        dry_run: only tell what a load would do now; nothing in ``db`` is made or changed.

    Raises:
        WarehouseError: another load does not finish (``BusyError``), the disk is full or fails
            (``StorageError``), or the folder holds something else. Where the sentence does not say
            otherwise, the warehouse is as it was before.
    """
    folder = Path(db) if dry_run else publishing.prepare(Path(db))
    with Intake() as intake, ValidHandsBuffer() as buffer:
        run = Run(intake, buffer, on_progress, on_reject)
        byte_counter = ByteCounter(paths)
        is_bulk = bulk.is_worth_while(byte_counter.total)
        reading = bulk.read_bulk if is_bulk else read
        if is_bulk and not (kernel.is_ready() or kernel.can_keep()):
            run.tell(Stage.COMPILING)
        for part in reading(*paths, byte_counter=byte_counter):
            run.take_in(part, byte_counter)
        if dry_run:
            run.compare(warehouse.current_snapshot(folder))
            if run.has_news():
                with publishing.rehearsal(folder) as connection:
                    Writer(connection, run, [str(path) for path in paths]).write()
            return run.report(warehouse.current_snapshot(folder), published=False)
        with publishing.writing(folder, wait=wait, on_wait=lambda: run.tell(Stage.WAITING)):
            current = warehouse.current_snapshot(folder)
            run.compare(current)
            published = run.has_news()
            if published:
                current = publishing.next_snapshot(folder)
                with publishing.draft(folder) as connection:
                    Writer(connection, run, [str(path) for path in paths]).write()
            return run.report(current, published=published)
