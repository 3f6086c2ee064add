"""JSON over many lines: each record becomes a hand or a reject."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from tricklog.ingest.reading.log_line import (
    KEPT_OF_LONG_LINE,
    MAX_LINE,
    LogLine,
    WrittenJson,
    parse_line,
)
from tricklog.ingest.reading.rejects import Reject, RejectCode, Trouble
from tricklog.ingest.reading.sources import SourceError

_BOM: Final = b"\xef\xbb\xbf"
_SEPARATORS: Final = re.compile(rb"[\s,]*+")
_GARBAGE: Final = re.compile(rb"[^\n{]*+")
# A string may not go over the end of its line, so a missing quote does no harm beyond it.
_SO_FAR: Final = rb'(?:[^"\\\n]++|\\[^\n]|\\(?=\n))*+'
_RECORD_STRING: Final = re.compile(_SO_FAR + rb'(?P<end>"|(?=\n))?')
_TOKEN: Final = re.compile(
    rb'"' + _SO_FAR + rb'(?:"|(?=\n)|(?P<open>\\?\Z))|\n(?P<indent>[ \t]*+)\{|[{}\[\]]'
)
"""A string, which may be open where the piece ends; an object that begins a line; a bracket."""
_INSIDE: Final = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that do not begin a character."""
_AROUND: Final = re.compile(
    rb'\{\s*+"version"\s*+:\s*+\d{1,3}\s*+,\s*+"updatedAt"\s*+:\s*+"[^"\\\n]{0,40}"\s*+,\s*+'
    rb'"games"\s*+:\s*+\['
)
"""What stands before the games in the file that knybbe/pidro keeps in step with its own."""
_LONGEST_AROUND: Final = 300
_STEPS: Final = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1}


@dataclass(frozen=True, slots=True)
class JsonRecord:
    """A value of a document, or text that stands where one should."""

    line: int
    """Where it begins, from 1."""
    byte: int
    """Where it begins in the file, after decompression."""
    text: bytes
    """Of one with more than the limit of bytes, only the beginning."""
    length: int
    """Bytes that it has."""
    is_value: bool = True
    """Whether it begins as an object or a list does."""
    column: int = 1
    """Where it begins in its line, in characters from 1."""


@dataclass(slots=True)
class _Open:
    """A record whose end has not been found yet."""

    line: int
    byte: int
    indent: int | None
    """Columns before it on its line, ``None`` where something else stands there."""
    column: int
    depth: int = 0
    length: int = 0
    is_in_string: bool = False
    parts: list[bytes] = field(default_factory=list)

    def is_cut_by(self, indent: int) -> bool:
        """Whether an object that begins a line so far in is the next record."""
        return self.indent is not None and indent <= self.indent


