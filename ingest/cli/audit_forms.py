"""What an audit found, in the forms that build servers, editors and other tools read.

Each form is a ``Report``: it is handed every line of the audit in turn, writes what it can at once,
and the rest at the end. What there is to say is the same in all of them: ``notes_of``.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

import msgspec

from tricklog.ingest.cli import own_version
from tricklog.ingest.loading.auditing import Audit, AuditedLine
from tricklog.ingest.reading.rejects import HINTS, RejectCode, is_in_workbook, printable
from tricklog.ingest.reading.scratch import put_aside
from tricklog.ingest.reading.written import Span
from tricklog.ingest.score_sheets.places import cell_words
from tricklog.schemas.citations import citations, text_of

ReportFormat = Literal["github", "sarif", "junit", "line"]
REPORT_FORMATS: Final[tuple[ReportFormat, ...]] = ("github", "sarif", "junit", "line")
Write = Callable[[str], object]
"""Takes the next piece of the report."""
STDIN: Final = "<stdin>"


def report_as(name: ReportFormat, write: Write, docs_url: str = "") -> Report:
    """Return a report of this form; ``docs_url`` is where the pages of the rules are published."""
    if name == "sarif":
        return SarifReport(write, docs_url)
    return JunitReport(write) if name == "junit" else Report(write, _LINES[name])


# --- What there is to say


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One thing that is wrong or unsure, with its place. All texts are printable and of one line.

    Findings, and lines that could not be read, are errors, for the exit status of the audit is not
    0 then; what makes a hand doubtful or incomplete is a warning.
    """

    file: str
    """As it was named, or relative to the working folder where it lies below that."""
    span: Span
    """Its line is 0 where the trouble is with the file as a whole."""
    severity: Literal["error", "warning"] = "error"
    code: str
    message: str
    hint: str = ""
    """What to do, empty where that is for the people at the table to say."""
    rules: tuple[str, ...] = ()
    """Citations into the rules."""
    hand: str = ""
    """The id of the hand, empty where none could be read."""
    pointer: str = ""

    @property
    def whole(self) -> str:
        """The message with the hint and the rules, in sentences."""
        cited = f"Rule {' '.join(self.rules)}." if self.rules else ""
        return " ".join(filter(None, (self.message, self.hint, cited)))

    def cited(self, before: str, after: str) -> str:
        """Return the message with the hint, and the rules between two texts behind it."""
        rules = f" {before}{' '.join(self.rules)}{after}" if self.rules else ""
        return f"{' '.join(filter(None, (self.message, self.hint)))}{rules}"


def notes_of(item: AuditedLine) -> Iterator[Note]:
    """Return what there is to say of a line, in the order of the record."""
    line = item.line
    file = near_name(line.file)
    if reject := line.reject:
        code = reject.code.value
        for problem in reject.problems:
            at, column = problem.line, problem.column
            span = Span(reject.byte, 1, at, column, at, column + 1)
            yield Note(file=file, span=span, code=code, message=printable(problem.message))
        if not reject.problems:
            yield Note(
                file=file,
                span=line.span_of_reject(),
                code=code,
                message=printable(reject.message),
                hint=printable(reject.hint),
                pointer=printable(reject.pointer),
            )
    if not item.replay:
        return
    recorded = item.replay.hand
    hand = printable(recorded.id)
    for finding in item.findings:
        cells = cell_words(recorded, finding)
        yield Note(
            file=file,
            span=line.span_of(finding.pointer),
            code=finding.code,
            message=printable(f"{finding.message} ({cells})" if cells else finding.message),
            rules=tuple(finding.rule.split()),
            hand=hand,
            pointer=printable(finding.pointer),
        )
    # A record with gaps says what it leaves out, which is nothing to warn of.
    for doubt in () if item.replay.known_outcome else item.replay.doubts:
        yield Note(
            file=file,
            span=line.span_of(""),
            severity="warning",
            code=item.replay.verdict.value,
            message=printable(doubt),
            hand=hand,
        )


