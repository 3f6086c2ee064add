"""Reading a warehouse: a folder of published snapshots, of which ``CURRENT`` names the newest.

A snapshot is one DuckDB file that nobody writes any more, so readers and the writer never wait for
each other: an open connection keeps its snapshot, a new one sees the newest. The tables are
``ingest/store/warehouse.sql``; what they mean stands there and in ``docs/warehouse.md``.
"""

from __future__ import annotations

import errno
import hashlib
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb
import msgspec
from duckdb import DuckDBPyConnection

from tricklog.ingest.store import database, long_texts, seals
from tricklog.ingest.store import record_codec as lines
from tricklog.ingest.store.absent import db_option, no_warehouse
from tricklog.schemas.hand import Hand, decode_hand

Opened = TypeVar("Opened")
SCHEMA_VERSION: Final = 7
POINTER: Final = "CURRENT"
SNAPSHOT_NAME: Final = r"games-(\d{6,})\.duckdb"
_TRACEBACK: Final = "Traceback"
_ATTEMPTS: Final = 5
_POINTER_DIGITS: Final = 8
_BATCH: Final = 1_000
_STORE_TROUBLE: Final = (
    duckdb.IOException,
    duckdb.OutOfMemoryException,
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.SerializationException,
    duckdb.TransactionException,
)
_OF_PARQUET: Final = re.compile(r"Failed to read file|\bparquet\b", re.IGNORECASE)
"""What DuckDB says when it reads the files of a lake; no other warehouse has any."""
NO_RECORD: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    msgspec.MsgspecError,
)
"""What comes of columns that are not those of any record."""

_CONTENT: Final = {
    # Tables may write the same rules in different words; see rows.words_of for those that stay.
    "rulesets": ("* EXCLUDE (title, family, options)", "{of}rulesets"),
    "hands": (
        "* EXCLUDE (hand_no, import_id, file, line, seating_id)",
        "{of}hands JOIN {of}seatings USING (seating_id)",
    ),
    "games": ("* EXCLUDE (game_no)", "{of}games"),
    "players": ("*", "{of}players"),
    "findings": ("*", "{of}findings"),
    "rejects": ("reject, code, pointer, md5(text) AS text", "{of}rejects"),
}
"""What each table says: columns, and where they come from."""
TABLES: Final = tuple(_CONTENT)
"""Tables whose rows say something; seatings and long texts are part of what others say."""


class WarehouseError(Exception):
    """A warehouse that cannot be used; the sentence says which, why and what to do."""


class OtherVersionError(WarehouseError):
    """A warehouse that another version of Tricklog wrote, and whose logs make it again."""


class RecordError(WarehouseError):
    """A stored hand whose columns do not make a record."""


class NoSnapshotError(WarehouseError):
    """A folder in which nothing has been published yet, or a file."""


class DamagedError(WarehouseError):
    """A file of the warehouse that is damaged, lost or cannot be read."""


class LostPointerError(DamagedError):
    """A folder with snapshots, and nothing that says which of them is the newest."""


def is_trouble(error: BaseException) -> bool:
    """Whether an error of DuckDB is about a file, a disk or memory, and not about a statement."""
    return isinstance(error, _STORE_TROUBLE) or is_damage_of_file(error)


def is_damage_of_file(error: BaseException) -> bool:
    """Whether this is how DuckDB reports that what a file holds is not what was written."""
    # What its checksums find, and much of what is wrong in a Parquet file, has no class of its own.
    return type(error) is duckdb.Error or (
        isinstance(error, duckdb.InvalidInputException) and bool(_OF_PARQUET.search(str(error)))
    )


def fails_now(path: Path, error: BaseException | None) -> bool:
    """Whether disk or memory failed in reading a published file that, by its seal, is in order."""
    if isinstance(error, (MemoryError, duckdb.OutOfMemoryException)):
        return True
    if not isinstance(error, (OSError, duckdb.IOException)):
        return False
    try:
        seal = seals.read(path)
        return seal is not None and not seals.difference(path, seal)
    except OSError:
        return False


