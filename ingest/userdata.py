"""What a user writes about a warehouse: named views of the dashboard.

It lives in a small SQLite file of its own beside the snapshots, ``user.sqlite``: loading, verifying
and rebuilding never touch it, and it is no part of any checksum.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from schemas.show import clean

FILE_NAME: Final = "user.sqlite"
USER_VERSION: Final = 1
"""Version of the tables, kept in SQLite's ``user_version``."""
LONGEST_NAME: Final = 80
PATIENCE: Final = 5.0
"""Seconds to wait while another viewer writes."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS views (
    view_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    page TEXT NOT NULL,
    query TEXT NOT NULL,
    saved_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
)
"""


class UserDataError(Exception):
    """What the user asked for cannot be written or read; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class View:
    """A page of the dashboard as its address shows it."""

    view_id: int
    name: str
    page: str
    """Path of the page in the address: ``bids``."""
    query: dict[str, list[str]]
    """Parameters of the address."""


def user_file(db: str | Path) -> Path:
    """Return where the warehouse in the folder ``db`` keeps what its users write."""
    return Path(db) / FILE_NAME


def views(db: str | Path) -> list[View]:
    """Return the saved views by name; none before the first is saved.

    Raises ``UserDataError`` for a file that cannot be read.
    """
    path = user_file(db)
    if not path.exists():
        return []
    with _explained(path), closing(_connect(path, "ro")) as connection:
        if not _version(connection):
            return []
        _require_version(connection, path)
        rows = connection.execute(
            "SELECT view_id, name, page, query FROM views ORDER BY name COLLATE NOCASE, name"
        ).fetchall()
        return [View(key, name, page, _read_query(query)) for key, name, page, query in rows]


def save_view(db: str | Path, name: str, page: str, query: dict[str, list[str]]) -> View:
    """Keep a view under a new name and return it.

    Raises ``UserDataError`` for a name that is empty, too long or taken, and for a folder that
    cannot be written to.
    """
    name = _checked(name)
    text = msgspec.json.encode(query).decode()
    with _writing(db, name) as connection:
        found = connection.execute(
            "INSERT INTO views (name, page, query) VALUES (?, ?, ?) RETURNING view_id",
            (name, page, text),
        ).fetchone()
    return View(found[0], name, page, query)


def rename_view(db: str | Path, view_id: int, name: str) -> None:
    """Give a view another name; one that is gone by now stays gone.

    Raises ``UserDataError`` as ``save_view`` does.
    """
    name = _checked(name)
    with _writing(db, name) as connection:
        connection.execute("UPDATE views SET name = ? WHERE view_id = ?", (name, view_id))


def delete_view(db: str | Path, view_id: int) -> None:
    """Forget a view, which may be gone already.

    Raises ``UserDataError`` for a folder that cannot be written to.
    """
    with _writing(db, "") as connection:
        connection.execute("DELETE FROM views WHERE view_id = ?", (view_id,))


def _checked(name: str) -> str:
    """Return a name as it is kept: on one line, without marks that cannot be seen."""
    name = " ".join(clean(name).split())
    if not name:
        raise UserDataError("The view needs a name.")
    if len(name) > LONGEST_NAME:
        raise UserDataError(f"A name has at most {LONGEST_NAME} characters; this has {len(name)}.")
    return name


def _read_query(text: str) -> dict[str, list[str]]:
    return msgspec.json.decode(text, type=dict[str, list[str]])


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)


@contextmanager
def _writing(db: str | Path, name: str) -> Iterator[sqlite3.Connection]:
    """Open the file in one transaction, made first when there is none."""
    path = user_file(db)
    with _explained(path), closing(_connect(path, "rwc")) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            if not _version(connection):
                connection.execute(_TABLES)
                connection.execute(f"PRAGMA user_version = {USER_VERSION}")
            _require_version(connection, path)
            yield connection
        except sqlite3.IntegrityError as error:
            connection.execute("ROLLBACK")
            raise UserDataError(
                f"There is a view called {name!r} already. Choose another name, or delete that one."
            ) from error
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    """Return the version of the tables, 0 before there are any."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _require_version(connection: sqlite3.Connection, path: Path) -> None:
    version = _version(connection)
    if version != USER_VERSION:
        raise UserDataError(
            f"{path} was written by another version of Tricklog (tables {version}, here "
            f"{USER_VERSION}). Use that version, or move the file away to begin a new one."
        )


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into sentences."""
    try:
        yield
    except (sqlite3.Error, msgspec.DecodeError, OSError) as error:
        raise UserDataError(
            f"{path} cannot be used: {error}. Saved views need a folder that can be written to and "
            "an undamaged file; everything else works without them."
        ) from error
