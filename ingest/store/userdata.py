"""What a user writes about a warehouse: views, whose hands count, answers, notes and tags.

It lives in a small SQLite file of its own beside the snapshots, ``user.sqlite``: loads never touch
it, and it is no part of any checksum. It cannot be made again from logs, so a digest of it all
stands in it, and a copy beside it, which a rebuild puts in its place when it is damaged.

Whatever reads here, in ``marks`` and in ``aliases`` finds nothing before the first is written, and
raises ``UserDataError`` where the file cannot be read; whatever writes does where the folder cannot
be written to.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass, replace
from itertools import starmap
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from tricklog.ingest.store import disk
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.store.scopes import Scope, as_text, from_text
from tricklog.schemas.printable import one_line

FILE_NAME: Final = "user.sqlite"
COPY_NAME: Final = "user-copy.sqlite"
USER_VERSION: Final = 6
"""Version of the tables, kept in SQLite's ``user_version``."""
LONGEST_NAME: Final = 80
LONGEST_MAPPING: Final = 1 << 18
"""Characters of a mapping of a score sheet that is kept."""
PATIENCE: Final = 5.0
"""Seconds to wait while another viewer writes."""
_OF_THE_MOMENT: Final = (
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
)
_FIRST_DIGEST: Final = 2
"""The first version with a digest. What was written by an earlier one can be read."""
_NOW: Final = "TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))"


class _Table(NamedTuple):
    """A table: the first version that has it, and the order in which it counts for the digest."""

    since: int
    order: str
    make: str


_MAKE: Final = "CREATE TABLE IF NOT EXISTS"
_TABLES: Final = {
    "views": _Table(
        1,
        "view_id",
        f"{_MAKE} views (view_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
        f"page TEXT NOT NULL, query TEXT NOT NULL, saved_at {_NOW})",
    ),
    "scopes": _Table(
        3,
        "scope_id",
        f"{_MAKE} scopes (scope_id TEXT PRIMARY KEY, scope TEXT NOT NULL, "
        "is_chosen INTEGER NOT NULL)",
    ),
    "practice": _Table(
        4,
        "content_hash, action, who",
        f"{_MAKE} practice (content_hash TEXT NOT NULL, action INTEGER NOT NULL, "
        "who TEXT NOT NULL, answer TEXT NOT NULL, unit TEXT NOT NULL, loss INTEGER, "
        f"table_loss INTEGER, hinted INTEGER NOT NULL, answered_at {_NOW}, "
        "PRIMARY KEY (content_hash, action, who))",
    ),
    "notes": _Table(
        5,
        "note_id",
        f"{_MAKE} notes (note_id INTEGER PRIMARY KEY, "
        "about TEXT NOT NULL CHECK (about IN ('hand', 'player')), "
        f"subject TEXT NOT NULL, note TEXT NOT NULL, written_at {_NOW})",
    ),
    "tags": _Table(
        5,
        "content_hash, tag",
        f"{_MAKE} tags (content_hash TEXT NOT NULL, tag TEXT NOT NULL, "
        "PRIMARY KEY (content_hash, tag)) WITHOUT ROWID",
    ),
    "aliases": _Table(
        6,
        "player",
        f"{_MAKE} aliases (player TEXT PRIMARY KEY, stands_for TEXT NOT NULL) WITHOUT ROWID",
    ),
}
_MAPPINGS: Final = "sheet_mappings"
"""A table of its own outside the digest: what is lost of it is recognised or said once more."""
_NOTES_BY_SUBJECT: Final = "CREATE INDEX IF NOT EXISTS notes_by_subject ON notes (about, subject)"
_DIGEST: Final = """
CREATE TABLE IF NOT EXISTS content (only INTEGER PRIMARY KEY CHECK (only = 1), digest TEXT NOT NULL)
"""


Found = TypeVar("Found")


class UserDataError(Exception):
    """What the user asked for cannot be written or read; the sentence says why and what to do."""


class WordsError(UserDataError):
    """What somebody wrote is not to be kept as it is: it is empty, or too long."""


class UserStorageError(UserDataError):
    """The disk or the memory fails, and nothing says that the file is damaged."""


# --- Views


@dataclass(frozen=True, slots=True)
class View:
    """A page of the dashboard as its address shows it."""

    view_id: int
    name: str
    page: str
    """Path of the page in the address: ``bids``."""
    query: dict[str, list[str]]
    """Parameters of the address."""


def views(db: str | Path) -> list[View]:
    """Return the saved views by name."""
    place = _place(db)
    return _views_in(place) if place else []


