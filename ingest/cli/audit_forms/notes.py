"""What an audit has to say of one line: findings, doubts, and why it could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from tricklog.ingest.reading.rejects import printable
from tricklog.ingest.reading.written import Span
from tricklog.ingest.score_sheets.places import cell_words

if TYPE_CHECKING:
    from tricklog.core import Finding
    from tricklog.ingest.loading.auditing import AuditedLine
    from tricklog.ingest.reading.rejects import Reject
    from tricklog.schemas.hand import Hand

Severity = Literal["error", "warning"]
STDIN: Final = "<stdin>"


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that is wrong or unsure, with its place. All texts are printable and of one line.

    Findings, and lines that could not be read, are errors, for the exit status of the audit is not
    0 then; what makes a hand doubtful or incomplete is a warning.
    """

    file: str
    """As it was named, or relative to the working folder where it lies below that."""
    span: Span
    """Its line is 0 where the trouble is with the file as a whole."""
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
    def line(self) -> int:
        """The line of the file in which it stands."""
        return self.span.line

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
            line.span_of_reject(),
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
            line.span_of(finding.pointer),
            "error",
            finding.code,
            printable(f"{finding.message}{_cells_words(item.replay.hand, finding)}"),
            "",
            tuple(finding.rule.split()),
            hand,
            printable(finding.pointer),
        )
    verdict = item.replay.verdict.value
    # A record with gaps says what it leaves out, which is nothing to warn of.
    for doubt in () if item.replay.known_outcome else item.replay.doubts:
        yield Note(file, line.span_of(""), "warning", verdict, printable(doubt), "", (), hand, "")


def _cells_words(hand: Hand, finding: Finding) -> str:
    """Return the cells of a score sheet that a finding is about, behind its sentence."""
    words = cell_words(hand, finding)
    return f" ({words})" if words else ""


def _notes_of_text(reject: Reject, file: str) -> Iterator[Note]:
    """Return a note for each thing that is wrong with a hand written as text."""
    for problem in reject.problems:
        at, column = problem.line, problem.column
        span = Span(reject.byte, 1, at, column, at, column + 1)
        message, code = printable(problem.message), reject.code.value
        yield Note(file, span, "error", code, message, "", (), "", "")


def near_name(file: str) -> str:
    """Return the name of a file from the working folder on, where it lies below that."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else file
