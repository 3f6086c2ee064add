"""How sentences name a warehouse, and one that is not there, with next to nothing imported."""

from __future__ import annotations

import os
import shlex
from pathlib import Path


def is_nowhere(db: str | os.PathLike[str]) -> bool:
    """Whether what ``--db`` names is a folder that does not exist; of a lake nothing is said."""
    text = os.fspath(db)
    if "://" in text or text.startswith("lake:"):
        return False
    try:
        return not Path(text).exists()
    except (OSError, ValueError):
        return False


def db_option(db: object) -> str:
    """Return ``--db`` with what it takes, as it is typed into a shell."""
    return f"--db {shlex.quote(str(db))}"


def no_warehouse(db: str | os.PathLike[str]) -> str:
    """Return the sentence for whoever reads what is not there."""
    return f"{db} holds no warehouse yet: tricklog load LOGS {db_option(db)} makes one."
