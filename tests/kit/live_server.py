"""A server that writes hands at a steady rate, and what came of them, hand by hand and second."""

import itertools
import json
import subprocess
import sys
import threading
import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from ingest.store import warehouse
from tests.kit.following import lines_of
from tests.kit.log_lines import generated

TICK = 0.1
"""Seconds between two writes."""
GAMES = ("pedro", "pidro", "sixty-three", "twenty-nine")
"""The games that are played."""


def endless_lines() -> Iterator[bytes]:
    """Lines of hands that never repeat: whole games, each time under names of their own."""
    games = [lines_of(generated(name, 6, 11)).splitlines(keepends=True) for name in GAMES]
    pool = [line for game in games for line in game]
    marks = [f"{name}-11-".encode() for name in GAMES]
    for number in itertools.count():
        for line in pool:
            text = line
            for mark in marks:
                text = text.replace(b'"' + mark, b'"' + mark + f"{number}-".encode(), 2)
            yield text


@dataclass
class Server(threading.Thread):
    """Appends so many hands a second to a log, which it renames now and then."""

    log: Path
    rate: int
    seconds: float
    rotate: float = float("inf")
    """Seconds after which the log is renamed and a new one begun."""
    written: list[tuple[float, int]] = field(default_factory=list)
    """When so many hands had been written."""

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.logs: list[Path] = []

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        """Write until the time is over."""
        lines = endless_lines()
        # The bots of the first hand practise before they play it.
        lines = itertools.chain([next(lines)], lines)
        began = time.monotonic()
        count, renamed = 0, began
        file = self.log.open("ab", buffering=0)
        while (now := time.monotonic()) - began < self.seconds:
            if now - renamed >= self.rotate:
                old = self.log.with_name(f"{self.log.name}.{len(self.logs) + 1}")
                self.log.rename(old)
                self.logs.append(old)
                file.close()
                file, renamed = self.log.open("ab", buffering=0), now
            # A machine that is too busy to write as fast falls behind, and goes on being renamed.
            due = min(int((now - began) * self.rate) - count, self.rate // 2)
            # Now and then a line is written in two pieces.
            text = b"".join(itertools.islice(lines, due))
            file.write(text[: len(text) // 2])
            file.write(text[len(text) // 2 :])
            count += due
            self.written.append((time.monotonic(), count))
            time.sleep(TICK)
        file.close()
        self.logs.append(self.log)

    @property
    def hands(self) -> int:
        """How many hands have been written."""
        return self.written[-1][1] if self.written else 0

    def when(self, hand: int) -> float:
        """When a hand was written, counted from 1."""
        place = bisect_right([count for _, count in self.written], hand - 1)
        return self.written[min(place, len(self.written) - 1)][0]


@dataclass
class Seen:
    """When how many hands were seen."""

    moments: list[tuple[float, int]] = field(default_factory=list)

    def note(self, hands: int) -> None:
        """Note that so many hands are seen now."""
        if not self.moments or hands > self.moments[-1][1]:
            self.moments.append((time.monotonic(), hands))

    def delays(self, server: Server) -> list[float]:
        """How long the hand that waited longest waited, each time that new ones were seen."""
        found, before = [], 0
        for moment, hands in self.moments:
            found.append(moment - server.when(before + 1))
            before = hands
        return found


@dataclass
class FollowerProcess:
    """``tricklog load --follow`` as a process of its own."""

    log: Path
    db: Path
    every: float
    process: subprocess.Popen[bytes] = field(init=False)
    memory: list[tuple[float, int]] = field(default_factory=list)
    """Bytes of memory that it took, by the time."""

    def __post_init__(self) -> None:
        words = ("load", "--follow", self.log, "--db", self.db, "--json", "--every", self.every)
        self.output = self.db.with_suffix(".told").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ingest.cli", *map(str, words)],
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

    def look(self) -> None:
        """Note how much memory it takes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        kib = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        self.memory.append((time.monotonic(), int(kib) << 10))

    def processor_seconds(self) -> float:
        """How much processor time it has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def stop(self) -> list[dict[str, object]]:
        """Ask it to end; return what it has told."""
        self.process.terminate()
        assert self.process.wait(120) == 0
        self.output.close()
        told = self.db.with_suffix(".told").read_bytes()
        return [json.loads(line) for line in told.splitlines()]


def published(db: Path) -> int:
    """How many hands are published."""
    try:
        with warehouse.open_snapshot(db, once=True) as connection:
            ((count,),) = connection.execute("SELECT count(*) FROM hands").fetchall()
            return int(count)
    except (warehouse.NoSnapshotError, warehouse.LostPointerError):
        return 0
