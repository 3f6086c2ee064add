"""Publishing a snapshot: write a new file, then turn the pointer to it in one step.

A draft starts as a copy of the current snapshot, or empty. It is written in one transaction, in a
folder of drafts, checkpointed, closed and flushed to the disk. Only then does it get the name of a
snapshot, and only after that does it become the current one. Whatever fails before that leaves the
warehouse as it was; what a killed run leaves behind lies in the folder of drafts, and the next run
that takes the lock clears it away.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import duckdb
from duckdb import DuckDBPyConnection
from filelock import AcquireReturnProxy, FileLock, Timeout

from tricklog.ingest.reading.interrupts import heard_at_work, is_interrupt
from tricklog.ingest.reading.scratch import NoRoomError, Scratch
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store import columns, database, disk, forgotten, seals, warehouse
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.store.warehouse import DamagedError, WarehouseError

LOCK: Final = "LOCK"
DRAFTS: Final = "drafts"
SCRATCH: Final = "scratch"
WAIT: Final = 60.0
"""Seconds to wait for another run that is changing the same warehouse."""
KEPT: Final = 3
"""Snapshots kept, the current one included, for readers that opened one before."""
MEMORY_LIMIT: Final = "400MB"
"""What DuckDB may take for a draft. It fills all of it with long texts."""
_FACTS: Final = re.compile(r"(?:facts|solved)-(\d+)(?:-[0-9a-f]+)?\.(duckdb.*|seal)")
_SEAL: Final = re.compile(r"games-(\d+)\.seal")
"""To be removed under the lock only: whoever publishes has a seal in place before its snapshot."""
_POLL: Final = 0.05
_WITHOUT_LOCKS: Final = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class BusyError(WarehouseError):
    """Another run is changing the same warehouse."""


class ForgottenMeanwhileError(BusyError):
    """Somebody was forgotten while logs were read: what was published since is not the load's."""


class StorageError(WarehouseError):
    """The disk is full or fails."""


def require_place(folder: Path) -> None:
    """Raise ``OSError`` where a folder can neither be written nor be made."""
    place = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(place, os.W_OK):
        raise PermissionError(f"{place} cannot be written; choose another folder with --db")
    if not place.is_dir():
        raise NotADirectoryError(f"{place} is not a folder; choose another with --db")


def prepare(db: Path) -> Path:
    """Return ``db``, a folder that can be written, or raise ``WarehouseError``."""
    try:
        db.mkdir(parents=True, exist_ok=True)
        (db / LOCK).touch()
    except (FileExistsError, NotADirectoryError, PermissionError) as error:
        # Which folder it is can be wrong; whether it may be written is up to the system.
        kind = StorageError if isinstance(error, PermissionError) else WarehouseError
        raise kind(
            f"{db} cannot be written as the folder of a warehouse: {error.strerror}."
        ) from error
    except (OSError, MemoryError) as error:
        raise _failed(db, error, published=False) from error
    return db


@contextmanager
def writing(
    db: Path,
    *,
    wait: float,
    on_wait: Callable[[], None] = lambda: None,
    mending: bool = False,
    forgetting: bool = False,
) -> Iterator[None]:
    """Hold the folder's lock, so that one run at a time decides what is new.

    The system frees it when a process ends, however it ends, and what a killed run has left behind
    is cleared away first. ``on_wait`` is called once when another run holds it. ``mending`` takes
    it where the pointer is damaged or lost, too, and touches no snapshot; ``forgetting`` where
    somebody is only half forgotten. Raises ``BusyError`` after ``wait`` seconds, or else
    ``UnfinishedError`` and ``WarehouseError`` for such folders.
    """
    prepare(db)
    busy = f"Another load is publishing into {db}. Try again when it has finished."
    with _in_words(db, lambda: False):
        held = taken(db / LOCK, wait, on_wait, busy)
    with held:
        if not forgetting:
            forgotten.require_finished(db)
        with _in_words(db, lambda: False):
            for leftover in (DRAFTS, SCRATCH):
                _clear(db / leftover)
            if not mending:
                _settle(db)
            before = _named(db)
        with _in_words(db, lambda: _named(db) != before):
            yield


def taken(
    path: Path, wait: float, on_wait: Callable[[], object], busy: str
) -> AcquireReturnProxy[FileLock]:
    """Return the lock of a file, held until the end of a ``with``.

    ``on_wait`` is called once when another run has it. Raises ``BusyError`` with the sentence
    ``busy`` when that has not finished within ``wait`` seconds, and what ``take`` raises.
    """
    lock = lock_at(path)
    held = take(lock, 0)
    if held is None and wait > 0:
        on_wait()
        held = take(lock, wait)
    if held is None:
        raise BusyError(busy)
    return held


