"""What an audit has to say of one line: findings, doubts, and why it could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from ingest.reading.json_positions import Place, place_at
from ingest.reading.rejects import printable
from ingest.reading.shapes import Shape, shape_of_name

if TYPE_CHECKING:
    from ingest.loading.auditing import AuditedLine
    from ingest.reading.reader import LogLine
    from ingest.reading.rejects import Reject

Severity = Literal["error", "warning"]
STDIN: Final = "<stdin>"


@dataclass(frozen=True, slots=True)
class Span:
    """Where something stands: bytes of the file, columns of its line in characters from 1 on."""

    byte: int
    length: int
    column: int
    end_column: int
    """The column after the last one."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that is wrong or unsure, with its place. All texts are printable and of one line.

    Findings, and lines that could not be read, are errors, for the exit status of the audit is not
    0 then; what makes a hand doubtful or incomplete is a warning.
    """

    file: str
    """As it was named, or relative to the working folder where it lies below that."""
    line: int
    span: Span
    severity: Severity
    code: str
    message: str
    hint: str
    """What to do, empty where that is for the people at the table to say."""
    rules: tuple[str, ...]
    """Citations into the rules."""
    hand: str
    """The id of the hand, empty where none could be read."""
    pointer: str

    @property
    def is_stdin(self) -> bool:
        """Whether the line came from standard input, so that there is no file to open."""
        return self.file == STDIN


def notes_of(item: AuditedLine) -> Iterator[Note]:
    """Return what there is to say of a line, in the order of the record."""
    line = item.line
    file = near_name(line.file)
    if line.reject and line.reject.problems:
        yield from _notes_of_text(line.reject, file)
    elif reject := line.reject:
        yield Note(
            file,
            line.line,
            _span_of_reject(line, reject),
            "error",
            reject.code.value,
            printable(reject.message),
            printable(reject.hint),
            (),
            "",
            printable(reject.pointer),
        )
    if not item.replay:
        return
    hand = printable(item.replay.hand.id)
    for finding in item.findings:
        yield Note(
            file,
            line.line,
            _span_at(line, finding.pointer),
            "error",
            finding.code,
            printable(finding.message),
            "",
            tuple(finding.rule.split()),
            hand,
            printable(finding.pointer),
        )
    verdict = item.replay.verdict.value
    # A record with gaps says what it leaves out, which is nothing to warn of.
    for doubt in () if item.replay.known_outcome else item.replay.doubts:
        whole = _span_at(line, "")
        yield Note(file, line.line, whole, "warning", verdict, printable(doubt), "", (), hand, "")


def _notes_of_text(reject: Reject, file: str) -> Iterator[Note]:
    """Return a note for each thing that is wrong with a hand written as text."""
    for problem in reject.problems:
        span = Span(reject.byte, 1, problem.column, problem.column + 1)
        message, code = printable(problem.message), reject.code.value
        yield Note(file, problem.line, span, "error", code, message, "", (), "", "")


def near_name(file: str) -> str:
    """Return the name of a file from the working folder on, where it lies below that."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else file


def _span_at(line: LogLine, pointer: str) -> Span:
    if shape_of_name(line.file) is Shape.TEXT:
        # The line that was replayed is not the one in the file.
        return Span(line.byte, 0, 1, 1)
    place = place_at(line.text, pointer) or Place(0, 0, len(line.text))
    return _span(line, place.start, place.end)


def _span_of_reject(line: LogLine, reject: Reject) -> Span:
    """Return the value a reject points to where it names no byte of its own, else that byte."""
    if reject.pointer and reject.byte == line.byte:
        return _span_at(line, reject.pointer)
    return _span_from(line, reject.byte)


def _span_from(line: LogLine, byte: int) -> Span:
    """Return the place of one byte of the file that lies in a line, or at its end."""
    start = min(max(byte - line.byte, 0), len(line.text))
    return _span(line, start, min(start + 1, len(line.text)))


def _span(line: LogLine, start: int, end: int) -> Span:
    before, within = (
        len(part.decode("utf-8", "replace")) for part in (line.text[:start], line.text[start:end])
    )
    return Span(line.byte + start, end - start, before + 1, before + within + 1)
