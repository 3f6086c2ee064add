"""``tricklog rebuild``: make a warehouse anew from its logs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from ingest.cli.load import DEFAULT_DB, Warehouse
from ingest.cli.output import CLEAN, PROBLEM, Flag, LogPath, out, print_json
from schemas.words import counted

if TYPE_CHECKING:
    from rich.console import Console

    from ingest.rebuilding import RebuildReport

MOST_LISTED = 10

EXAMPLES = """\
  tricklog rebuild --db club             in place, from the logs it was made from
  tricklog rebuild --db club --to club2  into a new folder
  tricklog rebuild archive/ --db club    logs that were moved there are read, too"""


def rebuild(
    *logs: LogPath, db: Warehouse = DEFAULT_DB, to: str | None = None, json: Flag = False
) -> int:
    """Make a warehouse anew from its logs.

    Logs are looked for where they were when they were loaded; run the command from the same
    folder, and name further ones where logs were moved. Hands that no log has any more are kept
    from their stored records, and counted. The old snapshot is the current one until the new one
    is complete. The exit status is 1 when the logs alone did not give everything.

    Args:
        logs: Files or folders to read beside those the warehouse was made from.
        db: The folder of the warehouse.
        to: A new folder for the result; the warehouse itself is left alone.
        json: One JSON object with the counts.
    """
    from ingest.cli.progress import ProgressLine
    from ingest.cli.standing import told
    from ingest.rebuilding import rebuild as make_anew

    with told(to or db), ProgressLine("Rebuilding") as line:
        report = make_anew(*logs, db=db, to=to, watch=line.watch)
    if json:
        values = asdict(report) | {"snapshot": str(report.snapshot)}
        print_json(values | {"complete": report.complete, "equal": report.equal})
    else:
        _print(out(), report)
    return CLEAN if report.complete else PROBLEM


def _print(console: Console, report: RebuildReport) -> None:
    from schemas.show import clean

    def say(text: str) -> None:
        console.print(clean(text), soft_wrap=True)

    for path in report.unreadable:
        say(f"✗ {path} cannot be read: what stood only there had to come from the logs")
    for path in report.missing[:MOST_LISTED]:
        say(f"✗ {path} is not there: name the place it was moved to, if it was")
    if len(report.missing) > MOST_LISTED:
        say(f"✗ and {counted(len(report.missing) - MOST_LISTED, 'further log')} not there either")
    for file, count in list(report.files_of_kept.items())[:MOST_LISTED]:
        say(f"✗ {counted(count, 'hand')} of {file} in no log any more: kept as stored")
    if report.unplayable:
        say(f"✗ {report.unplayable:,} of them cannot be replayed: all that was stored stays")
    if report.kept_rejects:
        say(f"✗ {counted(report.kept_rejects, 'line')} in quarantine in no log any more: kept, too")
    kept = report.kept + report.unplayable
    say(
        f"{counted(report.hands, 'hand')} = {report.from_logs:,} from the logs + {kept:,} kept + "
        f"{report.new:,} new"
    )
    if report.before and report.equal:
        say("The warehouse says exactly what it said before")
    elif report.before:
        say("The warehouse says something else than before: its logs or the rules have changed")
    say(f"Published {report.snapshot}")
