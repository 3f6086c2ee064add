"""The line on a terminal that says how far a long run is."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ingest.cli.output import err, note_json
from ingest.progress import Progress, Stage

if TYPE_CHECKING:
    from rich.status import Status
    from rich.text import Text

TRUSTED: Final = 1.0
"""Seconds after which the rate of a stage says something about the time it will take."""
EVERY: Final = 0.25
"""Seconds between two reports to another program."""


class ProgressLine:
    """A line on standard error that says how far a long run is; nothing when no one looks."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._status: Status | None = None
        self._stage = ""
        self._began = 0.0

    def __enter__(self) -> ProgressLine:
        if sys.stderr.isatty():
            self._status = err().status(self._title)
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()

    def watch(self, progress: Progress) -> None:
        """Show how far the run is."""
        if self._status is None:
            return
        from rich.text import Text

        now = time.monotonic()
        if progress.stage != self._stage:
            self._stage, self._began = progress.stage, now
        if progress.stage == Stage.COMPILING:
            # Nobody reports how far that is, so the line itself counts the seconds.
            self._status.update(_Clock(f"{self._title}: {progress.stage}", now))
            return
        text = f"{self._title}: {progress_text(progress, now - self._began)}"
        self._status.update(Text(text, no_wrap=True, overflow="ellipsis"))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the line away while something else is printed."""
        if self._status:
            self._status.stop()
        yield
        if self._status:
            self._status.start()


class ProgressObjects:
    """How far a long run is as JSON objects on standard error, for another program to show."""

    def __init__(self) -> None:
        self._stage = ""
        self._told = 0.0

    def watch(self, progress: Progress) -> None:
        """Tell each stage when it begins, and then how far it is a few times a second."""
        now = time.monotonic()
        if progress.stage == self._stage and now - self._told < EVERY:
            return
        self._stage, self._told = progress.stage, now
        note_json(progress)


@dataclass(frozen=True, slots=True)
class _Clock:
    """A text with the seconds gone since ``began``, counted anew whenever it is drawn."""

    text: str
    began: float

    def __rich__(self) -> Text:
        from rich.text import Text

        seconds = time.monotonic() - self.began
        return Text(f"{self.text}, {seconds:.0f} s so far", no_wrap=True, overflow="ellipsis")


def progress_text(progress: Progress, seconds: float) -> str:
    """Return how far a run is after ``seconds`` of its stage: counts, rate, findings, time left."""
    parts = [str(progress.stage)]
    count, unit = (progress.hands, "hands") if progress.hands else (progress.lines, "lines")
    if count:
        of_all = f" of {progress.total:,}" if progress.hands and progress.total else ""
        parts.append(f"{count:,}{of_all} {unit}")
    if count and seconds >= TRUSTED:
        parts.append(f"{count / seconds:,.0f} {unit}/s")
    if progress.findings:
        parts.append(f"{progress.findings:,} findings")
    if progress.total and progress.done and seconds >= TRUSTED:
        left = seconds * max(0, progress.total - progress.done) / progress.done
        parts.append(f"{_duration(left)} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
