"""What an audit found, in the forms that build servers, editors and other tools read.

Each form is a ``Report``: it is handed every line of the audit in turn, writes what it can at once,
and the rest at the end. What there is to say is the same in all of them: ``notes_of``.
"""

from __future__ import annotations

import hashlib
import os
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

import msgspec
from rich.padding import Padding
from rich.text import Text

from tricklog.core import Replay
from tricklog.core.render.sentences import hands_with_verdict, moment_of, verdict_text
from tricklog.core.render.terminal import finding_text, table
from tricklog.ingest.cli import own_version
from tricklog.ingest.cli.output import (
    counts_sentence,
    nearby,
    out,
    own_command,
    print_json,
    put,
    remark,
    write_text,
)
from tricklog.ingest.cli.progress import ProgressLine
from tricklog.ingest.cli.unread_lines import UnreadLines
from tricklog.ingest.loading.auditing import Audit, AuditedLine
from tricklog.ingest.reading.log_line import Span
from tricklog.ingest.reading.rejects import HINTS, RejectCode, is_in_workbook, printable
from tricklog.ingest.reading.scratch import put_aside
from tricklog.ingest.score_sheets.hands import cell_words, is_of_sheet
from tricklog.schemas.citations import citations, text_of
from tricklog.schemas.languages.current import ENGLISH, current
from tricklog.schemas.languages.messages import say, say_counted, say_in
from tricklog.schemas.languages.numbers import number
from tricklog.schemas.printable import one_line

if TYPE_CHECKING:
    from tricklog.core.study import OpenHand

ReportFormat = Literal["github", "sarif", "junit", "line"]
REPORT_FORMATS: Final[tuple[ReportFormat, ...]] = ("github", "sarif", "junit", "line")
Write = Callable[[str], object]
"""Takes the next piece of the report."""
STDIN: Final = "<stdin>"


def report_as(
    form: str,
    unread: UnreadLines,
    line: ProgressLine,
    docs_url: str = "",
    study: Study | None = None,
    rules: str | None = None,
    write: Write = write_text,
) -> Report:
    """Return a report of a form: ``text``, ``json`` or one of ``REPORT_FORMATS``.

    ``unread`` remembers the lines that cannot be read, ``line`` says how far the audit is, and
    ``study`` solves valid hands for ``text`` and ``json``; by ``rules`` every hand is judged in the
    place of its own. ``docs_url`` is where the pages of the rules are published; ``write`` takes
    what programs read, but JSON.
    """
    if form == "text":
        return TextReport(unread, line, study, rules)
    if form == "json":
        return JsonReport(study)
    if form == "sarif":
        return SarifReport(write, unread, docs_url)
    if form == "junit":
        return JunitReport(write, unread)
    return LineReport(write, unread, _LINES[form])


class Report(Protocol):
    """A form in which an audit is reported."""

    def add(self, item: AuditedLine) -> None:
        """Report one line."""

    def end(self, run: Audit) -> None:
        """Write what is left when all lines have been reported."""


# --- For people, and as JSON


class Study:
    """Valid hands with all cards open, one after the other, and what they come to."""

    def __init__(self) -> None:
        from tricklog.ingest.study.rows import Solvers

        self._solvers = Solvers()
        self.hands = self.could = self.lost = 0

    def of(self, item: AuditedLine) -> OpenHand | str | None:
        """Return a hand with all cards open, or why it is refused; nothing of one not valid."""
        if item.replay is None or item.replay.verdict != "valid":
            return None
        found = self._solvers.study(item.replay)
        if not isinstance(found, str):
            self.hands += 1
            self.could += found.could_be_made is True
            self.lost += sum(each.loss or 0 for each in found.decisions)
        return found


class JsonReport:
    """One JSON object a line, for every hand and every line that could not be read."""

    def __init__(self, study: Study | None) -> None:
        self._study = study

    def add(self, item: AuditedLine) -> None:
        """Write a line, unless it is blank."""
        if item.replay or item.line.reject or item.duplicate_of:
            told = item.to_json()
            if self._study and (studied := self._study.of(item)):
                from tricklog.ingest.study.telling import study_json

                told["solved"] = study_json(studied)
            print_json(told)

    def end(self, run: Audit) -> None:
        """Write nothing more."""