def lock_at(path: Path) -> FileLock:
    """Return the lock of a file, which is made when the lock is first taken, and stays.

    Raises ``StorageError`` for a pipe, a folder, a device or a link in the place of the file.
    """
    # The library would lock a pipe or a device as well.
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise StorageError(
            f"{path} is not a plain file. Tricklog makes an empty file of that name by itself: "
            "move away what stands in its place."
        )
    # Where the disk knows no locks, a file that exists while the lock is held must not stand in for
    # one: a killed run would leave it behind.
    return FileLock(path, poll_interval=_POLL, preserve_lock_file=True, fallback_to_soft=False)


def take(lock: FileLock, wait: float) -> AcquireReturnProxy[FileLock] | None:
    """Return the lock, held until the end of a ``with``, or nothing after ``wait`` seconds.

    The system frees it when a process ends, however it ends. Raises ``OSError`` when the file
    cannot be written, and ``StorageError`` on a disk that knows no locks.
    """
    try:
        return lock.acquire(timeout=wait)
    except Timeout:
        return None
    except OSError as error:
        if error.errno not in _WITHOUT_LOCKS:
            raise
        raise StorageError(
            f"{lock.lock_file} cannot be locked: {error.strerror}. Put the warehouse on a disk of "
            "this machine."
        ) from error


def _settle(db: Path) -> None:
    """Remove snapshots that were never published, and find the pointer again if it is lost.

    A file has the name of a snapshot only when it is complete: without a pointer the newest one is
    taken up, so that a lost pointer never costs a snapshot.
    """
    try:
        current = warehouse.current_snapshot(db)
    except warehouse.LostPointerError:
        newest = warehouse.snapshots(db)[-1]
        warehouse.open_file(newest).close()
        (db / DRAFTS).mkdir(exist_ok=True)
        _point_to(db, newest)
        _clear(db / DRAFTS)
        return
    if current is None or current.exists():
        for path in warehouse.snapshots(db):
            if warehouse.number_of(path) > warehouse.number_of(current):
                _remove(path)
        _remove_without_snapshot(db, _SEAL, _FACTS)


@contextmanager
def draft(
    db: Path,
    *,
    fresh: bool = False,
    like: Path | None = None,
    facts: Path | None = None,
    make_facts: Callable[[Path, int, str], None] = lambda *_: None,
) -> Iterator[DuckDBPyConnection]:
    """Write the next snapshot: commit and publish at the end of the block, undo on any error.

    Meant to be used while ``writing`` holds the lock. The connection is inside a transaction; the
    draft is a copy of the snapshot ``like``, or else of the current one, or, when ``fresh``, empty.
    ``facts`` are copied beside it meanwhile. ``make_facts`` is called with the complete draft, how
    many hands it has and what names it; facts with a seal beside it then are published with it.
    Raises ``StorageError``, which says which snapshot is the current one then.
    """
    drafts = db / DRAFTS
    path = next_snapshot(db)
    with _in_words(db, lambda: _is_current(db, path)):
        try:
            drafts.mkdir(exist_ok=True)
            work = drafts / path.name
            before = None if fresh else like or warehouse.current_snapshot(db)
            with ThreadPoolExecutor(2) as aside:
                copied = aside.submit(_begin_facts, facts, before, work)
                with _opened_draft(work, before) as connection:
                    written = aside.submit(disk.write_back, work)
                    yield connection
                    loads = loads_in(connection)
                    hands, state = warehouse.hands_and_state(connection)
                digests = aside.submit(seals.digests, work)
                copied.result()
                make_facts(work, hands, state)
                _require_whole(before, digests.result())
                written.result()
                _publish(work, path, loads, digests.result())
        except BaseException:
            if not _is_current(db, path):
                _remove(path)
                _remove(seals.seal_of(path))
            raise
        finally:
            _clear(drafts)
    _prune(db)


def _begin_facts(facts: Path | None, before: Path | None, work: Path) -> None:
    """Copy facts beside a draft where there is room for both; else they are copied later."""
    if not (facts and before and facts.exists()):
        return
    made = warehouse.facts_file(work)
    try:
        size = facts.stat().st_size + before.stat().st_size
        if shutil.disk_usage(work.parent).free > 2 * size:
            disk.copy(facts, made)
            disk.write_back(made)
    except OSError:
        _remove(made)


