"""``tricklog load --follow``: what it says while it works, and how it is told to stop."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from types import FrameType

from tricklog.ingest import Reject
from tricklog.ingest.cli.commands.load import report_json
from tricklog.ingest.cli.failure_state import explained_failures
from tricklog.ingest.cli.figures import set_aside_by, set_aside_text
from tricklog.ingest.cli.output import SUCCESS, note_json, put, remark, show, values_of
from tricklog.ingest.cli.unread_lines import tell_reject, tell_warning
from tricklog.ingest.following.follow import Ears, Told, Total
from tricklog.ingest.text_form.problems import Problem
from tricklog.ingest.warehouses import follow, require_followable
from tricklog.schemas.words import counted


def run_follow(
    paths: tuple[str, ...],
    db: str,
    *,
    every: float | None,
    adapter: str | None,
    json: bool,
    progress: bool,
) -> int:
    """Follow logs until a signal ends it; return the exit status."""
    says = _Says(db, json=json, progress=progress)
    with explained_failures(db), _stopped_by_signals() as stop:
        require_followable(*paths, db=db)
        says.begun(paths, db)
        ears = Ears(says.taken, says.note, says.reject, says.warn)
        total = follow(*paths, db=db, stop=stop, every=every, adapter=adapter, ears=ears)
    says.ended(total, db)
    return SUCCESS


class _Says:
    """Tells a terminal, a journal or a program what comes in."""

    def __init__(self, db: str, *, json: bool, progress: bool) -> None:
        self._db = db
        self._json = json
        self._progress = progress
        self._apart: set[str] = set()
        """Players of whom it was said that they are not counted as another one."""
        self._supervisor = _Supervisor()

    def begun(self, paths: tuple[str, ...], db: str) -> None:
        names = ", ".join(paths)
        if not self._json:
            put(f"Following {names} into {db}. Ctrl-C stops.")
        self._supervisor.say("READY=1", f"STATUS=Following {names}")

    def taken(self, told: Told) -> None:
        report = told.report
        said = f"{counted(report.accepted, 'new hand')}"
        self._supervisor.say(f"STATUS=Last published {said}")
        if report.published:
            self._tell_set_aside()
        if not report.published and not self._progress:
            return
        more = (
            (report.duplicate, "known already"),
            (report.quarantined, "not readable"),
            (sum(report.findings.values()), "against the rules"),
        )
        line = ", ".join((said, *(f"{count:,} {word}" for count, word in more if count)))
        clock = datetime.now().astimezone().strftime("%H:%M:%S")
        beside = values_of(told, without=["report"]) | {"seconds": round(told.seconds, 3)}
        show(report_json(report) | beside, [f"{clock}  {line}"], json=self._json)

    def _tell_set_aside(self) -> None:
        """Say once which players are not counted as one any more."""
        for each in set_aside_by(self._db):
            if each.player not in self._apart:
                self._apart.add(each.player)
                self.note(set_aside_text(each))

    def note(self, sentence: str) -> None:
        if self._json:
            note_json({"note": sentence})
        else:
            remark(sentence)

    def reject(self, reject: Reject) -> None:
        tell_reject(reject, as_object=self._json)

    def warn(self, file: str, warning: Problem) -> None:
        tell_warning(file, warning, as_object=self._json)

    def ended(self, total: Total, db: str) -> None:
        self._supervisor.say("STOPPING=1")
        report = total.report
        done = report_json(report) if report else {"lines": 0, "published": False}
        told = values_of(total, without=["report"]) | {
            "stopped": True,
            "unfinished": [{"file": name, "bytes": size} for name, size in total.unfinished],
        }
        hands = counted(report.accepted if report else 0, "new hand")
        lines = [f"Stopped: {hands} in {counted(total.publishes, 'snapshot')} of {db}."]
        lines += (
            f"{name} ends with {counted(size, 'byte')} of a line that is not complete; it is "
            "taken next time."
            for name, size in total.unfinished
        )
        if total.open_records:
            records = counted(total.open_records, "record")
            lines.append(f"{records} not complete yet: their lines are read again next time.")
        show(told | done, lines, json=self._json)


class _Supervisor:
    """Tells systemd how it goes, where it has started us and wants to know."""

    def __init__(self) -> None:
        self._address = os.environ.get("NOTIFY_SOCKET", "")

    def say(self, *lines: str) -> None:
        if not self._address:
            return
        # An address that begins with @ has no file.
        address = self._address.replace("@", "\0", 1)
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.sendto("\n".join(lines).encode(), address)


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """Give what is set by Ctrl-C or the signal to end; the second of them interrupts at once."""
    stop = threading.Event()

    def hear(number: int, frame: FrameType | None) -> None:
        del number, frame
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    for each in before:
        signal.signal(each, hear)
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
