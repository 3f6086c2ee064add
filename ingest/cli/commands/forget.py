"""``tricklog forget``: a player's hands stay, under an id that names nobody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tricklog.ingest import forgetting
from tricklog.ingest.cli.arguments import DEFAULT_DB, Dashed, Flag, Warehouse
from tricklog.ingest.cli.failure_state import working
from tricklog.ingest.cli.output import need_agreement, remark, show, values_of
from tricklog.ingest.forgetting import ForgetReport
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog forget ann --db club --dry-run       # says what would be done
  tricklog forget ann --db club  # asks, and does it
  tricklog forget ann --db club --also Annie    # a nickname in texts, too"""


def forget(
    player: Dashed,
    /,
    *,
    db: Warehouse = DEFAULT_DB,
    also: tuple[str, ...] = (),
    dry_run: Flag = False,
    yes: Flag = False,
    json: Flag = False,
) -> None:
    """Forget a player of a warehouse.

    Their hands stay and every figure with them, under an id such as forgotten-1. Id and names go
    from hands, findings, lines in quarantine, notes, tags, saved views and everything else that is
    kept there, and older states of the warehouse go as well. Logs are not changed: whoever loads
    them again gets the same hands under the new id. It cannot be taken back.

    Args:
        player: The id of the player. Ids merged with it are forgotten, too.
        also: Further names to be looked for in texts, such as a nickname.
        dry_run: Only tell what would be done.
        yes: Do not ask.
        json: One JSON object with the counts.
    """

    def goes_on(said: str) -> str:
        return (
            f"{said}. Run the same command again: it finishes what was begun, and until then "
            "nothing else writes there"
        )

    def run(*, is_rehearsal: bool) -> ForgetReport:
        with working("Forgetting", db, interrupted=None if is_rehearsal else goes_on) as line:
            return forgetting.forget(
                player, db=db, also=also, dry_run=is_rehearsal, on_progress=line.report
            )

    if not dry_run and not yes:
        remark(*_lines(run(is_rehearsal=True)))
        need_agreement(
            f"Forget {player} in {db}? It cannot be taken back.", f"{player} was not forgotten"
        )
    report = run(is_rehearsal=dry_run)
    show(values_of(report, sat="seated", removed="removed_files"), _lines(report), json=json)


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


def _lines(report: ForgetReport) -> Iterator[str]:
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
    counts = {words: getattr(report.written, name) for name, words in _WRITTEN.items()}
    if written := [counted(count, words) for words, count in counts.items() if count]:
        yield f"Written by users: {', '.join(written)}"
    if report.logs:
        yield (
            "These logs stay as they are. Loaded again, they bring the same hands under the new id:"
        )
    for file, hands in list(report.logs.items())[:MOST_LOGS]:
        yield f"  {file}: {counted(hands, 'hand')}"
    if len(report.logs) > MOST_LOGS:
        yield f"  and {len(report.logs) - MOST_LOGS:,} more"
    if report.dry_run:
        yield "The warehouse stays as it is: this was a dry run"
        return
    if report.removed:
        yield f"Removed {counted(report.removed, 'file')} of older states"
    yield (
        "Out of reach: logs, exports, reports and copies elsewhere, and what a dashboard that is "
        "running shows until it is started again"
    )
