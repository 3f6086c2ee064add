"""Building the compiled driver: once for each state of its sources, by one process at a time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from replay.compiled import batch, solving, studying
from replay.compiled.kernel import (
    MACHINE,
    READY,
    SOLVER_READY,
    STUDY_READY,
    build_folder,
    builds_folder,
    digest,
    is_ready,
    machine,
    make_folder,
    solver_is_ready,
    study_is_ready,
)

BUILDS_KEPT: Final = 3
Files = dict[str, bytes]
"""The files of a build by name, a few megabytes: what another machine needs of it."""
_PROGRAM: Final = (
    f"import os; os.nice(19); from {__name__} import build, build_solver, build_study; "
    "build(); build_solver(); build_study()"
)
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
            (build_folder() / MACHINE).write_text(machine(), "utf-8")
            (build_folder() / READY).write_text(f"{seconds:.1f}\n", "utf-8")
            _remove_old_builds()
    return seconds


def build_solver() -> float:
    """Compile the solver, unless that has been done; return the seconds it took. See ``build``.

    It comes after the rules, so that no load waits for it.
    """
    began = time.perf_counter()
    make_folder()
    with _lock():
        solving.warm_up()
        seconds = time.perf_counter() - began
        if not solver_is_ready():
            (build_folder() / SOLVER_READY).write_text(f"{seconds:.1f}\n", "utf-8")
    return seconds


def build_study() -> float:
    """Compile what studies hands, unless that has been done; return the seconds it took.

    It comes after rules and solver. See ``build``.
    """
    began = time.perf_counter()
    make_folder()
    with _lock():
        studying.warm_up()
        seconds = time.perf_counter() - began
        if not study_is_ready():
            (build_folder() / STUDY_READY).write_text(f"{seconds:.1f}\n", "utf-8")
    return seconds


def build_in_background() -> None:
    """Have the driver compiled in the background, and the solver after it, unless it is ready.

    Nothing is started while somebody compiles. The process has a low priority and a session of its
    own: it goes on when this one ends, so that the next one finds the driver. Raises ``OSError``
    when the folder cannot be written.
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


def packed() -> Files:
    """Return the build for the sources as they are. Raises ``OSError`` when it is not ready."""
    with _lock():
        if not is_ready():
            raise FileNotFoundError(build_folder() / READY)
        return {path.name: path.read_bytes() for path in build_folder().iterdir()}


def take(files: Files) -> None:
    """Make the build ready from files of one that has the same ``digest`` and ``machine``.

    Nothing is done where it is ready. Raises ``OSError`` when the folder cannot be written.
    """
    make_folder()
    with _lock():
        if is_ready():
            return
        for name in sorted(files, key=READY.__eq__):
            # Whoever looks for a file at this moment finds none, or all of it.
            part = build_folder() / f"{Path(name).name}.part"
            part.write_bytes(files[name])
            part.replace(build_folder() / Path(name).name)
        _remove_old_builds()


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