def first_line(error: BaseException) -> str:
    """Return what an error of the system or of DuckDB says, without its full stop."""
    said = str(error)
    if isinstance(error, OSError) and error.strerror:
        said = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    elif isinstance(error, MemoryError):
        said = "there is not enough memory"
    lines = said.strip().splitlines() or [type(error).__name__]
    # When a file system of ours fails, DuckDB gives the whole traceback from Python.
    if lines[0].startswith(_TRACEBACK):
        raised = [line for line in lines[1:] if line[:1].isalpha() and ": " in line]
        lines = [line.partition(": ")[2] for line in raised] or lines
    return lines[0].rstrip(".")


def damaged(snapshot: Path, reason: str) -> str:
    """Return the sentence about a snapshot that is not what was published."""
    return (
        f"{snapshot} is damaged: {reason}. Nothing was changed. tricklog db rebuild "
        f"{db_option(snapshot.parent)} rebuilds the warehouse from its logs."
    )


def damage_of(db: str | Path) -> str:
    """Return the sentence about the newest snapshot where it is not what was published."""
    try:
        snapshot = current_snapshot(db)
        wrong = seals.damage(snapshot) if snapshot else ""
    except (OSError, WarehouseError):
        return ""
    return damaged(snapshot, wrong) if snapshot and wrong else ""


def snapshots(db: Path) -> list[Path]:
    """Return the snapshots in the folder ``db``, the oldest first."""
    found = [path for path in db.iterdir() if re.fullmatch(SNAPSHOT_NAME, path.name)]
    return sorted(found, key=number_of)


def number_of(snapshot: Path | None) -> int:
    """Return the number in the name of a snapshot, 0 for none."""
    match = re.fullmatch(SNAPSHOT_NAME, snapshot.name) if snapshot else None
    return int(match[1]) if match else 0


def pointer_to(snapshot: Path) -> str:
    """Return the text of a pointer: the name, and digits that a damaged name does not fit."""
    name = snapshot.name
    return f"{name}\n{seals.digest_of(name.encode())[:_POINTER_DIGITS]}\n"


def read_pointer(db: str | Path) -> bytes:
    """Return what the pointer holds, or raise ``OSError``, for a folder ``IsADirectoryError``."""
    pointer = Path(db) / POINTER
    # A pipe would be waited for.
    if not stat.S_ISREG(pointer.stat().st_mode):
        raise IsADirectoryError(errno.EISDIR, "It is not a file", str(pointer))
    return pointer.read_bytes()


def current_snapshot(db: str | Path) -> Path | None:
    """Return the newest published snapshot in the folder ``db``, ``None`` when there is none.

    Raises ``LostPointerError`` when nothing says which snapshot it is, ``DamagedError`` when the
    pointer cannot be read or does not name a snapshot, and ``NoSnapshotError`` where ``db`` is no
    folder.
    """
    folder = Path(db)
    pointer = folder / POINTER
    try:
        said = read_pointer(db).decode("ascii", "replace").splitlines() or [""]
    except FileNotFoundError:
        try:
            left = snapshots(folder)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DamagedError(f"{folder} cannot be read: {error.strerror}.") from error
        if left:
            raise LostPointerError(
                f"{pointer} is missing; it named the newest snapshot. The next tricklog load takes "
                f"up {left[-1].name}, and so does tricklog db rebuild {db_option(folder)}."
            ) from None
        return None
    except NotADirectoryError as error:
        inside = (folder.parent / POINTER).exists()
        raise NoSnapshotError(
            f"{db} is a file, and a warehouse is a folder: name {folder.parent}, in which it lies."
            if inside
            else f"{db} is a file, and a warehouse is a folder, which tricklog load makes."
        ) from error
    except OSError as error:
        wrong = f"cannot be read: {error.strerror}. Check the disk;"
        if isinstance(error, IsADirectoryError):
            wrong = "is not a file."
        raise DamagedError(
            f"{pointer} {wrong} tricklog db rebuild {db_option(db)} puts another pointer in its "
            "place."
        ) from error
    # A name that somebody wrote in by hand stands alone.
    found = folder / said[0]
    is_named = re.fullmatch(SNAPSHOT_NAME, said[0])
    if not is_named or said not in ([found.name], pointer_to(found).splitlines()):
        raise DamagedError(
            f"{pointer} does not name a snapshot. Write the name of the newest file "
            f"games-….duckdb in {db} into it, or run tricklog db rebuild {db_option(db)}."
        )
    return found


