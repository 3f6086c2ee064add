"""Where log lines come from: files, folders and standard input; plain, gzip or Zstandard.

Everything is read in pieces, so memory does not grow with a file, however far its content expands.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Protocol

from ingest.rejects import RejectCode

STDIN: Final = "-"
LOG_SUFFIXES: Final = (".jsonl", ".ndjson")
GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGICS: Final = (b"\x28\xb5\x2f\xfd", *(bytes((n, 0x2A, 0x4D, 0x18)) for n in range(80, 96)))
"""How a Zstandard file may begin: with a frame or with one of the sixteen skippable frames."""
PIECE: Final = 1 << 18
COMPRESSED_PIECE: Final = 1 << 10
"""Four bytes of Zstandard can stand for 128 KiB: compressed data is fed in thin slices."""
ZSTD_MAX_WINDOW: Final = 1 << 27


class SourceError(Exception):
    """A place that cannot be read any further: what kind of trouble, and the sentence about it."""

    def __init__(self, code: RejectCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Source:
    """One place to read lines from; ``path`` is ``None`` for standard input."""

    name: str
    path: Path | None


def find_sources(paths: Iterable[str | Path]) -> Iterator[Source]:
    """Return the places that ``paths`` name, in a fixed order.

    A folder stands for the log files in it and below it, sorted by name; names that start with a
    dot are passed over. ``-`` is standard input. A path that does not exist is a source too:
    reading it says what is wrong.
    """
    for path in paths:
        if str(path) == STDIN:
            yield Source("<stdin>", None)
        elif Path(path).is_dir():
            logs = list(_logs_below(Path(path)))
            yield from map(_source, logs or [Path(path)])
        else:
            yield _source(Path(path))


def _source(path: Path) -> Source:
    return Source(os.fsencode(path).decode("utf-8", "backslashreplace"), path)


def _logs_below(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
    except OSError:
        yield folder
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _logs_below(Path(entry.path))
        elif entry.name.lower().removesuffix(".gz").removesuffix(".zst").endswith(LOG_SUFFIXES):
            yield Path(entry.path)


def read_pieces(source: Source, counted: Callable[[int], None] = lambda _: None) -> Iterator[bytes]:
    """Return the content of a source, decompressed, piece by piece.

    Whether it is compressed is seen from its first bytes. ``counted`` is called with the size of
    each piece as it lies on the disk. Raises ``SourceError`` where reading cannot go on; the pieces
    before that place are good.
    """
    try:
        with _open(source) as stream:
            pieces = _raw_pieces(stream, counted)
            head = _head(pieces)
            yield from _expanded(source, head, _chained(head, pieces))
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{source.name} cannot be read: {reason}."
        raise SourceError(RejectCode.UNREADABLE_FILE, message) from error


def _open(source: Source) -> nullcontext[IO[bytes]] | IO[bytes]:
    if source.path is None:
        return nullcontext(sys.stdin.buffer)
    if source.path.is_dir():
        with os.scandir(source.path):
            message = f"{source.name} holds no log file."
            raise SourceError(RejectCode.NO_LOGS, message)
    return source.path.open("rb", buffering=0)


def _raw_pieces(stream: IO[bytes], counted: Callable[[int], None]) -> Iterator[bytes]:
    # A pipe hands over what it has: read1 does not wait for a full piece.
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    while piece := read(PIECE):
        counted(len(piece))
        yield piece


def _head(pieces: Iterator[bytes]) -> bytes:
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= len(ZSTD_MAGICS[0]):
            break
    return head


def _chained(head: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from pieces


def _expanded(source: Source, head: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    if head.startswith(GZIP_MAGIC):
        yield from _decompressed(source, pieces, lambda: zlib.decompressobj(wbits=31), zlib.error)
    elif head.startswith(ZSTD_MAGICS):
        import zstandard

        decompressor = zstandard.ZstdDecompressor(max_window_size=ZSTD_MAX_WINDOW)
        yield from _decompressed(source, pieces, decompressor.decompressobj, zstandard.ZstdError)
    elif source.path is not None and source.path.suffix.lower() in {".gz", ".zst"}:
        message = f"{source.name} is not compressed data, although its name says so."
        raise SourceError(RejectCode.DAMAGED_ARCHIVE, message)
    else:
        yield from pieces


class _Frame(Protocol):
    """One compressed stream within a file; a file may hold several, one after the other."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def _decompressed(
    source: Source,
    pieces: Iterator[bytes],
    new_frame: Callable[[], _Frame],
    failure: type[Exception],
) -> Iterator[bytes]:
    frame: _Frame | None = None
    for piece in pieces:
        for start in range(0, len(piece), COMPRESSED_PIECE):
            rest = piece[start : start + COMPRESSED_PIECE]
            while rest:
                frame = frame or new_frame()
                try:
                    expanded = frame.decompress(rest)
                except failure as error:
                    message = f"{source.name} does not decompress any further: {error}."
                    raise SourceError(RejectCode.DAMAGED_ARCHIVE, message) from error
                yield expanded
                rest = b""
                if frame.eof:
                    # Zero bytes may fill up the end of a gzip file.
                    rest = frame.unused_data.lstrip(b"\0")
                    frame = None
    if frame is not None:
        message = f"{source.name} is compressed data that stops before its end."
        raise SourceError(RejectCode.DAMAGED_ARCHIVE, message)
