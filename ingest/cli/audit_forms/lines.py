"""One line for each note, ``file:line:column: severity: code: message``, as compilers write it.

Editors and ``grep`` users jump to such places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tricklog.ingest.cli.audit_forms.notes import Note, notes_of
from tricklog.ingest.reading.rejects import printable

if TYPE_CHECKING:
    from tricklog.ingest.cli.audit_forms import Write
    from tricklog.ingest.loading.auditing import Audit, AuditedLine


class LineReport:
    """Writes each note at once."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def add(self, item: AuditedLine) -> None:
        """Write the notes of a line."""
        for note in notes_of(item):
            self._write(f"{_line(note)}\n")

    def end(self, run: Audit) -> None:
        """Write nothing more."""


def _line(note: Note) -> str:
    place = f"{printable(note.file)}:{note.line}:{note.span.column}"
    cited = f" [{' '.join(note.rules)}]" if note.rules else ""
    hint = f" {note.hint}" if note.hint else ""
    return f"{place}: {note.severity}: {note.code}: {note.message}{hint}{cited}"