class JsonRecords:
    """Cuts pieces of a document into records without ever holding much more than one of them."""

    def __init__(self, limit: int, kept: int) -> None:
        """``limit``: bytes a record may have; ``kept``: how many are kept of a longer one."""
        self._limit = limit
        self._kept = kept
        self._text = b""
        """What was read and is not all cut yet, from ``_at`` on."""
        self._at = 0
        self._byte = 0
        self._line = 1
        self._indent: int | None = 0
        self._column = 1
        self._open: _Open | None = None
        self._list_line: int | None = None
        self._begun = False
        """Whether anything has come but white space."""
        self._is_around = False
        """Whether an object stands around the list, whose end has not come yet."""

    @property
    def open_list(self) -> int | None:
        """The line in which a list begins that has not ended so far."""
        return self._list_line

    @property
    def place(self) -> tuple[int, int]:
        """Line and byte up to which the document has been cut."""
        return self._line, self._byte

    def feed(self, piece: bytes, *, is_last: bool = False) -> Iterator[JsonRecord]:
        """Return the records that end in a piece; with the last piece, what is left too."""
        self._text = self._text[self._at :] + piece
        self._at = 0
        before = -1
        while before < self._at < len(self._text):
            before = self._at
            if self._open is None:
                yield from self._between(is_last=is_last)
            else:
                yield from self._within(self._open, is_last=is_last)
        if is_last and self._open is not None:
            yield self._closed(self._open)

    def _between(self, *, is_last: bool) -> Iterator[JsonRecord]:
        """Pass over what separates records, or begin with what stands there."""
        if not self._byte and self._text.startswith(_BOM):
            self._pass(len(_BOM))
            self._indent, self._column = 0, 1
            return
        if not (self._byte or is_last) and _BOM.startswith(self._text):
            return
        skipped = _SEPARATORS.match(self._text, self._at)
        if skipped and skipped.end() > self._at:
            self._pass(skipped.end())
            return
        first = self._text[self._at : self._at + 1]
        if not self._begun and first == b"{":
            if not is_last and len(self._text) - self._at < _LONGEST_AROUND:
                return
            around = _AROUND.match(self._text, self._at)
            if around:
                self._begun = self._is_around = True
                self._list_line = self._line
                self._pass(around.end())
                return
        self._begun = True
        if self._is_around and self._list_line is None and first == b"}":
            self._is_around = False
            self._pass(self._at + 1)
        elif first == b"[" and self._list_line is None:
            self._list_line = self._line
            self._pass(self._at + 1)
        elif first == b"]" and self._list_line is not None:
            self._list_line = None
            self._pass(self._at + 1)
        elif first in {b"{", b"["}:
            self._open = _Open(self._line, self._byte, self._indent, self._column, depth=1)
            self._take(self._open, self._at + 1)
        else:
            yield from self._garbage(is_last=is_last)

    def _garbage(self, *, is_last: bool) -> Iterator[JsonRecord]:
        found = _GARBAGE.match(self._text, self._at)
        end = found.end() if found else len(self._text)
        if not is_last and end == len(self._text) and end - self._at <= self._limit:
            return
        text = self._text[self._at : end].rstrip()
        kept = text if len(text) <= self._limit else text[: self._kept]
        yield JsonRecord(
            self._line, self._byte, kept, len(text), is_value=False, column=self._column
        )
        self._pass(end)

    def _within(self, opened: _Open, *, is_last: bool) -> Iterator[JsonRecord]:
        """Go on in a record, to its end or to that of what has been read."""
        end = self._at
        if opened.is_in_string:
            end = self._through_string(opened, end)
            if opened.is_in_string:
                self._take(opened, len(self._text) if is_last else end)
                return
        for token in _TOKEN.finditer(self._text, end):
            indent = token["indent"]
            if token["open"] is not None:
                break
            if indent is not None and opened.is_cut_by(len(indent)):
                self._take(opened, token.start() + 1)
                yield self._closed(opened)
                return
            end = token.end()
            opened.depth += _STEPS.get(self._text[end - 1], 0)
            if not opened.depth:
                self._take(opened, end)
                yield self._closed(opened)
                return
        # What follows the last token may be the beginning of the next, unless it is too long.
        if is_last or len(self._text) - end > self._limit:
            quote = self._text.find(b'"', end)
            end = self._through_string(opened, quote + 1) if quote >= 0 else len(self._text)
        if is_last:
            end = len(self._text)
        self._take(opened, end)

    def _through_string(self, opened: _Open, start: int) -> int:
        """Note whether a string goes on after this piece; return where what is read of it ends.

        A backslash at the end belongs to what comes next.
        """
        found = _RECORD_STRING.match(self._text, start)
        opened.is_in_string = found is None or found["end"] is None
        return found.end() if found else start

    def _closed(self, opened: _Open) -> JsonRecord:
        self._open = None
        text = b"".join(opened.parts)
        if opened.length > self._limit:
            kept = text[: self._kept]
            return JsonRecord(opened.line, opened.byte, kept, opened.length, column=opened.column)
        text = text.rstrip()
        return JsonRecord(opened.line, opened.byte, text, len(text), column=opened.column)

    def _take(self, opened: _Open, end: int) -> None:
        """Move what stands before ``end`` into the record that is open."""
        if opened.length <= self._limit:
            opened.parts.append(self._text[self._at : end])
        opened.length += end - self._at
        self._pass(end)

    def _pass(self, end: int) -> None:
        """Leave behind what stands before ``end``."""
        passed = self._text[self._at : end]
        self._byte += len(passed)
        self._line += passed.count(b"\n")
        last = passed[passed.rfind(b"\n") + 1 :]
        is_same_line = len(last) == len(passed)
        before = self._indent if is_same_line else 0
        self._indent = None if before is None or last.strip() else before + len(last)
        self._column = (self._column if is_same_line else 1) + len(last.translate(None, _INSIDE))
        self._at = end