class TextReport:
    """What people read: findings beside the table at that moment, and the sums of all."""

    def __init__(
        self, unread: UnreadLines, line: ProgressLine, study: Study | None, rules: str | None
    ) -> None:
        self._unread, self._line, self._study, self._rules = unread, line, study, rules

    def add(self, item: AuditedLine) -> None:
        """Print what there is to say of a line."""
        replayed = item.replay
        # Lines of a score sheet that are in order would only repeat that they have no cards.
        quiet = replayed and replayed.verdict == "partial" and not replayed.hand.actions
        is_told = item.findings or (replayed and not quiet and replayed.doubts)
        studied = self._study.of(item) if self._study else None
        text = self._unread.told(item.line.reject) if item.line.reject else None
        if not (text or is_told or studied):
            return
        with self._line.aside():
            if text:
                out().print(text, end="\n\n")
                return
            assert replayed
            head = Text(f"{one_line(item.line.file)}:{item.line.line}  ", "bold")
            head.append(f"{one_line(replayed.hand.id)}  ")
            if is_told:
                said = verdict_text(replayed, len(item.game_findings))
                put(head.copy().append(said, "bold red" if item.findings else "yellow"))
            if item.findings:
                self._tell_findings(item, replayed)
                put("")
            if studied:
                from tricklog.ingest.cli.study_text import dear_cards, in_short

                put(head.append(in_short(studied), "not bold default"))
                if dear := dear_cards(studied, replayed):
                    put(Text(f"  {dear}", "dim"))

    def end(self, run: Audit) -> None:
        """Print what lines were not shown, and what all came to."""
        if unread := self._unread.rest():
            put(*unread, "")
        put(Text(counts_sentence(run.counts), "bold"))
        none = say_in("hands or findings", "none")
        verdicts = ", ".join(str(hands_with_verdict(*each)) for each in run.verdicts.most_common())
        codes = ", ".join(f"{number(count)} {code}" for code, count in run.codes.most_common())
        put(say("Hands: {verdicts}", verdicts=verdicts or none))
        put(say("Findings: {codes}", codes=codes or none))
        if run.same_plays:
            same = say_counted(
                "{count} hand with the deal and play of a hand with another id",
                "{count} hands with the deal and play of a hand with another id",
                run.same_plays,
            )
            put(same)
        if self._study:
            from tricklog.ingest.cli.study_text import sum_text

            put(sum_text(self._study.hands, self._study.could, self._study.lost))

    def _tell_findings(self, item: AuditedLine, replayed: Replay) -> None:
        """Print the table at each step with a finding, once, with the findings that show there."""
        line, hand = item.line, replayed.hand
        if is_of_sheet(hand):
            # There is nothing on the table.
            put(*(finding_text(each, place=cell_words(hand, each)) for each in item.findings))
            return
        steps = [moment_of(finding, replayed) for finding in replayed.findings]
        shown = [step for step in dict.fromkeys(steps) if step is not None]
        put(*(Padding(table(replayed.at(step), replayed), (1, 0, 0, 2)) for step in shown))
        found = zip(replayed.findings, steps, strict=True)
        aside = [finding for finding, step in found if step is None]
        put(*(finding_text(each, place=True) for each in (*aside, *item.game_findings)))
        for finding in () if line.is_on_one_line else item.findings:
            span = line.span_of(finding.pointer)
            place = f"  {one_line(line.file)}:{span.line}:{span.column}: {finding.code}"
            put(Text(place, "dim"))
        if line.file != STDIN and replayed.findings:
            words = ["replay", line.file, "--hand", hand.id, "--at", str(shown[0] if shown else 0)]
            words += ["--variant", self._rules] if self._rules else []
            words += ["--language", current()] if current() != ENGLISH else []
            see = say("See it: {command}", command=f"{own_command()} {shlex.join(words)}")
            out().print(Text(one_line(f"  {see}"), "dim"), soft_wrap=True)


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

    def cited(self, before: str = "Rule ", after: str = ".") -> str:
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
    return nearby(Path(file)) if Path(file).is_absolute() else file


# --- One line for each note


class LineReport:
    """A form for programs: here each note is a line, written at once."""

    def __init__(
        self, write: Write, unread: UnreadLines, line_of: Callable[[Note], str] = str
    ) -> None:
        self._write, self._unread, self._line_of = write, unread, line_of

    def add(self, item: AuditedLine) -> None:
        """Report one line."""
        if item.line.reject:
            self._unread.note(item.line.reject)
        self._add(item)

    def end(self, run: Audit) -> None:
        """Write what is left; people read on standard error how much there was."""
        self._end(run)
        remark(counts_sentence(run.counts))
        if advice := self._unread.advice():
            remark(*advice, "")

    def _add(self, item: AuditedLine) -> None:
        for note in notes_of(item):
            self._write(f"{self._line_of(note)}\n")

    def _end(self, run: Audit) -> None:
        pass


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
    return f"::{note.severity} {written}::{note.cited().translate(_IN_MESSAGE)}"


_LINES: Final = {"github": _command, "line": _place}


# --- JUnit

IN_MEMORY: Final = 1 << 20
"""Bytes of tests up to which no file is written."""
_PIECE: Final = 1 << 16


