"""Workflow commands of GitHub Actions, which show each note beside the line it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tricklog.ingest.cli.audit_forms.notes import Note, notes_of
from tricklog.ingest.reading.rejects import printable

if TYPE_CHECKING:
    from tricklog.ingest.cli.audit_forms import Write
    from tricklog.ingest.loading.auditing import Audit, AuditedLine

_IN_MESSAGE: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY: Final = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


class GithubReport:
    """Writes each note at once."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def add(self, item: AuditedLine) -> None:
        """Write the notes of a line."""
        for note in notes_of(item):
            self._write(f"{_command(note)}\n")

    def end(self, run: Audit) -> None:
        """Write nothing more."""


def _command(note: Note) -> str:
    """Return a note as a command; one of standard input has no place in a file."""
    properties: dict[str, object] = {}
    if not note.is_stdin:
        span = note.span
        properties = {"file": printable(note.file), "line": span.line}
        # Columns are for what stands in one line.
        if span.end_line == span.line:
            properties |= {"col": span.column, "endColumn": span.end_column}
        else:
            properties["endLine"] = span.end_line
    properties["title"] = f"{note.code}, hand {note.hand}" if note.hand else note.code
    written = ",".join(f"{key}={_escaped(str(value))}" for key, value in properties.items())
    parts = [note.message, note.hint, f"Rule {' '.join(note.rules)}." if note.rules else ""]
    message = " ".join(filter(None, parts)).translate(_IN_MESSAGE)
    return f"::{note.severity} {written}::{message}"


def _escaped(value: str) -> str:
    return value.translate(_IN_PROPERTY)
