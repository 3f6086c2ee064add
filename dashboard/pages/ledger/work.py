"""Working out ledgers beside the pages: ``tricklog show ledger`` as a process, one at a time.

The pages go on meanwhile. What the process works out is kept hand by hand, so whoever stops it, or
the server that ends, loses a few seconds of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Final

import msgspec

from tricklog.dashboard.data.processes import end_politely
from tricklog.ingest.metrics.filters import Filters
from tricklog.schemas.languages.messages import Message
from tricklog.schemas.printable import one_line

_COMPLAINT: Final = "tricklog: "
_PATIENCE: Final = 5.0


@dataclass(slots=True, eq=False)
class Work:
    """One run. Its thread writes these fields, pages read them."""

    what: Message
    """What is worked out, as each who looks is told in their language."""
    progress: dict[str, Any] = field(default_factory=dict)
    """Fields of ``tricklog.ingest.reading.progress.Progress``, as last told."""
    began: float = field(default_factory=time.monotonic)
    stage_began: float = field(default_factory=time.monotonic)
    error: str = ""
    """Why it did not come to its end; empty while it runs and when it has."""
    was_stopped: bool = False
    _process: subprocess.Popen[bytes] | None = None
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def is_running(self) -> bool:
        """Whether it has not come to its end."""
        return not self._ended.is_set()

    def stop(self) -> None:
        """End the run; what it has worked out is kept."""
        self.was_stopped = True
        process = self._process
        if process is not None:
            threading.Thread(target=end_politely, args=(process,), daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the run, and tell whether it has come."""
        return self._ended.wait(seconds)

    def run(self, arguments: Sequence[str]) -> None:
        """Carry the run out."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "tricklog.ingest.cli",
                    "show",
                    "ledger",
                    "--progress",
                    *arguments,
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=os.environ | {"PYTHONUTF8": "1"},
            )
            if self.was_stopped:
                self.stop()
            assert self._process.stderr is not None
            with self._process.stderr as stream:
                said = self._listen(stream)
            status = self._process.wait()
            if status and not self.was_stopped:
                self.error = said or f"tricklog show ledger ended with status {status}."
        except OSError as error:
            self.error = f"tricklog show ledger could not be started: {error.strerror}."
        finally:
            self._ended.set()

    def _listen(self, stream: IO[bytes]) -> str:
        """Take in how far the run is; return its last words to the user."""
        complaint: list[str] = []
        for line in stream:
            text = line.decode("utf-8", "replace").rstrip()
            try:
                told = msgspec.json.decode(text)
            except msgspec.DecodeError:
                if text.startswith(_COMPLAINT) or complaint:
                    complaint.append(text.removeprefix(_COMPLAINT))
                continue
            if isinstance(told, dict) and "stage" in told:
                if told["stage"] != self.progress.get("stage"):
                    self.stage_began = time.monotonic()
                self.progress = told
        return one_line(" ".join(complaint))


_lock: Final = threading.Lock()
_latest: list[Work] = []
"""The run that was started last."""


def latest() -> Work | None:
    """Return the run that was started last by anybody."""
    return _latest[-1] if _latest else None


def start(what: Message, arguments: Sequence[str]) -> Work:
    """Start a run, unless one is under way; return it, or the one under way."""
    with _lock:
        running = latest()
        if running is not None and running.is_running:
            return running
        work = Work(what)
        _latest[:] = [work]
        threading.Thread(target=work.run, args=(list(arguments),), daemon=True).start()
    return work


def end_all() -> None:
    """Stop the run that is under way, and wait for its end."""
    work = latest()
    if work is not None and work.is_running:
        work.stop()
        work.wait(_PATIENCE)


def arguments_of(db: str, filters: Filters, whose: str, most: int | None) -> list[str]:
    """Return the arguments of ``tricklog show ledger`` for the hands that filters choose."""
    chosen = [(name, value) for name, values in filters.chosen for value in values]
    given = [f"--where={name}={value}" for name, value in chosen]
    given += [f"--since={filters.since}"] if filters.since else []
    given += [f"--until={filters.until}"] if filters.until else []
    given += [f"--hands={most}"] if most else []
    return [f"--db={db}", f"--whose={whose}", "--json", *given]
