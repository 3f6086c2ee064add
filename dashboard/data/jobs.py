"""Loads that the dashboard starts or undoes: a command as a process, watched by a thread.

The pages only read; what changes the warehouse is the same command that anybody could type, with
the same promises. A job that is stopped, or dies with the server, leaves the old state or the new.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from tricklog.dashboard.data import uploads
from tricklog.dashboard.data.processes import PATIENCE, end_politely
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
_PATIENCE_WITH_ALL: Final = 3 * PATIENCE
_CRASHES: Final = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGILL")
_COMPLAINT: Final = "tricklog: "
_MAPPING: Final = "mapping.toml"
_NOISE: Final = "nanobind: "


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
class Job:
    """One load, or the rehearsal of one. The thread writes these fields, pages read them."""

    request: Request
    sources: list[str] = field(default_factory=list)
    """What is loaded, by the names under which hands are stored."""
    state: State = State.RUNNING
    progress: dict[str, Any] = field(default_factory=dict)
    """Fields of ``tricklog.ingest.reading.progress.Progress``, as last told."""
    rejects: list[dict[str, Any]] = field(default_factory=list)
    """``file``, ``line``, ``byte``, ``code``, ``pointer``, ``message`` and ``hint`` of each."""
    result: dict[str, Any] = field(default_factory=dict)
    """What ``tricklog load --json`` prints, or ``tricklog db undo --json``."""
    warnings: list[dict[str, Any]] = field(default_factory=list)
    """``file``, ``line``, ``column``, ``severity`` and ``message`` of what may not be meant."""
    error: str = ""
    """Why it failed, and what stands now."""
    _process: subprocess.Popen[bytes] | None = None
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Stop the job; the warehouse keeps its old state unless the new one was just complete."""
        self._cancelled.set()
        process = self._process
        if process is not None and process.poll() is None:
            threading.Thread(target=end_politely, args=(process,), daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the job, and tell whether it has come."""
        return self._ended.wait(seconds)

    def run(self, folder: Scratch) -> None:
        """Carry the job out in ``folder``, where the uploads lie, and clear it away."""
        before = _current(self.request.db)
        state = State.FAILED
        try:
            try:
                self._run_in(Path(folder.name))
            finally:
                # What cannot be cleared away does not undo the load.
                with suppress(OSError, MemoryError):
                    folder.cleanup()
            state = State.DONE
        except Exception as error:  # noqa: BLE001 - whatever ends the job, the page must say so
            stands = "The warehouse is as it was."
            if _current(self.request.db) != before:
                stands = "A new snapshot had been published before."
            self.error = one_line(_why_of(error) or f"It stopped unexpectedly. {stands}")
            if self._cancelled.is_set():
                state = State.CANCELLED
                self.error = stands
        finally:
            self.state = state
            self._ended.set()

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
        ended = self._start(folder, command, told)
        result = told.read_bytes()
        ended.require(result)
        self.result = msgspec.json.decode(result)

    def _start(self, folder: Path, arguments: list[str], output: Path) -> _Ended:
        """Run one command to its end."""
        with output.open("wb") as out:
            process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-P", "-m", "tricklog.ingest.cli", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=os.environ | {"TMPDIR": str(folder), "PYTHONUTF8": "1"},
            )
        self._process = process
        # Whoever cancelled before there was a process had nothing to stop.
        if self._cancelled.is_set():
            self.cancel()
        assert process.stderr is not None
        with process.stderr as stream:
            said = self._listen(stream)
        return _Ended(arguments[0], process.wait(), said)

    def _listen(self, stream: IO[bytes]) -> str:
        """Take in what a command tells while it runs; return its last words to the user."""
        complaint: list[str] = []
        for line in stream:
            text = line.decode("utf-8", "replace").rstrip()
            try:
                told = msgspec.json.decode(text)
            except msgspec.DecodeError:
                if (text.startswith(_COMPLAINT) or complaint) and not text.startswith(_NOISE):
                    complaint.append(text.removeprefix(_COMPLAINT))
                continue
            if "stage" in told:
                self.progress = told
            elif "severity" in told:
                self.warnings += [told][: KEPT_REJECTS - len(self.warnings)]
            elif len(self.rejects) < KEPT_REJECTS:
                self.rejects.append(told)
        return one_line(" ".join(complaint))


class NotStartedError(Exception):
    """A job that could not be started; the sentence says why."""


class _FailedError(Exception):
    """A command that did not do its work; the sentence says why."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a command came to its end."""

    command: str
    status: int
    said: str

    def require(self, result: object) -> None:
        """Raise ``_FailedError`` when the command did not do its work, or left no result."""
        if self.status not in _DID_ITS_WORK or not result:
            raise _FailedError(self.said or self._silent())

    def _silent(self) -> str:
        """Return what is said about a command that has said nothing itself."""
        name = f"tricklog {self.command}"
        if self.status >= 0:
            return (
                f"{name} ended with status {self.status} and did not say why. Run it in a terminal "
                "to see what it prints."
            )
        number = -self.status
        ended = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
        if ended == "SIGKILL":
            return (
                f"The system ended {name} ({ended}), as it does when memory runs out. Close other "
                "programs, or load fewer files at a time."
            )
        if ended in _CRASHES:
            return (
                f"{name} crashed ({ended}). Try again; if it crashes again, run it in a terminal "
                "to see what it prints."
            )
        return f"{name} was ended from outside ({ended}). Load again when you like."


def _why_of(error: Exception) -> str:
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}." if error.strerror else ""
    if isinstance(error, MemoryError):
        return "There is not enough memory. Close other programs, then try again."
    return str(error) if isinstance(error, _FailedError) else ""


_running: Final[set[Job]] = set()


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
            job = Job(request, sources)
            thread = threading.Thread(target=_run, args=(job, folder), daemon=True)
            _running.add(job)
            stack.callback(_running.discard, job)
            thread.start()
        except (OSError, MemoryError, RuntimeError) as error:
            why = one_line(_why_of(error)) or f"The system says: {one_line(str(error))}."
            raise NotStartedError(
                f"The files could not be kept for loading. {why} The warehouse is as it was. Free "
                "space, then try again."
            ) from error
        stack.pop_all()
    return job


def end_all() -> None:
    """Stop all jobs that run, and wait until they have ended and cleared their folders away."""
    ending = tuple(_running)
    for job in ending:
        job.cancel()
    until = time.monotonic() + _PATIENCE_WITH_ALL
    for job in ending:
        job.wait(max(0.0, until - time.monotonic()))


def _run(job: Job, folder: Scratch) -> None:
    try:
        job.run(folder)
    finally:
        _running.discard(job)


def _current(db: str | Path) -> str | None:
    try:
        return warehouse_at(db).current()
    except (OSError, MemoryError, WarehouseError):
        return None
