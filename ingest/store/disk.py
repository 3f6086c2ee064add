"""Files of a folder that are on the disk when whoever wrote them goes on."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_AT_ONCE: Final = 1 << 30
_OF_ANOTHER_KIND: Final = (errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)
"""How a system says that it copies nothing from one such disk to another by itself."""


def flush(path: Path) -> None:
    """Have the system write a file, or a folder's entries, to the disk. Raises ``OSError``."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def drafted(path: Path, draft: Path) -> Iterator[None]:
    """Give a draft the name ``path``, in one step, once it is written. Raises ``OSError``."""
    draft.unlink(missing_ok=True)
    try:
        yield
        flush(draft)
        draft.replace(path)
        flush(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def put(path: Path, content: bytes) -> None:
    """Put a file in the place of the one before, in one step. Raises ``OSError``."""
    draft = path.with_name(f"{path.name}.draft")
    with drafted(path, draft):
        draft.write_bytes(content)


def copy(path: Path, to: Path) -> None:
    """Copy a file, on disks that can do so by sharing what both have alike. Raises ``OSError``."""
    with path.open("rb") as source, to.open("wb") as target:
        try:
            while os.copy_file_range(source.fileno(), target.fileno(), _AT_ONCE):
                pass
        except OSError as error:
            if error.errno not in _OF_ANOTHER_KIND:
                raise
            shutil.copyfileobj(source, target)


def write_back(path: Path) -> None:
    """Have the system begin to write a file, whatever becomes of it. Raises ``OSError``."""
    with path.open("rb") as file:
        os.fdatasync(file.fileno())
