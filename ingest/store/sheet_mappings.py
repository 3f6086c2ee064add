"""What the columns of score sheets mean, as a user has said it, kept for sheets with such a header.

It stands in the user's file in a table of its own, outside the digest: what is lost of it is
recognised or said once more.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from tricklog.ingest.store.userdata import user_file, writing

LONGEST: Final = 1 << 18
"""Characters of a mapping that is kept."""
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS sheet_mappings (
    header TEXT PRIMARY KEY,
    settings TEXT NOT NULL,
    kept_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
)
"""


def kept_mapping(db: str | Path, header: str) -> str | None:
    """Return the settings kept for sheets with a header; nothing where none are, or can be read."""
    path = user_file(db)
    if not header or not path.exists():
        return None
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        ) as connection:
            query = "SELECT settings FROM sheet_mappings WHERE header = ?"
            found = connection.execute(query, (header,)).fetchone()
    except sqlite3.Error:
        return None
    return found[0] if found and isinstance(found[0], str) else None


def keep_mapping(db: str | Path, header: str, settings: str) -> None:
    """Keep the settings of sheets with a header, in place of those kept before.

    Raises ``UserDataError`` for a folder that cannot be written to.
    """
    if not header or len(settings) > LONGEST:
        return
    with writing(db) as connection:
        connection.execute(_TABLE)
        connection.execute(
            "INSERT OR REPLACE INTO sheet_mappings (header, settings) VALUES (?, ?)",
            (header, settings),
        )