def _views_in(path: Path) -> list[View]:
    with reading(path) as (connection, version):
        rows = rows_of(connection, version, "views", "name COLLATE NOCASE, name")
        return [
            View(key, name, page, msgspec.json.decode(query, type=dict[str, list[str]]))
            for key, name, page, query, _ in rows
        ]


def save_view(db: str | Path, name: str, page: str, query: dict[str, list[str]]) -> View:
    """Keep a view under a new name and return it.

    Raises ``UserDataError`` for a name that is empty, too long or taken.
    """
    name = _checked(name)
    text = msgspec.json.encode(query).decode()
    with writing(db, name) as connection:
        found = connection.execute(
            "INSERT INTO views (name, page, query) VALUES (?, ?, ?) RETURNING view_id",
            (name, page, text),
        ).fetchone()
    return View(found[0], name, page, query)


def rename_view(db: str | Path, view_id: int, name: str) -> None:
    """Give a view another name, as ``save_view`` does; one that is gone by now stays gone."""
    name = _checked(name)
    with writing(db, name) as connection:
        connection.execute("UPDATE views SET name = ? WHERE view_id = ?", (name, view_id))


def delete_view(db: str | Path, view_id: int) -> None:
    """Forget a view, which may be gone already."""
    change(db, "DELETE FROM views WHERE view_id = ?", view_id)


def _checked(name: str) -> str:
    name = _short(name)
    if not name:
        raise WordsError("The view needs a name.")
    return name


def _short(name: str) -> str:
    """Return a name as it is kept: on one line, without marks that cannot be seen."""
    name = " ".join(one_line(name).split())
    if len(name) > LONGEST_NAME:
        raise WordsError(f"A name has at most {LONGEST_NAME} characters; this has {len(name)}.")
    return name


# --- Scopes


class Scopes(NamedTuple):
    """The scopes that were ever chosen, so that links made with them keep what they show."""

    by_id: dict[str, Scope]
    chosen: Scope | None
    """The one chosen last; ``None`` before the first."""


def scopes(db: str | Path) -> Scopes:
    """Return the scopes; a damaged file gives way to its copy."""

    def read(place: Path) -> Scopes:
        with reading(place) as (connection, version):
            rows = rows_of(connection, version, "scopes")
            found = {scope_id: from_text(text) for scope_id, text, _ in rows}
        return Scopes(found, next((found[key] for key, _, chosen in rows if chosen), None))

    return read_best(db, read) or Scopes({}, None)


def choose_scope(db: str | Path, scope: Scope) -> None:
    """Keep a scope, and choose it for everybody who opens the warehouse."""
    with writing(db) as connection:
        connection.execute("UPDATE scopes SET is_chosen = 0")
        connection.execute(
            "INSERT OR REPLACE INTO scopes VALUES (?, ?, 1)", (scope.scope_id, as_text(scope))
        )


