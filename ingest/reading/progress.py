"""How far a long run is: what it tells a display while it works."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tricklog.ingest.reading.sources import Source, find_sources
from tricklog.schemas.languages.messages import mark


class Stage(StrEnum):
    """What a run is doing; ``translated`` says it in the language of whoever watches."""

    WAITING = mark("waiting for another load")
    READING = mark("reading")
    STORING = mark("storing")
    REPLAYING = mark("replaying")
    CHECKING = mark("checking")
    DERIVING = mark("counting what figures are made of")
    TIDYING = mark("putting files together")
    SOLVING = mark("solving with open cards")
    GRADING = mark("grading by what players knew")
    VALUING = mark("holding auctions against par")
    QUEUEING = mark("waiting for another run that solves hands")
    AVERAGING = mark("valuing average deals")
    ACCOUNTING = mark("working out ledgers")
    PUTTING = mark("putting solved hands beside the figures")
    AWAITING = mark("waiting for another run to count what figures are made of")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. ``done`` of ``total`` measures the stage alone."""

    stage: Stage
    lines: int = 0
    """Lines read so far."""
    hands: int = 0
    """Hands replayed, or checked, so far."""
    findings: int = 0
    done: int = 0
    """While reading, bytes of the logs as they lie on the disk; while tidying, bytes of the files;
    while solved hands are put beside the figures, blocks of them; else hands."""
    total: int | None = None
    """What ``done`` will be at the end of the stage; ``None`` where nobody knows."""
    share: float | None = None
    """How much of the whole run is done, from 0 to 1, by the time it takes; ``None`` where nobody
    knows."""


OnProgress = Callable[[Progress], None]
"""Called now and then by a long run."""


class ByteCounter:
    """Counts the bytes that are read of some logs, before they are decompressed."""

    def __init__(self, paths: Iterable[str | Path | Source] = ()) -> None:
        """Look how long the logs are; a pipe, or what is not there, makes the total unknown."""
        self.done = 0
        self.total = _size_of(paths)

    def count(self, size: int) -> None:
        """Add bytes that were read."""
        self.done += size


def _size_of(paths: Iterable[str | Path | Source]) -> int | None:
    total = 0
    for source in find_sources(paths):
        size = source.size
        if size is None:
            return None
        total += size
    return total
