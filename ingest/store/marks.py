"""Notes about hands and players, and tags of hands: what users write, in ``user.sqlite``.

A hand is named by its content hash, so that what is written about it outlasts loads, rebuilds and
audits. Nothing here changes what is stored of a hand.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, Literal

from tricklog.ingest.store.userdata import UserDataError, WordsError, best_rows, change, writing
from tricklog.schemas.printable import one_line

LONGEST_TAG: Final = 40
LONGEST_NOTE: Final = 10_000
About = Literal["hand", "player"]


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody wrote about a hand or a player."""

    note_id: int
    about: About
    subject: str
    """The content hash of the hand, or the id of the player."""
    text: str
    """Lines that may hold anything but signs that move a cursor or turn text."""
    written_at: str
    """UTC."""


@dataclass(frozen=True, slots=True)
class Marks:
    """All notes and tags of a warehouse."""

    notes: tuple[Note, ...] = ()
    """The oldest first."""
    tags: tuple[tuple[str, str], ...] = ()
    """Content hash and tag, sorted."""

    def tags_of(self, content_hash: str) -> list[str]:
        """Return the tags of a hand, sorted."""
        return [tag for hashed, tag in self.tags if hashed == content_hash]

    def notes_of(self, about: About, subject: str) -> list[Note]:
        """Return the notes about a hand or a player, the oldest first."""
        return [each for each in self.notes if (each.about, each.subject) == (about, subject)]

    def by_tag(self) -> dict[str, int]:
        """Return how many hands have each tag, in the order of the letters."""
        counts = Counter(tag for _, tag in self.tags)
        return dict(sorted(counts.items(), key=lambda each: (each[0].casefold(), each[0])))


def marks(db: str | Path) -> Marks:
    """Return all notes and tags; a damaged file gives way to its copy."""
    notes, tags = best_rows(db, "notes", "tags")
    return Marks(tuple(Note(*row) for row in notes), tuple(tags))


# --- Notes


def add_note(db: str | Path, about: About, subject: str, text: str) -> None:
    """Write a note; ``WordsError`` for one that is empty or too long."""
    query = "INSERT INTO notes (about, subject, note) VALUES (?, ?, ?)"
    change(db, query, about, subject, _checked_note(text))


def change_note(db: str | Path, note_id: int, before: str, text: str) -> None:
    """Write a note over. ``before`` is what it said when somebody began to change it.

    Raises ``UserDataError`` as ``add_note`` does, and where the note says something else by now or
    is gone, so that nobody loses what they wrote.
    """
    query = "UPDATE notes SET note = ? WHERE note_id = ? AND note = ?"
    if not change(db, query, _checked_note(text), note_id, before):
        raise UserDataError(
            "Somebody has changed or removed this note in the meantime. Look at it again; "
            "what you wrote has not been kept."
        )


def remove_note(db: str | Path, note_id: int) -> bool:
    """Remove a note and return whether it was there."""
    return bool(change(db, "DELETE FROM notes WHERE note_id = ?", note_id))


def _checked_note(text: str) -> str:
    """Return a note as it is kept: its lines without marks that cannot be seen."""
    lines = (one_line(line).rstrip() for line in text.replace("\r\n", "\n").split("\n"))
    text = "\n".join(lines).strip()
    if not text:
        raise WordsError("The note is empty. Write something.")
    if len(text) > LONGEST_NOTE:
        raise WordsError(
            f"A note has at most {LONGEST_NOTE:,} characters; this has {len(text):,}. "
            "Write several."
        )
    return text


# --- Tags


def add_tag(db: str | Path, hashes: Iterable[str], tag: str) -> int:
    """Give hands a tag, by their content hashes, and return how many did not have it.

    A tag that is there in other capital letters is that tag. Raises ``UserDataError`` for a tag
    that is empty or too long.
    """
    tag = _checked_tag(tag)
    with writing(db) as connection:
        tag = _spelled(connection, tag)
        return _insert_tags(connection, ((each, tag) for each in hashes))


def remove_tag(db: str | Path, hashes: Collection[str], tag: str) -> int:
    """Take a tag from hands and return how many had it, as ``add_tag`` gives it."""
    tag = _checked_tag(tag)
    with writing(db) as connection:
        tag = _spelled(connection, tag)
        before = connection.total_changes
        connection.executemany(
            "DELETE FROM tags WHERE content_hash = ? AND tag = ?", [(each, tag) for each in hashes]
        )
        return connection.total_changes - before


def _insert_tags(connection: sqlite3.Connection, rows: Iterable[tuple[str, str]]) -> int:
    before = connection.total_changes
    connection.executemany("INSERT OR IGNORE INTO tags VALUES (?, ?)", rows)
    return connection.total_changes - before


def _spelled(connection: sqlite3.Connection, tag: str) -> str:
    known = (each for (each,) in connection.execute("SELECT DISTINCT tag FROM tags"))
    return next((each for each in known if each.casefold() == tag.casefold()), tag)


def _checked_tag(tag: str) -> str:
    tag = " ".join(unicodedata.normalize("NFC", one_line(tag)).split())
    if not tag:
        raise WordsError("The tag needs a name.")
    if len(tag) > LONGEST_TAG:
        raise WordsError(
            f"A tag has at most {LONGEST_TAG} characters; this has {len(tag):,}. What is longer "
            "is a note."
        )
    return tag


# --- To and from other warehouses


def as_document(found: Marks) -> dict[str, Any]:
    """Return notes and tags as plain values, to be written as JSON and read by ``take_in``."""
    return {
        "schema": "tricklog-marks/1",
        "tags": {
            hashed: [tag for _, tag in tags]
            for hashed, tags in groupby(found.tags, key=itemgetter(0))
        },
        "notes": [
            {name: getattr(each, name) for name in ("about", "subject", "text", "written_at")}
            for each in found.notes
        ],
    }


def take_in(
    db: str | Path, tags: Mapping[str, Iterable[str]], notes: Iterable[tuple[About, str, str, str]]
) -> tuple[int, int]:
    """Add tags and notes of a document and return how many tags and notes are new.

    ``notes`` are about, subject, text and time. What is there already is not added again. Raises
    ``UserDataError`` as ``add_tag`` and ``add_note`` do; then nothing is added.
    """
    checked = [(hashed, _checked_tag(tag)) for hashed, each in tags.items() for tag in each]
    written = [(about, who, _checked_note(text), at) for about, who, text, at in notes]
    with writing(db) as connection:
        spelled = {tag: _spelled(connection, tag) for _, tag in checked}
        added = _insert_tags(connection, ((hashed, spelled[tag]) for hashed, tag in checked))
        before = connection.total_changes
        connection.executemany(
            "INSERT INTO notes (about, subject, note, written_at) SELECT ?1, ?2, ?3, ?4 "
            "WHERE NOT EXISTS (SELECT 1 FROM notes WHERE about = ?1 AND subject = ?2 "
            "AND note = ?3)",
            written,
        )
        return added, connection.total_changes - before
