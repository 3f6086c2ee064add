"""Files of a folder that are on the disk when whoever wrote them goes on."""

from __future__ import annotations

import os
from pathlib import Path


def flush(path: Path) -> None:
    """Have the system write a file, or a folder's entries, to the disk. Raises ``OSError``."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def put(path: Path, content: bytes) -> None:
    """Put a file in the place of the one before, in one step. Raises ``OSError``."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_bytes(content)
    flush(draft)
    draft.replace(path)
    flush(path.parent)
