"""Solved hands of a warehouse of one machine: blocks and their list in its folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import files, kept
from tricklog.ingest.facts.kept import Kind, Listed
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.ingest.store import publishing, warehouse
from tricklog.ingest.store.absent import no_warehouse
from tricklog.ingest.store.lenses import own_lens
from tricklog.ingest.store.publishing import StorageError
from tricklog.ingest.store.warehouse import NoSnapshotError
from tricklog.ingest.study.blocks import of_folder, replaced
from tricklog.ingest.study.homes import Home

LOCK: Final = "STUDY-LOCK"
_ATTEMPTS: Final = 5
"""How often blocks are copied where the list changes meanwhile."""


class Folder(Home):
    """See ``Home``. One run at a time solves, by a lock that the system frees in any case."""

    def __init__(self, db: Path) -> None:
        """Raises ``NoSnapshotError`` when nothing has been loaded yet."""
        super().__init__(of_folder(db))
        snapshot = warehouse.current_snapshot(db)
        if snapshot is None:
            raise NoSnapshotError(no_warehouse(db))
        self._db = db
        self._snapshot = snapshot

    @contextmanager
    def alone(self, patience: float, on_progress: OnProgress | None) -> Iterator[None]:
        """See ``Home.alone``."""
        busy = (
            f"Another run is solving hands of {self._db}. It goes on by itself; try again when "
            "it has finished."
        )

        def tell() -> None:
            if on_progress:
                on_progress(Progress(Stage.QUEUEING))

        try:
            held = publishing.taken(self._db / LOCK, patience, tell, busy)
        except OSError as error:
            raise StorageError(
                f"{self._db} cannot be written: {error.strerror}. What is solved is kept there: "
                "make it writable, or copy the warehouse to a folder that is."
            ) from error
        with held:
            yield

    def tables(self) -> DuckDBPyConnection:
        """See ``Home.tables``."""
        return warehouse.open_file(self._snapshot, once=True)

    def facts(self, on_progress: OnProgress | None) -> DuckDBPyConnection:
        """See ``Home.facts``."""
        return files.open_facts_of(self._snapshot, on_progress, own_lens(self._snapshot.parent))

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """See ``Home.in_words``."""
        try:
            yield
        except OSError as error:
            raise StorageError(
                f"{self._db / kept.FOLDER} cannot be read: {error.strerror}. Check the disk, then "
                "do the same again."
            ) from error

    def publish(self, on_progress: OnProgress | None) -> str | None:
        """See ``Home.publish``."""
        counting: dict[Kind, list[str]] = {}
        gone: dict[Kind, set[str]] = {}
        for kind, seen in self._seen.items():
            with self.in_words():
                found = seen | dict(self._blocks.put_together(kind, seen))
            gone[kind] = found.keys() & replaced(found.values())
            counting[kind] = [name for name in found if name not in gone[kind]]
        path = files.publish_solved(self._db, counting, on_progress)
        # Whoever makes tables looks at the list first, which has no place for these any more.
        for kind, names in gone.items():
            self._blocks.remove(kind, names)
        return str(path) if path else None


def copy_solved(db: Path, to: Path) -> None:
    """Have another warehouse keep what is kept here: sound blocks of this version, and the list.

    Raises ``OSError`` where that cannot be written.
    """
    found: dict[str, set[str]] = {kind.digest: set() for kind in kept.KINDS}
    for _ in range(_ATTEMPTS):
        counting = kept.listed(db)
        for kind in kept.KINDS:
            found[kind.digest] |= of_folder(db).copy_to(of_folder(to), kind)
        # A run that ends meanwhile puts blocks together, and removes those it had been copying.
        if kept.listed(db) == counting:
            break
    if counting:
        both = {
            digest: [name for name in names if name in found.get(digest, ())]
            for digest, names in counting.blocks.items()
        }
        kept.put_on_list(to, Listed(both))


def troubles(db: Path) -> Iterator[tuple[str, str, str]]:
    """Give what is wrong with list and blocks: the file, a sentence, what to do.

    Reads them whole. Raises ``OSError`` when one cannot be read.
    """
    if not (db / kept.FOLDER).exists():
        # Which blocks would be of this version hangs on many sources, which need not be read.
        return
    try:
        kept.read_list(db)
    except (OSError, ValueError):
        says = "It is damaged, so that all blocks that are there count."
        name = f"{kept.FOLDER}/{kept.LIST}"
        yield name, says, "tricklog solve writes it again; no value is lost."
    yield from of_folder(db).troubles()
    for kind in kept.KINDS:
        for name in sorted(_missing(db, kind) & _missing(db, kind)):
            yield f"{kind.folder}/{name}", "It is missing.", kept.AGAIN


def _missing(db: Path, kind: Kind) -> set[str]:
    """Return the blocks on the list that are not there, as far as one look can tell."""
    found = kept.listed(db)
    names = found.of(kind) if found else ()
    return {name for name in names if not (kept.blocks_folder(db, kind) / name).exists()}
