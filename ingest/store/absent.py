"""What is said where nothing has been loaded yet, with next to nothing imported."""

from __future__ import annotations

import os
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


def no_warehouse(db: str | os.PathLike[str]) -> str:
    """Return the sentence for whoever reads what is not there."""
    return f"{db} holds no warehouse yet: tricklog load LOGS --db {db} makes one."
