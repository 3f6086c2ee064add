"""What stands in a warehouse when a command that changes it does not come to its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingest.cli.output import UNREADABLE, USAGE, UserError
from ingest.reading.interrupts import is_interrupt


@contextmanager
def told(db: str | Path) -> Iterator[None]:
    """Turn trouble of the warehouse in ``db`` into a sentence, and say what stands after it.

    Raises ``UserError``, or ``KeyboardInterrupt`` with the sentence.
    """
    import duckdb

    from ingest import WarehouseError
    from ingest.facts.files import explained
    from ingest.store.warehouse import first_line, is_trouble

    before = _pointer(db)
    try:
        yield
    except BrokenPipeError:
        raise
    except WarehouseError as error:
        raise _failed(db, before, str(error), _status(error)) from error
    except (OSError, MemoryError) as error:
        says = f"{first_line(error)}. The warehouse in {db} is as it was."
        raise _failed(db, before, says, UNREADABLE) from error
    except duckdb.Error as error:
        if not is_trouble(error):
            raise
        found = explained(db, error)
        raise _failed(db, before, str(found), _status(found)) from error
    except (KeyboardInterrupt, RuntimeError) as error:
        if not is_interrupt(error):
            raise
        if _pointer(db) == before:
            says = f"interrupted; the warehouse in {db} is as it was"
        else:
            says = f"interrupted; the new snapshot of {db} had just been published"
        raise KeyboardInterrupt(says) from error


def _failed(db: str | Path, before: bytes, says: str, status: int) -> UserError:
    """Return the error about a command that failed, at whatever point."""
    if _pointer(db) != before and "is published" not in says:
        says = says.replace(f"The warehouse in {db} is as it was.", "").rstrip()
        says += f" The new snapshot of {db} is published all the same."
    return UserError(says, status=status)


def _status(error: Exception) -> int:
    from ingest.store.publishing import StorageError
    from ingest.store.warehouse import DamagedError

    return UNREADABLE if isinstance(error, (StorageError, DamagedError)) else USAGE


def _pointer(db: str | Path) -> bytes:
    from ingest.store.warehouse import POINTER

    try:
        return (Path(db) / POINTER).read_bytes()
    except OSError:
        return b""
