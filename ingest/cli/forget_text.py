"""What ``tricklog forget`` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from tricklog.ingest.cli.output import own_command, values_of
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.forgetting import ForgetReport
    from tricklog.ingest.forgetting.searching import Searched

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
    searched = values_of(report.searched, hits="left", parts="parts_of_words")
    return values_of(report, sat="seated", removed="removed_files") | {"searched": searched}


def report_lines(report: ForgetReport, db: str) -> Iterator[str]:
    """Yield what was done, or would be, and what is left."""
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
    yield from _searched(report.searched, db)


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


def _do(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def _searched(searched: Searched, db: str) -> Iterator[str]:
    size = f"{searched.bytes / 1e6:,.1f} MB"
    yield (
        f"Searched every byte of {counted(searched.files, 'file')} ({size}) in {db}, and "
        f"{counted(searched.values, 'value')} in them: {searched.hits:,} left"
    )
    for place in searched.places:
        yield f"  ✗ {place.file}, {place.where}: {place.what}"
    if searched.hits > len(searched.places):
        yield f"  and {searched.hits - len(searched.places):,} more"
    for file in searched.unread:
        yield f"  ✗ could not be read as what it is: {file}"
    if searched.hits or searched.unread:
        yield (
            f"To have it gone: {own_command()} db rejects --db {db} --forget drops lines in "
            "quarantine, with --log FILE those of one log. A name that is written in another way "
            "is given with --also. A file that is not Tricklog's, or cannot be read, you remove "
            "yourself. Then give the same command again, which searches once more"
        )
    if searched.of_others:
        stay = _do(searched.of_others, "stays", "stay")
        texts = counted(searched.of_others, "text")
        yield f"Other players have one of these names, or a longer one with it: {texts} {stay}"
    if searched.own_words:
        texts = counted(searched.own_words, "sentence")
        have = _do(searched.own_words, "has such a word and stays", "have such a word and stay")
        yield f"{texts} of Tricklog's own {have}"
    if searched.parts:
        hold = _do(searched.parts, "holds", "hold")
        stay = _do(searched.parts, "stays", "stay")
        texts = counted(searched.parts, "text")
        yield f"{texts} {hold} a longer word with a name in it, and {stay}"
    if searched.logs:
        yield (
            f"Logs kept there still name them, until you remove them: {', '.join(searched.logs)}"
        )
    yield (
        "Out of reach: logs, exports, reports and copies elsewhere, and what a dashboard that is "
        "running shows until it is started again"
    )
