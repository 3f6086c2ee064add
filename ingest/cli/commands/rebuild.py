"""``tricklog db rebuild``: rebuild a warehouse from its logs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, LogPath, On, TakeOver, Warehouse
from tricklog.ingest.cli.failure_state import reporting, working
from tricklog.ingest.cli.output import PROBLEM, SUCCESS, print_json, put, values_of
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.upkeep.rebuilding import RebuildReport

MOST_LISTED = 10

EXAMPLES = """\
  tricklog db rebuild --db club          # in place, from the logs it was made from
  tricklog db rebuild --db club --output club2   # into a new folder
  tricklog db rebuild archive/ --db club # also logs that were moved there"""


def rebuild(
    *logs: LogPath,
    db: Warehouse = DEFAULT_DB,
    output: str | None = None,
    on: On = None,
    take_over: TakeOver = False,
    json: Flag = False,
) -> int:
    """Rebuild a warehouse from its logs.

    Logs are looked for where they were when they were loaded; run the command from the same
    folder, and name further ones where logs were moved. Hands that no log has any more are kept
    from their stored records, and counted. The old snapshot is the current one until the new one
    is complete. Whatever file of the warehouse is damaged or lost is made again; what no file and
    no log gives any more is named. The exit status is 1 when the logs alone did not give all.

    Args:
        logs: Files or folders to read beside those the warehouse was made from.
        output: A new folder, or lake, for the result; the warehouse itself is left alone.
        json: One JSON object with the counts.
    """
    from tricklog.ingest.upkeep.rebuilding import rebuild as make_again
    from tricklog.schemas.printable import one_line

    with working("Rebuilding", output or db) as line:
        report = make_again(
            *logs, db=db, to=output, on_progress=line.report, on=on, take_over=take_over
        )
    with reporting(output or db, report.snapshot):
        if json:
            derived = {"complete": report.complete, "equal": report.equal}
            print_json(values_of(report) | derived)
        else:
            put(*map(one_line, (*_troubles(report), *_results(report))))
    return SUCCESS if report.complete else PROBLEM


def _troubles(report: RebuildReport) -> Iterator[str]:
    for path in report.unreadable:
        yield f"✗ {path} cannot be read whole: what is lacking had to come from the logs"
    if not report.knows_all_logs:
        yield "✗ no file says any more which logs were loaded last: name them if they are missing"
    if report.lost:
        yield f"✗ {counted(report.lost, 'stored hand')} in none of the logs: lost"
    for path in report.missing[:MOST_LISTED]:
        yield f"✗ {path} is not there: name the place it was moved to, if it was"
    if len(report.missing) > MOST_LISTED:
        further = counted(len(report.missing) - MOST_LISTED, "further log")
        yield f"✗ and {further} not there either"
    for file, count in list(report.files_of_kept.items())[:MOST_LISTED]:
        yield f"✗ {counted(count, 'hand')} of {file} in no log any more: kept as stored"
    if report.unplayable:
        yield f"✗ {report.unplayable:,} of them cannot be replayed: all that was stored stays"
    if report.kept_rejects:
        lines = counted(report.kept_rejects, "line")
        yield f"✗ {lines} in quarantine in no log any more: kept, too"


def _results(report: RebuildReport) -> Iterator[str]:
    kept = report.kept + report.unplayable
    yield (
        f"{counted(report.hands, 'hand')} = {report.from_logs:,} from the logs + {kept:,} kept + "
        f"{report.new:,} new"
    )
    if report.before and report.equal:
        yield "The warehouse says exactly what it said before"
    elif report.before:
        yield "The warehouse says something else than before: its logs or the rules have changed"
    if report.moved:
        yield f"A folder stood in the place of the pointer; it is {report.moved} now"
    if report.views:
        yield report.views
    yield f"Published {report.snapshot}"
