"""Where log lines come from: files, folders and standard input; plain, gzip or Zstandard.

Everything is read in pieces, so memory does not grow with a file, however far its content expands.
What a source is stored in, only its opener knows. A large plain file can be read in ranges of
bytes, each by another worker: together they give the lines of the whole.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import IO, Final, Protocol, cast

from tricklog.ingest.reading.rejects import RejectCode, Trouble
from tricklog.ingest.reading.shapes import (
    LOG_SUFFIXES,
    READ_ARCHIVES,
    Shape,
    begins_with_a_hand,
    with_shape,
)

STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"
"""What standard input is called."""
OTHER_ARCHIVES: Final = (".bz2", ".xz", ".zip", ".7z")
"""Archives that are not read; in a folder of logs they are named, so that no hands go missing."""
GZIP_MAGIC: Final = b"\x1f\x8b"
ZSTD_MAGICS: Final = (b"\x28\xb5\x2f\xfd", *(bytes((n, 0x2A, 0x4D, 0x18)) for n in range(80, 96)))
"""How a Zstandard file may begin: with a frame or with one of the sixteen skippable frames."""
OTHER_MAGICS: Final = (b"BZh", b"\xfd7zX", b"PK\x03\x04", b"7z\xbc\xaf")
"""How archives begin that are not read: bzip2, xz, zip and 7z."""
_ARCHIVE_MAGICS: Final = (GZIP_MAGIC, *ZSTD_MAGICS, *OTHER_MAGICS)
_OTHER_PLACE: Final = re.compile(r"(?:s3|gs|gcs|az|abfs|abfss)://")
"""How an address of an object store begins, see ``object_stores``."""
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
        super().__init__(code, message, hint)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Return the sentence."""
        return self.message

    def trouble(self, at: int = 0) -> Trouble:
        """Return it as what is wrong inside a line, ``at`` a byte of that."""
        return Trouble(self.code, "", self.message, at, self.hint)


class Stream(Protocol):
    """A stream of bytes. One that has ``read1``, too, is asked for what it has right now."""

    def read(self, size: int, /) -> bytes:
        """Return up to ``size`` bytes, none at the end; raise ``OSError`` where that fails."""


