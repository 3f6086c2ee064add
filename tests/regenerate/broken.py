"""What is expected of the broken samples, as an audit of them says it.

Whoever adds one reads what was written before they commit it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import ingest
from ingest.loading.auditing import AuditedLine
from replay import Finding

INVALID: Final = Path(__file__).parents[2] / "sample_logs" / "invalid"
EXPECTED: Final = INVALID / "expected.json"
NO_LOGS: Final = "line/no-logs"
"""A folder without a log in it."""


def write() -> None:
    """Write what is expected of each file, a line of it on a line of its own."""
    files = {str(path.relative_to(INVALID)) for path in INVALID.rglob("*.jsonl*")} | {NO_LOGS}
    parts = []
    for name in sorted(files):
        rows = sorted(map(row_of, ingest.audit(INVALID / name)), key=lambda row: int(row["line"]))
        lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
        parts.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    EXPECTED.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def row_of(audited: AuditedLine) -> dict[str, Any]:
    """Return what became of a line."""
    reject = audited.line.reject
    if reject:
        place = {"code": reject.code.value, "pointer": reject.pointer}
        return {"line": audited.line.line, "reject": place}
    assert audited.replay
    return {
        "line": audited.line.line,
        "verdict": audited.replay.verdict.value,
        "findings": [told(finding) for finding in audited.findings],
    }


def told(finding: Finding) -> dict[str, Any]:
    """Return what is expected of a finding."""
    return {
        "code": finding.code,
        "pointer": finding.pointer,
        "action": finding.action,
        "seat": finding.seat,
        "rule": finding.rule,
        "legal": finding.legal,
        "message": finding.message,
    }
