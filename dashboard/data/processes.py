"""Commands of Tricklog that the server runs as processes: what they tell, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import IO, Any, Final

import msgspec

from tricklog.schemas.printable import one_line

PATIENCE: Final = 5.0
"""Seconds a process is given to end by itself before it is ended less politely."""
_PATIENCE_WITH_ALL: Final = 3 * PATIENCE
_CRASHES: Final = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGILL")
_COMPLAINT: Final = "tricklog: "
_NOISE: Final = "nanobind: "


def end_politely(process: subprocess.Popen[bytes], *, has_begun: bool = True) -> None:
    """End a process: if it ``has_begun`` its work as Ctrl-C does, then by asking, then at once."""
    # A server started in the background may pass on that Ctrl-C is to be ignored. While Python
    # starts, it may be lost: what a callback of the import system raises is dropped.
    asks = (partial(process.send_signal, signal.SIGINT), process.terminate, process.kill)
    for ask in asks if has_begun else asks[1:]:
        ask()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            continue
        return


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command came to its end."""

    command: str
    status: int
    said: str
    """Its last words to the user."""

    @property
    def why(self) -> str:
        """Why it did not do its work, as a sentence."""
        if self.said:
            return self.said
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
        return f"{name} was ended from outside ({ended}). Start it again when you like."


@dataclass(slots=True, eq=False, kw_only=True)
class Run:
    """A command that runs beside the pages. Its thread writes these fields, pages read them."""

    progress: dict[str, Any] = field(default_factory=dict)
    """Fields of ``tricklog.ingest.reading.progress.Progress``, as last told."""
    stage_began: float = field(default_factory=time.monotonic)
    error: str = ""
    """Why it did not come to its end; empty while it runs and when it has."""
    _process: subprocess.Popen[bytes] | None = None
    _stopped: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def is_running(self) -> bool:
        """Whether it has not come to its end."""
        return not self._ended.is_set()

    @property
    def was_stopped(self) -> bool:
        """Whether somebody stopped it."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """End the process, and the run with it."""
        self._stopped.set()
        process = self._process
        if process is not None and process.poll() is None:
            ending = partial(end_politely, process, has_begun=bool(self.progress))
            threading.Thread(target=ending, daemon=True).start()

    def begin(self) -> None:
        """Start the run. Raises ``RuntimeError`` where no thread can be started."""
        thread = threading.Thread(target=self.run, daemon=True)
        RUNNING.add(self)
        thread.start()

    def run(self) -> None:
        """Carry the run out to its end."""
        try:
            self.work()
        finally:
            self._ended.set()
            RUNNING.discard(self)

    def work(self) -> None:
        """Do what the run is for, and keep why it failed if it does."""
        raise NotImplementedError

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the run, and tell whether it has come."""
        return self._ended.wait(seconds)

    def hear(self, told: dict[str, Any]) -> None:
        """Take in what the command tells beside how far it is."""

    def command(
        self, arguments: Sequence[str], folder: Path | None = None, output: Path | None = None
    ) -> Ended:
        """Run one command to its end, within ``folder``; what it prints goes to ``output``."""
        environment = os.environ | {"PYTHONUTF8": "1"}
        with ExitStack() as stack:
            process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-P", "-m", "tricklog.ingest.cli", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=stack.enter_context(output.open("wb")) if output else subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=environment | ({"TMPDIR": str(folder)} if folder else {}),
            )
        self._process = process
        # Whoever stopped it before there was a process had nothing to stop.
        if self.was_stopped:
            self.stop()
        assert process.stderr is not None
        with process.stderr as stream:
            said = self.listen(stream)
        return Ended(name_of(arguments), process.wait(), said)

    def listen(self, stream: IO[bytes]) -> str:
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
            if not isinstance(told, dict):
                continue
            if "stage" not in told:
                self.hear(told)
                continue
            if told["stage"] != self.progress.get("stage"):
                self.stage_began = time.monotonic()
            self.progress = told
        return one_line(" ".join(complaint))


def name_of(command: Sequence[str]) -> str:
    """Return what a command is called: its words before the first option."""
    return " ".join(takewhile(lambda each: not each.startswith("-"), command))


RUNNING: Final[set[Run]] = set()


def end_all() -> None:
    """Stop all that runs, and wait until it has ended and cleared its folders away."""
    ending = tuple(RUNNING)
    for run in ending:
        run.stop()
    until = time.monotonic() + _PATIENCE_WITH_ALL
    for run in ending:
        run.wait(max(0.0, until - time.monotonic()))
