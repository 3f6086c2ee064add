"""What ``tricklog forget`` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from tricklog.ingest.cli.output import values_of
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.forgetting import ForgetReport

MOST_LOGS: Final = 10
"""Logs that are named one by one."""
_WRITTEN: Final = {
    "removed_notes": "note about the player removed",
    "notes": "other note",
    "tags": "tag",
    "views": "saved view",
    "scopes": "table of people",
    "aliases": "merged id",
    "answers": "answer in practice",
    "mappings": "mapping of a score sheet removed",
    "evenings": "recorded evening",
}


def report_json(report: ForgetReport) -> dict[str, Any]:
    """Return the counts as plain values for a JSON encoder."""
    return values_of(report, sat="seated", removed="removed_files")


def report_lines(report: ForgetReport) -> Iterator[str]:
    """Yield what was done, or would be."""
    told = "would become" if report.dry_run else "is now"
    for player, new in report.ids.items():
        yield f"{player} {told} {new}"
    others = report.hands - report.sat
    also = f", {counted(others, 'other hand')} with their name in a text" if others else ""
    yield f"Hands: {counted(report.sat, 'hand')} they sat at{also}"
    if report.rejects or report.paths:
        yield (
            f"Beside these: {counted(report.rejects, 'line')} in quarantine, "
            f"{counted(report.paths, 'path')} of logs"
        )
    if written := _counts(asdict(report.written)):
        yield f"Written by users: {written}"
    yield from _logs(report.logs)
    if report.dry_run:
        yield "The warehouse stays as it is: this was a dry run"
        return
    if report.removed:
        yield f"Removed {counted(report.removed, 'file')} of older states"
    yield (
        "Out of reach: logs, exports, reports and copies elsewhere, and what a dashboard that is "
        "running shows until it is started again"
    )


def _counts(written: Mapping[str, int]) -> str:
    return ", ".join(
        counted(written[name], words) for name, words in _WRITTEN.items() if written[name]
    )


def _logs(logs: Mapping[str, int]) -> Iterator[str]:
    if not logs:
        return
    yield "These logs stay as they are. Loaded again, they bring the same hands under the new id:"
    for file, hands in list(logs.items())[:MOST_LOGS]:
        yield f"  {file}: {counted(hands, 'hand')}"
    if len(logs) > MOST_LOGS:
        yield f"  and {len(logs) - MOST_LOGS:,} more"
