"""Which sources the library is made of, and a digest of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

ENTRIES: Final = (
    "replay.compiled.driver",
    "replay.compiled.study_lines",
    "replay.solver.answer",
    "replay.native.build",
    "replay.native.entries",
)
"""The modules with the functions that Python calls, and those that make the library."""
_PRELUDE: Final = Path(__file__).with_name("python.hpp")
_OWN_IMPORT: Final = re.compile(
    r"^ *from ((?:replay|schemas)[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE
)


def sources(entries: Sequence[str] = ENTRIES) -> list[Path]:
    """Return the files of some modules, and of whatever of ours they import; by default all.

    The files are read, not imported, so that asking whether a library is theirs stays cheap.
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
    """Return 16 hex digits over everything that the library is made of."""
    mixed = hashlib.sha256()
    for source in (*sources(), _PRELUDE):
        mixed.update(f"{source.name}\n".encode() + source.read_bytes())
    return mixed.hexdigest()[:16]
