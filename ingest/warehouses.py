"""The one door to a warehouse, wherever it lies: ``warehouse_at`` gives what every reader needs.

Commands, pages and programs name a warehouse by what ``--db`` takes. Whoever reads asks first which
state is published now, and then opens what it needs of that state, whatever is published meanwhile.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from tricklog.ingest.facts import files, kept
from tricklog.ingest.facts.files import open_scope_of
from tricklog.ingest.lake.storage import is_lake_uri, storage_of
from tricklog.ingest.store import warehouse
from tricklog.ingest.store.absent import db_option
from tricklog.ingest.store.lenses import own_lens
from tricklog.ingest.store.publishing import WAIT, require_place
from tricklog.ingest.store.warehouse import WarehouseError

if TYPE_CHECKING:
    import threading
    from collections.abc import Sequence

    from duckdb import DuckDBPyConnection

    from tricklog.ingest.following.follow import Ears, Total
    from tricklog.ingest.lake.door import LakeWarehouse
    from tricklog.ingest.loading.auditing import OnWarning
    from tricklog.ingest.loading.loading import OnCorrection
    from tricklog.ingest.loading.report import LoadReport, OnReject
    from tricklog.ingest.reading.progress import OnProgress
    from tricklog.ingest.store.lenses import Lens
    from tricklog.ingest.store.scopes import Scope
    from tricklog.schemas.hand import Hand

_ENDING: Final = ".duckdb"
"""How the name of a snapshot ends; a key of solved hands comes behind it."""


class Warehouse(Protocol):
    """A warehouse, as whoever reads it or loads into it sees it.

    A state is a text that names what was published by one load. It is never used for anything else
    later, so whatever was found out about it may be kept under its name.
    """

    @property
    def name(self) -> str:
        """What messages call it, and what ``--db`` takes in the same working folder."""

    @property
    def address(self) -> str:
        """What ``--db`` takes in any working folder."""

    def current(self) -> str | None:
        """Return the state published now, ``None`` before the first; raises ``WarehouseError``."""

    def mark(self) -> object:
        """Return what changes whenever something is published. Raises ``WarehouseError``."""

    def is_there(self, state: str) -> bool:
        """Return whether a state can still be opened, as far as can be told at once."""

    def tables(self, state: str | None = None, *, once: bool = False) -> DuckDBPyConnection:
        """Open the tables of a state, or of the one published now, as ``open_snapshot`` does."""

    def facts(
        self,
        state: str | None = None,
        on_progress: OnProgress | None = None,
        lens: Lens | None = None,
        scope: Scope | None = None,
    ) -> DuckDBPyConnection:
        """Open the facts of a state, or of the one published now, as ``open_facts`` does.

        They are seen through what users have written by now, or through the lens given. With a
        ``scope`` tables and facts go as far as that, and tables have no schema, too.
        """

    def facts_are_ready(self, state: str) -> bool:
        """Return whether facts need not be derived first. Raises ``WarehouseError``."""

    def explained(self, error: Exception) -> WarehouseError | None:
        """Return what to raise for an error of reading; ``None`` where the statement was wrong."""

    def require_place(self) -> None:
        """Raise ``OSError`` where no warehouse can be written."""

    def user_folder(self) -> Path:
        """Return the folder with what users write, such as saved views."""


def warehouse_at(db: str | Path) -> Warehouse:
    """Return the warehouse that ``--db`` names; whether there is one yet shows later.

    A folder, or a lake: ``lake:FOLDER``, a folder that holds one, or the address of a prefix in an
    object store. Raises ``WarehouseError`` for an address that is none, and where what reads lakes
    is not installed.
    """
    return lake_at(db) or _Folder(db)


def is_lake(db: str | Path) -> bool:
    """Return whether ``--db`` names a lake, by how it begins or as a folder that holds one."""
    return is_lake_uri(db)


def lake_at(
    db: str | Path, *, on: str | None = None, take_over: bool = False
) -> LakeWarehouse | None:
    """Return the lake that ``--db`` names, ``None`` where it names a folder with a warehouse.

    Raises ``WarehouseError`` as ``warehouse_at`` does, and for a folder with options of lakes.
    """
    if not is_lake(db):
        if on is not None or take_over:
            option = "--on" if on is not None else "--take-over"
            raise WarehouseError(
                f"{option} is for lakes, and {db} is a warehouse of one machine, which needs no "
                f"such thing. Leave it out, or load into a lake: --db lake:{db}-lake, or an "
                "address such as s3://BUCKET/club."
            )
        return None
    # It says what to install before anything of that is imported.
    storage = storage_of(db)
    from tricklog.ingest.lake.door import LakeWarehouse

    return LakeWarehouse(db, storage)


def open_snapshot(db: str | Path, *, once: bool = False) -> DuckDBPyConnection:
    """Open what is published now in the warehouse ``db``, read-only and shut off from all else.

    SQL on the connection can read the tables of ``ingest/store/warehouse.sql`` and nothing more: no
    files, no network, no change of settings. Give each thread its own ``connection.cursor()``.
    DuckDB keeps up to 600 MB in memory; up to 160 MB where each row is read ``once``.

    Raises ``NoSnapshotError`` when nothing has been loaded yet, and ``WarehouseError`` for what
    cannot be read.
    """
    return warehouse_at(db).tables(once=once)


def open_facts(db: str | Path, on_progress: OnProgress | None = None) -> DuckDBPyConnection:
    """Open the facts of what is published now in the warehouse ``db``, read-only, with its tables.

    The tables of the snapshot have the schema ``games``. Like that of ``open_snapshot``, the
    connection can read these and nothing more. Facts that are missing are derived first;
    ``on_progress`` hears how far that is.

    Raises ``NoSnapshotError`` when nothing has been loaded yet, and ``WarehouseError`` for what
    cannot be read or written.
    """
    return warehouse_at(db).facts(on_progress=on_progress)


def stored_hand(connection: DuckDBPyConnection, hand_id: str) -> Hand:
    """Return a stored hand exactly as it was recorded; ``connection`` is one of ``open_snapshot``.

    Raises ``LookupError`` when there is no such hand, and ``RecordError`` when what is stored of it
    makes no record.
    """
    is_of_lake = "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'lake' AND NOT internal LIMIT 1"
    if connection.cursor().execute(is_of_lake).fetchall():
        from tricklog.ingest.lake import reading

        return reading.hand(connection, hand_id)
    return warehouse.hand(connection, hand_id)


def load(  # noqa: PLR0913 - all of them are named
    *paths: str | Path,
    db: str | Path,
    on_progress: OnProgress | None = None,
    on_reject: OnReject | None = None,
    on_warning: OnWarning | None = None,
    wait: float = WAIT,
    dry_run: bool = False,
    facts: bool = True,
    on: str | None = None,
    take_over: bool = False,
    adapter: str | None = None,
    correct: bool = False,
    on_correction: OnCorrection | None = None,
) -> LoadReport:
    """Load hand logs into the warehouse ``db`` and publish what is new, as one state.

    Args:
        paths: files, folders, addresses of object stores or ``-``, as ``tricklog.read`` takes them.
        db: the warehouse's folder, or the address of a lake; it is made when it does not exist.
        on_progress: called now and then with how far the load is, for a progress display.
        on_reject: called for every line put into quarantine.
        on_warning: called with the file and what may not be meant of a hand written as text.
        wait: seconds to wait for another load into the same folder; a lake that another load holds
            is not waited for.
        dry_run: only tell what a load would do now; nothing in ``db`` is made or changed.
        facts: whether what figures are made of is derived, too, unless hands are few; else it is
            when somebody asks for a figure. A lake always has it.
        on: what does the work of a load into a lake: ``here``, ``processes=N``, ``ray`` or
            ``ray://HOST:PORT``; a process for each core, six at most, by default.
        take_over: whether to begin although another load into a lake has not finished. What that
            one does is never published then.
        adapter: whose logs they are, a key of ``ADAPTERS``; hand logs without it. Whoever
            works for a load into a lake needs it, too.
        correct: of score sheets, whether their rows take the place of those that were loaded of the
            same sheets before; not into a lake.
        on_correction: called with what gives way to them, before it does; what it raises ends the
            load.

    Raises:
        UnknownAdapterError: there is no such adapter.
        ValueError: ``correct`` without score sheets, or into a lake.
        WarehouseError: another load does not finish (``BusyError``), the disk or the store is full
            or fails (``StorageError``), the system ended a process that works for the load
            (``workers.WorkerError``), or the folder holds something else. Where the sentence does
            not say otherwise, the warehouse is as it was before.
    """
    lake = lake_at(db, on=on, take_over=take_over)
    # An object store has no folder to be made.
    place = (lake.storage.root if lake.storage.is_local else None) if lake else db
    is_there = place is None or Path(place).exists()
    # Where nothing can be read a load only says so, and does not begin a warehouse.
    may_be_read = (each == "-" or "://" in each or Path(each).exists() for each in map(str, paths))
    dry_run = dry_run or not (is_there or any(may_be_read))
    if lake and correct:
        raise ValueError("Rows of a score sheet are not corrected in a lake.")
    if adapter is not None:
        adapter = _recognised(db, lake, adapter, paths, correct=correct)
    alike: dict[str, Any] = {
        "on_progress": on_progress,
        "on_reject": on_reject,
        "on_warning": on_warning,
    }
    if lake:
        from tricklog.ingest.lake import load as lake_loads
        from tricklog.ingest.lake.engines import engine_of

        how = lake_loads.How(take_over=take_over, dry_run=dry_run, adapter=adapter)
        with engine_of(on) as engine:
            return lake_loads.load(paths, lake.storage, engine, how=how, **alike)
    from tricklog.ingest.loading import loading

    alike |= {"dry_run": dry_run, "adapter": adapter}
    alike |= {"correct": correct, "on_correction": on_correction}
    return loading.load(*paths, db=db, wait=wait, facts=facts, **alike)


def _recognised(
    db: str | Path,
    lake: LakeWarehouse | None,
    adapter: str,
    paths: Sequence[str | Path],
    *,
    correct: bool,
) -> str:
    """Return the reader of logs; that of score sheets names those whose name is taken."""
    from tricklog.ingest.loading.known_sheets import Stored, recognised
    from tricklog.ingest.score_sheets.settings import settings_of
    from tricklog.ingest.store import forgotten

    settings = settings_of(adapter)
    if settings is None:
        return adapter
    into = lake or _Folder(db)
    known = forgotten.known(lake.storage if lake else Path(db))
    with ExitStack() as stack:
        stored = None
        if into.current() is not None:
            stored = Stored(stack.enter_context(closing(into.tables(once=True))))
        return recognised(settings, paths, stored, known, correct=correct).reader


def require_followable(*paths: str | Path, db: str | Path) -> None:
    """Raise ``WarehouseError`` where ``db`` is a lake, or a path is a pipe or an address."""
    if is_lake(db):
        raise WarehouseError(
            f"{db} is a lake. Each load into a lake writes files of its own, and one every few "
            "seconds would leave tens of thousands of small ones a day. Follow into a folder, or "
            f"load now and then: tricklog load LOGS {db_option(db)}."
        )
    from tricklog.ingest.following import follow as following

    following.refuse(paths)


def follow(
    *paths: str | Path,
    db: str | Path,
    stop: threading.Event,
    every: float | None = None,
    adapter: str | None = None,
    ears: Ears | None = None,
) -> Total:
    """Load lines as they are appended to logs, and logs as they appear in folders, until stopped.

    What is new is published as a new snapshot, with how far each file was taken: whoever follows
    the same paths again goes on there.

    Args:
        paths: files, which need not be there yet, and folders.
        db: the warehouse's folder; it is made when it does not exist.
        stop: set it to end; what is there by then is still published.
        every: seconds between the beginnings of two publishes, at least; 3 by default.
        adapter: whose logs they are, a key of ``ADAPTERS``; hand logs without it.
        ears: who hears of what is taken.

    Raises:
        UnknownAdapterError: there is no such adapter.
        WarehouseError: ``db`` is a lake, cannot be written or is damaged; or one of the paths is a
            pipe or an address. A disk that is full is waited for.
        KeyboardInterrupt: on the second signal to end, or one that does not set ``stop``. What was
            not published is taken by whoever follows the logs next.
    """
    require_followable(*paths, db=db)
    from tricklog.ingest.following import follow as following

    return following.follow(
        *paths,
        db=db,
        stop=stop,
        every=following.EVERY if every is None else every,
        adapter=adapter,
        ears=ears,
    )


def _snapshot_of(state: str) -> Path:
    """Return the snapshot that a state of a folder names."""
    path, dot, _ = state.rpartition(_ENDING)
    return Path(path + dot)


class _Folder:
    """A folder of published snapshots; a state is the path of one, and what was solved of it."""

    def __init__(self, db: str | Path) -> None:
        self._db = db

    @property
    def name(self) -> str:
        return str(self._db)

    @property
    def address(self) -> str:
        return str(Path(self._db).absolute())

    def current(self) -> str | None:
        snapshot = warehouse.current_snapshot(self._db)
        if snapshot is None:
            return None
        found = kept.listed(Path(self._db))
        return f"{snapshot} {found.key}" if found else str(snapshot)

    def mark(self) -> object:
        try:
            return warehouse.read_pointer(self._db)
        except OSError:
            return b""

    def is_there(self, state: str) -> bool:
        return _snapshot_of(state).exists()

    def tables(self, state: str | None = None, *, once: bool = False) -> DuckDBPyConnection:
        if state is None:
            return warehouse.open_snapshot(self._db, once=once)
        return warehouse.open_file(_snapshot_of(state), once=once)

    def facts(
        self,
        state: str | None = None,
        on_progress: OnProgress | None = None,
        lens: Lens | None = None,
        scope: Scope | None = None,
    ) -> DuckDBPyConnection:
        seen = own_lens(self.user_folder()) if lens is None else lens

        def opened(snapshot: Path) -> DuckDBPyConnection:
            if scope is None:
                return files.open_facts_of(snapshot, on_progress, seen)
            return open_scope_of(snapshot, scope, on_progress, seen)

        return (
            warehouse.of_newest(self._db, opened) if state is None else opened(_snapshot_of(state))
        )

    def facts_are_ready(self, state: str) -> bool:
        return files.facts_are_ready(_snapshot_of(state))

    def explained(self, error: Exception) -> WarehouseError | None:
        return files.explained(self._db, error) if warehouse.is_trouble(error) else None

    def require_place(self) -> None:
        require_place(Path(self._db).absolute())

    def user_folder(self) -> Path:
        return Path(self._db)
