"""Which sources the library is made of, and a digest of them."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
ENTRIES: Final = (
    "tricklog.core.compiled.driver",
    "tricklog.core.compiled.study_lines",
    "tricklog.core.solver.answer",
    "tricklog.core.card_sense.choices",
    "tricklog.core.native.build",
    "tricklog.core.compiled.make",
)
"""The modules with the functions that Python calls, and those that make the library."""
_PRELUDE: Final = "tricklog/core/native/python.hpp"
_OWN_IMPORT: Final = re.compile(
    r"^ *from (tricklog\.(?:core|schemas)[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE
)


def sources(entries: Sequence[str] = ENTRIES) -> list[str]:
    """Return the files of some modules, and of whatever of ours they import; by default all.

    The files are read, not imported. Their places are those below the folder of the package.
    """
    found: set[str] = set()
    to_read = list(entries)
    while to_read:
        path = ROOT / to_read.pop().replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        place = path.relative_to(ROOT).as_posix()
        if place in found or not path.is_file():
            continue
        found.add(place)
        for module, names in _OWN_IMPORT.findall(path.read_text("utf-8")):
            # What is imported from a package may be a module of it.
            to_read.append(module)
            to_read += [f"{module}.{each}" for each in re.findall(r"\w+", names)]
    return sorted([*found, _PRELUDE])


@cache
def digest_of_all() -> str:
    """Return the digest over all files that the library is made of."""
    return digest(sources())


def digest(files: Iterable[str]) -> str:
    """Return 16 hex digits over these files; a file that is gone counts as an empty one."""
    mixed = hashlib.sha256()
    for place in files:
        path = ROOT / place
        mixed.update(f"{place}\n".encode() + (path.read_bytes() if path.is_file() else b""))
    return mixed.hexdigest()[:16]
