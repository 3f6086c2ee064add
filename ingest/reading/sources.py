"""Where log lines come from: files, folders and standard input; plain, gzip or Zstandard.

Everything is read in pieces, so memory does not grow with a file, however far its content expands.
"""

from __future__ import annotations

import os
import socket
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Protocol, cast

from ingest.reading.rejects import RejectCode

STDIN: Final = "-"
LOG_SUFFIXES: Final = (".jsonl", ".ndjson")
READ_ARCHIVES: Final = (".gz", ".zst")
OTHER_ARCHIVES: Final = (".bz2", ".xz", ".zip", ".7z")
"""Archives that are not read; in a folder of logs they are named, so that no hands go missing."""
GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGICS: Final = (b"\x28\xb5\x2f\xfd", *(bytes((n, 0x2A, 0x4D, 0x18)) for n in range(80, 96)))
"""How a Zstandard file may begin: with a frame or with one of the sixteen skippable frames."""
OTHER_MAGICS: Final = (b"BZh", b"\xfd7zX", b"PK\x03\x04", b"7z\xbc\xaf")
"""How archives begin that are not read: bzip2, xz, zip and 7z."""
PIECE: Final = 1 << 18
COMPRESSED_PIECE: Final = 1 << 10
"""Four bytes of Zstandard can stand for 128 KiB: compressed data is fed in thin slices."""
MAX_EXPANSION: Final = 100
"""How many bytes of text one compressed byte may stand for; in logs of hands it is about ten."""
FREE_EXPANSION: Final = 1 << 24
"""Bytes of text in a row that may expand further than that."""
WATCHED_STRETCH: Final = 1 << 16
"""Compressed bytes over which the expansion is measured, stretch by stretch."""
ZSTD_MAX_WINDOW: Final = 1 << 27