def near_name(file: str) -> str:
    """Return the name of a file from the working folder on, where it lies below that."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and path.is_relative_to(here) else file


# --- One line for each note


class Report:
    """A form in which an audit is reported: here each note is a line, written at once."""

    def __init__(self, write: Write, line_of: Callable[[Note], str] = str) -> None:
        self._write = write
        self._line_of = line_of

    def add(self, item: AuditedLine) -> None:
        """Report one line."""
        for note in notes_of(item):
            self._write(f"{self._line_of(note)}\n")

    def end(self, run: Audit) -> None:
        """Write what is left when all lines have been reported."""


def _place(note: Note) -> str:
    """Return a note as compilers write it, which editors and users of ``grep`` jump to."""
    place = f"{printable(note.file)}:{note.span.line}:{note.span.column}"
    return f"{place}: {note.severity}: {note.code}: {note.cited('[', ']')}"


_IN_MESSAGE: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY: Final = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def _command(note: Note) -> str:
    """Return a note as a workflow command of GitHub Actions, shown beside the line it is about.

    One of standard input has no place in a file.
    """
    span = note.span
    properties: dict[str, object] = {}
    if note.file != STDIN:
        properties = {"file": printable(note.file), "line": span.line}
        # Columns are for what stands in one line.
        if span.end_line == span.line:
            properties |= {"col": span.column, "endColumn": span.end_column}
        else:
            properties["endLine"] = span.end_line
    properties["title"] = f"{note.code}, hand {note.hand}" if note.hand else note.code
    written = ",".join(
        f"{key}={str(value).translate(_IN_PROPERTY)}" for key, value in properties.items()
    )
    return f"::{note.severity} {written}::{note.whole.translate(_IN_MESSAGE)}"


_LINES: Final = {"github": _command, "line": _place}


# --- JUnit

IN_MEMORY: Final = 1 << 20
"""Bytes of tests up to which no file is written."""
_PIECE: Final = 1 << 16


class JunitReport(Report):
    """JUnit XML, the form in which build servers take test results: each hand is a test.

    A hand with findings has failed, a line that could not be read is an error, the same record read
    again is skipped. The counts come first in the file, so the tests wait on disk for them.
    """

    def __init__(self, write: Write) -> None:
        super().__init__(write)
        self._counts: Counter[str] = Counter()
        self._cases = put_aside(IN_MEMORY)

    def add(self, item: AuditedLine) -> None:
        """Keep the test that a line is, if it is one."""
        if not (item.replay or item.line.reject or item.duplicate_of):
            return
        file, line = printable(near_name(item.line.file)), item.line.line
        hand = item.replay.hand if item.replay else item.line.hand
        name = printable(hand.id) if hand else f"line {line}"
        # The schemas that build servers check by know no file or line of a test; what is wrong with
        # it says where it stands.
        head = _attributes(classname=file, name=name)
        self._cases.write(f"    <testcase {head}>{self._inside(item)}</testcase>\n")
        self._counts["tests"] += 1

    def _inside(self, item: AuditedLine) -> str:
        """Return what a test says, and count it."""
        if item.duplicate_of:
            self._counts["skipped"] += 1
            same = _attributes(message=f"the same record as {printable(item.duplicate_of)}")
            return f"<skipped {same}/>"
        notes = list(notes_of(item))
        errors = [note for note in notes if note.severity == "error"]
        told = escape("\n".join(map(_told, errors or notes)))
        if errors:
            kind = "error" if item.line.reject else "failure"
            self._counts[f"{kind}s"] += 1
            # A test fails once; all that is wrong stands in its text.
            first = _attributes(message=errors[0].message, type=errors[0].code)
            return f"<{kind} {first}>{told}</{kind}>"
        return f"<system-out>{told}</system-out>" if told else ""

    def end(self, run: Audit) -> None:
        """Write everything."""
        del run
        counts = _attributes(
            **{each: self._counts[each] for each in ("tests", "failures", "errors")}
        )
        skipped = _attributes(skipped=self._counts["skipped"])
        self._write('<?xml version="1.0" encoding="UTF-8"?>\n')
        self._write(f'<testsuites name="tricklog audit" {counts}>\n')
        self._write(f'  <testsuite name="hands" {counts} {skipped}>\n')
        with self._cases as cases:
            cases.seek(0)
            while piece := cases.read(_PIECE):
                self._write(piece)
        self._write("  </testsuite>\n</testsuites>\n")


def _told(note: Note) -> str:
    place = f"line {note.span.line}, column {note.span.column}"
    return f"{note.code}, {place}: {note.cited('(rule ', ')')}"


def _attributes(**values: object) -> str:
    """Return attributes of XML; the texts are printable, so that all of them can stand in it."""
    return " ".join(f"{name}={quoteattr(str(value))}" for name, value in values.items())


# --- SARIF

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
RULEBOOK: Final = "Tricklog rulebook"
_REJECT_CODES: Final = {code.value: HINTS[code] for code in RejectCode}


class SarifReport(Report):
    """SARIF 2.1.0 (OASIS), the form in which code scanners report: results, and rules with places.

    Results are written as they come; the rules they name follow, when it is known which these are.
    The citations are the taxa of a taxonomy, the rulebook, with the text of each rule.
    """

    def __init__(self, write: Write, docs_url: str = "") -> None:
        super().__init__(write)
        self._docs_url = docs_url.rstrip("/")
        self._cites: dict[str, dict[str, None]] = {}
        """By code of finding: the citations it came with."""
        self._before = f'{{"$schema":{_json(SCHEMA)},"version":"2.1.0","runs":[{{"results":['
        """What stands before the next result."""

    def add(self, item: AuditedLine) -> None:
        """Write the notes of a line."""
        for note in notes_of(item):
            self._write(self._before + _json(_result(note)))
            self._before = ","
            self._cites.setdefault(note.code, {}).update(dict.fromkeys(note.rules))

    def end(self, run: Audit) -> None:
        """Write the rules, the rulebook and the counts."""
        known = citations()
        cited = dict.fromkeys(cite for cites in self._cites.values() for cite in cites)
        taxa = [
            {
                "id": cite,
                "shortDescription": {"text": known[cite].title},
                "fullDescription": {"text": _rule_text(cite)},
                **self._link(cite),
            }
            for cite in cited
            if cite in known
        ]
        driver = {
            "name": "Tricklog",
            "version": own_version(),
            "supportedTaxonomies": [{"name": RULEBOOK}],
            "rules": [self._rule(code, tuple(cites)) for code, cites in self._cites.items()],
        }
        rest = {
            "tool": {"driver": driver},
            "taxonomies": [{"name": RULEBOOK, "taxa": taxa}],
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": True, "exitCode": run.exit_status}],
            "properties": run.counts,
        }
        head = "" if self._before == "," else self._before
        self._write(f"{head}],{_json(rest)[1:]}]}}\n")

    def _rule(self, code: str, cites: tuple[str, ...]) -> dict[str, Any]:
        words = code.replace("-", " ").capitalize()
        rule: dict[str, Any] = {"id": code, "shortDescription": {"text": f"{words}."}}
        if code in _REJECT_CODES:
            rule["help"] = {"text": _REJECT_CODES[code]}
        if texts := "\n".join(map(_rule_text, cites)):
            rule["help"] = {"text": texts, "markdown": texts}
            rule |= self._link(cites[0])
        return rule

    def _link(self, cite: str) -> dict[str, str]:
        """Return the address of the page of a rule, where the pages are published."""
        citation = citations().get(cite)
        if not self._docs_url or citation is None:
            return {}
        return {"helpUri": f"{self._docs_url}/{citation.file}#{citation.anchor}"}


def _rule_text(cite: str) -> str:
    return text_of(cite) if cite in citations() else cite


def _result(note: Note) -> dict[str, Any]:
    what = "\0".join((note.hand or note.file, note.code, note.pointer))
    # It stays the same for a note when lines before it come or go.
    fingerprint = hashlib.sha256(what.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    result: dict[str, Any] = {
        "ruleId": note.code,
        "level": note.severity,
        "message": {"text": note.whole},
        "locations": [_location(note)],
        "partialFingerprints": {"tricklogFinding/v1": fingerprint},
    }
    if note.rules:
        book = {"name": RULEBOOK}
        result["taxa"] = [{"id": cite, "toolComponent": book} for cite in note.rules]
    return result


def _location(note: Note) -> dict[str, Any]:
    span = note.span
    region: dict[str, Any] = {}
    if not is_in_workbook(note.file):
        region = {"byteOffset": span.byte, "byteLength": span.length}
    # Trouble with a file as a whole has no line.
    if span.line > 0:
        region |= {
            "startLine": span.line,
            "startColumn": span.column,
            **({"endLine": span.end_line} if span.end_line != span.line else {}),
            "endColumn": span.end_column,
        }
    # Relative to where the audit ran, else absolute.
    lead = "file://" if Path(note.file).is_absolute() else ""
    artifact: dict[str, Any] = {"uri": f"{lead}{quote(os.fsencode(note.file))}"}
    if note.file == STDIN:
        artifact = {"description": {"text": "standard input"}}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": artifact, "region": region}
    }
    if note.hand:
        named = {"name": note.hand, "kind": "hand"}
        if note.pointer:
            named["fullyQualifiedName"] = f"{note.hand}{note.pointer}"
        location["logicalLocations"] = [named]
    return location


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