@contextmanager
def rehearsal(db: Path) -> Iterator[DuckDBPyConnection]:
    """Write as in a draft, into a copy that is thrown away; ``StorageError`` without room."""
    with Scratch() as folder:
        try:
            before, work = warehouse.current_snapshot(db), Path(folder) / "games.duckdb"
            with _opened_draft(work, before) as connection:
                yield connection
            _require_whole(before, seals.digests(work))
        except (OSError, duckdb.Error) as error:
            if isinstance(error, duckdb.Error) and not warehouse.is_trouble(error):
                raise
            raise no_room_for_temporary_files(folder, error) from error


def no_room_for_temporary_files(folder: str, error: Exception) -> StorageError:
    """Return what to raise when temporary files in ``folder`` cannot be written."""
    reason = _full_disk(error) or warehouse.first_line(error)
    return StorageError(
        f"Temporary files cannot be written in {folder}: {reason}. The warehouse is as it was. "
        "Free space there, or set TMPDIR to a folder on a larger disk."
    )


@contextmanager
def scratch(db: Path) -> Iterator[Path]:
    """Give a folder for files that a run needs on the way, on the disk of the warehouse.

    Meant to be used while ``writing`` holds the lock; what a killed run leaves in it is cleared
    away like a draft.
    """
    (db / SCRATCH).mkdir()
    try:
        yield db / SCRATCH
    finally:
        _clear(db / SCRATCH)


@contextmanager
def _opened_draft(work: Path, like: Path | None) -> Iterator[DuckDBPyConnection]:
    if like is None:
        put_empty(work)
    else:
        disk.copy(like, work)
    try:
        with (
            database.connect(work, memory_limit=MEMORY_LIMIT) as connection,
            heard_at_work(connection.interrupt),
        ):
            connection.execute("BEGIN")
            connection.execute("UPDATE warehouse SET state = gen_random_uuid()")
            yield connection
            connection.execute("COMMIT")
            connection.execute("CHECKPOINT")
    except Exception:
        # What cannot be done may be so because of damage in what was copied.
        _require_whole(like)
        raise


def _require_whole(like: Path | None, copied: Sequence[str] = ()) -> None:
    """Raise ``DamagedError`` for a damaged snapshot; ``copied`` as for ``seals.difference``."""
    if like and (wrong := seals.difference(like, seals.read(like), copied)):
        raise DamagedError(warehouse.damaged(like, wrong))


def loads_in(connection: DuckDBPyConnection) -> list[seals.Loaded]:
    """Return the loads that a snapshot names as those it was made from, in their order."""
    query = "SELECT paths, accepted, quarantined FROM imports ORDER BY import_id"
    return [seals.Loaded(*row) for row in connection.execute(query).fetchall()]


def _publish(work: Path, path: Path, loads: Sequence[seals.Loaded], digests: Sequence[str]) -> None:
    disk.flush(work)
    put_seal(work, path, loads, digests)
    work.replace(path)
    _publish_facts(work, path)
    # The pointer must never be on the disk before the name it holds.
    disk.flush(path.parent)
    _point_to(path.parent, path)


def _publish_facts(work: Path, path: Path) -> None:
    """Give the facts of a draft their name, if any were made; without them they are made later."""
    made, facts = warehouse.facts_file(work), warehouse.facts_file(path)
    if seals.seal_of(made).exists():
        seals.seal_of(made).replace(seals.seal_of(facts))
        made.replace(facts)


def put_seal(
    work: Path, path: Path, loads: Sequence[seals.Loaded] = (), digests: Sequence[str] | None = None
) -> None:
    """Put the seal in its place of a complete file that is about to get the name ``path``."""
    draft = seals.seal_of(work)
    seals.write(work, path.name, draft, loads, digests)
    disk.flush(draft)
    draft.replace(seals.seal_of(path))


def _point_to(db: Path, path: Path) -> None:
    pointer = db / DRAFTS / warehouse.POINTER
    pointer.write_text(warehouse.pointer_to(path), "utf-8")
    disk.flush(pointer)
    pointer.replace(db / warehouse.POINTER)
    disk.flush(db)


def put_empty(path: Path) -> None:
    """Write the new file ``path`` as an empty warehouse; raise as ``database.lay_out`` does."""
    database.lay_out(path, "games", _make_games)


def _make_games(connection: DuckDBPyConnection) -> None:
    connection.execute("USE games; BEGIN")
    create_tables(connection)
    columns.comment(connection)
    connection.execute("COMMIT; USE memory")


