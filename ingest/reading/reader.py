"""Reading hand logs: every line becomes a hand, a blank or a reject that says where and why.

Nothing a file holds makes reading fail, and no line is passed over. Lines end with a line feed; a
carriage return before it is white space. Line numbers and bytes count in the decompressed text.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tricklog.ingest.reading.decode_errors import BOM
from tricklog.ingest.reading.json_documents import read_json
from tricklog.ingest.reading.log_line import (
    KEPT_OF_LONG_LINE,
    MAX_LINE,
    LineKind,
    LogLine,
    parse_line,
)
from tricklog.ingest.reading.progress import ByteCounter
from tricklog.ingest.reading.rejects import RejectCode, Trouble
from tricklog.ingest.reading.shapes import Shape, with_shape
from tricklog.ingest.reading.sources import Source, SourceError, find_sources, read_pieces

if TYPE_CHECKING:
    from tricklog.core import Ruleset

__all__ = [
    "KEPT_OF_LONG_LINE",
    "MAX_LINE",
    "Block",
    "LineKind",
    "LogLine",
    "parse_line",
    "read",
    "read_block",
    "read_blocks",
    "read_line",
]

MAX_SKIPPED: Final = 1 << 31
"""Bytes without a line feed after which a stream, which may never end, is given up."""
MAX_LINES: Final = 1 << 15
"""Lines of a block, about; many short lines cost more memory than few long ones."""
_LINES_AT_ONCE: Final = 1 << 12
_BLANK: Final = b" \t\r\n"
_SLOW_PIECE: Final = 1 << 15
"""A pipe that gives less than these bytes at a time is written to more slowly than it is read."""
_SLOW_SECONDS: Final = 0.2


def read(
    *paths: str | Path | Source,
    byte_counter: ByteCounter | None = None,
    judged_by: Ruleset | None = None,
) -> Iterator[LogLine]:
    """Read hand logs line by line, in bounded memory.

    Args:
        paths: files, folders (the ``.jsonl`` and ``.ndjson`` files in and below them, also ``.gz``
            and ``.zst``), ``-`` for standard input, or sources found before.
        byte_counter: counts the bytes that are read, for a progress display.
        judged_by: rules that hold instead of those that hands name; whose turn it is in hands
            written as text follows from them.

    Returns:
        Every line in order. Trouble is never raised: it is the ``reject`` of a line.
    """
    byte_counter = byte_counter or ByteCounter()
    for source in find_sources(paths):
        shape, pieces = _opened(source, byte_counter)
        if shape is Shape.LINES:
            yield from _read_on(source, pieces, _Lines(source, source.first_line, source.start))
        else:
            yield from _over_lines(shape, source.name, pieces, judged_by)


def _opened(source: Source, byte_counter: ByteCounter) -> tuple[Shape, Iterator[tuple[int, bytes]]]:
    """Return the shape of a log, and its pieces."""
    pieces = read_pieces(source, byte_counter.count)
    # A range is one of a log of lines: no other is divided.
    return with_shape(source.name, pieces) if source.is_whole else (Shape.LINES, pieces)


def _over_lines(
    shape: Shape,
    name: str,
    pieces: Iterable[tuple[int, bytes]],
    judged_by: Ruleset | None = None,
) -> Iterator[LogLine]:
    """Read a log whose hands go over several lines."""
    if shape is Shape.JSON:
        return read_json(name, pieces)
    # Texts need the rules, which nobody waits for who reads other logs.
    from tricklog.ingest.reading.text_documents import read_text

    return read_text(name, pieces, judged_by)


def _read_on(
    source: Source, pieces: Iterable[tuple[int, bytes]], lines: _Lines
) -> Iterator[LogLine]:
    """Read the lines of the pieces still to come."""
    try:
        for place, piece in pieces:
            for cut in lines.feed(place, piece):
                yield _read_line(source.name, cut)
    except SourceError as error:
        cut = lines.rest()
        here = LogLine(source.name, cut.number, cut.byte, text=cut.text)
        yield here.rejected(error.trouble(cut.length))
        return
    cut = lines.rest()
    if cut.length:
        yield _read_line(source.name, cut)


class Block(NamedTuple):
    """Whole lines of a source that follow each other, not read yet."""

    source: str
    number: int
    """Number of the first line, from 1 within the source."""
    byte: int
    """Where the text starts in the file, after decompression."""
    text: bytes
    """Lines with their line feeds; the last line of a source may be without."""
    is_urgent: bool = False
    """Whether it may take a while until there is more to read."""


def read_blocks(source: Source, byte_counter: ByteCounter, size: int) -> Iterator[Block | LogLine]:
    """Return a source in blocks of whole lines, of about ``size`` bytes and ``MAX_LINES`` lines.

    From a pipe that has less to give, blocks come as soon as it is known what they hold. What
    cannot lie in a block comes as a line that has been read: lines too long for one, the place
    where the source cannot be read any further, and hands that go over several lines.
    """
    cutter = _Blocks(source)
    is_pipe = source.may_be_endless
    flushed = 0.0
    try:
        shape, pieces = _opened(source, byte_counter)
        if shape is not Shape.LINES:
            yield from _over_lines(shape, source.name, pieces)
            return
        for place, piece in pieces:
            yield from cutter.feed(place, piece, size)
            now = time.monotonic()
            if is_pipe and len(piece) < _SLOW_PIECE and now - flushed > _SLOW_SECONDS:
                for block in cutter.whole_lines():
                    yield block._replace(is_urgent=True)
                flushed = now
            if cutter.is_stuck():
                # A line that no block can hold: from it on, lines are read one by one.
                begun = cutter.rest()
                lines = _Lines(source, begun.number, begun.byte)
                all_pieces = itertools.chain([(begun.byte, begun.text)], pieces)
                yield from _read_on(source, all_pieces, lines)
                return
    except SourceError as error:
        yield from cutter.whole_lines()
        block = cutter.rest()
        here = LogLine(block.source, block.number, block.byte, text=block.text)
        yield here.rejected(error.trouble(len(block.text)))
        return
    yield from cutter.whole_lines()
    if cutter.rest().text:
        yield cutter.rest()


class _Blocks:
    """Collects pieces of text into blocks of whole lines."""

    def __init__(self, source: Source) -> None:
        self._name = source.name
        self._number = source.first_line
        self._byte = source.start
        self._parts: list[bytes] = []
        self._length = 0
        self._ended = 0
        """Lines that end in the parts."""

    def feed(self, place: int, piece: bytes, size: int) -> Iterator[Block]:
        """Add the piece that starts at ``place``; return blocks when there is enough for them."""
        if not self._length:
            self._byte = place
        many = piece.count(b"\n") > _LINES_AT_ONCE
        step = _LINES_AT_ONCE if many else len(piece)
        for start in range(0, len(piece), step):
            part = piece[start : start + step]
            self._parts.append(part)
            self._length += len(part)
            self._ended += part.count(b"\n")
            if self._length >= size or self._ended >= MAX_LINES:
                yield from self.whole_lines()

    def whole_lines(self) -> Iterator[Block]:
        """Return the lines collected that have ended, if there are any."""
        if not self._ended:
            return
        begun: list[bytes] = []
        while (end := self._parts[-1].rfind(b"\n") + 1) == 0:
            begun.insert(0, self._parts.pop())
        last = self._parts[-1]
        self._parts[-1] = last[:end]
        block = self.rest()
        yield block
        self._number += self._ended
        self._byte += len(block.text)
        self._parts = [last[end:], *begun]
        self._length = sum(map(len, self._parts))
        self._ended = 0

    def is_stuck(self) -> bool:
        """Whether what is left of a block is more than any line may have."""
        return not self._ended and self._length > 2 * MAX_LINE

    def rest(self) -> Block:
        """Return what follows the last block, so far."""
        text = b"".join(self._parts)
        if self._byte == 0 and text.startswith(BOM):
            self._byte = len(BOM)
            text = text[len(BOM) :]
            self._parts = [text]
        return Block(self._name, self._number, self._byte, text)


def read_line(block: Block, number: int, start: int, end: int) -> LogLine:
    """Read the line ``block.text[start:end]``, which is line ``number`` of the block, from 0."""
    text = block.text[start:end]
    cut = _Cut(block.number + number, block.byte + start, end - start, text[:KEPT_OF_LONG_LINE])
    return _read_line(block.source, cut if end - start > MAX_LINE else cut._replace(text=text))


def read_block(block: Block) -> Iterator[LogLine]:
    """Read the lines of a block; the last one may lack its line feed."""
    text, start = block.text, 0
    for number in itertools.count():
        if start >= len(text):
            return
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end
        yield read_line(block, number, start, end)
        start = end + 1


class _Cut(NamedTuple):
    """A line as cut out of a file: its number, its first byte and how long it is.

    Of a line of more than ``MAX_LINE`` bytes, ``text`` is only the beginning.
    """

    number: int
    byte: int
    length: int
    text: bytes


class _Lines:
    """Cuts pieces of text into lines without ever holding much more than one line."""

    def __init__(self, source: Source, number: int, byte: int) -> None:
        self._source = source
        self._number = number
        self._byte = byte
        self._length = 0
        self._parts: list[bytes] = []
        self._bom = 0

    def feed(self, place: int, piece: bytes) -> Iterator[_Cut]:
        """Return the lines that end in ``piece``, which starts at ``place``."""
        if not self._length:
            self._byte = place
        *ended, carry = piece.split(b"\n")
        for part in ended:
            if self._parts or not self._byte or len(part) > MAX_LINE:
                self._add(part)
                cut = self.rest()
                self._length = self._bom = 0
                self._parts.clear()
            else:
                cut = _Cut(self._number, self._byte, len(part), part)
            yield cut
            self._byte = cut.byte + cut.length + 1
            self._number += 1
        if carry:
            self._add(carry)
            if self._length > MAX_SKIPPED and self._source.may_be_endless:
                message = f"The line has {self._length:,} bytes and still no end."
                raise SourceError(RejectCode.ENDLESS_LINE, message)

    def rest(self) -> _Cut:
        """Return what follows the last line feed, so far."""
        text = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        if not self._byte and not self._bom and text.startswith(BOM):
            self._bom = len(BOM)
            self._length -= len(BOM)
            text = text[len(BOM) :]
            self._parts[:] = [text]
        if self._length > MAX_LINE:
            text = text[:KEPT_OF_LONG_LINE]
        return _Cut(self._number, self._byte + self._bom, self._length, text)

    def _add(self, part: bytes) -> None:
        # One byte order mark more than a line may have is held, since it is not of the line.
        if self._length <= MAX_LINE + len(BOM):
            self._parts.append(part)
        self._length += len(part)


def _read_line(source: str, cut: _Cut) -> LogLine:
    text = cut.text
    line = LogLine(source, cut.number, cut.byte, text=text)
    if cut.length > MAX_LINE:
        message = f"The line has {cut.length:,} bytes; the most is {MAX_LINE:,}."
        return line.rejected(Trouble(RejectCode.LINE_TOO_LONG, "", message))
    if not text.strip(_BLANK):
        return line
    hand = parse_line(text)
    if isinstance(hand, Trouble):
        return line.rejected(hand)
    return LogLine(line.file, line.line, line.byte, hand, None, text)
