"""Commands that work something out of stored hands beside the pages, one at a time.

What they work out is kept as they go on, so whoever stops one, or the server that ends, loses a few
seconds of it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricklog.dashboard.data.processes import Run, name_of
from tricklog.schemas.languages.messages import Message


@dataclass(slots=True, eq=False)
class Work(Run):
    """One run."""

    what: Message
    """What is worked out; every page says it in its own language."""

    arguments: Sequence[str] = ()

    def work(self) -> None:
        """Run the command."""
        try:
            ended = self.command([*self.arguments, "--progress", "--json"])
            if ended.status and not self.was_stopped:
                self.error = ended.why
        except OSError as error:
            name = name_of(self.arguments)
            self.error = f"tricklog {name} could not be started: {error.strerror}."


_lock: Final = threading.Lock()
_latest: list[Work] = []
"""The run that was started last."""


def latest() -> Work | None:
    """Return the run that was started last by anybody."""
    return _latest[-1] if _latest else None


def start(what: Message, command: Sequence[str]) -> None:
    """Start a run, unless one is under way."""
    with _lock:
        running = latest()
        if running is not None and running.is_running:
            return
        _latest[:] = [Work(what, command)]
        _latest[0].begin()
