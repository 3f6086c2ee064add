"""The tables of ``user.sqlite`` for what users write about hands and players."""

from __future__ import annotations

from typing import Final

_NOTES: Final = """
CREATE TABLE IF NOT EXISTS notes (
    note_id INTEGER PRIMARY KEY,
    about TEXT NOT NULL CHECK (about IN ('hand', 'player')),
    subject TEXT NOT NULL,
    note TEXT NOT NULL,
    written_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
)
"""
_NOTES_BY_SUBJECT: Final = "CREATE INDEX IF NOT EXISTS notes_by_subject ON notes (about, subject)"
_TAGS: Final = """
CREATE TABLE IF NOT EXISTS tags (
    content_hash TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (content_hash, tag)
) WITHOUT ROWID
"""
ALIASES: Final = """
CREATE TABLE IF NOT EXISTS aliases (player TEXT PRIMARY KEY, stands_for TEXT NOT NULL) WITHOUT ROWID
"""
MARKS: Final = (_NOTES, _NOTES_BY_SUBJECT, _TAGS)
"""The statements that make them."""
MARKS_IN_ORDER: Final = (
    "SELECT * FROM notes ORDER BY note_id",
    "SELECT * FROM tags ORDER BY content_hash, tag",
)
ALIASES_IN_ORDER: Final = "SELECT * FROM aliases ORDER BY player"
"""The queries for all that stands in them, always in the same order."""
