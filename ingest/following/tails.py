"""One followed file: what is new at its end, and whether it is still the file that it was."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

import msgspec

from tricklog.ingest.adapters.converting import Again
from tricklog.ingest.following.marks import Identity, Mark, now
from tricklog.ingest.reading.log_line import MAX_LINE, LogLine
from tricklog.ingest.reading.rejects import RejectCode, Trouble
from tricklog.ingest.reading.sources import LocalPath, Opener, Source

HEAD: Final = 1 << 10
"""Bytes at the beginning by which a file is known again."""
SETTLED: Final = 5.0
"""Seconds after which a last line that is complete JSON is taken without its line feed."""
IDLE: Final = 600
"""Seconds without a change after which a file is not held open any more."""
SURPLUS: Final = (
    "This was written behind an object that was complete and taken before its line feed came."
)
"""What is wrong with the rest of such a line."""
_PIECE: Final = 1 << 16
_BLANK: Final = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class OpenFile(Opener):
    """Opens a file that is held open, whatever it is called by now."""

    descriptor: int

    is_pipe: ClassVar[bool] = False

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return os.fstat(self.descriptor).st_size

    def open(self, start: int = 0) -> AbstractContextManager[_At]:
        """Open the bytes from ``start`` on."""
        return nullcontext(_At(self.descriptor, start))


@dataclass(slots=True)
class _At:
    """Reads a file from a place on, without moving anybody else's place."""

    descriptor: int
    place: int

    def read(self, size: int, /) -> bytes:
        piece = os.pread(self.descriptor, size, self.place)
        self.place += len(piece)
        return piece


@dataclass(frozen=True, slots=True)
class Portion:
    """Lines of a file that are to be taken next: those that begin in ``[start, end)``."""

    tail: Tail
    source: Source
    start: int
    end: int
    lines: int
    """How many lines begin in it; 0 for a file that is read whole."""
    surplus: LogLine | None = None
    """What follows a line that was taken without its line feed, up to that: a reject."""