class Opener:
    """Opens the bytes of a source, as they are stored; small, and ``pickle`` can write it."""

    @property
    def size(self) -> int | None:
        """How many bytes there are; ``None`` where nobody knows, as for a pipe."""
        return None

    @property
    def is_pipe(self) -> bool:
        """Whether it may take a while until there is more to read."""
        return False

    def open(self, start: int = 0) -> AbstractContextManager[Stream]:
        """Open the bytes from ``start`` on; behind the end there are none.

        Raises ``OSError``, or ``SourceError`` when there is a sentence of its own for the trouble.
        Where nobody knows the size, ``start`` is 0.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class LocalPath(Opener):
    """Opens what lies at a path of this machine."""

    path: Path
    is_found: bool = False
    """Whether it was found in a folder, and not named itself."""

    @property
    def size(self) -> int | None:
        """How many bytes a file has; ``None`` for what is no file, or is not there."""
        try:
            status = self.path.stat()
        except (OSError, ValueError):
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    @property
    def is_pipe(self) -> bool:
        """Whether this is a named pipe."""
        try:
            return stat.S_ISFIFO(self.path.stat().st_mode)
        except (OSError, ValueError):
            return False

    def open(self, start: int = 0) -> IO[bytes]:
        """Open the file, the pipe or the device, or connect to the socket."""
        mode = self.path.stat().st_mode
        if stat.S_ISDIR(mode):
            with os.scandir(self.path):
                message = f"{_shown(self.path)} holds no log file."
                raise SourceError(RejectCode.NO_LOGS, message)
        if self.is_found and not stat.S_ISREG(mode):
            message = f"{_shown(self.path)} is {_kind_of(mode)}, not a file; it was passed over."
            raise SourceError(RejectCode.NOT_A_FILE, message)
        if stat.S_ISSOCK(mode):
            return _connected(self.path)
        stream = self.path.open("rb", buffering=0)
        if start:
            stream.seek(start)
        return stream


def _shown(path: Path) -> str:
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _kind_of(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _connected(path: Path) -> IO[bytes]:
    import socket

    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(os.fspath(path))
            # The file keeps the connection open after the socket object is closed.
            return cast("IO[bytes]", connection.makefile("rb", buffering=0))
    except ConnectionRefusedError as error:
        message = f"{_shown(path)} is a socket on which no program listens."
        hint = "Start the program that writes the log, then do the same again."
        raise SourceError(RejectCode.UNREADABLE_FILE, message, hint) from error


@dataclass(frozen=True, slots=True)
class StandardInput(Opener):
    """Opens the standard input of this process."""

    @property
    def is_pipe(self) -> bool:
        """Whether this may be a pipe."""
        return True

    def open(self, start: int = 0) -> AbstractContextManager[Stream]:
        """Return the stream, which stays open afterwards."""
        assert not start
        return nullcontext(sys.stdin.buffer)


@dataclass(frozen=True, slots=True)
class Source:
    """One place to read lines from, or a range of it: what it is called, and what opens it.

    ``start`` and ``end`` are the range ``[start, end)`` of the bytes of a plain file; ``end`` is
    ``None`` for its end, wherever that is when it is reached. A line belongs to the range in which
    its first byte lies, a byte order mark to the first line.
    """

    name: str
    opener: Opener
    start: int = 0
    end: int | None = None
    first_line: int = 1
    """What the first line of the range is counted as."""

    @property
    def path(self) -> Path | None:
        """The path on this machine, if the source has one."""
        return self.opener.path if isinstance(self.opener, LocalPath) else None

    @property
    def is_whole(self) -> bool:
        """Whether this is all there is, and not a range of it."""
        return self.start == 0 and self.end is None

    @property
    def size(self) -> int | None:
        """How many bytes there are to read, as they are stored; ``None`` where nobody knows."""
        size = self.opener.size
        if size is None:
            return None
        end = size if self.end is None else min(size, self.end)
        return max(end - self.start, 0)

    @property
    def may_be_endless(self) -> bool:
        """Whether nobody can tell how much there is to read, as with a pipe or a device."""
        return self.opener.size is None

    @property
    def is_pipe(self) -> bool:
        """Whether it may take a while until there is more to read."""
        return self.opener.is_pipe


def find_sources(paths: Iterable[str | Path | Source]) -> Iterator[Source]:
    """Return the places that ``paths`` name, in a fixed order.

    A folder stands for the log files in it and below it, sorted by name; names that start with a
    dot are passed over. So does an address of an object store, ``s3://BUCKET/PREFIX``, ``gs://…``
    or ``az://…``. ``-`` is standard input. A path that does not exist is a source too: reading it
    says what is wrong. A source stands for itself.
    """
    for path in paths:
        if isinstance(path, Source):
            yield path
        elif str(path) == STDIN:
            yield Source(STDIN_NAME, StandardInput())
        elif isinstance(path, str) and _OTHER_PLACE.match(path):
            from tricklog.ingest.reading import object_stores

            yield from object_stores.find_objects(path)
        elif Path(path).is_dir():
            logs = list(_logs_below(Path(path)))
            yield from (_source(log, is_found=True) for log in logs)
            if not logs:
                yield _source(Path(path))
        else:
            yield _source(Path(path))


def _source(path: Path, *, is_found: bool = False) -> Source:
    return Source(_shown(path), LocalPath(path, is_found))


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
        elif is_log(entry.name.lower()) or _is_json_log(entry):
            yield Path(entry.path)


def _is_json_log(entry: os.DirEntry[str]) -> bool:
    is_json = entry.name.lower().endswith(".json") and entry.is_file()
    return is_json and begins_with_a_hand(Path(entry.path))


def is_log(name: str) -> bool:
    """Whether a file of this name, in small letters, is a log, packed or not."""
    for suffix in (*READ_ARCHIVES, *OTHER_ARCHIVES):
        name = name.removesuffix(suffix)
    return name.endswith(LOG_SUFFIXES)


def split(source: Source, size: int) -> list[Source]:
    """Return ranges of a plain file of more than ``size`` bytes, about equal and none larger.

    Whatever else a source is, it stays whole: compressed, of unknown size, a range, not readable.
    """
    whole = source.opener.size
    if whole is None or whole <= size or not (source.is_whole and is_plain(source)):
        return [source]
    count = -(-whole // size)
    cuts = [whole * number // count for number in range(count)]
    return [
        replace(source, start=start, end=end)
        for start, end in zip(cuts, [*cuts[1:], None], strict=True)
    ]


def is_plain(source: Source) -> bool:
    """Whether a source can be read in ranges: lines that are not compressed."""
    try:
        with source.opener.open() as stream:
            pieces = _raw_pieces(stream)
            head = _head(pieces)
            if head.startswith(_ARCHIVE_MAGICS) or _is_named_archive(source):
                return False
            shape, _ = with_shape(source.name, _placed(_chained(head, pieces)))
    except (OSError, SourceError):
        return False
    return shape is Shape.LINES


def _ignore(_: int) -> None:
    pass


def read_pieces(
    source: Source, counted: Callable[[int], None] = _ignore
) -> Iterator[tuple[int, bytes]]:
    """Return the content of a source, decompressed, piece by piece, each with its place in it.

    Of a range, these are the lines that begin in it. Whether a source is compressed is seen from
    its first bytes; a range is not. ``counted`` is called with how many bytes were read for each
    piece, as they are stored; of a range, with those within it.

    Raises ``SourceError`` where reading cannot go on; the pieces before that place are good.
    """
    # A range is opened one byte early: only a line feed there makes its first byte begin a line.
    opened = max(source.start - 1, 0)
    try:
        with source.opener.open(opened) as stream:
            if source.is_whole:
                pieces = _raw_pieces(stream, counted)
                head = _head(pieces)
                yield from _placed(_expanded(source, head, _chained(head, pieces)))
            else:
                yield from _in_range(source, _placed(_raw_pieces(stream), opened), counted)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{source.name} cannot be read: {reason}."
        raise SourceError(RejectCode.UNREADABLE_FILE, message) from error


def _placed(pieces: Iterable[bytes], place: int = 0) -> Iterator[tuple[int, bytes]]:
    for piece in pieces:
        yield place, piece
        place += len(piece)


def _in_range(
    source: Source, pieces: Iterable[tuple[int, bytes]], counted: Callable[[int], None]
) -> Iterator[tuple[int, bytes]]:
    """Return the lines that begin in the range of a source, the last one to its end."""
    end = sys.maxsize if source.end is None else source.end
    is_begun = source.start == 0
    for place, piece in pieces:
        counted(max(min(place + len(piece), end) - max(place, source.start), 0))
        # Where in the piece the last byte of the range lies: the line that holds it is the last.
        last = max(end - 1 - place, 0)
        begin = 0
        if not is_begun:
            begin = piece.find(b"\n") + 1
            is_begun = begin > 0
        if is_begun:
            stop = piece.find(b"\n", last) + 1
            if text := piece[begin : stop or len(piece)]:
                yield place + begin, text
            if stop:
                return
        elif last < len(piece):
            return


def _raw_pieces(stream: Stream, counted: Callable[[int], None] = _ignore) -> Iterator[bytes]:
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
    if head:
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
    elif _is_named_archive(source):
        message = f"{source.name} is not compressed data, although its name says so."
        raise SourceError(RejectCode.DAMAGED_ARCHIVE, message)
    else:
        yield from pieces


def _is_named_archive(source: Source) -> bool:
    return PurePath(source.name).suffix.lower() in READ_ARCHIVES


def _once(source: Source, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Return the text of an archive; refuse one that holds another."""
    for number, piece in enumerate(pieces):
        if not number and piece.startswith(_ARCHIVE_MAGICS):
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
