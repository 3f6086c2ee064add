"""The file of facts beside each snapshot: made by a load or when asked for, opened read-only.

One run at a time makes facts in a folder; others that ask for the same wait for it. The file gets
its name when it is complete, so that what a killed run leaves behind is never taken for facts. For
a folder that cannot be written they are made among the temporary files, for this process alone.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import aliased, build, kept, solved, views
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.reading.scratch import scratch_of_process
from tricklog.ingest.store import database, disk, publishing, seals, warehouse
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.store.lenses import NOTHING, Lens
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.scopes import Scope
from tricklog.ingest.store.warehouse import DamagedError, WarehouseError, facts_file, first_line

MakeViews = Callable[[DuckDBPyConnection], None]
LOCK: Final = "FACTS-LOCK"
WORTH_MAKING: Final = 5_000
"""Hands from which on a load makes the facts. Of fewer, whoever asks first does so in no time."""
_PATIENCE: Final = 0.1
"""Seconds between two words to whoever waits for facts."""


class UnwritableError(StorageError):
    """Facts are not there, and cannot be kept beside the snapshot."""


def open_facts(
    db: str | Path, on_progress: OnProgress | None = None, lens: Lens = NOTHING
) -> DuckDBPyConnection:
    """Open the facts of the newest snapshot in the folder ``db``, read-only, with the snapshot.

    The snapshot is attached as ``games``; the connection can read these two files and nothing more.
    Facts that are missing, damaged, of another version or of another snapshot are derived first;
    ``on_progress`` hears how far that is. They are seen through a lens where one is given. Raises
    ``NoSnapshotError`` when nothing has been loaded yet, and ``WarehouseError`` for files that
    cannot be read, or facts that cannot be written anywhere.
    """
    return warehouse.of_newest(db, lambda snapshot: open_facts_of(snapshot, on_progress, lens))


def open_facts_of(
    snapshot: Path,
    on_progress: OnProgress | None = None,
    lens: Lens = NOTHING,
    make_views: MakeViews | None = None,
    games: str = "games",
) -> DuckDBPyConnection:
    """Open the facts of one snapshot by its file, or the views of them that ``make_views`` makes.

    ``games`` is what the database of the snapshot is called. Raises ``WarehouseError`` as
    ``open_facts`` does.
    """
    asked = (on_progress, lens, make_views, games)
    try:
        return _opened(snapshot, *asked)
    except UnwritableError as error:
        try:
            elsewhere = _linked(snapshot)
        except OSError:
            raise error from None
        return _opened(elsewhere, *asked)


def open_scope_of(
    snapshot: Path, scope: Scope, on_progress: OnProgress | None = None, lens: Lens = NOTHING
) -> DuckDBPyConnection:
    """Open the facts of one snapshot as far as a scope goes, in the way of ``open_facts_of``.

    What that has of the snapshot under the name ``games`` is here, too, and without that name, as
    on a connection to the snapshot alone. Raises what that raises.
    """

    def make(seen: DuckDBPyConnection) -> None:
        views.make_views_within(seen, scope, lens)

    return open_facts_of(snapshot, on_progress, lens, make, views.SNAPSHOT)


def _linked(snapshot: Path) -> Path:
    """Return a link to a snapshot, beside which facts can be written, and what is solved of it."""
    digest = hashlib.blake2b(os.fsencode(snapshot.parent.absolute()), digest_size=8).hexdigest()
    folder = Path(scratch_of_process().name, digest)
    folder.mkdir(exist_ok=True)
    beside = (snapshot.with_name(name) for name in (warehouse.POINTER, kept.FOLDER))
    for each in (snapshot, seals.seal_of(snapshot), *beside):
        with suppress(FileExistsError):
            (folder / each.name).symlink_to(each.absolute())
    return folder / snapshot.name


def _opened(
    snapshot: Path,
    on_progress: OnProgress | None,
    lens: Lens,
    make_views: MakeViews | None,
    games: str,
) -> DuckDBPyConnection:
    """Open the facts beside a snapshot; ``UnwritableError`` where its folder cannot be written."""
    try:
        connection = _with_facts(snapshot, on_progress)
        ((state,),) = connection.execute("SELECT state::VARCHAR FROM games.warehouse").fetchall()
        path = None
        if found := kept.listed(snapshot.parent):
            path = solved.solved_file(snapshot, found)
            if not solved.is_current(path, state):
                with _deriving(snapshot, on_progress):
                    # A run that ended meanwhile may have put blocks together and removed those.
                    found = kept.listed(snapshot.parent) or found
                    path = _make_solved(snapshot, found, state, on_progress)
        if path is None and lens == NOTHING and make_views is None:
            return connection
        below = (aliased.RECORDED_FACTS, aliased.RECORDED_GAMES)
        facts, stored = below if lens.aliases else (views.FACTS, games)
        attached = {facts: facts_file(snapshot), stored: snapshot}
        if path is not None:
            attached[solved.DATABASE] = path

        def make(seen: DuckDBPyConnection) -> None:
            if lens.aliases:
                aliased.make(seen, lens, views.FACTS, games)
            if make_views:
                make_views(seen)
            else:
                views.make_views(seen, games, lens)

        # Facts stay open until they are open once more: nobody takes them away in between.
        with connection:
            return database.open_views(make, attached)
    except (duckdb.Error, MemoryError) as error:
        if isinstance(error, duckdb.Error) and not warehouse.is_trouble(error):
            raise
        raise explained(snapshot.parent, error) from error


def make_beside(
    draft: Path, hands: int, state: str, before: Path | None, on_progress: OnProgress | None = None
) -> None:
    """Make the facts of the draft of a snapshot beside it, for both to be published together.

    The draft has that many ``hands``, and ``state`` names it. The facts grow out of a copy of those
    of ``before``, of which it was made, if there is one; else they are derived. None are made where
    hands are few, and where the disk or the memory fails: they are derived when somebody asks for
    them. So is the file of solved hands that belongs to the draft.
    """
    if hands < WORTH_MAKING:
        return
    path = facts_file(draft)
    try:
        digests = _grown(before, draft, path, on_progress) if before else None
        if digests is None:
            solved.remove(path)
            build.derive(draft, path, on_progress)
        disk.flush(path)
        publishing.put_seal(path, path, digests=digests)
    except (OSError, MemoryError, duckdb.Error) as error:
        if isinstance(error, duckdb.Error) and not warehouse.is_trouble(error):
            raise
        solved.remove(path)
    db = draft.parent.parent
    if found := kept.listed(db):
        with suppress(OSError, MemoryError, duckdb.Error):
            path = solved.solved_file(db / draft.name, found)
            solved.make(draft, path, found, state, on_progress)
            if kept.listed(db) != found:
                # Blocks may have been put together and removed meanwhile: whoever asks makes it.
                solved.remove(path)


def _grown(
    before: Path, draft: Path, path: Path, on_progress: OnProgress | None
) -> list[str] | None:
    """Bring a copy of facts up to the draft; return its digests, ``None`` where that cannot be."""
    facts = facts_file(before)
    if not facts.exists():
        return None
    seal = seals.read(facts)
    if not path.exists():
        disk.copy(facts, path)
    try:
        if not build.extend(before, draft, path, on_progress):
            return None
    except duckdb.Error:
        if not seals.difference(facts, seal):
            raise
        return None
    digests = seals.digests(path)
    return None if seals.difference(facts, seal, digests) else digests


def explained(db: str | Path, error: Exception) -> WarehouseError:
    """Return what to raise in the place of an error of DuckDB that came of reading figures.

    It names the damaged file. Facts that are damaged are removed, as they can be counted again.
    """
    if damaged := warehouse.damage_of(db):
        return DamagedError(damaged)
    try:
        snapshot = warehouse.current_snapshot(db)
    except WarehouseError as trouble:
        return trouble
    for path in [facts_file(snapshot), *solved.files_of(snapshot)] if snapshot else ():
        try:
            wrong = seals.damage(path)
        except OSError as trouble:
            wrong = f"it cannot be read: {trouble.strerror}"
        if wrong:
            with suppress(OSError):
                path.unlink()
            done = "Remove it" if path.exists() else "It has been removed"
            return DamagedError(
                f"{path} is damaged: {wrong}. {done}; what figures are made of is counted again "
                "when you do the same again."
            )
    return StorageError(
        f"{snapshot or db} could not be read: {first_line(error)}. Check the disk and the memory "
        f"that is free, then do the same again; tricklog db verify {db_option(db)} says whether "
        "the warehouse is in order."
    )


def troubles(snapshot: Path) -> Iterator[tuple[str, str, str]]:
    """Give what is wrong with facts and solved hands: file, words, what to do; or ``OSError``."""
    again = "Remove it: tricklog stats counts again what figures are made of."
    later = "Remove it: it is made again of what is below study when somebody asks."
    hints = {facts_file(snapshot): again} | dict.fromkeys(solved.files_of(snapshot), later)
    for path, hint in hints.items():
        if wrong := seals.damage(path):
            yield path.name, f"It is damaged: {wrong}.", hint


def facts_are_ready(snapshot: Path) -> bool:
    """Return whether facts are there; ``WarehouseError`` for a snapshot that cannot be read."""
    connection = _if_current(snapshot)
    if connection is None:
        _state_of(snapshot)
        return False
    connection.close()
    return True


def publish_solved(
    db: Path, blocks: Mapping[kept.Kind, Sequence[str]], on_progress: OnProgress | None = None
) -> Path | None:
    """Let blocks count, those of the other kinds as before, and return the file that readers see.

    Meant to be called by the one run that solves hands. Readers see what they saw until all is
    complete. Raises ``WarehouseError`` for files that cannot be read or written.
    """
    snapshot = warehouse.current_snapshot(db)
    counting = kept.listed(db)
    names = {kind.digest: sorted(names) for kind, names in blocks.items()}
    new = kept.Listed({**(counting.blocks if counting else {}), **names})
    if snapshot is None or not any(new.blocks.values()):
        return None
    state = _state_of(snapshot)
    with _deriving(snapshot, on_progress):
        path = _make_solved(snapshot, new, state, on_progress)
        with _in_words(db / kept.FOLDER):
            kept.put_on_list(db, new)
    return path


def _make_solved(
    snapshot: Path, found: kept.Listed, state: str, on_progress: OnProgress | None
) -> Path:
    """Make the file of solved hands where there is none; return where it is."""
    path = solved.solved_file(snapshot, found)
    if not solved.is_current(path, state):
        with _in_words(path):
            solved.make(snapshot, path, found, state, on_progress)
    return path


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Say in a sentence that a file cannot be written."""
    try:
        yield
    except (OSError, duckdb.IOException) as error:
        if isinstance(error, duckdb.Error) and path.name not in str(error):
            raise
        raise StorageError(
            f"{path} cannot be written: {first_line(error)}. The warehouse itself is as it was. "
            "Check the disk and how much of it is free, then do the same again."
        ) from error


