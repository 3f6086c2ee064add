"""``tricklog db``: is a warehouse in order, and how it is mended and kept in shape."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.text import Text

from tricklog.ingest.cli import failure_state
from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, LogPath, On, TakeOver, Warehouse
from tricklog.ingest.cli.failure_state import opened, reporting, working
from tricklog.ingest.cli.output import (
    UserError,
    print_json,
    put,
    remark,
    show,
    status_of,
    values_of,
)
from tricklog.ingest.cli.unread_lines import reject_json, reject_text
from tricklog.ingest.lake.storage import is_lake_uri, storage_of
from tricklog.ingest.reading.progress import Progress, Stage
from tricklog.ingest.reading.rejects import RejectCode
from tricklog.ingest.store import quarantine
from tricklog.ingest.store.publishing import BusyError
from tricklog.ingest.upkeep import reauditing, rebuilding, undoing, verifying
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.lake.upkeep import Held, Tidied

    Blocks = tuple[Held, Held] | None
    """What the blocks of solved hands had, and have; ``None`` where a load was in the way."""

EXAMPLES = {
    "reaudit": """\
  tricklog db reaudit --db club --dry-run    # what would change
  tricklog db reaudit --db club          # and change it""",
    "rebuild": """\
  tricklog db rebuild --db club          # in place, from the logs it was made from
  tricklog db rebuild --db club --output club2   # into a new folder
  tricklog db rebuild archive/ --db club # also logs that were moved there""",
    "rejects": """\
  tricklog db rejects --db club             # every line in quarantine
  tricklog db rejects --code id-conflict    # hands whose id another hand has
  tricklog db rejects --json | jq -r .text  # the lines themselves
  tricklog db rejects --log old/ --forget   # drop those of a log or a folder""",
    "tidy": """\
  tricklog db tidy --db s3://club/tricklog   # joins small files, removes old ones
  tricklog db tidy --db lake:club --dry-run
  tricklog db tidy --db lake:club --keep 30  # a month of what was replaced""",
    "undo": """\
  tricklog db undo --db club    # what was loaded last is out again
  tricklog db undo 7 --db club  # only if load 7 is the latest""",
    "verify": """\
  tricklog db verify --db club           # all rows, and a replay of some hands
  tricklog db verify --db club --all     # replays every hand""",
}


def verify(
    *,
    db: Warehouse = DEFAULT_DB,
    all: Flag = False,  # noqa: A002 - the name of the option
    on: On = None,
    json: Flag = False,
) -> int:
    """Check a warehouse against itself.

    Looks at keys, references, sums, the hash of every record, the hashes of the rules, and at what
    is stored of hands against what a replay makes of them. Every problem is shown with its
    table, its row and what to do. The exit status is 1 when there is one.

    Args:
        all: Replay every hand, not a sample of them.
        json: One JSON object with the counts and the problems.
    """
    with working("Verifying", db) as line:
        found = verifying.verify(db, everything=all, on_progress=line.report, on=on)
    show(values_of(found, unless_empty=["checksum"]), _verified(found), json=json)
    return status_of(found.problems)


def _verified(found: verifying.Verification) -> Iterator[str | Text]:
    for problem in found.problems:
        row = f" {one_line(problem.row)}" if problem.row else ""
        text = Text(f"✗ {problem.table}{row}", "bold red")
        text.append(f"  {problem.check}: {one_line(problem.message)}", "not bold default")
        yield text.append(f"\n  {one_line(problem.hint)}", "dim")
    if found.checksum:
        yield f"Checksum {found.checksum}"
    problems = counted(len(found.problems), "problem") if found.problems else "No problem"
    yield (
        f"{problems} in {found.snapshot or 'the folder'}: "
        f"{counted(found.hands, 'record')} checked, {counted(found.replayed, 'hand')} replayed"
    )


def rejects(
    *,
    db: Warehouse = DEFAULT_DB,
    code: str | None = None,
    log: str | None = None,
    forget: Flag = False,
    json: Flag = False,
) -> None:
    """List the lines in quarantine, or drop them.

    Each is shown with its place, what is wrong and what to do. Where two hands claim one id, the
    first is stored, the other one is here, and the places of both are shown.

    Args:
        code: Only lines with this code.
        log: Only lines of this file, as the list names it, or of the files in this folder.
        forget: Drop the lines instead, as those of a log that was loaded by mistake. Hands stay.
        json: One JSON object a line; text is the line as it was read. With --forget one object.
    """
    if code is not None and code not in list(RejectCode):
        raise UserError(f"there is no code {code}", f"Codes are {', '.join(RejectCode)}.")
    if forget:
        with failure_state.explained_failures(db):
            count = undoing.drop_rejects(db, code=code, log=log)
        show({"dropped": count}, [f"{counted(count, 'line')} dropped from quarantine"], json=json)
        return
    count = 0
    with opened(db, once=True) as connection:
        for reject in quarantine.lines(connection, code=code, log=log):
            count += 1
            if json:
                text = reject.text.decode("utf-8", "backslashreplace")
                print_json(reject_json(reject) | {"text": text})
            else:
                put(reject_text(reject), "")
    if not json:
        put(f"{counted(count, 'line')} in quarantine")


