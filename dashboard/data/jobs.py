"""Loads that the dashboard starts or undoes: a command as a process, watched by a thread.

The pages only read; what changes the warehouse is the same command that anybody could type, with
the same promises. A job that is stopped, or dies with the server, leaves the old state or the new.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import msgspec

from tricklog.dashboard.data import uploads
from tricklog.dashboard.data.processes import RUNNING, Run
from tricklog.dashboard.data.uploads import Upload
from tricklog.ingest.reading.scratch import Scratch
from tricklog.ingest.score_sheets.settings import SheetSettings, write_mapping
from tricklog.ingest.store.warehouse import WarehouseError
from tricklog.ingest.warehouses import warehouse_at
from tricklog.schemas.printable import one_line

KEPT_REJECTS: Final = 10_000
"""Lines that could not be used, told one by one; the counts cover all of them."""
_DID_ITS_WORK: Final = (0, 1, 3)
"""Statuses of a command that came to its end: all well, findings, unreadable lines.

Others have them, too: 1 a crash of Python, 3 a disk that fails. These give no result.
"""
_MAPPING: Final = "mapping.toml"


class State(StrEnum):
    """Where a job stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be loaded, and how."""

    db: str | Path
    uploads: Sequence[Upload] = ()
    path: Path | None = None
    """A file or folder of this machine, beside the uploads."""
    adapter: str | None = None
    """Whose logs they are; ``None`` for hand logs."""
    sheet: SheetSettings | None = None
    """How they are read where they are score sheets."""
    correct: bool = False
    """Whether score sheets take the place of what was loaded of them before."""
    dry_run: bool = False
    undo: int | None = None
    """The number of the load that is to be undone instead, if any."""


@dataclass(slots=True, eq=False)
class Job(Run):
    """One load, or the rehearsal of one."""

    request: Request
    sources: list[str]
    """What is loaded, by the names under which hands are stored."""
    folder: Scratch
    """Where the uploads lie."""
    state: State = State.RUNNING
    rejects: list[dict[str, Any]] = field(default_factory=list)
    """``file``, ``line``, ``byte``, ``code``, ``pointer``, ``message`` and ``hint`` of each."""
    result: dict[str, Any] = field(default_factory=dict)
    """What ``tricklog load --json`` prints, or ``tricklog db undo --json``."""
    warnings: list[dict[str, Any]] = field(default_factory=list)
    """``file``, ``line``, ``column``, ``severity`` and ``message`` of what may not be meant."""

    def work(self) -> None:
        """Carry the job out in its folder, and clear that away."""
        before = _current(self.request.db)
        state = State.FAILED
        try:
            try:
                self._run_in(Path(self.folder.name))
            finally:
                # What cannot be cleared away does not undo the load.
                with suppress(OSError, MemoryError):
                    self.folder.cleanup()
            state = State.DONE
        except Exception as error:  # noqa: BLE001 - whatever ends the job, the page must say so
            stands = "The warehouse is as it was."
            if _current(self.request.db) != before:
                stands = "A new snapshot had been published before."
            self.error = one_line(_why_of(error) or f"It stopped unexpectedly. {stands}")
            if self.was_stopped:
                state = State.CANCELLED
                self.error = stands
        finally:
            self.state = state

    def _run_in(self, folder: Path) -> None:
        dry = ["--dry-run"] if self.request.dry_run else []
        of = ["--from", self.request.adapter] if self.request.adapter is not None else []
        if self.request.sheet is not None:
            (folder / _MAPPING).write_text(write_mapping(self.request.sheet), "utf-8")
            of = ["--mapping", _MAPPING, *(["--correct", "--yes"] if self.request.correct else [])]
        flags = ["--db", warehouse_at(self.request.db).address, *of, *dry, "--json", "--progress"]
        command = ["load", *flags, "--", *self.sources]
        if self.request.undo is not None:
            command = ["db", "undo", str(self.request.undo), *flags[:2], "--json"]
        told = folder / "result.json"
        ended = self.command(command, folder, told)
        result = told.read_bytes()
        if ended.status not in _DID_ITS_WORK or not result:
            raise _FailedError(ended.why)
        self.result = msgspec.json.decode(result)

    def hear(self, told: dict[str, Any]) -> None:
        """Take in a line that could not be used, or what may not be meant."""
        kept = self.warnings if "severity" in told else self.rejects
        if len(kept) < KEPT_REJECTS:
            kept.append(told)


class NotStartedError(Exception):
    """A job that could not be started; the sentence says why."""


class _FailedError(Exception):
    """A command that did not do its work; the sentence says why."""


def _why_of(error: Exception) -> str:
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}." if error.strerror else ""
    if isinstance(error, MemoryError):
        return "There is not enough memory. Close other programs, then try again."
    return str(error) if isinstance(error, _FailedError) else ""


def start(request: Request) -> Job:
    """Start a load and return at once.

    The uploads are written into a temporary folder first, from which they are loaded.
    Raises ``NotStartedError`` when there is no room for them on the disk or in memory.
    """
    with ExitStack() as stack:
        try:
            folder = Scratch("import-")
            stack.callback(folder.cleanup)
            sources = uploads.keep(request.uploads, Path(folder.name))
            if request.path is not None:
                sources.append(str(request.path.absolute()))
            job = Job(request, sources, folder)
            stack.callback(RUNNING.discard, job)
            job.begin()
        except (OSError, MemoryError, RuntimeError) as error:
            why = one_line(_why_of(error)) or f"The system says: {one_line(str(error))}."
            raise NotStartedError(
                f"The files could not be kept for loading. {why} The warehouse is as it was. Free "
                "space, then try again."
            ) from error
        stack.pop_all()
    return job


def _current(db: str | Path) -> str | None:
    try:
        return warehouse_at(db).current()
    except (OSError, MemoryError, WarehouseError):
        return None
