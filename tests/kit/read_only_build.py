"""A program to which every folder looks like one of a disk that may only be read.

It judges no lines with the compiled rules of the user, and prints how often they were found in the
build and how often they had to be compiled.
"""

import errno
import os
import sys
import tempfile
from typing import Any

from replay.compiled import batch, kernel

_may = os.access


def _may_read(path: Any, mode: int, **how: Any) -> bool:  # noqa: ANN401 - as os.access
    return mode != os.W_OK and _may(path, mode, **how)


def _refuse(**_: object) -> None:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


if __name__ == "__main__":
    os.access = _may_read
    tempfile.TemporaryFile = _refuse  # type: ignore[assignment]
    assert kernel.is_ready()
    assert not kernel.can_keep()
    nobody = batch.KnownSeatings(lambda _: None)
    batch.judge(batch.lines_of(b""), batch.buffers(), batch.ColumnBuffers(), nobody)
    stats: Any = kernel.driver()
    sys.stdout.write(f"{stats.stats.cache_hits.total()} {stats.stats.cache_misses.total()}\n")
