"""A follower in this process or one of its own, and a server that writes logs for it."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from unittest import mock

from tests.kit.stored import content
from tests.kit.waiting import PATIENCE, await_that
from tricklog import Hand, Reject, encode_hand, ingest
from tricklog.ingest import warehouses
from tricklog.ingest.following import follow as following
from tricklog.ingest.following import tails, watched
from tricklog.ingest.following.follow import Ears, Told, Total
from tricklog.ingest.store import warehouse


def lines_of(hands: Iterable[Hand]) -> bytes:
    return b"".join(encode_hand(hand) + b"\n" for hand in hands)


@dataclass
class Published:
    """How many hands a warehouse has, counted again when there is another snapshot."""

    db: Path
    _state: tuple[int, int] = (0, 0)
    _hands: int = 0

    @property
    def hands(self) -> int:
        try:
            # The pointer is another file after each publish; only then is there more to count.
            pointer = (self.db / warehouse.POINTER).stat()
        except FileNotFoundError:
            return 0
        state = pointer.st_ino, pointer.st_mtime_ns
        if state != self._state:
            try:
                with warehouse.open_snapshot(self.db, once=True) as connection:
                    ((count,),) = connection.execute("SELECT count(*) FROM hands").fetchall()
            except (warehouse.NoSnapshotError, warehouse.LostPointerError):
                # Somebody has just removed it.
                return 0
            self._state, self._hands = state, int(count)
        return self._hands


def published(db: Path) -> int:
    return Published(db).hands


@dataclass
class Follower:
    """A follower at work on a thread, and what it has said."""

    db: Path
    stop: threading.Event = field(default_factory=threading.Event)
    told: list[Told] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    total: Total | None = None
    error: BaseException | None = None

    def __post_init__(self) -> None:
        self._published = Published(self.db)

    @property
    def hands(self) -> int:
        return self._published.hands

    def await_hands(self, count: int) -> None:
        self.await_that(lambda: self.hands >= count)
        assert self.hands == count

    def await_that(self, is_so: Callable[[], bool]) -> None:
        def is_over() -> bool:
            assert self.error is None, self.error
            return is_so()

        await_that(is_over, lambda: (self.notes, self.told, self.rejects))

    @property
    def duplicates(self) -> int:
        """How many hands were taken that were there already."""
        return sum(each.report.duplicate for each in self.told)


@dataclass
class FollowerProcess:
    """``tricklog load --follow`` as a process of its own."""

    log: Path
    db: Path
    every: float
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        words = ("load", "--follow", self.log, "--db", self.db, "--json", "--every", self.every)
        self.output = self.db.with_suffix(".told").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tricklog.ingest.cli", *map(str, words)],
            stdout=self.output,
            stderr=subprocess.STDOUT,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        # A test that fails leaves nobody behind who follows for ever.
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.output.close()

    def await_hands(self, count: int) -> None:
        told, published = self.db.with_suffix(".told"), Published(self.db)
        await_that(lambda: published.hands >= count, told.read_text)
        assert published.hands == count

    def stop(self) -> list[dict[str, object]]:
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE) == 0
        self.output.close()
        told = self.db.with_suffix(".told").read_bytes()
        return [json.loads(line) for line in told.splitlines()]


@contextmanager
def followed(
    *paths: Path,
    db: Path,
    every: float = 0.2,
    **more: Any,  # noqa: ANN401 - as follow takes them
) -> Iterator[Follower]:
    """Follow logs while the block lasts, then stop as on the first Ctrl-C."""
    follower = Follower(db)
    ears = Ears(follower.told.append, follower.notes.append, follower.rejects.append)

    def work() -> None:
        try:
            follower.total = warehouses.follow(
                *paths, db=db, stop=follower.stop, every=every, ears=ears, **more
            )
        except BaseException as error:  # noqa: BLE001 - told to the test
            follower.error = error

    with mock.patch.multiple(following, LOOK=0.02, AGAIN=0.05), patched_times():
        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield follower
        finally:
            follower.stop.set()
            thread.join(PATIENCE)
    assert not thread.is_alive()
    if follower.error is not None:
        raise follower.error


def follow_until(db: Path | str, log: Path | str, lines: int) -> int:
    """Follow a log until so many lines are taken; return how many were."""
    stop, taken = threading.Event(), 0

    def count(told: Told) -> None:
        nonlocal taken
        taken += told.report.lines
        if taken >= lines:
            stop.set()

    with mock.patch.object(following, "LOOK", 0.01), patched_times():
        warehouses.follow(log, db=db, stop=stop, every=0, ears=Ears(count))
    return taken


@contextmanager
def patched_times() -> Iterator[None]:
    """Have followers look often and wait little."""
    with mock.patch.object(watched, "SCAN", 0.02), mock.patch.object(tails, "SETTLED", 0.2):
        yield


def loaded(folder: Path, *logs: Path) -> str:
    """What a warehouse says into which logs were loaded at once."""
    ingest.load(*logs, db=folder)
    return content(folder)


def append(log: Path, text: bytes) -> None:
    with log.open("ab") as file:
        file.write(text)


def shared(hands: Sequence[Hand], parts: int) -> list[list[Hand]]:
    size = -(-len(hands) // parts)
    return [list(hands[start : start + size]) for start in range(0, len(hands), size)]
