"""The compiled driver: built once for each state of the rules' sources, and kept per user.

What the compiler keeps by itself goes stale when a function changes that another one calls. So each
build has a folder of its own, named by a digest of every source that goes into it, of the compiler
and of Python. A folder is made ready by ``build`` and only then used.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from replay.compiled.locking import locked

BUILDS_KEPT: Final = 3
_READY: Final = "ready"
_SOURCES: Final = (
    "replay/rules/*.py",
    "replay/compiled/*.py",
    "replay/clean.py",
    "replay/coding.py",
    "replay/engine.py",
    "replay/exchanging.py",
    "replay/faults.py",
    "replay/policies.py",
    "replay/records.py",
    "schemas/actions.py",
    "schemas/cards.py",
    "schemas/codes.py",
    "schemas/hand.py",
    "schemas/scan*.py",
)


def builds_folder() -> Path:
    """Return the folder of the user's builds, where programs keep what they can make again."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tricklog" / "compiled"


def sources() -> list[Path]:
    """Return every file that goes into a build."""
    root = Path(__file__).parents[2]
    return [path for pattern in _SOURCES for path in sorted(root.glob(pattern))]


@cache
def digest() -> str:
    """Return 16 hex digits over everything that goes into a build."""
    mixed = hashlib.sha256()
    for source in sources():
        mixed.update(f"{source.name}\n".encode() + source.read_bytes())
    # The compiler takes its work for stale when the file of the driver has another time.
    mixed.update(f"{Path(__file__).with_name('driver.py').stat().st_mtime_ns}\n".encode())
    for package in ("numba", "llvmlite", "numpy"):
        mixed.update(f"{package} {version(package)}\n".encode())
    mixed.update(f"{sys.version} {platform.machine()}\n".encode())
    return mixed.hexdigest()[:16]


def build_folder() -> Path:
    """Return the folder of the build for the sources as they are."""
    return builds_folder() / digest()


def is_ready() -> bool:
    """Whether the driver is compiled already, so that using it costs next to nothing."""
    # The compiler takes nothing from a folder that it could not write to.
    folder = build_folder()
    return os.access(folder / _READY, os.R_OK) and os.access(folder, os.W_OK)


@cache
def driver() -> Callable[..., Any]:
    """Return the compiled ``driver.judge``; the first call of it compiles when not ``is_ready``.

    Where the folder of the build cannot be written, what is compiled lives as long as the process.
    """
    import numba
    from numba.core import config

    from replay.compiled import driver as source
    from replay.compiled import teaching

    teaching.teach()
    for name, helper in inspect.getmembers(source, inspect.isfunction):
        if helper.__module__ == source.__name__ and name != source.judge.__name__:
            # Passing all the arrays on takes longer than what most of these do with them.
            numba.extending.register_jitable(forceinline=True)(helper)
    config.CACHE_DIR = str(build_folder())  # type: ignore[attr-defined]
    # Counting references to arrays, which nobody makes or frees meanwhile, costs most of the time.
    options: dict[str, Any] = {"cache": _can_keep(), "nogil": True, "_nrt": False}
    # No rule divides by anything that may be 0, so that no division is watched.
    options["error_model"] = "numpy"
    compiled: Callable[..., Any] = numba.njit(source.judge, **options)
    return compiled


def build() -> float:
    """Compile the driver, unless that has been done; return the seconds it took.

    Of several processes that want it at once one compiles, and the others wait for it. Raises
    ``OSError`` when the folder cannot be written; ``driver`` can be used all the same.
    """
    from replay.compiled import batch

    began = time.perf_counter()
    _make_folder()
    with locked(builds_folder() / f"{digest()}.lock"):
        nobody = batch.KnownSeatings(lambda _: None)
        batch.judge(batch.lines_of(b""), batch.workplace(), batch.Room(), nobody)
        seconds = time.perf_counter() - began
        if not is_ready():
            (build_folder() / _READY).write_text(f"{seconds:.1f}\n", "utf-8")
            _remove_old_builds()
    return seconds


def build_apart() -> None:
    """Compile the driver as ``build`` does, but in a process of its own.

    The compiler takes some 700 MB and gives none of it back while its process lives. Whether it
    came to an end ``is_ready`` tells. Raises ``OSError`` when the folder cannot be written.
    """
    if is_ready():
        return
    _make_folder()
    path = os.pathsep.join(filter(None, sys.path))
    subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-P", "-c", f"from {__name__} import build; build()"],
        env=os.environ | {"PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )


def _make_folder() -> None:
    """Make the folder of the build. Raises ``OSError`` when nothing can be written into it."""
    folder = build_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def _can_keep() -> bool:
    try:
        _make_folder()
    except OSError:
        return False
    return True


def _remove_old_builds() -> None:
    builds = [path for path in builds_folder().iterdir() if path.is_dir()]
    builds.sort(key=lambda path: path.stat().st_mtime)
    for old in builds[:-BUILDS_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
