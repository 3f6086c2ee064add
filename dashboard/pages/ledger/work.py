"""Working out ledgers beside the pages: ``tricklog show ledger`` as a process, one at a time.

What it works out is kept hand by hand, so whoever stops it, or the server that ends, loses a few
seconds of it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricklog.dashboard.data.processes import RUNNING, Run
from tricklog.ingest.metrics.filters import Filters
from tricklog.schemas.languages.messages import Message


@dataclass(slots=True, eq=False)
class Work(Run):
    """One run."""

    what: Message
    """What is worked out, as each who looks is told in their language."""

    def run(self, arguments: Sequence[str]) -> None:
        """Carry the run out."""
        try:
            ended = self.command(["show", "ledger", "--progress", *arguments])
            if ended.status and not self.was_stopped:
                self.error = ended.why
        except OSError as error:
            self.error = f"tricklog show ledger could not be started: {error.strerror}."
        finally:
            self._ended.set()
            RUNNING.discard(self)


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
        RUNNING.add(work)
        threading.Thread(target=work.run, args=(list(arguments),), daemon=True).start()
    return work


def arguments_of(db: str, filters: Filters, whose: str, most: int | None) -> list[str]:
    """Return the arguments of ``tricklog show ledger`` for the hands that filters choose."""
    chosen = [(name, value) for name, values in filters.chosen for value in values]
    given = [f"--where={name}={value}" for name, value in chosen]
    given += [f"--since={filters.since}"] if filters.since else []
    given += [f"--until={filters.until}"] if filters.until else []
    given += [f"--hands={most}"] if most else []
    return [f"--db={db}", f"--whose={whose}", "--json", *given]
