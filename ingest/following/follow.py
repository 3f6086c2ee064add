"""The follower: looks, takes what is new and publishes it, every few seconds at most."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from tricklog.ingest.adapters.registry import adapter_named
from tricklog.ingest.following import heartbeat
from tricklog.ingest.following.marks import Identity, Mark
from tricklog.ingest.following.taking import (
    CutError,
    Place,
    ReplacedError,
    Streams,
    keep_marks,
    published_marks,
    take,
)
from tricklog.ingest.following.watched import Watch, is_followable
from tricklog.ingest.loading.auditing import OnWarning
from tricklog.ingest.loading.loading import Folder
from tricklog.ingest.loading.report import LoadReport, OnReject
from tricklog.ingest.store import loads
from tricklog.ingest.store.publishing import BusyError, StorageError
from tricklog.ingest.store.warehouse import WarehouseError

EVERY: Final = 3.0
"""Seconds between the beginnings of two publishes, at least, unless somebody says otherwise."""
LEAST: Final = 0.2
LOOK: Final = 0.25
"""Seconds between two looks at the files."""
REST: Final = 4
"""A publish is followed by a pause of this part of the time it took, for others to get a turn."""
AGAIN: Final = 10.0
"""Seconds until what could not be published is tried again."""
KEEP: Final = 60.0
"""Seconds after which it is published how far files were taken, although no hand came of it."""
LAST_WAIT: Final = 60.0
"""Seconds for which another load is waited for when the follower is to stop."""

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Told:
    """What a follower says when it has taken lines."""

    report: LoadReport
    seconds: float
    """How long it took to take and publish them."""
    files: int
    waiting: int
    """Bytes that are there and were not taken."""


@dataclass(slots=True)
class Ears:
    """Whom a follower tells."""

    on_taken: Callable[[Told], None] = lambda _: None
    on_note: Callable[[str], None] = lambda _: None
    """Called with a sentence about what becomes of files, or why nothing can be published now."""
    on_reject: OnReject | None = None
    on_warning: OnWarning | None = None
    """Called with a file and what may not be meant of a hand written there as text."""


@dataclass(slots=True)
class Total:
    """What a follower has done so far."""

    report: LoadReport | None = None
    publishes: int = 0
    unfinished: list[tuple[str, int]] = field(default_factory=list)
    """Files with bytes that wait for the rest of their line, and how many."""
    open_records: int = 0
    """Records of several lines that are not complete."""

    def add(self, report: LoadReport) -> None:
        """Count what was taken."""
        self.report = report if self.report is None else self.report.and_then(report)
        self.publishes += report.published


def follow(
    *paths: str | Path,
    db: str | Path,
    stop: threading.Event,
    every: float = EVERY,
    adapter: str | None = None,
    ears: Ears | None = None,
) -> Total:
    """Load lines as they are appended to logs, as ``tricklog.ingest.warehouses.follow`` says."""
    refuse(paths)
    follower = _Follower([str(path) for path in paths], Path(db), every, adapter, ears or Ears())
    try:
        return follower.run(stop)
    finally:
        follower.close()


def refuse(paths: Sequence[str | Path]) -> None:
    """Raise ``WarehouseError`` for what cannot be followed."""
    for path in paths:
        if not is_followable(str(path)):
            raise WarehouseError(
                f"{path} cannot be followed: only a file or a folder of this machine has a place "
                "from which to go on. Write the stream into a file, and follow that."
            )


class _Follower:
    def __init__(
        self, paths: list[str], db: Path, every: float, adapter: str | None, ears: Ears
    ) -> None:
        self._ears = ears
        self._adapter = adapter_named(adapter) if adapter is not None else None
        self._every = max(every, LEAST)
        self._db = db
        self._target = Folder(db)
        self._watch = Watch(paths, ears.on_note)
        self._paths = paths
        self._logs = loads.as_named(paths, adapter)
        self._published: dict[Identity, Mark] = {}
        self._streams: Streams | None = None
        self._total = Total()
        self._heart = heartbeat.Heart(db)
        self._began = time.time()
        self._published_at: float | None = None
        self._trouble = ""
        """Bytes that were taken so far."""
        self._started = 0.0
        """When the last attempt to publish began."""
        self._ending_at: float | None = None
        self._kept_at = time.monotonic()
        """When marks were published last."""
        self._go_on_from_published()

    def close(self) -> None:
        self._watch.close()
        self._heart.stop()

    def _go_on_from_published(self) -> None:
        """Forget what was taken since the last publish: it is taken again."""
        name = self._adapter.name if self._adapter else None
        self._published = published_marks(self._db, name)
        self._watch.go_on_from(self._published)
        self._streams = Streams(self._adapter) if self._adapter else None

    def run(self, stop: threading.Event) -> Total:
        """Follow until ``stop`` is set, then take what is there and end."""
        due = 0.0
        while not stop.is_set():
            self._watch.look()
            if time.monotonic() >= due and self._take(stop):
                due = self._next()
            self._keep_marks(stop)
            self._heart.beat(self._sign())
            stop.wait(LOOK if not self._trouble else AGAIN)
        self._ending_at = time.monotonic()
        self._watch.look()
        while self._take(stop):
            pass
        self._keep_marks(stop)
        for tail in self._watch.unfinished():
            self._total.unfinished.append((tail.name, tail.waiting))
        self._total.open_records = self._streams.open_records if self._streams else 0
        return self._total

    def _next(self) -> float:
        """Return when the next publish may begin."""
        ended = time.monotonic()
        return max(self._started + self._every, ended + (ended - self._started) / REST)

    def _take(self, stop: threading.Event) -> bool:
        """Take what is new; return whether anything was there and has been taken."""
        portions = self._watch.portions()
        if not portions:
            return False
        self._started = time.monotonic()
        done = self._published_by(lambda: take(portions, self._streams, self._place()), stop)
        if done is None:
            return False
        report, taken = done
        self._trouble = ""
        self._watch.took(portions)
        if taken is not None:
            self._note_published(taken)
            self._published_at = time.time()
        self._total.add(report)
        seconds = time.monotonic() - self._started
        self._ears.on_taken(Told(report, seconds, len(self._watch), self._watch.waiting))
        self._heart.beat(self._sign(), now=report.published)
        return True

    def _keep_marks(self, stop: threading.Event) -> None:
        """Publish how far files were taken while records are open, now and then and at the end."""
        streams, is_ending = self._streams, self._ending_at is not None
        if streams is None or not streams.open_records:
            return
        if not is_ending and time.monotonic() - self._kept_at < KEEP:
            return
        taken = self._published_by(lambda: keep_marks(streams, self._place()), stop)
        if taken is not None:
            self._note_published(taken)

    def _note_published(self, taken: dict[Identity, Mark]) -> None:
        self._published.update(taken)
        self._kept_at = time.monotonic()

    def _published_by(self, work: Callable[[], Done], stop: threading.Event) -> Done | None:
        """Do work that publishes; ``None`` where it could not, and has to be done over."""
        try:
            return work()
        except (CutError, ReplacedError):
            self._go_on_from_published()
        except (BusyError, StorageError) as error:
            self._wait_out(error, stop)
        except KeyboardInterrupt:
            # The signal to stop has cut a publish short: it is made up for at the end.
            if self._ending_at is not None or not stop.is_set():
                raise
            self._go_on_from_published()
        return None

    def _place(self) -> Place:
        return Place(
            target=self._target,
            logs=self._logs,
            adapter=self._adapter.name if self._adapter else None,
            published=self._published,
            on_reject=self._ears.on_reject,
            on_warning=self._ears.on_warning,
            marks=self._watch.marks,
            gives_up=lambda: (
                self._ending_at is not None and time.monotonic() - self._ending_at > LAST_WAIT
            ),
            on_wait=lambda: self._ears.on_note("Another load is at work; this one waits its turn."),
        )

    def _wait_out(self, error: WarehouseError, stop: threading.Event) -> None:
        """Say why nothing can be published, and go on from what is; at the end, give up."""
        if stop.is_set():
            raise error
        said = str(error)
        if said != self._trouble:
            self._ears.on_note(f"{said} It is tried again every {AGAIN:.0f} seconds.")
        self._trouble = said
        self._go_on_from_published()
        self._heart.beat(self._sign(), now=True)

    def _sign(self) -> heartbeat.Following:
        report = self._total.report
        return heartbeat.Following(
            paths=[str(Path(path).absolute()) for path in self._paths],
            adapter=self._adapter.name if self._adapter else None,
            every=self._every,
            host=socket.gethostname(),
            process=os.getpid(),
            began=self._began,
            seen=time.time(),
            published=self._published_at,
            files=len(self._watch),
            hands=report.accepted if report else 0,
            rejects=report.quarantined if report else 0,
            waiting=self._watch.waiting,
            trouble=self._trouble,
        )
