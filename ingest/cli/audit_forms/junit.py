"""JUnit XML, the form in which build servers take test results: each hand is a test.

A hand with findings has failed, a line that could not be read is an error, the same record read
again is skipped. The counts come first in the file, so the tests wait on disk for them.
"""

from __future__ import annotations

import shutil
from collections import Counter
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

from tricklog.ingest.cli.audit_forms.notes import Note, near_name, notes_of
from tricklog.ingest.reading.rejects import printable
from tricklog.ingest.reading.scratch import put_aside

if TYPE_CHECKING:
    from tricklog.ingest.cli.audit_forms import Write
    from tricklog.ingest.loading.auditing import Audit, AuditedLine

IN_MEMORY: Final = 1 << 20
"""Bytes of tests up to which no file is written."""
_PIECE: Final = 1 << 16


class JunitReport:
    """Keeps the tests until they have been counted."""

    def __init__(self, write: Write) -> None:
        self._write = write
        self._counts: Counter[str] = Counter()
        self._cases = put_aside(IN_MEMORY)

    def add(self, item: AuditedLine) -> None:
        """Keep the test that a line is, if it is one."""
        if not (item.replay or item.line.reject or item.duplicate_of):
            return
        self._cases.write(self._case(item))
        self._counts["tests"] += 1

    def _case(self, item: AuditedLine) -> str:
        file, line = printable(near_name(item.line.file)), item.line.line
        hand = item.replay.hand if item.replay else item.line.hand
        name = printable(hand.id) if hand else f"line {line}"
        inside = "".join(self._inside(item))
        # The schemas that build servers check by know no file or line of a test; what is wrong with
        # it says where it stands.
        head = _attributes(classname=file, name=name)
        return f"    <testcase {head}>{inside}</testcase>\n"

    def _inside(self, item: AuditedLine) -> list[str]:
        """Return what a test says, and count it."""
        notes = list(notes_of(item))
        errors = [note for note in notes if note.severity == "error"]
        if item.duplicate_of:
            self._counts["skipped"] += 1
            same = _attributes(message=f"the same record as {printable(item.duplicate_of)}")
            return [f"<skipped {same}/>"]
        if errors:
            kind = "error" if item.line.reject else "failure"
            self._counts[f"{kind}s"] += 1
            # A test fails once; all that is wrong stands in its text.
            first = _attributes(message=errors[0].message, type=errors[0].code)
            told = escape("\n".join(map(_told, errors)))
            return [f"<{kind} {first}>{told}</{kind}>"]
        doubts = escape("\n".join(map(_told, notes)))
        return [f"<system-out>{doubts}</system-out>"] if doubts else []

    def end(self, run: Audit) -> None:
        """Write everything."""
        del run
        names = ("tests", "failures", "errors")
        counts = _attributes(**{name: self._counts[name] for name in names})
        skipped = _attributes(skipped=self._counts["skipped"])
        self._write('<?xml version="1.0" encoding="UTF-8"?>\n')
        self._write(f'<testsuites name="tricklog audit" {counts}>\n')
        self._write(f'  <testsuite name="hands" {counts} {skipped}>\n')
        with self._cases as cases:
            cases.seek(0)
            shutil.copyfileobj(cases, _Writer(self._write), _PIECE)
        self._write("  </testsuite>\n</testsuites>\n")


class _Writer:
    """A file to copy into."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def write(self, text: str) -> int:
        self._write(text)
        return len(text)


def _told(note: Note) -> str:
    place = f"line {note.line}, column {note.span.column}"
    cited = f" (rule {' '.join(note.rules)})" if note.rules else ""
    hint = f" {note.hint}" if note.hint else ""
    return f"{note.code}, {place}: {note.message}{hint}{cited}"


def _attributes(**values: object) -> str:
    """Return attributes of XML; the texts are printable, so that all of them can stand in it."""
    return " ".join(f"{name}={quoteattr(str(value))}" for name, value in values.items())