def facts_file(snapshot: Path) -> Path:
    """Return where the facts of a snapshot are kept, see ``tricklog.ingest.facts``."""
    return snapshot.with_name(snapshot.name.replace("games-", "facts-", 1))


def open_snapshot(db: str | Path, *, once: bool = False) -> DuckDBPyConnection:
    """Open the newest snapshot in the folder ``db``, read-only and shut off from everything else.

    What SQL on it can do says ``tricklog.ingest.warehouses.open_snapshot``. Raises
    ``NoSnapshotError`` when nothing has been loaded yet, and ``DamagedError`` for what is damaged.
    """
    return of_newest(db, lambda path: open_file(path, once=once))


def of_newest(db: str | Path, opened: Callable[[Path], Opened]) -> Opened:
    """Return what is opened of the newest snapshot; raises ``NoSnapshotError`` without one."""
    for attempt in range(_ATTEMPTS):
        path = current_snapshot(db)
        if path is None:
            raise NoSnapshotError(no_warehouse(db))
        try:
            return opened(path)
        except WarehouseError:
            # Since the pointer was read, the file may have been superseded and removed.
            if path.exists() or attempt + 1 == _ATTEMPTS:
                raise
    raise AssertionError("the loop returns or raises")


def open_file(path: Path, *, once: bool = False) -> DuckDBPyConnection:
    """Open one snapshot by its file; ``DamagedError``, ``OtherVersionError`` where that fails."""
    try:
        connection = database.open_shut_off(path, once=once)
    except duckdb.Error as error:
        raise _not_opened(path, error) from error
    _require_this_version(connection, path)
    return connection


def attach(connection: DuckDBPyConnection, name: str, path: Path) -> None:
    """Attach one snapshot by its file, read-only, under a name; raise as ``open_file`` does."""
    try:
        database.attach(connection, name, path)
    except duckdb.Error as error:
        raise _not_opened(path, error) from error
    _require_this_version(connection, path, f"{name}.")


def hands_and_state(connection: DuckDBPyConnection) -> tuple[int, str]:
    """Return how many hands a snapshot has, and what names it."""
    ((hands, state),) = connection.execute(
        "SELECT (SELECT count(*) FROM hands), state FROM warehouse"
    ).fetchall()
    return int(hands), str(state)


def held(path: Path, error: duckdb.Error) -> str:
    """Return the sentence about a file that somebody has open for writing."""
    return (
        f"{path} cannot be read while another connection has it open for writing: {error}. The "
        "warehouse itself is in order. Close that connection, or open the file with read_only=True."
    )


def _not_opened(path: Path, error: duckdb.Error) -> WarehouseError:
    if database.is_held_here(error) or database.is_held_elsewhere(error):
        return WarehouseError(held(path, error))
    return DamagedError(
        f"{path} cannot be opened: {first_line(error)}. Rebuild the warehouse from its logs: "
        f"tricklog db rebuild {db_option(path.parent)}."
    )


def _require_this_version(connection: DuckDBPyConnection, path: Path, of: str = "") -> None:
    found: list[tuple[Any, ...]] = []
    try:
        found = connection.execute(f"SELECT schema_version FROM {of}warehouse").fetchall()  # noqa: S608 - a name of our own
    except duckdb.Error as error:
        if is_trouble(error):
            connection.close()
            raise _not_opened(path, error) from error
    if found != [(SCHEMA_VERSION,)]:
        connection.close()
        raise OtherVersionError(
            f"{path} was written by another version of Tricklog. Use that one, or rebuild the "
            f"warehouse from its logs: tricklog db rebuild LOGS {db_option(path.parent)}."
        )


