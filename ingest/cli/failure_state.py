"""What stands in a warehouse when a command that changes it does not come to its end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tricklog.ingest.cli.output import UNREADABLE, USAGE, UserError, hint_about
from tricklog.ingest.reading.interrupts import is_interrupt
from tricklog.ingest.store.absent import is_nowhere, no_warehouse

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.cli.progress import ProgressLine
    from tricklog.ingest.warehouses import Warehouse

begun: Final[set[str]] = set()
"""Warehouses that the command of this process has begun to work on."""


def need_warehouse(db: str) -> None:
    """Raise ``UserError`` where there is none, before all is imported that would read it."""
    if is_nowhere(db):
        raise UserError(no_warehouse(db))


@contextmanager
def explained_failures(db: str | Path) -> Iterator[None]:
    """Turn trouble of the warehouse in ``db`` into a sentence, and say what stands after it.

    Raises ``UserError``, or ``KeyboardInterrupt`` with the sentence.
    """
    import duckdb

    from tricklog.ingest import WarehouseError
    from tricklog.ingest.store.forgotten import UnfinishedError
    from tricklog.ingest.store.publishing import ForgottenMeanwhileError
    from tricklog.ingest.store.userdata import UserDataError, WordsError
    from tricklog.ingest.store.warehouse import first_line
    from tricklog.ingest.warehouses import warehouse_at

    try:
        warehouse = warehouse_at(db)
        before = warehouse.mark()
    except WarehouseError as error:
        raise UserError(str(error), status=_status(error)) from error
    begun.add(str(db))
    try:
        yield
    except BrokenPipeError:
        raise
    except (ForgottenMeanwhileError, UnfinishedError) as error:
        # What has been published since the command began is another run's.
        raise UserError(str(error), status=_status(error)) from error
    except UserDataError as error:
        status = USAGE if isinstance(error, WordsError) else UNREADABLE
        raise UserError(str(error), status=status) from error
    except WarehouseError as error:
        raise _failed(warehouse, before, str(error), _status(error)) from error
    except (OSError, MemoryError) as error:
        says = f"{first_line(error)}. The warehouse in {db} is as it was."
        raise _failed(warehouse, before, says, UNREADABLE) from error
    except (KeyboardInterrupt, RuntimeError, duckdb.Error, UnicodeError) as error:
        if is_interrupt(error):
            says = f"interrupted; the warehouse in {db} is as it was"
            if _has_changed(warehouse, before):
                says = f"interrupted; the new snapshot of {db} had just been published"
            raise KeyboardInterrupt(says) from error
        found = None
        if isinstance(error, duckdb.Error | UnicodeError):
            found = warehouse.explained(error)
        if found is None:
            raise
        raise _failed(warehouse, before, str(found), _status(found)) from error


@contextmanager
def opened(db: str, *, once: bool = False) -> Iterator[DuckDBPyConnection]:
    """Open the tables of a warehouse, and say in a sentence what goes wrong with it.

    ``once``: whether so few questions are asked that getting ready for many does not pay.
    Raises ``UserError``.
    """
    need_warehouse(db)
    from tricklog.ingest.warehouses import open_snapshot

    with explained_failures(db), open_snapshot(db, once=once) as tables:
        yield tables


@contextmanager
def working(
    title: str,
    db: str,
    *,
    is_shown: bool = True,
    interrupted: Callable[[str], str] | None = None,
) -> Iterator[ProgressLine]:
    """Show how far long work on a warehouse is, and say in a sentence what goes wrong.

    ``title`` says what is done, ``is_shown`` whether there is a line on the terminal;
    ``interrupted`` makes of the sentence about an interrupt what is said in its place.

    Raises ``UserError``, or ``KeyboardInterrupt`` with what stands.
    """
    from tricklog.ingest.cli.progress import ProgressLine

    try:
        with explained_failures(db), ProgressLine(title, is_wanted=is_shown) as line:
            yield line
    except KeyboardInterrupt as error:
        if interrupted is None:
            raise
        raise KeyboardInterrupt(interrupted(str(error))) from error


@contextmanager
def reporting(db: str | Path, published: str | Path | None) -> Iterator[None]:
    """Write out what was done; where that fails, say what stands. Raises ``UserError``.

    ``published`` is the snapshot that was published just now, ``None`` for none.
    """
    from tricklog.ingest.store.warehouse import first_line

    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (OSError, MemoryError) as error:
        stands = f"The warehouse in {db} is as it was."
        if published:
            stands = f"The new snapshot {published} is published all the same."
        says = f"What was done could not be written out: {first_line(error)}. {stands}"
        raise UserError(says, hint_about(error), status=UNREADABLE) from error


def _failed(warehouse: Warehouse, before: object, says: str, status: int) -> UserError:
    if _has_changed(warehouse, before) and "is published" not in says:
        says = says.replace(f"The warehouse in {warehouse.name} is as it was.", "").rstrip()
        says += f" The new snapshot of {warehouse.name} is published all the same."
    return UserError(says, status=status)


def _has_changed(warehouse: Warehouse, before: object) -> bool:
    """Return whether something has been published since, as far as can be told."""
    from tricklog.ingest import WarehouseError

    try:
        return warehouse.mark() != before
    except WarehouseError:
        return False


def _status(error: Exception) -> int:
    from tricklog.ingest.loading.workers import WorkerError
    from tricklog.ingest.store.publishing import BusyError, StorageError
    from tricklog.ingest.store.warehouse import DamagedError

    of_the_system = (StorageError, DamagedError, WorkerError, BusyError)
    return UNREADABLE if isinstance(error, of_the_system) else USAGE
