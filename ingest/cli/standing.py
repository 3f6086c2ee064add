"""What stands in a warehouse when a command that changes it does not come to its end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingest.cli.output import UNREADABLE, USAGE, UserError
from ingest.interrupts import is_interrupt


@contextmanager
def told(db: str | Path) -> Iterator[None]:
    """Turn trouble of the warehouse in ``db`` into a sentence, and say what stands after Ctrl-C.

    Raises ``UserError``, or ``KeyboardInterrupt`` with the sentence.
    """
    from ingest import WarehouseError
    from ingest.publishing import StorageError

    before = _pointer(db)
    try:
        yield
    except WarehouseError as error:
        status = UNREADABLE if isinstance(error, StorageError) else USAGE
        raise UserError(str(error), status=status) from error
    except (KeyboardInterrupt, RuntimeError) as error:
        if not is_interrupt(error):
            raise
        if _pointer(db) == before:
            says = f"interrupted; the warehouse in {db} is as it was"
        else:
            says = f"interrupted; the new snapshot of {db} had just been published"
        raise KeyboardInterrupt(says) from error


def _pointer(db: str | Path) -> bytes:
    from ingest.warehouse import POINTER

    try:
        return (Path(db) / POINTER).read_bytes()
    except OSError:
        return b""