def hand(connection: DuckDBPyConnection, hand_id: str) -> Hand:
    """Return a stored hand exactly as it was recorded.

    Raises ``LookupError`` when the snapshot has no hand with this id, and ``RecordError`` when what
    is stored of it makes no record.
    """
    columns = next(records(connection, "hand_id = $id", {"id": hand_id}), None)
    if columns is None:
        raise LookupError(f"There is no hand {hand_id!r} in this warehouse.")
    return read_record(columns)[1]


def records(
    connection: DuckDBPyConnection, where: str, asked: Mapping[str, object], *also: str
) -> Iterator[tuple[Any, ...]]:
    """Give what is stored of hands, in bounded memory: columns ``also``, then ``lines.COLUMNS``.

    Long texts are in their places. ``where`` is the condition, and what comes behind it.
    """
    columns = ", ".join([*also, lines.COLUMNS])
    places = [len(also) + place for place in lines.LONG_PLACES]
    rows = connection.cursor().execute(
        f"SELECT {columns} FROM hands JOIN seatings USING (seating_id) WHERE {where}",  # noqa: S608 - no input
        asked,
    )
    reading = connection.cursor()
    while batch := rows.fetchmany(_BATCH):
        yield from long_texts.with_texts(reading, batch, places)


def read_record(columns: tuple[Any, ...]) -> tuple[bytes, Hand]:
    """Return line and hand of the columns of ``lines.COLUMNS``, or raise ``RecordError``."""
    try:
        line = lines.line_of(columns)
        return line, decode_hand(line)
    except NO_RECORD as error:
        raise RecordError(
            f"What is stored of hand {columns[0]!r} makes no record ({type(error).__name__}: "
            f"{error}). tricklog db rebuild rebuilds the warehouse from its logs."
        ) from error


@dataclass(frozen=True, slots=True)
class StoredHand:
    """A hand of the warehouse, as its columns have it."""

    id: str
    content_hash: str
    """32 hex digits, as ``tricklog.schemas.hand.content_hash`` gives them."""
    file: str
    line: int
    columns: tuple[Any, ...]
    """Those that ``lines.COLUMNS`` names, with long texts in their places."""

    @property
    def hand(self) -> Hand:
        """The hand exactly as it was recorded; raises ``RecordError``."""
        return read_record(self.columns)[1]


def hands(connection: DuckDBPyConnection, ids: Sequence[str] | None = None) -> Iterator[StoredHand]:
    """Return all stored hands, or those with the given ids, in bounded memory.

    Hands of a game without a number come first, in the order in which their game takes them.
    """
    chosen = "true" if ids is None else "hand_id IN (SELECT unnest($ids::VARCHAR[]))"
    asked = {} if ids is None else {"ids": list(ids)}
    unnumbered = "game IS NOT NULL AND hand IS NULL"
    also = ("replace(content_hash::VARCHAR, '-', '')", "file", "line")
    for condition, order in ((unnumbered, "ORDER BY file, line"), (f"NOT ({unnumbered})", "")):
        where = f"{chosen} AND {condition} {order}"
        for content, file, line, *columns in records(connection, where, asked, *also):
            yield StoredHand(columns[0], content, file, line, tuple(columns))


def content(table: str, of: str = "") -> str:
    """Return the query for what a table says, which leaves out where rows came from.

    That is the imports, file and line of hands and rejects, and the numbers of seatings. ``of`` is
    the name of an attached snapshot and a dot; empty for the snapshot that was opened.
    """
    columns, source = _CONTENT[table]
    return f"SELECT {columns} FROM {source.format(of=of)}"  # noqa: S608 - names of our own


def checksum(connection: DuckDBPyConnection) -> str:
    """Return 32 hex digits over everything the snapshot says, in whatever order it was loaded."""
    digest = hashlib.sha256()
    for table in TABLES:
        # Rows are keyed, so no two are equal and none can cancel another out.
        count, mixed = connection.execute(
            f"SELECT count(*), coalesce(bit_xor(md5_number(to_json(item)::VARCHAR)), 0) "  # noqa: S608 - names of our own
            f"FROM ({content(table)}) AS item"
        ).fetchall()[0]
        digest.update(f"{table} {count} {mixed}\n".encode())
    return digest.hexdigest()[:32]
