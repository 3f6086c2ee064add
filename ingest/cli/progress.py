"""The line on a terminal that says how far a long run is."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tricklog.ingest.cli.output import err, note_json, own_command, remark
from tricklog.ingest.reading.progress import OnProgress, Progress, Stage
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from rich.status import Status

TRUSTED: Final = 1.0
"""Seconds after which the rate of a stage says something about the time it will take."""
LONG_TO_DERIVE: Final = 100_000
"""Hands from which on deriving their facts takes more than some seconds."""
LONG_IN_PLAIN_PYTHON: Final = {
    Stage.READING: 50_000_000,
    Stage.SOLVING: 20,
    Stage.GRADING: 1,
    Stage.VALUING: 1,
}
"""How much of a stage takes minutes without the library, as ``Progress.total`` counts: bytes of
logs, or hands."""
EVERY: Final = 0.25
"""Seconds between two reports to another program."""


class ProgressLine:
    """A line on standard error that says how far a long run is; nothing when no one looks."""

    def __init__(self, title: str, *, is_wanted: bool = True) -> None:
        self._title = title
        self._is_wanted = is_wanted
        self._status: Status | None = None
        self._stage = ""
        self._began = 0.0
        self._run_began = time.monotonic()

    def __enter__(self) -> ProgressLine:
        if self._is_wanted and sys.stderr.isatty():
            self._status = err().status(self._title)
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()

    def report(self, progress: Progress) -> None:
        """Show how far the run is."""
        if self._status is None:
            return
        from rich.text import Text

        now = time.monotonic()
        if progress.stage != self._stage:
            self._stage, self._began = progress.stage, now
        so_far = now - self._began, now - self._run_began
        text = f"{self._title}: {progress_text(progress, *so_far)}"
        self._status.update(Text(text, no_wrap=True, overflow="ellipsis"))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the line away while something else is printed."""
        if self._status:
            self._status.stop()
        yield
        if self._status:
            self._status.start()


@contextmanager
def deriving(title: str) -> Iterator[OnProgress]:
    """Show how far a run is that may have to prepare figures.

    Without a terminal two lines, which a log can keep, say that it prepares them, where that takes
    long, and when it is done.
    """
    began: float | None = None

    def report(progress: Progress) -> None:
        nonlocal began
        hands = progress.total or 0
        is_long = progress.stage == Stage.DERIVING and hands >= LONG_TO_DERIVE
        if began is None and (is_long or progress.stage == Stage.AWAITING):
            of = f", of {counted(hands, 'hand')}, once for this snapshot" if is_long else ""
            began = time.monotonic()
            remark(f"Figures: {progress.stage}{of}")

    with ProgressLine(title) as line:
        yield line.report if sys.stderr.isatty() else report
    if began is not None:
        remark(f"Figures: done after {duration(time.monotonic() - began)}")


def shown(line: ProgressLine, *, as_objects: bool, json: bool = False) -> OnProgress:
    """Return what shows how far a run is, by ``line`` or as objects, and what slows it down.

    Objects go to standard error: one when a stage begins, and then a few a second. That a run will
    take long, as there is no library of machine code, is said once.
    ``json``: whether another program reads standard error although it asks for no progress.
    """
    stage, told, has_looked = "", 0.0, False

    def report(progress: Progress) -> None:
        nonlocal stage, told, has_looked
        many = LONG_IN_PLAIN_PYTHON.get(progress.stage)
        if not has_looked and many is not None and (progress.total or 0) >= many:
            has_looked = True
            _tell_trouble(None if as_objects or json else line)
        now = time.monotonic()
        if not as_objects:
            line.report(progress)
        elif progress.stage != stage or now - told >= EVERY or progress.share == 1:
            stage, told = progress.stage, now
            note_json(progress)

    return report


def _tell_trouble(line: ProgressLine | None) -> None:
    """Say why there is no library of machine code, beside the line or else as an object."""
    from tricklog.core.native.library import trouble

    if found := trouble():
        says = (
            f"This takes minutes, in plain Python, as {found.why}; "
            f"{own_command()} demo --check says what to do"
        )
        if line is None:
            note_json({"warning": says})
        else:
            with line.aside():
                remark(says)


def progress_text(progress: Progress, seconds: float, in_all: float) -> str:
    """Return how far a run is: counts, rate, findings, time left.

    ``seconds`` is what its stage has taken, ``in_all`` what the run has. The time left is that of
    the whole run where it knows how much of it is done, else that of the stage.
    """
    parts = [str(progress.stage)]
    count, unit = (progress.hands, "hand") if progress.hands else (progress.lines, "line")
    if count and progress.hands and progress.total:
        parts.append(f"{count:,} of {counted(progress.total, unit)}")
    elif count:
        parts.append(counted(count, unit))
    if count and seconds >= TRUSTED:
        parts.append(f"{count / seconds:,.0f} {unit}s/s")
    if progress.findings:
        parts.append(counted(progress.findings, "finding"))
    if progress.share and in_all >= TRUSTED:
        parts.append(f"{duration(in_all * (1 - progress.share) / progress.share)} left")
    elif progress.total and progress.done and seconds >= TRUSTED:
        left = seconds * max(0, progress.total - progress.done) / progress.done
        parts.append(f"{duration(left)} left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Return a time in the two units that matter: ``1 h 05 min``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
