"""Where a load stores what is new: a folder, or one that a rehearsal leaves as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from duckdb import DuckDBPyConnection

from tricklog.ingest.facts import files as facts_files
from tricklog.ingest.reading.forgotten import ForgottenList
from tricklog.ingest.reading.progress import OnProgress
from tricklog.ingest.store import forgotten, publishing, warehouse


class Folder:
    """A warehouse in a folder, which is made when it does not exist."""

    is_kept = True
    """Whether what is written is published."""

    def __init__(self, path: Path) -> None:
        self.path = publishing.prepare(path)

    def current(self) -> Path | None:
        """Return the snapshot that is published now; ``None`` before the first load."""
        return warehouse.current_snapshot(self.path)

    def forgotten(self) -> ForgottenList | None:
        """Return the list of those who were forgotten, ``None`` where nobody was.

        Raises ``DamagedError`` where it cannot be read.
        """
        return forgotten.read(self.path)

    def held(self, wait: float, on_wait: Callable[[], None]) -> AbstractContextManager[None]:
        """Keep other loads from deciding what is new until the end of a ``with``.

        ``wait``: seconds to wait for another one; ``on_wait`` is called once when that is needed.
        """
        return publishing.writing(self.path, wait=wait, on_wait=on_wait)

    @contextmanager
    def draft(self, *, facts: bool, on_progress: OnProgress) -> Iterator[DuckDBPyConnection]:
        """Give the tables to write to, and publish them at the end of a ``with``.

        With ``facts`` what figures are made of is published beside them; ``on_progress`` hears how
        far that is.
        """
        before = self.current()
        old = warehouse.facts_file(before) if facts and before else None

        def make_facts(draft: Path, hands: int, state: str) -> None:
            if facts:
                facts_files.make_beside(draft, hands, state, before, on_progress)

        with publishing.draft(self.path, facts=old, make_facts=make_facts) as connection:
            yield connection


class Rehearsal(Folder):
    """The same folder for a load that makes and changes nothing."""

    is_kept = False

    def __init__(self, path: Path) -> None:
        self.path = path

    def held(self, wait: float, on_wait: Callable[[], None]) -> AbstractContextManager[None]:
        """Hold nothing: what other loads do meanwhile does no harm."""
        del wait, on_wait
        return nullcontext()

    @contextmanager
    def draft(self, *, facts: bool, on_progress: OnProgress) -> Iterator[DuckDBPyConnection]:
        """Write to a copy that is thrown away, and make no facts."""
        del facts, on_progress
        with publishing.rehearsal(self.path) as connection:
            yield connection