class JunitReport(LineReport):
    """JUnit XML, the form in which build servers take test results: each hand is a test.

    A hand with findings has failed, a line that could not be read is an error, the same record read
    again is skipped. The counts come first in the file, so the tests wait on disk for them.
    """

    def __init__(self, write: Write, unread: UnreadLines) -> None:
        super().__init__(write, unread)
        self._counts: Counter[str] = Counter()
        self._cases = put_aside(IN_MEMORY)

    def _add(self, item: AuditedLine) -> None:
        if not (item.replay or item.line.reject or item.duplicate_of):
            return
        inside, notes = "", [] if item.duplicate_of else list(notes_of(item))
        errors = [note for note in notes if note.severity == "error"]
        told = escape("\n".join(map(_told, errors or notes)))
        if item.duplicate_of:
            self._counts["skipped"] += 1
            same = _attributes(message=f"the same record as {printable(item.duplicate_of)}")
            inside = f"<skipped {same}/>"
        elif errors:
            kind = "error" if item.line.reject else "failure"
            self._counts[f"{kind}s"] += 1
            # A test fails once; all that is wrong stands in its text.
            first = _attributes(message=errors[0].message, type=errors[0].code)
            inside = f"<{kind} {first}>{told}</{kind}>"
        elif told:
            inside = f"<system-out>{told}</system-out>"
        hand = item.replay.hand if item.replay else item.line.hand
        name = printable(hand.id) if hand else f"line {item.line.line}"
        # The schemas that build servers check by know no file or line of a test; what is wrong with
        # it says where it stands.
        head = _attributes(classname=printable(near_name(item.line.file)), name=name)
        self._cases.write(f"    <testcase {head}>{inside}</testcase>\n")
        self._counts["tests"] += 1

    def _end(self, run: Audit) -> None:
        del run
        names = ("tests", "failures", "errors")
        counts = _attributes(**{each: self._counts[each] for each in names})
        skipped = _attributes(skipped=self._counts["skipped"])
        self._write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<testsuites name="tricklog audit" {counts}>\n'
            f'  <testsuite name="hands" {counts} {skipped}>\n'
        )
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


class SarifReport(LineReport):
    """SARIF 2.1.0 (OASIS), the form in which code scanners report: results, and rules with places.

    Results are written as they come; the rules they name follow, when it is known which these are.
    The citations are the taxa of a taxonomy, the rulebook, with the text of each rule.
    """

    def __init__(self, write: Write, unread: UnreadLines, docs_url: str = "") -> None:
        super().__init__(write, unread)
        self._docs_url = docs_url.rstrip("/")
        self._cites: dict[str, dict[str, None]] = {}
        """By code of finding: the citations it came with."""
        self._before = f'{{"$schema":{_json(SCHEMA)},"version":"2.1.0","runs":[{{"results":['
        """What stands before the next result."""

    def _add(self, item: AuditedLine) -> None:
        for note in notes_of(item):
            self._write(self._before + _json(_result(note)))
            self._before = ","
            self._cites.setdefault(note.code, {}).update(dict.fromkeys(note.rules))

    def _end(self, run: Audit) -> None:
        """Write the rules, the rulebook and the counts."""
        known = citations()
        cited = dict.fromkeys(cite for cites in self._cites.values() for cite in cites)
        taxa = [
            {
                "id": cite,
                "shortDescription": {"text": known[cite].title},
                "fullDescription": {"text": text_of(cite)},
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
        known = citations()
        if texts := "\n".join(text_of(cite) if cite in known else cite for cite in cites):
            rule["help"] = {"text": texts, "markdown": texts}
            rule |= self._link(cites[0])
        return rule

    def _link(self, cite: str) -> dict[str, str]:
        """Return the address of the page of a rule, where the pages are published."""
        citation = citations().get(cite)
        if not self._docs_url or citation is None:
            return {}
        return {"helpUri": f"{self._docs_url}/{citation.file}#{citation.anchor}"}


def _result(note: Note) -> dict[str, Any]:
    span, absolute = note.span, Path(note.file).is_absolute()
    region: dict[str, Any] = {}
    if not is_in_workbook(note.file):
        region = {"byteOffset": span.byte, "byteLength": span.length}
    # Trouble with a file as a whole has no line.
    if span.line > 0:
        region |= {"startLine": span.line, "startColumn": span.column}
        region |= {"endLine": span.end_line} if span.end_line != span.line else {}
        region["endColumn"] = span.end_column
    # Relative to where the audit ran, else absolute.
    artifact: dict[str, Any] = {
        "uri": f"{'file://' if absolute else ''}{quote(os.fsencode(note.file))}"
    }
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
    what = "\0".join((note.hand or note.file, note.code, note.pointer))
    # It stays the same for a note when lines before it come or go.
    fingerprint = hashlib.sha256(what.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    result: dict[str, Any] = {
        "ruleId": note.code,
        "level": note.severity,
        "message": {"text": note.cited()},
        "locations": [location],
        "partialFingerprints": {"tricklogFinding/v1": fingerprint},
    }
    if note.rules:
        book = {"name": RULEBOOK}
        result["taxa"] = [{"id": cite, "toolComponent": book} for cite in note.rules]
    return result


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
