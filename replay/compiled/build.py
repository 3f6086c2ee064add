"""Building the compiled driver: once for each state of its sources, by one process at a time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from typing import Final

from filelock import FileLock, Timeout

from replay.compiled import batch
from replay.compiled.kernel import READY, build_folder, builds_folder, digest, is_ready, make_folder

BUILDS_KEPT: Final = 3
_PROGRAM: Final = f"import os; os.nice(19); from {__name__} import build; build()"
"""Compiles in the time that nobody else wants."""


def build() -> float:
    """Compile the driver, unless that has been done; return the seconds it took.

    Of several processes that want it at once one compiles, and the others wait for it. Raises
    ``OSError`` when the folder cannot be written; ``driver`` can be used all the same.
    """
    began = time.perf_counter()
    make_folder()
    with _lock():
        nobody = batch.KnownSeatings(lambda _: None)
        batch.judge(batch.lines_of(b""), batch.buffers(), batch.ColumnBuffers(), nobody)
        seconds = time.perf_counter() - began
        if not is_ready():
            (build_folder() / READY).write_text(f"{seconds:.1f}\n", "utf-8")
            _remove_old_builds()
    return seconds


def build_in_background() -> None:
    """Have the driver compiled in the background, at low priority, unless it is ready.

    Nothing is started while somebody compiles. The process has a session of its own and goes on
    when this one ends, so that the next one finds the driver. Raises ``OSError`` when the folder
    cannot be written.
    """
    if is_ready():
        return
    make_folder()
    with suppress(Timeout):
        with _lock().acquire(timeout=0):
            pass
        subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-P", "-c", _PROGRAM],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _lock() -> FileLock:
    # A disk that knows no locks is an error: what a killed process leaves must not lock others out.
    return FileLock(
        builds_folder() / f"{digest()}.lock", preserve_lock_file=True, fallback_to_soft=False
    )


def _remove_old_builds() -> None:
    builds = [path for path in builds_folder().iterdir() if path.is_dir()]
    builds.sort(key=lambda path: path.stat().st_mtime)
    for old in builds[:-BUILDS_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