_CUT_OFF: Final = (
    "The file may have been cut off: copy it again, or close what is open with } and ]."
)
_HINTS: Final = {
    RejectCode.NOT_JSON: "Check the brackets, commas and quotes there.",
    RejectCode.LINE_TOO_LONG: "Write each hand as an object of its own; this one was passed over.",
}


def read_json(name: str, pieces: Iterable[tuple[int, bytes]]) -> Iterator[LogLine]:
    """Read JSON that goes over many lines: a hand, several one after the other, or a list of them.

    A record counts as a line, and its number is that of the line in which it begins. The text of a
    hand is its JSON on one line.
    """
    records = JsonRecords(MAX_LINE, KEPT_OF_LONG_LINE)
    failure: SourceError | None = None
    try:
        for _, piece in pieces:
            for record in records.feed(piece):
                yield _read_record(name, record)
    except SourceError as error:
        failure = error
    cut: Reject | None = None
    for record in records.feed(b"", is_last=True):
        line = _read_record(name, record)
        cut = line.reject
        if cut is not None and failure is None:
            line = replace(line, reject=replace(cut, hint=_CUT_OFF))
        yield line
    end = LogLine(name, *records.place)
    if failure is not None:
        yield end.rejected(failure.trouble())
    # A record that has no end is the reason why its list has none: that is one trouble.
    elif records.open_list is not None and cut is None:
        message = f"The list that begins in line {records.open_list} has no end."
        yield end.rejected(Trouble(RejectCode.NOT_JSON, "", message, 0, _CUT_OFF))


def _read_record(name: str, record: JsonRecord) -> LogLine:
    written = WrittenJson(record.line, record.byte, record.column, record.text)
    line = LogLine(name, record.line, record.byte, text=record.text, written=written)
    if record.length > MAX_LINE:
        message = f"The record has {record.length:,} bytes; the most is {MAX_LINE:,}."
        hint = _HINTS[RejectCode.LINE_TOO_LONG]
        return line.rejected(Trouble(RejectCode.LINE_TOO_LONG, "", message, hint=hint))
    if not record.is_value:
        message = f"Line {record.line} is outside any record."
        hint = "Between records only white space and commas may stand."
        return line.rejected(Trouble(RejectCode.NOT_JSON, "", message, 0, hint))
    found = parse_line(record.text)
    if isinstance(found, Trouble):
        return line.rejected(_placed(found, record))
    on_one_line = msgspec.json.format(record.text, indent=-1)
    return replace(line, hand=found, text=on_one_line)


def _placed(trouble: Trouble, record: JsonRecord) -> Trouble:
    """Return the trouble of a record with the line of the file in which it is."""
    message = trouble.message.replace("The line ", "The record ", 1)
    hint = trouble.hint or _HINTS.get(trouble.code, "")
    if trouble.at is not None and b"\n" in record.text:
        line = record.line + record.text.count(b"\n", 0, trouble.at)
        message = f"{message} That is in line {line}."
    return replace(trouble, message=message, hint=hint)