# --- Answers


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody chose at a decision of a recorded hand, before they saw what was played."""

    content_hash: str
    """``tricklog.schemas.hand.content_hash`` of the hand, which no load and no rebuild changes."""
    action: int
    """Index of the first action of the record that the question hides."""
    who: str
    """The name under which they answer; empty where they gave none."""
    answer: str
    """What they chose, as a log writes it without the seat: ``play 8D``."""
    unit: str
    """``points`` or ``tricks``: what the losses are counted in."""
    loss: int | None
    """What it cost their side with all cards open; ``None`` where that is not known."""
    table_loss: int | None
    """What was played at the table cost, likewise."""
    hinted: bool
    """Whether they asked for the hint."""
    answered_at: str = ""
    """UTC, set when it is kept."""


def answers(db: str | Path) -> list[Answer]:
    """Return all answers, the earliest first; a damaged file gives way to its copy."""

    def read(place: Path) -> list[Answer]:
        with reading(place) as (connection, version):
            rows = rows_of(connection, version, "practice", "answered_at, rowid")
            return [replace(answer, hinted=bool(answer.hinted)) for answer in starmap(Answer, rows)]

    return read_best(db, read) or []


def keep_answer(db: str | Path, answer: Answer) -> None:
    """Keep an answer, unless there is one of the same person to the same question.

    The first one counts, as nobody chooses freely who has seen what it costs; ``forget_answer``
    makes room for another. Raises ``UserDataError`` for a name that is too long.
    """
    query = (
        "INSERT OR IGNORE INTO practice "
        "(content_hash, action, who, answer, unit, loss, table_loss, hinted) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    change(db, query, *astuple(replace(answer, who=_short(answer.who)))[:-1])


def forget_answer(db: str | Path, content_hash: str, action: int, who: str) -> None:
    """Remove the answer of somebody to a question, which may be gone already."""
    query = "DELETE FROM practice WHERE content_hash = ? AND action = ? AND who = ?"
    change(db, query, content_hash, action, who)


# --- Score sheets


def kept_mapping(db: str | Path, header: str) -> str | None:
    """Return what was said of the columns of sheets with a header, if that can be read."""
    path = user_file(db)
    if not header or not path.exists():
        return None
    try:
        with closing(_connect(path, "ro")) as connection:
            query = f"SELECT settings FROM {_MAPPINGS} WHERE header = ?"  # noqa: S608 - our own name
            found = connection.execute(query, (header,)).fetchone()
    except sqlite3.Error:
        return None
    return found[0] if found and isinstance(found[0], str) else None


def keep_mapping(db: str | Path, header: str, settings: str) -> None:
    """Keep the settings of sheets with a header, in place of those kept before."""
    if not header or len(settings) > LONGEST_MAPPING:
        return
    with writing(db) as connection:
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {_MAPPINGS} "
            f"(header TEXT PRIMARY KEY, settings TEXT NOT NULL, kept_at {_NOW})"
        )
        query = f"INSERT OR REPLACE INTO {_MAPPINGS} (header, settings) VALUES (?, ?)"  # noqa: S608 - our own name
        connection.execute(query, (header, settings))


# --- The file


def user_file(db: str | Path) -> Path:
    """Return where the warehouse in the folder ``db`` keeps what its users write."""
    return Path(db) / FILE_NAME


def copy_of(path: Path) -> Path:
    """Return where the copy of a file of saved views stands."""
    return path.with_name(COPY_NAME)


def _place(db: str | Path) -> Path | None:
    path = user_file(db)
    with _explained(path):
        return next((each for each in (path, copy_of(path)) if each.exists()), None)


def read_best(db: str | Path, read: Callable[[Path], Found]) -> Found | None:
    """Read the file, or its copy where it is damaged; ``None`` where there is neither."""
    place = _place(db)
    if place is None:
        return None
    try:
        return read(place)
    except UserStorageError:
        raise
    except UserDataError:
        copy = copy_of(place)
        if place == copy or not copy.exists():
            raise
        return read(copy)


def best_rows(db: str | Path, *names: str) -> list[list[tuple[Any, ...]]]:
    """Return the rows of tables in order, read as ``read_best`` does."""

    def read(place: Path) -> list[list[tuple[Any, ...]]]:
        with reading(place) as (connection, version):
            return [rows_of(connection, version, name) for name in names]

    return read_best(db, read) or [[] for _ in names]


@contextmanager
def reading(place: Path) -> Iterator[tuple[sqlite3.Connection, int]]:
    """Open a file in one transaction to read it; gives its version as well."""
    with _explained(place), closing(_connect(place, "ro")) as connection:
        connection.execute("BEGIN")
        yield connection, _checked_version(connection, place)


def rows_of(
    connection: sqlite3.Connection, version: int, name: str, order: str = ""
) -> list[tuple[Any, ...]]:
    """Return the rows of a table in order; none where the ``version`` of the file has no such."""
    table = _TABLES[name]
    if version < table.since:
        return []
    return connection.execute(f"SELECT * FROM {name} ORDER BY {order or table.order}").fetchall()  # noqa: S608 - names of our own


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None)


def change(db: str | Path, query: str, *values: object) -> int:
    """Do one statement that writes; return of how many rows it was."""
    with writing(db) as connection:
        return connection.execute(query, values).rowcount


@contextmanager
def writing(db: str | Path, name: str = "") -> Iterator[sqlite3.Connection]:
    """Open the file in one transaction, made first when there is none; ``name`` is of a view."""
    path = user_file(db)
    with _explained(path):
        if copy_of(path).exists() and not path.exists():
            _copy(copy_of(path), path)
    with _explained(path), closing(_connect(path, "rwc")) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            _checked_version(connection, path)
            for table in _TABLES.values():
                connection.execute(table.make)
            connection.execute(_NOTES_BY_SUBJECT)
            yield connection
            connection.execute(_DIGEST)
            connection.execute(
                "INSERT OR REPLACE INTO content VALUES (1, ?)",
                (_digest_of(connection, USER_VERSION),),
            )
            connection.execute(f"PRAGMA user_version = {USER_VERSION}")
        except sqlite3.IntegrityError as error:
            connection.rollback()
            raise UserDataError(
                f"There is a view called {name!r} already. Choose another name, or delete that one."
            ) from error
        except BaseException:
            # On a full disk SQLite has done it by itself, and then this does nothing.
            connection.rollback()
            raise
        connection.execute("COMMIT")
        _keep_copy(connection, path)


def purge(db: str | Path) -> None:
    """Write the file and its copy once more, so that nothing that was removed is left in them."""
    path = user_file(db)
    with _explained(path):
        if path.exists():
            with closing(_connect(path, "rw")) as connection:
                connection.execute("PRAGMA secure_delete = ON")
                connection.execute("VACUUM")
            _copy(path, copy_of(path))


def _keep_copy(connection: sqlite3.Connection, path: Path) -> None:
    """Copy what was written. Without room for it the copy stays the one before."""
    with suppress(OSError, sqlite3.Error):
        # Whoever writes next must not put an older copy in the place of a newer one.
        connection.execute("BEGIN IMMEDIATE")
        try:
            _copy(path, copy_of(path))
        finally:
            connection.rollback()


def _copy(path: Path, to: Path) -> None:
    draft = to.with_name(f"{to.name}.draft")
    with (
        disk.drafted(to, draft),
        closing(_connect(path, "ro")) as source,
        closing(sqlite3.connect(draft)) as target,
    ):
        source.backup(target)


def _checked_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the tables, 0 before there are any, once all is what was saved."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version not in range(USER_VERSION + 1):
        raise UserDataError(
            f"{path} was written by another version of Tricklog (tables {version}, here "
            f"{USER_VERSION}). Use that version, or move this file and {COPY_NAME} away to begin a "
            "new one."
        )
    if version >= _FIRST_DIGEST:
        found = connection.execute("SELECT digest FROM content").fetchall()
        is_damaged = found != [(_digest_of(connection, version),)]
    else:
        # Whatever has a copy was written by a version that leaves a digest.
        is_damaged = copy_of(path).exists()
    if is_damaged:
        raise UserDataError(
            f"{path} is damaged: it does not hold what was saved. tricklog db rebuild "
            f"{db_option(path.parent)} puts its copy in its place; everything else works without "
            "it."
        )
    return version


def _digest_of(connection: sqlite3.Connection, version: int) -> str:
    rows = [row for name in _TABLES for row in rows_of(connection, version, name)]
    return hashlib.sha256(repr(rows).encode()).hexdigest()


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into sentences."""
    try:
        yield
    except (sqlite3.Error, msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        # SQLite repeats in its errors what it cannot read, and that may be no text at all.
        kind = UserStorageError if _is_of_the_moment(error) else UserDataError
        raise kind(
            f"{path} cannot be used: {error}. Saved views, the people of a table, answers, notes "
            "and tags need a folder that can be written to and an undamaged file; everything else "
            "works without them."
        ) from error


def _is_of_the_moment(error: Exception) -> bool:
    if isinstance(error, OSError):
        return not isinstance(error, (IsADirectoryError, NotADirectoryError))
    code = getattr(error, "sqlite_errorcode", None)
    # A file that was cut off reads short.
    if code is None or code == sqlite3.SQLITE_IOERR_SHORT_READ:
        return False
    return code & 0xFF in _OF_THE_MOMENT


def damage(db: str | Path) -> str:
    """Return what is wrong with the file, if anything; raises ``UserStorageError``."""
    try:
        views(db)
    except UserStorageError:
        raise
    except UserDataError as error:
        return str(error)
    return ""


def mend(db: str | Path) -> str:
    """Put the copy of saved views in the place of a file that cannot be used.

    The file itself stays under another name. Returns what was done, nothing when nothing was wrong
    or there is no copy that is better. Raises ``UserStorageError`` as ``damage`` does.
    """
    path = user_file(db)
    copy = copy_of(path)
    aside = path.with_name(f"{FILE_NAME}.damaged")
    if not damage(db) or not copy.exists():
        return ""
    try:
        kept = _views_in(copy)
        path.replace(aside)
        _copy(copy, path)
    except (UserDataError, OSError, sqlite3.Error) as error:
        return f"{path} cannot be used, and its copy cannot take its place: {error}"
    views = "1 view" if len(kept) == 1 else f"{len(kept)} views"
    return f"{path} was damaged and is {aside} now; its copy with {views} is in its place"