class SourceError(Exception):
    """A place that cannot be read any further: what kind of trouble, and the sentence about it.

    ``hint`` is what to do about it, where that is not the same for all trouble of the kind.
    """

    def __init__(self, code: RejectCode, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Source:
    """One place to read lines from; ``path`` is ``None`` for standard input."""

    name: str
    path: Path | None
    is_found: bool = False
    """Whether it was found in a folder, and not named itself."""

    @property
    def may_be_endless(self) -> bool:
        """Whether nobody can tell how much there is to read, as with a pipe or a device."""
        return self.path is None or not self.path.is_file()

    @property
    def is_pipe(self) -> bool:
        """Whether it may take a while until there is more to read."""
        if self.path is None:
            return True
        try:
            return stat.S_ISFIFO(self.path.stat().st_mode)
        except (OSError, ValueError):
            return False


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
            yield from (_source(log, is_found=True) for log in logs)
            if not logs:
                yield _source(Path(path))
        else:
            yield _source(Path(path))


def _source(path: Path, *, is_found: bool = False) -> Source:
    return Source(os.fsencode(path).decode("utf-8", "backslashreplace"), path, is_found)


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
        elif _is_log(entry.name.lower()):
            yield Path(entry.path)


def _is_log(name: str) -> bool:
    for suffix in (*READ_ARCHIVES, *OTHER_ARCHIVES):
        name = name.removesuffix(suffix)
    return name.endswith(LOG_SUFFIXES)


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
    except ConnectionRefusedError as error:
        message = f"{source.name} is a socket on which no program listens."
        hint = "Start the program that writes the log, then do the same again."
        raise SourceError(RejectCode.UNREADABLE_FILE, message, hint) from error
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{source.name} cannot be read: {reason}."
        raise SourceError(RejectCode.UNREADABLE_FILE, message) from error


def _open(source: Source) -> nullcontext[IO[bytes]] | IO[bytes]:
    if source.path is None:
        return nullcontext(sys.stdin.buffer)
    mode = source.path.stat().st_mode
    if stat.S_ISDIR(mode):
        with os.scandir(source.path):
            message = f"{source.name} holds no log file."
            raise SourceError(RejectCode.NO_LOGS, message)
    if source.is_found and not stat.S_ISREG(mode):
        message = f"{source.name} is {_kind_of(mode)}, not a file; it was passed over."
        raise SourceError(RejectCode.NOT_A_FILE, message)
    if stat.S_ISSOCK(mode):
        return _connected(source.path)
    return source.path.open("rb", buffering=0)


def _kind_of(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _connected(path: Path) -> IO[bytes]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.fspath(path))
        # The file keeps the connection open after the socket object is closed.
        return cast("IO[bytes]", connection.makefile("rb", buffering=0))


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
        opener: _Opener = (lambda: zlib.decompressobj(wbits=31), zlib.error)
        yield from _once(source, _watched(source, pieces, opener))
    elif head.startswith(ZSTD_MAGICS):
        import zstandard

        decompressor = zstandard.ZstdDecompressor(max_window_size=ZSTD_MAX_WINDOW)
        opener = (decompressor.decompressobj, zstandard.ZstdError)
        yield from _once(source, _watched(source, pieces, opener))
    elif head.startswith(OTHER_MAGICS):
        message = f"{source.name} is an archive, but neither gzip nor Zstandard."
        raise SourceError(RejectCode.OTHER_ARCHIVE, message)
    elif source.path is not None and source.path.suffix.lower() in READ_ARCHIVES:
        message = f"{source.name} is not compressed data, although its name says so."
        raise SourceError(RejectCode.DAMAGED_ARCHIVE, message)
    else:
        yield from pieces


def _once(source: Source, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Return the text of an archive; refuse one that holds another."""
    for number, piece in enumerate(pieces):
        if not number and piece.startswith((GZIP_MAGIC, *ZSTD_MAGICS, *OTHER_MAGICS)):
            message = f"{source.name} holds another archive; only text is read in an archive."
            raise SourceError(RejectCode.OTHER_ARCHIVE, message)
        yield piece


class _Frame(Protocol):
    """One compressed stream within a file; a file may hold several, one after the other."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


_Opener = tuple[Callable[[], _Frame], type[Exception]]
"""What begins a new frame, and what its ``decompress`` raises on damage."""


def _watched(source: Source, pieces: Iterator[bytes], opener: _Opener) -> Iterator[bytes]:
    """Return the text of an archive; refuse it where it expands as no log does.

    Text that expands suspiciously is held back until it is known to be little, so that an archive
    of a billion blank lines is refused before the first of them.
    """
    held: list[bytes] = []
    taken = given = 0
    try:
        for compressed, text in _decompressed(source, pieces, opener):
            taken += compressed
            given += len(text)
            held.append(text)
            if given > taken * MAX_EXPANSION:
                if given > FREE_EXPANSION:
                    held.clear()
                    raise _expands_too_far(source)
                continue
            yield from _in_pieces(held)
            held.clear()
            if taken > WATCHED_STRETCH:
                taken = given = 0
    except SourceError:
        yield from _in_pieces(held)
        raise
    yield from _in_pieces(held)


def _expands_too_far(source: Source) -> SourceError:
    message = f"{source.name} expands more than {MAX_EXPANSION} times from here on; no log does."
    return SourceError(RejectCode.EXPANDS_TOO_FAR, message)


def _in_pieces(texts: Iterable[bytes]) -> Iterator[bytes]:
    for text in texts:
        for start in range(0, len(text), PIECE):
            yield text[start : start + PIECE]


def _decompressed(
    source: Source, pieces: Iterator[bytes], opener: _Opener
) -> Iterator[tuple[int, bytes]]:
    """Return slice after slice: how many compressed bytes, and the text they stand for."""
    new_frame, failure = opener
    frame: _Frame | None = None
    for piece in pieces:
        for start in range(0, len(piece), COMPRESSED_PIECE):
            rest = piece[start : start + COMPRESSED_PIECE]
            while True:
                if frame is None:
                    # Zero bytes may fill up the end of a file, as on a tape.
                    rest = rest.lstrip(b"\0")
                    if not rest:
                        break
                    frame = new_frame()
                try:
                    expanded = frame.decompress(rest)
                except failure as error:
                    message = f"{source.name} does not decompress any further: {error}."
                    raise SourceError(RejectCode.DAMAGED_ARCHIVE, message) from error
                unused = frame.unused_data if frame.eof else b""
                yield len(rest) - len(unused), expanded
                if not frame.eof:
                    break
                frame, rest = None, unused
    if frame is not None:
        message = f"{source.name} is compressed data that stops before its end."
        raise SourceError(RejectCode.DAMAGED_ARCHIVE, message)
