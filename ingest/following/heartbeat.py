"""What others see of a follower at work: a small file beside the snapshots, written again."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

FOLDER: Final = "following"
EVERY: Final = 5.0
"""Seconds between two signs of life."""
SILENT: Final = 30.0
"""Seconds without one after which nobody follows any more."""
_FORGOTTEN: Final = 86_400.0
"""Seconds after which the sign of a follower that was killed is removed."""


class Following(msgspec.Struct, frozen=True):
    """A follower at work, as it said last."""

    paths: list[str]
    adapter: str | None
    every: float
    host: str
    process: int
    began: float
    """Seconds since 1970, as are all times here."""
    seen: float
    """When it gave the last sign of life."""
    published: float | None
    """When it published last."""
    files: int
    hands: int
    """New hands since it began."""
    rejects: int
    waiting: int
    """Bytes that were not taken, such as a line that is not complete."""
    trouble: str = ""
    """Why it cannot go on just now."""


class Heart:
    """Writes signs of life of this process."""

    def __init__(self, db: Path) -> None:
        self._path = db / FOLDER / f"{socket.gethostname()}-{os.getpid()}.json"
        self._last = float("-inf")

    def beat(self, told: Following, *, now: bool = False) -> None:
        """Write a sign of life, unless the last one is fresh; a disk that fails does no harm."""
        if not now and time.monotonic() - self._last < EVERY:
            return
        self._last = time.monotonic()
        draft = self._path.with_suffix(".draft")
        with suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            draft.write_bytes(msgspec.json.encode(told))
            draft.replace(self._path)

    def stop(self) -> None:
        """Take the sign away."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
            self._path.parent.rmdir()


def followers(db: Path) -> list[Following]:
    """Return who follows logs into the warehouse ``db`` now, who began first first."""
    found = []
    for path in sorted((db / FOLDER).glob("*.json")):
        with suppress(OSError, msgspec.DecodeError):
            told = msgspec.json.decode(path.read_bytes(), type=Following)
            if time.time() - told.seen < SILENT:
                found.append(told)
            elif time.time() - told.seen > _FORGOTTEN:
                path.unlink()
    return sorted(found, key=lambda each: each.began)
