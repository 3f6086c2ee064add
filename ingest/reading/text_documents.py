"""Logs that people write as text: each hand of one becomes a hand or a reject.

What the hands are is for ``tricklog.ingest.text_form`` to say; here they come from files and go to
whoever reads logs. A hand counts as a line, and its number is that of the line in which it begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final, NamedTuple

import msgspec

from tricklog.core import Ruleset
from tricklog.ingest.reading.decode_errors import BOM
from tricklog.ingest.reading.log_line import MAX_LINE, LogLine, WrittenText, parse_line
from tricklog.ingest.reading.rejects import HINTS, Reject, RejectCode, Trouble
from tricklog.ingest.reading.shapes import READ_ARCHIVES, TEXT_SUFFIX
from tricklog.ingest.reading.sources import STDIN_NAME, SourceError
from tricklog.ingest.text_form.problems import Problem, Severity
from tricklog.ingest.text_form.reader import TextHand, TextReader
from tricklog.schemas.hand import FORMAT_WITH_GAPS, Hand, encode_hand

_MESSAGE: Final = 3_000
"""Characters of the message about a hand in which much is wrong."""


class _Line(NamedTuple):
    """A line of a text: where it stands, and its bytes, of a long one only the beginning."""

    number: int
    byte: int
    text: bytes
    length: int


def read_text(
    name: str, pieces: Iterable[tuple[int, bytes]], judged_by: Ruleset | None = None
) -> Iterator[LogLine]:
    """Read hands that are written as text, in the turns of the rules that they are judged by.

    Those are the rules that the text names, unless others are given. A text that names none
    needs none then.

    The text of a hand that could be read is its canonical form as a line of a log, that of any
    other is what is written.
    """
    document = _Document(name, judged_by)
    lines = _Lines()
    failure: SourceError | None = None
    try:
        for _, piece in pieces:
            for line in lines.feed(piece):
                yield from document.read(line)
    except SourceError as error:
        failure = error
    for line in lines.rest():
        yield from document.read(line)
    yield from document.end()
    if failure is not None:
        here = LogLine(name, lines.number, lines.byte)
        yield here.rejected(failure.trouble())


class _Lines:
    """Cuts pieces of text into lines; a carriage return alone ends one, too."""

    def __init__(self) -> None:
        self.number = 1
        self.byte = 0
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, piece: bytes) -> Iterator[_Line]:
        """Return the lines that end in a piece."""
        *ended, begun = piece.split(b"\n")
        for part in ended:
            if self._length or not self.byte or b"\r" in part or len(part) > MAX_LINE:
                self._add(part)
                yield from self._line(1)
                continue
            yield _Line(self.number, self.byte, part, len(part))
            self.byte += len(part) + 1
            self.number += 1
        self._add(begun)

    def rest(self) -> Iterator[_Line]:
        """Return what stands behind the last line feed."""
        if self._length:
            yield from self._line(0)

    def _add(self, part: bytes) -> None:
        if part and self._length <= MAX_LINE:
            self._parts.append(part[: MAX_LINE + 1])
        self._length += len(part)

    def _line(self, line_feed: int) -> Iterator[_Line]:
        text, length = b"".join(self._parts), self._length
        self._parts.clear()
        self._length = 0
        byte = self.byte
        self.byte += length + line_feed
        parts = text.rstrip(b"\r").split(b"\r")
        for part in parts:
            is_marked = byte == 0 and part.startswith(BOM)
            shown = part[len(BOM) :] if is_marked else part
            yield _Line(self.number, byte, shown, length if len(parts) == 1 else len(shown))
            byte += len(part) + 1
            self.number += 1


class _Document:
    """One text: hands over to its reader what is written, and back what comes of it."""

    def __init__(self, name: str, judged_by: Ruleset | None) -> None:
        self._name = name
        self._reader = TextReader(_stem(name), judged_by)
        self._held: list[_Line] = []
        """The lines of the hand that has not ended."""
        self._settings: dict[int, _Line] = {}
        """Lines before it that say its game and its players, by their numbers."""
        self._size = 0

    def read(self, line: _Line) -> list[LogLine]:
        """Read a line; return the hands that end before it or with it."""
        if len(line.text) > MAX_LINE:
            line = line._replace(text=line.text[:MAX_LINE])
        text = line.text
        if self._size <= MAX_LINE:
            self._held.append(line)
            self._size += len(text)
        hands = self._reader.feed(line.number, line.byte, text.decode("utf-8", "replace"))
        ended = [self._line_of(hand, line.number) for hand in hands] if hands else []
        first, _ = self._reader.begins or (0, 0)
        if self._held and self._held[0].number != first:
            self._forget()
        if line.length > MAX_LINE or self._size > MAX_LINE or not text.isascii() or b"\0" in text:
            self._complain(line)
        return ended

    def _complain(self, line: _Line) -> None:
        """Report what is wrong with the bytes of a line, or with how many there are of the hand."""
        text = line.text
        if line.length > MAX_LINE:
            message = f"this line has {line.length:,} bytes; the most is {MAX_LINE:,}"
            self._reader.complain(1, message)
        elif b"\0" in text:
            self._reader.complain(1, "this line holds NUL bytes: save the file as UTF-8")
        elif (column := _not_utf8(text)) is not None:
            self._reader.complain(column, "here is no UTF-8 text: save the file as UTF-8")
        elif self._size > MAX_LINE:
            message = f"this hand has more than {MAX_LINE:,} bytes: begin the next one with hand"
            self._reader.give_up(message)

    def end(self) -> Iterator[LogLine]:
        """Return the hand that ends with the text."""
        for hand in self._reader.end():
            yield self._line_of(hand, None)

    def _forget(self) -> None:
        """Forget the lines before the hand that is open."""
        wanted = self._reader.setting_lines
        kept = {**self._settings, **{line.number: line for line in self._held}}
        self._settings = {number: kept[number] for number in wanted if number in kept}
        begins = self._reader.begins
        if begins is None:
            self._held.clear()
            self._size = 0
        elif self._held and self._held[0].number < begins[0]:
            self._held = [line for line in self._held if line.number >= begins[0]]
            self._size = sum(len(line.text) for line in self._held)

    def _line_of(self, written: TextHand, now: int | None) -> LogLine:
        line = LogLine(self._name, written.line, written.byte)
        errors = [each for each in written.problems if each.severity is Severity.ERROR]
        others = tuple(each for each in written.problems if each.severity is not Severity.ERROR)
        if written.record is not None and not errors:
            found = hand_of(written.record)
            if isinstance(found, Hand):
                text = encode_hand(found)
                return replace(
                    line, hand=found, text=text, warnings=others, written=self._places(written)
                )
            errors = [_problem_of(found, written)]
        return self._rejected(line, errors, now)

    def _rejected(self, line: LogLine, errors: list[Problem], now: int | None) -> LogLine:
        text = self._written(line.line, now)
        first = errors[0]
        reject = Reject(
            file=line.file,
            line=line.line,
            byte=self._byte_of(first, line.byte),
            code=RejectCode.BAD_TEXT,
            pointer="",
            message=message_of(errors),
            hint=HINTS[RejectCode.BAD_TEXT],
            text=text,
            problems=tuple(errors),
        )
        return LogLine(line.file, line.line, line.byte, None, reject, text)

    def _places(self, written: TextHand) -> WrittenText:
        """Return where the parts of a hand stand in this text."""
        last = max((line for line, _ in written.places.values()), default=0)
        above = [line for line in self._settings.values() if line.number < written.line]
        lines = tuple(
            (line.number, line.byte, line.text)
            for line in (*above, *self._held)
            if line.number <= last
        )
        return WrittenText(written.line, written.byte, lines, written.places)

    def _written(self, begin: int, now: int | None) -> bytes:
        """Return the lines from one on, up to the line read now, which may begin another hand."""
        lines = [
            line.text
            for line in self._held
            if line.number >= begin and (now is None or line.number < now or line.number == begin)
        ]
        return b"\n".join(lines)[:MAX_LINE].rstrip()

    def _byte_of(self, problem: Problem, otherwise: int) -> int:
        """Return the byte of a problem, of one outside these lines that of the hand."""
        for line in self._held:
            if line.number == problem.line:
                before = line.text.decode("utf-8", "replace")[: problem.column - 1]
                return min(line.byte + len(before.encode()), line.byte + len(line.text))
        return otherwise


def hand_of(record: dict[str, Any]) -> Hand | Trouble:
    """Return the hand of a record, or what the log does not take of it."""
    try:
        text = msgspec.json.encode({"format": FORMAT_WITH_GAPS, **record})
    except (OverflowError, ValueError, TypeError, RecursionError) as error:
        return Trouble(RejectCode.BAD_VALUE, "", f"{error}.")
    return parse_line(text)


def message_of(errors: list[Problem]) -> str:
    """Return all that is wrong with a hand as one sentence after the other."""
    told: list[str] = []
    size = 0
    for error in errors:
        said = str(error)
        size += len(said)
        if told and size > _MESSAGE:
            told.append(f"and {len(errors) - len(told)} more")
            break
        told.append(said)
    message = "; ".join(told)
    return message if message.endswith((".", "?")) else f"{message}."


def _problem_of(trouble: Trouble, written: TextHand) -> Problem:
    """Return what the log does not take of a hand as a problem of its text."""
    place = written.places.get(trouble.pointer, (written.line, 1))
    where = f"{trouble.pointer}: " if trouble.pointer else ""
    return Problem(*place, Severity.ERROR, f"{where}{trouble.message}".rstrip("."))


def _not_utf8(text: bytes) -> int | None:
    """Return the column of the first byte that is no UTF-8, if there is one."""
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        return len(text[: error.start].decode("utf-8", "replace")) + 1
    return None


def _stem(name: str) -> str:
    """Return what the hands of a log are called after it: its name without folder and suffixes."""
    stem = PurePath(name).name
    for suffix in (*READ_ARCHIVES, TEXT_SUFFIX):
        stem = stem[: -len(suffix)] if stem.lower().endswith(suffix) else stem
    return "hands" if name == STDIN_NAME or not stem else stem[:100]
