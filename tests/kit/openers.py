"""Openers of content that lies in memory, as an object store would give it."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class InMemory:
    """Opens bytes; with ``broken_at``, those from there on cannot be read."""

    content: bytes
    broken_at: int | None = None

    @property
    def size(self) -> int:
        return len(self.content)

    @property
    def is_pipe(self) -> bool:
        return False

    @contextmanager
    def open(self, start: int = 0) -> Iterator["_Stream"]:
        yield _Stream(self.content, self.broken_at, start)


class _Stream:
    """A stream that has ``read`` and nothing else."""

    def __init__(self, content: bytes, broken_at: int | None, start: int) -> None:
        self._content = content
        self._broken_at = broken_at
        self._place = start

    def read(self, size: int, /) -> bytes:
        end = self._place + size
        if self._broken_at is not None:
            if self._place >= self._broken_at:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            end = min(end, self._broken_at)
        piece = self._content[self._place : end]
        self._place += len(piece)
        return piece
