"""One process at a time."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path``, waiting for whoever holds it; the system frees it in the end."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
