"""``tricklog load --follow``: what it says while it works, and how it is told to stop."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from tricklog.ingest.cli.commands.load import report_json
from tricklog.ingest.cli.failure_state import explained_failures
from tricklog.ingest.cli.figures import set_aside_by, set_aside_text
from tricklog.ingest.cli.output import SUCCESS, note_json, put, remark, show, values_of
from tricklog.ingest.cli.unread_lines import tell_reject, tell_warning
from tricklog.ingest.following.follow import Ears, Told, Total
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
    says = Says(db, json=json, progress=progress)
    with explained_failures(db), _stopped_by_signals() as stop:
        require_followable(*paths, db=db)
        names = ", ".join(paths)
        if not json:
            put(f"Following {names} into {db}. Ctrl-C stops.")
        _tell_supervisor("READY=1", f"STATUS=Following {names}")
        aloud = partial(tell_reject, as_object=json), partial(tell_warning, as_object=json)
        ears = Ears(says.taken, says.note, *aloud)
        total = follow(*paths, db=db, stop=stop, every=every, adapter=adapter, ears=ears)
    _tell_supervisor("STOPPING=1")
    report = total.report
    done = report_json(report) if report else {"lines": 0, "published": False}
    unfinished = [{"file": name, "bytes": size} for name, size in total.unfinished]
    told = values_of(total, without=["report"]) | {"stopped": True, "unfinished": unfinished}
    show(told | done, _ended(total, db), json=json)
    return SUCCESS


def _ended(total: Total, db: str) -> Iterator[str]:
    hands = counted(total.report.accepted if total.report else 0, "new hand")
    yield f"Stopped: {hands} in {counted(total.publishes, 'snapshot')} of {db}."
    for name, size in total.unfinished:
        yield (
            f"{name} ends with {counted(size, 'byte')} of a line that is not complete; it is "
            "taken next time."
        )
    if total.open_records:
        records = counted(total.open_records, "record")
        yield f"{records} not complete yet: their lines are read again next time."


@dataclass(slots=True)
class Says:
    """Tells a terminal, a journal or a program what comes in."""

    db: str
    json: bool
    progress: bool
    apart: set[str] = field(default_factory=set)
    """Players of whom it was said that they are not counted as another one."""

    def taken(self, told: Told) -> None:
        """Tell what was taken, and once of each player who is not counted as another any more."""
        report = told.report
        said = counted(report.accepted, "new hand")
        _tell_supervisor(f"STATUS=Last published {said}")
        for each in set_aside_by(self.db) if report.published else ():
            if each.player not in self.apart:
                self.apart.add(each.player)
                self.note(set_aside_text(each))
        if not report.published and not self.progress:
            return
        more = (
            (report.duplicate, "known already"),
            (report.quarantined, "not readable"),
            (sum(report.findings.values()), "against the rules"),
        )
        line = ", ".join((said, *(f"{count:,} {word}" for count, word in more if count)))
        clock = datetime.now().astimezone().strftime("%H:%M:%S")
        beside = values_of(told, without=["report"]) | {"seconds": round(told.seconds, 3)}
        show(report_json(report) | beside, [f"{clock}  {line}"], json=self.json)

    def note(self, sentence: str) -> None:
        """Tell what becomes of files, or why nothing can be published now."""
        if self.json:
            note_json({"note": sentence})
        else:
            remark(sentence)


def _tell_supervisor(*lines: str) -> None:
    """Tell systemd how it goes, where it has started us and wants to know."""
    # An address that begins with @ has no file.
    address = os.environ.get("NOTIFY_SOCKET", "").replace("@", "\0", 1)
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.sendto("\n".join(lines).encode(), address)


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """Give what is set by Ctrl-C or the signal to end; the second of them interrupts at once."""
    stop = threading.Event()

    def hear(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {each: signal.signal(each, hear) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
