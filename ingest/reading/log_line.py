"""One line of a log and what it turned out to be: a hand, a blank, or a reject that says why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import msgspec

from tricklog.ingest.reading.decode_errors import explain, locate_duplicate
from tricklog.ingest.reading.json_positions import too_deep_at
from tricklog.ingest.reading.record_checks import first_trouble
from tricklog.ingest.reading.rejects import HINTS, Reject, RejectCode, Trouble
from tricklog.ingest.reading.written import Span, Written, WrittenJson
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.hand import Hand, decode_hand, encode_hand

MAX_LINE: Final = 1 << 20
"""Bytes a line may have; a hand of the longest system needs about 5,000 without ``ext``."""
KEPT_OF_LONG_LINE: Final = 1 << 12


class LineKind(StrEnum):
    """What a line turned out to be."""

    HAND = "hand"
    BLANK = "blank"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a log: a hand, a reject, or (with neither) blank.

    ``line`` counts from 1, in a range of a file from its first line on; ``byte`` is where the line
    starts in the file. A place that cannot be read, such as the broken end of an archive, is a line
    too, so that the counts say everything.
    """

    file: str
    line: int
    byte: int
    hand: Hand | None = None
    reject: Reject | None = None
    text: bytes = b""
    """The line as it was read, without its line feed; a hand over several lines on one."""
    warnings: tuple[Problem, ...] = ()
    """What of a hand that is written as text may not be what was meant."""
    written: Written | None = None
    """What stands in the log, where that is not ``text``."""

    @property
    def kind(self) -> LineKind:
        """Whether this is a hand, blank or quarantined."""
        if self.reject is not None:
            return LineKind.QUARANTINED
        return LineKind.BLANK if self.hand is None else LineKind.HAND

    @property
    def place(self) -> str:
        """Where it stands, as sentences about other lines name it."""
        return f"{self.file}:{self.line}"

    @property
    def is_on_one_line(self) -> bool:
        """Whether the log has one line for it, so that the number of that says where it is."""
        return self.written is None or self.written.is_on_one_line

    def span_of(self, pointer: str) -> Span:
        """Return where the value stands in the log to which a JSON pointer leads in the hand."""
        return (self.written or self._as_written).span_of(pointer)

    def span_of_byte(self, byte: int) -> Span:
        """Return the place of one byte of the file that lies in this line, or at its end."""
        here = self.written if isinstance(self.written, WrittenJson) else self._as_written
        start = min(max(byte - here.byte, 0), len(here.text))
        return here.between(start, min(start + 1, len(here.text)))

    def span_of_reject(self) -> Span:
        """Return where the trouble of a line in quarantine is: of a text the first one."""
        reject = self.reject
        if reject is None:
            return self.span_of("")
        if reject.problems:
            first = reject.problems[0]
            return Span(reject.byte, 1, first.line, first.column, first.line, first.column + 1)
        # A reject names a byte of its own, or else the value it points to.
        is_value = reject.pointer and reject.byte == self.byte
        return self.span_of(reject.pointer) if is_value else self.span_of_byte(reject.byte)

    @property
    def _as_written(self) -> WrittenJson:
        return WrittenJson(self.line, self.byte, 1, self.text)

    def rejected(self, trouble: Trouble) -> LogLine:
        """Return this line put into quarantine."""
        reject = Reject(
            file=self.file,
            line=self.line,
            byte=self.byte + (trouble.at or 0),
            code=trouble.code,
            pointer=trouble.pointer,
            message=trouble.message,
            hint=trouble.hint or HINTS[trouble.code],
            text=self.text,
        )
        return replace(self, hand=None, reject=reject)


def parse_line(text: bytes) -> Hand | Trouble:
    """Return the hand one line of JSON holds, or what is wrong with it.

    Everything is checked that can be seen without the rules: the text, the JSON, the types, the
    grammar of cards and actions, and that seats and indexes exist.
    """
    if not text.isascii():
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"Byte {error.start} of the line is not UTF-8 text."
            return Trouble(RejectCode.INVALID_UTF8, "", message, error.start)
    deep = too_deep_at(text)
    if deep is not None:
        message = "Objects and lists are nested too deep."
        return Trouble(RejectCode.TOO_DEEP, "", message, deep)
    try:
        hand = decode_hand(text)
    except msgspec.DecodeError as error:
        return explain(text, error)
    if _may_repeat_a_key(text, hand) and (trouble := locate_duplicate(text)):
        return trouble
    return first_trouble(text, hand)


def _may_repeat_a_key(text: bytes, hand: Hand) -> bool:
    # A repeated key is dropped by the decoder, so the canonical form has fewer quotes than the
    # line; only a line that writes quotes as \u0022 could hide that.
    return b"\\u0022" in text or text.count(b'"') != encode_hand(hand).count(b'"')