def _with_facts(snapshot: Path, on_progress: OnProgress | None) -> DuckDBPyConnection:
    connection = _if_current(snapshot)
    if connection is None:
        path = facts_file(snapshot)
        with build.work_place(path.with_name(f"{path.name}.draft")) as work:
            warehouse.attach(work, "games", snapshot)
            with _deriving(snapshot, on_progress):
                # Whoever held the lock before may have made them.
                connection = _if_current(snapshot)
                if connection is None:
                    with _in_words(path), solved.made(path) as draft:
                        build.write(work, draft, on_progress)
                    publishing.remove_facts_without_snapshot(snapshot.parent)
                    connection = _if_current(snapshot)
    if connection is None:
        raise StorageError(
            f"{facts_file(snapshot)} was made and cannot be read, or is still open in an older "
            "state. Close what has it open and check the disk, then do the same again."
        )
    return connection


def _state_of(snapshot: Path) -> str:
    """Return what names a snapshot."""
    with warehouse.open_file(snapshot, once=True) as games:
        return warehouse.hands_and_state(games)[1]


def _if_current(snapshot: Path) -> DuckDBPyConnection | None:
    """Open the facts of a snapshot, ``None`` without any of this version and these hands."""
    path = facts_file(snapshot)
    if not path.exists():
        return None
    try:
        connection = database.open_shut_off(path, games=snapshot)
    except duckdb.Error as error:
        if database.is_held_here(error):
            # It may be the snapshot that somebody holds.
            _state_of(snapshot)
            raise WarehouseError(warehouse.held(path, error)) from error
        return None
    with suppress(duckdb.Error):
        found = connection.execute(
            "SELECT state::VARCHAR, schema_version, facts_version, fingerprint "
            "FROM games.warehouse, facts"
        ).fetchall()
        for state, *versions in found:
            ours = build.FACTS_VERSION, build.fingerprint_of(state)
            if versions == [warehouse.SCHEMA_VERSION, *ours]:
                return connection
    connection.close()
    return None


@contextmanager
def _deriving(snapshot: Path, on_progress: OnProgress | None) -> Iterator[None]:
    """Hold the lock of whoever derives facts in the folder; the system frees it in any case."""
    folder = snapshot.parent
    lock = publishing.lock_at(folder / LOCK)
    while True:
        try:
            # A lock that is left from an earlier time can be taken where no file can be made.
            if not os.access(folder, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            taken = publishing.take(lock, _PATIENCE)
        except OSError as error:
            raise UnwritableError(
                f"The figures of {snapshot} are kept beside it, and {folder} cannot be written: "
                f"{error.strerror}. Make it writable, or copy the warehouse to a folder that is."
            ) from error
        if taken:
            break
        if on_progress:
            on_progress(Progress(Stage.AWAITING))
    with taken:
        yield
