"""Where the parts of a hand stand in its log, as it is written there.

A hand on one line is found in that line. Of one over several lines, or written as text, the line
that is replayed is not what stands in the file; so what does goes along with it.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import msgspec

from tricklog.ingest.reading.json_positions import Place, place_at

_WORD: Final = re.compile(r"[^\s,;()]+")
_LISTED: Final = re.compile(r"[^,;(&]*[^,;(&\s]")
_STATEMENT: Final = re.compile(r"[^;(]*[^;(\s]")
_SINGLE: Final = ("/actions/", "/claimed/winners/")
"""Pointers to what is one word of a text; others lead to statements."""


class Span(NamedTuple):
    """Where something stands: bytes of the file, lines and columns from 1, in characters."""

    byte: int
    length: int
    line: int
    column: int
    end_line: int
    end_column: int
    """The column after the last one."""


class WrittenJson(msgspec.Struct, frozen=True, tag="json"):
    """JSON as it stands in its log, over any number of lines."""

    line: int
    byte: int
    column: int
    """Of its first character."""
    text: bytes

    @property
    def is_on_one_line(self) -> bool:
        """Whether the number of its first line says where all of it is."""
        return b"\n" not in self.text

    def span_of(self, pointer: str) -> Span:
        """Return where a value stands with its key, or as much of the way to it as there is."""
        place = place_at(self.text, pointer) or Place(0, 0, len(self.text))
        return self.between(place.start, place.end)

    def between(self, start: int, end: int) -> Span:
        """Return the span of some bytes, which count from the first one of this text."""
        line, column = self._at(start)
        return Span(self.byte + start, end - start, line, column, *self._at(end))

    def _at(self, byte: int) -> tuple[int, int]:
        """Return line and column of a byte."""
        before = self.text[:byte]
        begin = before.rfind(b"\n") + 1
        first = 1 if begin else self.column
        column = first + len(before[begin:].decode("utf-8", "replace"))
        return self.line + before.count(b"\n"), column


class WrittenText(msgspec.Struct, frozen=True, tag="text"):
    """A hand written as text, or one that another program wrote in a way of its own."""

    line: int
    byte: int
    lines: tuple[tuple[int, int, bytes], ...] = ()
    """Number, first byte and text of each line."""
    places: dict[str, tuple[int, int]] = {}
    """Line and column of what JSON pointers lead to in the hand."""

    @property
    def is_on_one_line(self) -> bool:
        """Whether the number of its first line says all that is known of its place."""
        return not self.lines

    def span_of(self, pointer: str) -> Span:
        """Return where something is written, else where the hand begins."""
        place = None
        while pointer and (place := self.places.get(pointer)) is None:
            pointer = pointer.rpartition("/")[0]
        if place is not None:
            for number, byte, text in self.lines:
                if number == place[0]:
                    return _span_in_line(number, byte, text, place[1], _extent_of(pointer))
        return Span(self.byte, 0, self.line, 1, self.line, 1)


Written = WrittenJson | WrittenText
_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Written)


def encode_written(written: Written) -> bytes:
    """Return what ``decode_written`` reads."""
    return _ENCODER.encode(written)


def decode_written(content: bytes) -> Written:
    """Read what ``encode_written`` made."""
    written: Written = _DECODER.decode(content)
    return written


def _extent_of(pointer: str) -> re.Pattern[str]:
    """Return how far what a pointer leads to goes: a word, a name of a list, or a statement."""
    if pointer.startswith(_SINGLE):
        return _WORD
    return _LISTED if pointer.startswith("/players/") else _STATEMENT


def _span_in_line(
    number: int, byte: int, line: bytes, column: int, extent: re.Pattern[str]
) -> Span:
    """Return the span of what begins at a column of a line."""
    text = line.decode("utf-8", "replace")
    found = extent.match(text, column - 1)
    said = found[0] if found else ""
    start = len(text[: column - 1].encode())
    end_column = column + len(said)
    return Span(byte + start, len(said.encode()), number, column, number, end_column)
