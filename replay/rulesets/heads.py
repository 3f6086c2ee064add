"""What the games are called, from the beginning of their files: no rule is read for it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, NamedTuple

_FOLDER: Final = Path(__file__).with_name("variants")


class Head(NamedTuple):
    """What stands above the rules of a variant."""

    id: str
    title: str
    version: int
    summary: str


def heads() -> list[Head]:
    """Return the heads of the variants that come with Tricklog, sorted by their ids."""
    found = []
    for path in sorted(_FOLDER.glob("*.toml")):
        said = tomllib.loads(path.read_text("utf-8").partition("\n[")[0])
        found.append(Head(*(said[name] for name in Head._fields)))
    return found
