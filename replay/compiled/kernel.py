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
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from platformdirs import user_cache_path

READY: Final = "ready"
"""The file that says that a build is complete; it holds the seconds it took."""
SOLVER_READY: Final = "ready-solver"
"""The file that says so of the solver, which is compiled after the rules."""
STUDY_READY: Final = "ready-study"
"""The file that says so of what studies hands, which is compiled last."""
MACHINE: Final = "machine"
"""The file that says for which system and processor a build was compiled."""
_ENTRIES: Final = (
    "replay.compiled.driver",
    "replay.compiled.study_lines",
    "replay.compiled.numba_setup",
    "replay.compiled.asking",
    __name__,
)
_OWN_IMPORT: Final = re.compile(
    r"^from ((?:replay|schemas)[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE
)


def builds_folder() -> Path:
    """Return the folder of the user's builds, where programs keep what they can make again."""
    return user_cache_path("tricklog", appauthor=False) / "compiled"


def sources(entries: Sequence[str] = _ENTRIES) -> list[Path]:
    """Return the files of some modules, and of whatever of ours they import; by default of a build.

    The files are read, not imported, so that asking whether a build is ready stays cheap.
    """
    root = Path(__file__).parents[2]
    found: dict[str, Path] = {}
    to_read = list(entries)
    while to_read:
        name = to_read.pop()
        path = root / name.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if name in found or not path.is_file():
            continue
        found[name] = path
        for module, names in _OWN_IMPORT.findall(path.read_text("utf-8")):
            # What is imported from a package may be a module of it.
            to_read.append(module)
            to_read += [f"{module}.{each}" for each in re.findall(r"\w+", names)]
    return [found[name] for name in sorted(found)]


@cache
def digest() -> str:
    """Return 16 hex digits over everything that goes into a build."""
    mixed = hashlib.sha256()
    for source in sources():
        mixed.update(f"{source.name}\n".encode() + source.read_bytes())
    for package in ("numba", "llvmlite", "numpy"):
        mixed.update(f"{package} {version(package)}\n".encode())
    mixed.update(f"{sys.version} {platform.machine()} {_asked_for()}\n".encode())
    return mixed.hexdigest()[:16]


def _asked_for() -> tuple[str | None, str | None]:
    """Return the processor and its features that the compiler is asked for, rather than its own."""
    return os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")


@cache
def machine() -> str:
    """Return what makes machine code of this machine fit another: the system, and the processor."""
    from llvmlite import binding

    name, features = _asked_for()
    if features is None:
        features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_process_triple()} {name or binding.get_host_cpu_name()} {features}"


def build_folder() -> Path:
    """Return the folder of the build for the sources as they are."""
    return builds_folder() / digest()


def is_ready() -> bool:
    """Whether the driver is compiled already, so that using it costs next to nothing."""
    return _has(READY)


def solver_is_ready() -> bool:
    """Whether the solver is compiled already."""
    return _has(SOLVER_READY)


def study_is_ready() -> bool:
    """Whether what studies hands is compiled already."""
    return _has(STUDY_READY)


def _has(marker: str) -> bool:
    folder = build_folder()
    if not os.access(folder / marker, os.R_OK):
        return False
    # Into a folder that may only be read nothing can be compiled that it lacks.
    return os.access(folder, os.W_OK) or _made_for(folder) == machine()


def _made_for(folder: Path) -> str | None:
    try:
        return (folder / MACHINE).read_text("utf-8")
    except FileNotFoundError:
        return None


@cache
def driver() -> Callable[..., Any]:
    """Return the compiled ``driver.judge``; the first call of it compiles when not ``is_ready``.

    Where the folder of the build cannot be written, what is compiled lives as long as the process.
    """
    from replay.compiled import driver as source

    _register_helpers()
    return _compiled(source.judge, is_kept=is_ready())


@cache
def _register_helpers() -> None:
    """Let compiled code call the functions of the driver beside its entry."""
    import numba

    from replay.compiled import driver as source
    from replay.compiled import linking, numba_setup

    numba_setup.register_all()
    for name, helper in inspect.getmembers(source, inspect.isfunction):
        if helper.__module__ == source.__name__ and name != source.judge.__name__:
            # Passing all the arrays on takes longer than what most of these do with them.
            numba.extending.register_jitable(forceinline=True, pipeline_class=linking.Part)(helper)


@cache
def solver() -> Callable[..., Any]:
    """Return the compiled ``asking.ask``, kept like the driver (``solver_is_ready``)."""
    from replay.compiled import asking as source
    from replay.compiled import numba_setup

    numba_setup.register_all()
    return _compiled(source.ask, is_kept=solver_is_ready())


@cache
def study() -> Callable[..., Any]:
    """Return the compiled ``study_lines``, kept like the driver (``study_is_ready``)."""
    import numba

    from replay.compiled import linking
    from replay.compiled import study_lines as source

    _register_helpers()
    for name, helper in inspect.getmembers(source, inspect.isfunction):
        if helper.__module__ == source.__name__ and name != source.study_lines.__name__:
            numba.extending.register_jitable(pipeline_class=linking.Part)(helper)
    return _compiled(source.study_lines, is_kept=study_is_ready())


def _compiled(function: Callable[..., Any], *, is_kept: bool) -> Callable[..., Any]:
    """Return what is compiled of a function at its first call, or taken from the build."""
    from numba.core import config

    from replay.compiled import linking, numba_setup

    keeper = numba_setup.OneFolder
    settings = {
        "CACHE_DIR": str(build_folder()),
        "CACHE_LOCATOR_CLASSES": f"{keeper.__module__}.{keeper.__name__}",
    }
    for name, value in settings.items():
        setattr(config, name, value)
    return linking.njit(function, cache=is_kept or can_keep(), **numba_setup.OPTIONS)


def make_folder() -> None:
    """Make the folder of the build. Raises ``OSError`` when nothing can be written into it."""
    folder = build_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


def can_keep() -> bool:
    """Whether what is compiled can be kept for the next time."""
    try:
        make_folder()
    except OSError:
        return False
    return True
