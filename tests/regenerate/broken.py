"""Broken samples that are lacking, and what is expected of all of them, as an audit says it.

Whoever adds a finding or a sample reads what was written before they commit it.
"""

import json
from pathlib import Path
from typing import Any, Final

from tests.kit.support import ALL_CODES
from tests.mutations import run
from tests.mutations.kinds import Mutation
from tests.regenerate.samples import as_sample
from tricklog import AuditedLine, Finding, encode_hand, ingest, replay, ruleset_of

INVALID: Final = Path(__file__).parents[2] / "sample_logs" / "invalid"
EXPECTED: Final = INVALID / "expected.json"
NO_LOGS: Final = "line/no-logs"
"""A folder without a log in it."""


def write() -> None:
    """Write the samples that are lacking, and of each file what is expected, line by line."""
    for code in lacking(INVALID):
        add_sample(INVALID, code)
    files = {str(path.relative_to(INVALID)) for path in INVALID.rglob("*.jsonl*")} | {NO_LOGS}
    parts = []
    for name in sorted(files):
        rows = sorted(map(row_of, ingest.audit(INVALID / name)), key=lambda row: int(row["line"]))
        lines = ",\n".join(f"    {json.dumps(row, ensure_ascii=False)}" for row in rows)
        parts.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    EXPECTED.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def lacking(folder: Path) -> frozenset[str]:
    return ALL_CODES - {path.stem for path in folder.rglob("*.jsonl")}


def add_sample(folder: Path, code: str) -> None:
    """Write a hand that gives one finding, and its row at the end of its table in the README."""
    mutation = next((each for each in run.with_code(code) if _is_alone(each)), None)
    if mutation is None:
        raise SystemExit(
            f"No mutation in tests/mutations provokes {code} and nothing else: "
            f"write a mutation that does, or {code}.jsonl in {folder} by hand."
        )
    hand = as_sample(mutation.hand)
    replayed = replay(hand)
    (finding,) = replayed.findings
    name = f"{_part_of(mutation)}/{code}.jsonl"
    (folder / name).write_bytes(encode_hand(hand) + b"\n")
    title = ruleset_of(hand).title + (" with house rules" if hand.rules.options else "")
    cells = (f"[`{code}.jsonl`]({name})", title, finding.message, replayed.verdict, finding.rule)
    lines = (folder / "README.md").read_text("utf-8").splitlines()
    last = max(at for at, line in enumerate(lines) if f"]({_part_of(mutation)}/" in line)
    lines.insert(last + 1, f"| {' | '.join(cells)} |")
    (folder / "README.md").write_text("\n".join(lines) + "\n", "utf-8")


def _is_alone(mutation: Mutation) -> bool:
    """Does the fault give one finding?"""
    return [item.code for item in replay(mutation.hand).findings] == [mutation.code]


def _part_of(mutation: Mutation) -> str:
    """Return the folder for the part of the hand in which the fault is."""
    index = int(mutation.pointer.rpartition("/")[2])
    verbs = {text.split(" ")[1] for text in mutation.hand.actions[: index + 1]}
    return "play" if "play" in verbs else "exchange" if "trump" in verbs else "auction"


def row_of(audited: AuditedLine) -> dict[str, Any]:
    line: dict[str, Any] = {"line": audited.line.line}
    reject = audited.line.reject
    if reject:
        return line | {"reject": {"code": reject.code.value, "pointer": reject.pointer}}
    assert audited.replay
    findings = [told(finding) for finding in audited.findings]
    return line | {"verdict": audited.replay.verdict.value, "findings": findings}


def told(finding: Finding) -> dict[str, Any]:
    names = ("code", "pointer", "action", "seat", "rule", "legal", "message")
    return {name: getattr(finding, name) for name in names}