@dataclass(slots=True, eq=False)
class Tail:
    """A file that is followed. It is held open, so that its end is read after it was renamed."""

    path: Path
    """Where it is now, or was last."""
    name: str
    identity: Identity
    is_whole: bool = False
    """Whether it is read whole as soon as it is complete: an archive, JSON over many lines."""
    byte: int = 0
    line: int = 1
    head_bytes: int = 0
    head: str = ""
    again: Again | None = None
    """What is read again after a mark was taken up."""
    _mark: Mark | None = None
    """The mark that was taken up, until all that it is about was read again."""
    left_at: float | None = None
    """When it was last seen under the name that is followed; ``None`` while it has that name."""
    descriptor: int = field(default=-1, repr=False)
    _seen: tuple[int, int] = (-1, -1)
    """Size and time of change when it was last looked at."""
    _since: float = field(default_factory=time.monotonic)
    """When that was first seen."""
    _taken: tuple[int, int] = (-1, -1)
    """The same when it was read whole."""

    def hold(self) -> bool:
        """Open the file, unless it is open; return whether it is the one that was meant."""
        if self.descriptor >= 0:
            return True
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:
            return False
        if identity_of(os.fstat(descriptor)) != self.identity:
            os.close(descriptor)
            return False
        self.descriptor = descriptor
        return True

    def close(self) -> None:
        """Let go of the file."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1

    def take_up(self, mark: Mark | None) -> None:
        """Go on from a mark, or from the beginning."""
        self.byte = mark.from_byte if mark else 0
        self.line = mark.from_line if mark else 1
        is_again = mark is not None and mark.from_byte < mark.byte
        self.again = Again(mark.byte, dict(mark.keys)) if mark and is_again else None
        self._mark = mark if is_again else None
        self.head_bytes = mark.head_bytes if mark else 0
        self.head = mark.head if mark else ""
        self._taken = (-1, -1)

    @property
    def waiting(self) -> int:
        """How many bytes there are that were not taken, complete lines or not."""
        size, _ = self._seen
        if self.is_whole:
            return 0 if self._seen == self._taken or size == self.byte else max(size, 0)
        return max(size - self.byte, 0)

    def look(self) -> bool:
        """Look at the file again; return whether it is still what was taken, and only longer."""
        try:
            status = self.path.stat() if self.descriptor < 0 else os.fstat(self.descriptor)
        except OSError:
            return True
        seen = (status.st_size, status.st_mtime_ns)
        if seen == self._seen or identity_of(status) != self.identity:
            return True
        self._seen, self._since = seen, time.monotonic()
        # What nothing was taken of yet is opened when something is.
        if self.is_whole or not self.head_bytes or not self.hold():
            return True
        is_same = self.still_holds(self.byte)
        self.relax()
        return is_same

    def relax(self) -> None:
        """Let go of a file that was quiet for long: a folder may have any number of old logs."""
        _, changed = self._seen
        is_old = time.time_ns() - changed > IDLE * 10**9
        if self.is_whole or (is_old and self.left_at is None and not self.waiting):
            self.close()

    def still_holds(self, byte: int) -> bool:
        """Whether the file still begins as it did and has at least so many bytes."""
        if os.fstat(self.descriptor).st_size < byte:
            return False
        return not self.head_bytes or digest(self._read(0, self.head_bytes)) == self.head

    def quiet_for(self) -> float:
        """Return for how many seconds the file has not changed."""
        return time.monotonic() - self._since

    def portion(self, most: int, *, is_last: bool = False) -> Portion | None:
        """Return what is to be taken next, of ``most`` bytes or a little more; nothing if nothing.

        ``is_last``: nobody writes to the file any more, so that its last line needs no line feed.
        """
        size, _ = self._seen
        if self.is_whole:
            if not self.hold():
                return None
            is_complete = self.quiet_for() >= SETTLED / 2 or self._taken != (-1, -1)
            if size <= 0 or self._seen == self._taken or size == self.byte or not is_complete:
                self.close()
                return None
            return Portion(self, Source(self.name, LocalPath(self.path)), 0, size, 0)
        if not self.waiting or not self.hold():
            return None
        limit = min(size, self.byte + most)
        end = self._behind_last_line_feed(limit)
        if end is None and limit < size:
            # One line is longer than a portion: it ends somewhere further on, or not yet.
            end = self._behind_last_line_feed(size)
        begins: int | None = self.byte
        if self.byte > 0 and not self._ends_line(self.byte):
            # The last line was taken before its line feed was there.
            begins = self._next_line(size)
        is_settled = begins is not None and self._is_settled(end or begins, size)
        end = size if limit == size and (is_last or is_settled) else end
        if end is None:
            return None
        begins = end if begins is None else begins
        lines = sum(piece.count(b"\n") for _, piece in self._pieces(begins, end))
        lines += begins < end == size and not self._ends_line(size)
        source = Source(self.name, OpenFile(self.descriptor), self.byte, end, self.line)
        return Portion(self, source, self.byte, end, lines, self._surplus(begins))

    def _next_line(self, end: int) -> int | None:
        """Return where the first line begins behind the one that was begun; ``None`` if not yet."""
        found = ((at, piece.find(b"\n")) for at, piece in self._pieces(self.byte, end))
        return next((at + place + 1 for at, place in found if place >= 0), None)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, bytes]]:
        """Give the bytes in pieces, each with where it begins."""
        while start < end and (piece := self._read(start, min(_PIECE, end - start))):
            yield start, piece
            start += len(piece)

    def _surplus(self, end: int) -> LogLine | None:
        """Return what was written behind the last line taken before the line feed came."""
        text = self._read(self.byte, min(end - self.byte, MAX_LINE)).removesuffix(b"\n")
        if not text.strip(_BLANK):
            return None
        line = LogLine(self.name, self.line - 1, self.byte, text=text)
        return line.rejected(Trouble(RejectCode.NOT_JSON, "", SURPLUS, 0))

    def _is_settled(self, start: int, size: int) -> bool:
        """Whether the last line is whole, although it has no line feed: it makes sense as it is."""
        if start >= size or size - start > MAX_LINE or self.quiet_for() < SETTLED:
            return False
        with suppress(msgspec.DecodeError):
            return isinstance(msgspec.json.decode(self._read(start, size - start)), dict)
        return False

    def _ends_line(self, end: int) -> bool:
        return self._read(end - 1, 1) == b"\n"

    def _behind_last_line_feed(self, end: int) -> int | None:
        """Return where the last line that ends before ``end`` has ended; ``None`` without any."""
        while end > self.byte:
            start = max(self.byte, end - _PIECE)
            found = self._read(start, end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
        return None

    def _read(self, start: int, size: int) -> bytes:
        return os.pread(self.descriptor, size, start)

    def took(self, portion: Portion) -> None:
        """Note that a portion was taken."""
        mark = self.mark_after(portion)
        if self.is_whole:
            self._taken = self._seen
        self.byte, self.line = portion.end, self.line + portion.lines
        self.head_bytes, self.head = mark.head_bytes, mark.head
        if self._mark is not None and portion.end >= self._mark.byte:
            self._mark = self.again = None

    def mark_after(self, portion: Portion) -> Mark:
        """Return how far the file is taken with a portion of it."""
        if self._mark is not None and portion.end < self._mark.byte:
            return self._mark
        head_bytes = min(HEAD, portion.end)
        head = digest(self._read(0, head_bytes))
        return self._marked(portion.end, self.line + portion.lines, head_bytes, head)

    def mark(self) -> Mark:
        """Return how far the file was taken."""
        return self._mark or self._marked(self.byte, self.line, self.head_bytes, self.head)

    def _marked(self, byte: int, line: int, head_bytes: int, head: str) -> Mark:
        place = (byte, line)
        known = (self.identity, self.name, head_bytes, head)
        return Mark(*known, *place, *place, (), self.is_whole, now())


def identity_of(status: os.stat_result) -> Identity:
    """Return which file it is."""
    return Identity(status.st_dev, status.st_ino)


def is_file(status: os.stat_result) -> bool:
    """Whether it is a file, and no pipe, folder or device."""
    return stat.S_ISREG(status.st_mode)


def digest(data: bytes) -> str:
    """Return what the beginning of a file is known by."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()