def create_tables(connection: DuckDBPyConnection) -> None:
    """Make the tables, macros and views of an empty warehouse, without a word on their columns."""
    for name in ("warehouse.sql", "warehouse_views.sql"):
        connection.execute(sql_text("tricklog.ingest.store", name))
    connection.execute(
        "INSERT INTO warehouse VALUES (?, gen_random_uuid())", [warehouse.SCHEMA_VERSION]
    )


# --- Trouble in words


@contextmanager
def _in_words(db: Path, is_published: Callable[[], bool]) -> Iterator[None]:
    """Turn trouble with the disk into a sentence, and an interrupted query into an interrupt."""
    try:
        yield
    except (BrokenPipeError, NoRoomError):
        # It is not the warehouse that cannot be written.
        raise
    except duckdb.InterruptException as error:
        raise KeyboardInterrupt from error
    except (OSError, MemoryError, duckdb.Error) as error:
        if isinstance(error, duckdb.Error) and not warehouse.is_trouble(error):
            raise
        raise _failed(db, error, published=is_published()) from error
    except RuntimeError as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        raise


def _failed(db: Path, error: Exception, *, published: bool) -> WarehouseError:
    """Return what to raise in the place of an error of the system, which says what stands."""
    # DuckDB names a file of ours, which says nothing to whoever has a full disk.
    full = _full_disk(error)
    reason = full or warehouse.first_line(error)
    if isinstance(error, duckdb.Error) and (damaged := warehouse.damage_of(db)):
        return DamagedError(damaged)
    if published:
        return StorageError(
            f"The new snapshot of {db} is published, but the system could not confirm that it is "
            f"on the disk: {reason}. Check the disk, then run tricklog db verify {db_option(db)}."
        )
    advice = "Check the disk"
    if isinstance(error, (MemoryError, duckdb.OutOfMemoryException)):
        advice = "Free some memory"
    elif full:
        newest = _named(db)
        advice = (
            f"Free at least as much space as {newest} takes"
            if newest
            else f"Free some space on the disk of {db}"
        )
    return StorageError(
        f"{db} could not be written: {reason}. Nothing was published, the warehouse is as it was. "
        f"{advice}, then do the same again."
    )


def _full_disk(error: Exception) -> str:
    """Return how the system says that there is no room left, empty for another error."""
    # DuckDB tells no number, and the shutil functions none where only one of several files failed.
    number = error.errno if isinstance(error, OSError) else None
    found = (each for each in _FULL if each == number or os.strerror(each) in str(error))
    return next(map(os.strerror, found), "")


# --- Files


def _named(db: Path) -> Path | None:
    """Return the snapshot that the pointer names, ``None`` when it is damaged as well."""
    try:
        return warehouse.current_snapshot(db)
    except WarehouseError:
        return None


def next_snapshot(db: Path) -> Path:
    """Return the name that the next draft gets when it is published."""
    number = max(map(warehouse.number_of, [*warehouse.snapshots(db), _named(db)])) + 1
    return db / f"games-{number:06d}.duckdb"


def _is_current(db: Path, path: Path) -> bool:
    try:
        return warehouse.read_pointer(db) == warehouse.pointer_to(path).encode()
    except (FileNotFoundError, IsADirectoryError):
        return False
    except OSError:
        # Nobody can tell, so nothing may be removed.
        return True


def move_aside(path: Path) -> Path | None:
    """Give a folder that stands where a file belongs another name, and return that name."""
    if not path.is_dir():
        return None
    free = (path.with_name(f"{path.name}.aside-{number}") for number in itertools.count(1))
    aside = next(each for each in free if not each.exists())
    path.rename(aside)
    return aside


def _prune(db: Path) -> None:
    with suppress(OSError):
        for path in warehouse.snapshots(db)[:-KEPT]:
            _remove(path)
        _remove_without_snapshot(db, _SEAL, _FACTS)


def remove_facts_without_snapshot(db: Path) -> None:
    """Remove facts and solved hands, complete or not, of a snapshot which is no longer there."""
    _remove_without_snapshot(db, _FACTS)


def _remove_without_snapshot(db: Path, *names: re.Pattern[str]) -> None:
    kept = {warehouse.number_of(path) for path in warehouse.snapshots(db)}
    for path in list(db.iterdir()):
        match = next(filter(None, (each.fullmatch(path.name) for each in names)), None)
        if match and int(match[1]) not in kept:
            _remove(path)


def _remove(path: Path) -> None:
    # Where the system refuses to remove an open file, a later run will.
    with suppress(OSError):
        path.unlink()


def _clear(path: Path) -> None:
    """Remove a folder with all that is in it, or what stands in the place of one."""
    shutil.rmtree(path, ignore_errors=True)
    if path.is_file():
        _remove(path)