LONGEST = 60
"""Characters of a value that are shown; longer ones are named only."""


def reaudit(
    *,
    db: Warehouse = DEFAULT_DB,
    dry_run: Flag = False,
    on: On = None,
    take_over: TakeOver = False,
    json: Flag = False,
) -> int:
    """Replay stored hands under the rules of this version.

    Tells hand by hand what changed, and publishes the new facts as a new snapshot. A hand that
    cannot be replayed any more is named and keeps what is stored of it. The exit status is 1 when
    there is such a hand.

    Args:
        dry_run: Only tell; the warehouse stays as it is.
        json: One JSON object for each hand that changed, and one with the counts.
    """
    quiet = 0

    def tell(change: reauditing.HandChange) -> None:
        nonlocal quiet
        if json:
            both = {name: {"before": a, "now": b} for name, (a, b) in change.facts.items()}
            told = values_of(change, id="hand_id")
            print_json(told | {"facts": both, "unplayable": change.unplayable or None})
        elif change.only_the_rules:
            quiet += 1
        else:
            with line.aside():
                put(_change_text(change))

    with working("Replaying again", db) as line:
        report = reauditing.reaudit(
            db, dry_run=dry_run, on=on, take_over=take_over, on_change=tell, on_progress=line.report
        )
    with reporting(db, report.snapshot if report.published else None):
        show(report, _reaudited(report, quiet, dry_run=dry_run), json=json)
    return status_of(report.unplayable)


def _change_text(change: reauditing.HandChange) -> Text:
    text = Text(one_line(change.id), "bold")
    text.append(f"  {one_line(change.file)}:{change.line}", "not bold dim")
    if change.unplayable:
        text.append(
            f"\n  ✗ cannot be replayed any more: {one_line(change.unplayable)}", "not bold red"
        )
        text.append(" What is stored of it stays.", "not bold")
    shown = {name: f"{_value(old)} → {_value(new)}" for name, (old, new) in change.facts.items()}
    lines = [f"{name}: {one_line(each)}" for name, each in shown.items() if len(each) <= LONGEST]
    if unnamed := [name for name, each in shown.items() if len(each) > LONGEST]:
        lines.append(f"also other: {', '.join(unnamed)}")
    signed = [*(("+", each) for each in change.added), *(("-", each) for each in change.gone)]
    for sign, finding in signed:
        place = f" at {finding.pointer}" if finding.pointer else ""
        lines.append(f"{sign} {finding.code}{place}: {one_line(finding.message)}")
    return text.append("".join(f"\n  {each}" for each in lines), "not bold")


def _value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "nothing"
    return "nothing" if value is None else str(value)


def _reaudited(report: reauditing.ReauditReport, quiet: int, *, dry_run: bool) -> Iterator[str]:
    same = report.hands - report.changed - report.unplayable
    yield (
        f"{counted(report.hands, 'hand')} = {same:,} as before + {report.changed:,} changed + "
        f"{report.unplayable:,} that cannot be replayed"
    )
    if quiet:
        yield f"Of {counted(quiet, 'changed hand')} only the hash of the rules is another"
    if report.published:
        yield f"Published {report.snapshot}"
    elif dry_run:
        yield "The warehouse stays as it is: this was a dry run"
    else:
        yield "Nothing changed: the warehouse stays as it is"


MOST_LISTED = 10


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
    with working("Rebuilding", output or db) as line:
        report = rebuilding.rebuild(
            *logs, db=db, to=output, on_progress=line.report, on=on, take_over=take_over
        )
    with reporting(output or db, report.snapshot):
        derived = {"complete": report.complete, "equal": report.equal}
        lines = map(one_line, (*_troubles(report), *_rebuilt(report)))
        show(values_of(report) | derived, lines, json=json)
    return status_of(not report.complete)


def _troubles(report: rebuilding.RebuildReport) -> Iterator[str]:
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


def _rebuilt(report: rebuilding.RebuildReport) -> Iterator[str]:
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


