"""SARIF 2.1.0 (OASIS), the form in which code scanners report: results, rules and where they stand.

Results are written as they come; the rules they name follow, when it is known which these are. The
citations are the taxa of a taxonomy, the rulebook, with the text of each rule.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import msgspec

from tricklog.ingest.cli.audit_forms.notes import Note, notes_of
from tricklog.ingest.reading.rejects import HINTS, RejectCode, is_in_workbook

if TYPE_CHECKING:
    from tricklog.ingest.cli.audit_forms import Write
    from tricklog.ingest.loading.auditing import Audit, AuditedLine

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
RULEBOOK: Final = "Tricklog rulebook"
_REJECT_CODES: Final = {code.value: HINTS[code] for code in RejectCode}


class SarifReport:
    """Writes each note at once, and what it refers to at the end."""

    def __init__(self, write: Write, docs_url: str = "") -> None:
        self._write = write
        self._docs_url = docs_url.rstrip("/")
        self._cites: dict[str, dict[str, None]] = {}
        """By code of finding: the citations it came with."""
        self._started = False

    def add(self, item: AuditedLine) -> None:
        """Write the notes of a line."""
        for note in notes_of(item):
            self._write(("," if self._started else self._head()) + _json(_result(note)))
            self._started = True
            self._cites.setdefault(note.code, {}).update(dict.fromkeys(note.rules))

    def _head(self) -> str:
        return f'{{"$schema":{_json(SCHEMA)},"version":"2.1.0","runs":[{{"results":['

    def end(self, run: Audit) -> None:
        """Write the rules, the rulebook and the counts."""
        counts = run.counts
        rest = {
            "tool": {"driver": self._driver()},
            "taxonomies": [self._rulebook()],
            "columnKind": "unicodeCodePoints",
            "invocations": [{"executionSuccessful": True, "exitCode": run.exit_status}],
            "properties": {
                "lines": counts.lines,
                "accepted": counts.accepted,
                "duplicate": counts.duplicate,
                "quarantined": counts.quarantined,
                "blank": counts.blank,
            },
        }
        self._write(f"{'' if self._started else self._head()}],{_json(rest)[1:]}]}}\n")

    def _driver(self) -> dict[str, Any]:
        from tricklog.ingest.cli import own_version

        return {
            "name": "Tricklog",
            "version": own_version(),
            "supportedTaxonomies": [{"name": RULEBOOK}],
            "rules": [self._rule(code, tuple(cites)) for code, cites in self._cites.items()],
        }

    def _rule(self, code: str, cites: tuple[str, ...]) -> dict[str, Any]:
        words = code.replace("-", " ").capitalize()
        rule: dict[str, Any] = {"id": code, "shortDescription": {"text": f"{words}."}}
        if code in _REJECT_CODES:
            rule["help"] = {"text": _REJECT_CODES[code]}
        if texts := [_rule_text(cite) for cite in cites]:
            rule["help"] = {"text": "\n".join(texts), "markdown": "\n".join(texts)}
            rule |= self._link(cites[0])
        return rule

    def _rulebook(self) -> dict[str, Any]:
        from tricklog.schemas.citations import citations

        known = citations()
        cited = dict.fromkeys(cite for cites in self._cites.values() for cite in cites)
        return {
            "name": RULEBOOK,
            "taxa": [
                {
                    "id": cite,
                    "shortDescription": {"text": known[cite].title},
                    "fullDescription": {"text": _rule_text(cite)},
                    **self._link(cite),
                }
                for cite in cited
                if cite in known
            ],
        }

    def _link(self, cite: str) -> dict[str, str]:
        """Return the address of the page of a rule, where the pages are published."""
        from tricklog.schemas.citations import citations

        citation = citations().get(cite)
        if not self._docs_url or citation is None:
            return {}
        return {"helpUri": f"{self._docs_url}/{citation.file}#{citation.anchor}"}


def _rule_text(cite: str) -> str:
    from tricklog.schemas.citations import citations, text_of

    return text_of(cite) if cite in citations() else cite


def _result(note: Note) -> dict[str, Any]:
    parts = [note.message, note.hint, f"Rule {' '.join(note.rules)}." if note.rules else ""]
    result: dict[str, Any] = {
        "ruleId": note.code,
        "level": note.severity,
        "message": {"text": " ".join(filter(None, parts))},
        "locations": [_location(note)],
        "partialFingerprints": {"tricklogFinding/v1": _fingerprint(note)},
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
    if note.line > 0:
        region |= {
            "startLine": note.line,
            "startColumn": span.column,
            **({"endLine": span.end_line} if span.end_line != span.line else {}),
            "endColumn": span.end_column,
        }
    artifact = {"description": {"text": "standard input"}} if note.is_stdin else _artifact(note)
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": artifact, "region": region}
    }
    if note.hand:
        named = {"name": note.hand, "kind": "hand"}
        if note.pointer:
            named["fullyQualifiedName"] = f"{note.hand}{note.pointer}"
        location["logicalLocations"] = [named]
    return location


def _artifact(note: Note) -> dict[str, Any]:
    """Return the address of a file: relative to where the audit ran, else absolute."""
    lead = "file://" if Path(note.file).is_absolute() else ""
    return {"uri": f"{lead}{quote(os.fsencode(note.file))}"}


def _fingerprint(note: Note) -> str:
    """Return what stays the same for a note when lines before it come or go."""
    what = "\0".join((note.hand or note.file, note.code, note.pointer))
    return hashlib.sha256(what.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