def tidy(
    *,
    db: str,
    keep: Annotated[float, Parameter(validator=Number(gte=0))] = 7.0,
    dry_run: Flag = False,
    take_over: Flag = False,
    json: Flag = False,
) -> None:
    """Keep a lake in shape.

    Puts small files together, with their rows sorted again and without those of games that a later
    load continued; likewise of what tricklog solve has found. What hands and figures say stays the
    same. Files that were replaced longer ago
    than so many days are removed, and so is what loads left behind that did not come to their end.
    Whoever has the lake open can go on reading for as long.

    Args:
        db: The lake: lake:FOLDER or the address of an object store.
        keep: Days for which files that were replaced stay. With 0 whoever is reading fails, and so
            does a load that is still staging its logs.
        dry_run: Only tell what would be done.
        take_over: Do not wait for a load that holds the lake and no longer runs.
        json: One JSON object with the counts instead of sentences.
    """
    if not is_lake_uri(db):
        raise UserError(
            f"{db} is no lake.",
            "A warehouse in a folder is tidied by every load; name a lake as lake:FOLDER.",
        )
    with working("Tidying", db) as line:
        storage = storage_of(db)
        # Only now is it known that what it needs is installed.
        from tricklog.ingest.lake import upkeep
        from tricklog.ingest.study.lakes import merge_blocks

        if not keep and not dry_run:
            remark("Nothing that was replaced is kept: whoever reads the lake now may fail")
        told = upkeep.tidy(
            storage,
            keep=keep,
            dry_run=dry_run,
            take_over=take_over,
            on_progress=lambda done, size: line.report(
                Progress(Stage.TIDYING, done=done, total=size)
            ),
        )
        blocks = None
        with suppress(BusyError):
            # Where a load holds the lake by now, they wait for the next time.
            blocks = merge_blocks(storage, dry_run=dry_run)
    told_as_json = _tidied_json(told, blocks, dry_run=dry_run)
    show(told_as_json, _tidied(told, blocks, dry_run=dry_run), json=json)


def _tidied_json(told: Tidied, blocks: Blocks, *, dry_run: bool) -> dict[str, Any]:
    def plain(held: Held) -> dict[str, int]:
        return {"files": held.files, "bytes": held.size}

    def both(before: Held, after: Held) -> dict[str, Any]:
        return {"before": plain(before), "after": plain(after)}

    tables = {name: each for name, each in told.before.items() if name in told.after}
    return both(told.total_before, told.total_after) | {
        "tables": {name: both(each, told.after[name]) for name, each in tables.items()},
        "blocks": None if blocks is None else both(*blocks),
        "games": told.games,
        "rows": told.rows,
        "removed": plain(told.removed),
        "snapshots": told.snapshots,
        "snapshot": told.snapshot.number,
        "dry_run": dry_run,
        "busy": told.busy or None,
    }


def _tidied(told: Tidied, blocks: Blocks, *, dry_run: bool) -> Iterator[str]:
    """Yield what tidying did; in a dry run what it would do, of which sizes are not known."""

    def became(after: Held) -> str:
        if dry_run:
            return f"would become {counted(after.files, 'file')}"
        return f"became {_held(after)}"

    before, after = told.total_before, told.total_after
    if before.files != after.files or (before != after and not dry_run):
        yield f"{_held(before)} {became(after)}{', about' if dry_run else ''}"
    else:
        yield f"In shape already: {_held(before)}"
    if told.games:
        rows = f"{counted(told.rows, 'row')} of {counted(told.games, 'game')}"
        yield f"{rows} that later loads continued {'would go' if dry_run else 'are gone'}"
    if blocks is not None and blocks[0].files != blocks[1].files:
        yield f"Of what tricklog solve has found, {_held(blocks[0])} {became(blocks[1])}"
    if dry_run:
        yield f"{_held(told.removed)} that nobody needs would be removed"
        yield "The lake stays as it is: this was a dry run"
    elif told.busy:
        yield f"Nothing was removed. {told.busy}"
    else:
        old = f", and {counted(told.snapshots, 'old snapshot')}" if told.snapshots else ""
        yield f"Removed {_held(told.removed)} that nobody needs{old}"


def _held(held: Held) -> str:
    return f"{counted(held.files, 'file')} ({held.size / 1e6:,.1f} MB)"


def undo(load: int | None = None, /, *, db: Warehouse = DEFAULT_DB, json: Flag = False) -> None:
    """Undo the latest load.

    What stood in the warehouse before it is published again: its hands and lines in quarantine go,
    and hands that it corrected are back as they were. Notes and tags stay. Once something else has
    been published, the load can no longer be undone.

    Args:
        load: Its number, as pages and tables name it; without it whichever is the latest.
        json: One JSON object with the counts.
    """
    with failure_state.explained_failures(db):
        undone = undoing.undo_load(db, load)
    lines = [
        f"Load {undone.load} of {', '.join(undone.paths)} is undone",
        f"{counted(undone.now, 'hand')}, before {counted(undone.hands, 'hand')}",
    ]
    told = values_of(undone, without=["loaded_at"], hands="before", now="hands")
    show(told, lines, json=json)
