"""``tricklog load``: bring logs into the warehouse."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from tricklog.ingest.cli import arguments, output
from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, LogPath, Warehouse
from tricklog.ingest.cli.failure_state import reporting, working
from tricklog.ingest.cli.output import UserError, need_hands, need_paths, own_command, put, remark
from tricklog.ingest.cli.score_sheets import UNSAID, SheetOptions, print_meaning, reader_for
from tricklog.ingest.score_sheets.settings import is_sheet_name
from tricklog.ingest.store.absent import db_option
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from pathlib import Path

    from rich.text import Text

    from tricklog.ingest import LoadReport
    from tricklog.ingest.loading.report import GivesWay, Superseded

MOST_LISTED = 8

EXAMPLES = """\
  tricklog load logs/ --db club          # into the warehouse in the folder club
  tricklog load last-night.jsonl --db club --json
  tricklog load logs/ --db club --dry-run
  tricklog load last-night.jsonl --db club --solve
  tricklog load --inspect scores.xlsx --variant pedro > scores.toml   # to edit
  tricklog load scores.xlsx --mapping scores.toml --db club     # a score sheet
  tricklog load --follow server.jsonl --db club      # hands as they are written
  tricklog load s3://logs/2026/ --db s3://club/tricklog --on ray
  tricklog dashboard --db club           # then look at it"""


def load(  # noqa: PLR0913 - all of them are named
    *paths: LogPath,
    db: Warehouse = DEFAULT_DB,
    source: arguments.From = None,
    sheet: SheetOptions = UNSAID,
    correct: Flag = False,
    yes: Flag = False,
    on: str | None = None,
    take_over: arguments.TakeOver = False,
    dry_run: Flag = False,
    inspect: Flag = False,
    solve: Flag = False,
    follow: Flag = False,
    every: float | None = None,
    allow_empty: arguments.AllowEmpty = False,
    json: Flag = False,
    progress: arguments.Told = False,
) -> int:
    """Load hands into a warehouse.

    What is new is published as a new snapshot. The same hands again add nothing. Anyone who has the
    warehouse open keeps the snapshot they see.

    Args:
        paths: Files, folders, addresses such as s3://BUCKET/logs, or - for standard input: .jsonl,
            .ndjson, .json and texts (.trick), each also as .gz or .zst. Or score sheets: .csv,
            .tsv, .xlsx, .ods.
        db: The folder of the warehouse, or a lake: lake:FOLDER or s3://BUCKET/PREFIX. It is made
            when it does not exist.
        correct: Of score sheets: what they say now takes the place of what was loaded of them
            before. Load the old file so to undo it. It says of each day how many hands give way and
            who played them. You are asked before hands are taken out that the sheet no longer has,
            before those of a day are replaced that hardly agree with it, and before cells that said
            something are empty.
        yes: With --correct, do not ask.
        on: What does the work of a load into a lake: processes=N of this machine, here for this
            process alone, or a cluster: ray, HOST:PORT or ray://HOST:10001. Unless said, a process
            for each core, six at most.
        dry_run: Only tell what a load would do; the warehouse stays as it is.
        inspect: Only print what the columns of a score sheet are taken to mean, as a mapping: a
            small TOML file to edit and to give to --mapping. What stands in the sheet, and how sure
            each meaning is, are remarks in it. Of a long sheet the first rows tell.
        solve: Afterwards solve the hands that are not solved yet, as tricklog solve does.
        follow: Go on until Ctrl-C: take lines as they are appended to the logs, and logs as they
            appear in the folders. What was taken is known again when you follow the same logs next.
        every: With --follow, seconds between two publishes, at least; 3 unless said.
        json: One JSON object with the counts instead of sentences; on standard error, each line
            that cannot be read as an object, too. With --follow, one object for each publish.
    """
    need_paths(paths, "load")
    if inspect:
        return print_meaning(paths, sheet, json=json)
    arguments.need_adapter(source)
    named = {"--on": on, "--take-over": take_over, "--dry-run": dry_run, "--solve": solve}
    if follow or every is not None:
        _check_following(paths, sheet, every, [*filter(named.get, named)], follow=follow)
        from tricklog.ingest.cli.following import run_follow

        return run_follow(paths, db, every=every, adapter=source, json=json, progress=progress)
    if solve and dry_run:
        raise UserError(
            "--solve is for hands that are stored, and a dry run stores none",
            "Leave one of them out.",
        )
    reader = reader_for(db, paths, sheet, source, is_told=not json, is_kept=not dry_run)
    if correct:
        _check_correcting(paths, db)
    report = run_load(
        *(paths, db),
        tell_rejects=True,
        json=json,
        progress=progress,
        agreed=yes,
        adapter=reader,
        dry_run=dry_run,
        on=on,
        take_over=take_over,
        correct=correct,
    )
    with reporting(db, report.snapshot if report.published else None):
        told = report_json(report)
        if not json:
            put(*_lines(report, db, dry_run=dry_run))
        if report.published:
            from tricklog.ingest.cli.figures import set_aside_by, set_aside_text

            apart = set_aside_by(db)
            told["set_aside"] = [each._asdict() for each in apart]
            if not json:
                remark(*map(set_aside_text, apart))
        if solve and report.snapshot:
            from tricklog.ingest.cli.commands import solve as solving

            solved = solving.run_solve(db, progress=progress)
            told["solved"] = solving.report_json(solved)
            if not json:
                put(*solving.report_lines(solved, db))
        if json:
            output.print_json(told)
    need_hands(report.lines - report.blank, paths, allow_empty=allow_empty)
    return report.exit_status


def _check_correcting(paths: Sequence[str], db: str) -> None:
    from tricklog.ingest.warehouses import is_lake

    if not all(map(is_sheet_name, paths)):
        raise UserError(
            "--correct is for score sheets, and these are logs",
            "A hand of a log is corrected there, under an id of its own, or in a new warehouse.",
        )
    if is_lake(db):
        raise UserError(
            "rows of a score sheet are not corrected in a lake",
            "Load the corrected sheet into a new one.",
        )


def _check_following(
    paths: Sequence[str],
    sheet: SheetOptions,
    every: float | None,
    beside: Sequence[str],
    *,
    follow: bool,
) -> None:
    if sheet.is_said or any(map(is_sheet_name, paths)):
        raise UserError(
            "--follow is for logs that a program writes, and these are score sheets",
            "Load a sheet again when it has more rows: what is known is not added twice.",
        )
    if not follow:
        raise UserError("--every is for logs that are followed", "Add --follow, or leave it out.")
    if every is not None and not 0 < every < math.inf:
        raise UserError(
            f"--every {every:g} is no time between two publishes",
            "Give seconds, more than none, such as --every 3.",
        )
    if beside:
        raise UserError(
            f"--follow does not go together with {' and '.join(beside)}",
            f"Leave {'it' if len(beside) == 1 else 'them'} out, or follow first and do that after.",
        )


def run_load(
    paths: Sequence[str | Path],
    db: str | Path,
    *,
    tell_rejects: bool,
    json: bool = False,
    progress: bool = False,
    agreed: bool = False,
    **asked: Any,  # noqa: ANN401 - as ingest.load takes it
) -> LoadReport:
    """Load with a progress line. Raises ``UserError`` where the warehouse cannot be used."""
    from tricklog import ingest
    from tricklog.ingest.cli.progress import shown
    from tricklog.ingest.cli.unread_lines import UnreadLines, tell_reject, tell_warning

    def say(text: Text | None) -> None:
        if text is not None:
            with line.aside():
                remark(text)

    def correcting(old: Superseded) -> None:
        with line.aside():
            _need_agreement(old, db, is_told=not json, agreed=agreed or asked.get("dry_run", False))

    unread = UnreadLines("load", paths, "--db", str(db))
    if json and tell_rejects:
        asked["on_reject"] = partial(tell_reject, as_object=True)
        asked["on_warning"] = partial(tell_warning, as_object=True)
    elif tell_rejects:
        asked["on_reject"] = lambda reject: say(unread.told(reject))
        asked["on_warning"] = lambda file, warning: say(unread.warned(file, warning))
    # A line that is drawn again and again would break the objects of the other kind of progress.
    with working("Loading", str(db), is_shown=not progress) as line:
        try:
            return ingest.load(
                *paths,
                db=db,
                on_progress=shown(line, as_objects=progress, json=json),
                on_correction=correcting,
                **asked,
            )
        finally:
            with line.aside():
                remark(*unread.rest())


def _need_agreement(old: Superseded, db: str | Path, *, is_told: bool, agreed: bool) -> None:
    """Say which stored hands are about to give way; ask where that may not be what is meant."""
    from tricklog.ingest.sessions.words import listed

    said = {
        "Hands to be corrected": old.corrected,
        "Hands to be taken out, which the sheet no longer has": old.taken_out,
    }
    goes_on = agreed or (not old.taken_out and all(each.is_plain for each in old.days))
    if is_told or not goes_on:
        remark(*(f"{what}: {listed(ids, MOST_LISTED)}" for what, ids in said.items() if ids))
        remark(*map(_day_text, old.days[:MOST_LISTED]))
        if len(old.days) > MOST_LISTED:
            remark(f"and {counted(len(old.days) - MOST_LISTED, 'more day')}")
    if not goes_on:
        replaced, gone = len(old.corrected), len(old.taken_out)
        asked = [f"replace {counted(replaced, 'stored hand')}"] if replaced else []
        asked += [f"take {counted(gone, 'hand')} out"] if gone else []
        question = f"{' and '.join(asked).capitalize()} of {db}?"
        output.need_agreement(question, f"Nothing was corrected in {db}")


def _day_text(day: GivesWay) -> str:
    doubt = ""
    if day.emptied:
        doubt = f"; the sheet no longer has all that it said: {', '.join(day.emptied)}"
    elif not day.is_plain:
        doubt = "; the sheet agrees with few of them, so it may be another one, or another evening"
    return (
        f"  {day.sheet}, {day.day or 'without a day'}: {day.hands:,} of "
        f"{counted(day.stored, 'stored hand')}, of {', '.join(day.players)}{doubt}"
    )


def _lines(report: LoadReport, db: str, *, dry_run: bool) -> Iterator[str]:
    yield output.counts_sentence(report)
    for title, counts in (("Hands", report.verdicts), ("Findings", report.findings)):
        if counts:
            first = sorted(counts.items(), key=lambda item: -item[1])[:MOST_LISTED]
            listed = ", ".join(f"{count:,} {name}" for name, count in first)
            others = len(counts) - len(first)
            yield f"{title}: {listed}{f' and {others} other kinds' if others else ''}"
    changed = (
        (report.corrected, "corrected"),
        (report.taken_out, "taken out that the sheet no longer has"),
        (report.completed, "completed whose record was unfinished"),
    )
    if said := [f"{counted(hands, 'hand')} {what}" for hands, what in changed if hands]:
        yield "; ".join(said)
    if report.forgotten:
        many = "1 hand names" if report.forgotten == 1 else f"{report.forgotten:,} hands name"
        yield (
            f"Forgotten: {many} somebody who was forgotten; the warehouse has another id for them"
        )
    yield standing_text(report, db, dry_run=dry_run)


def standing_text(report: LoadReport, db: str, *, dry_run: bool = False) -> str:
    """Return what stands in the warehouse after a load."""
    if dry_run:
        return "The warehouse stays as it is: this was a dry run"
    if not report.published:
        return "Nothing new: the warehouse stays as it is"
    if report.accepted or report.taken_out or report.snapshot is None:
        return f"Published {report.snapshot}"
    lists = f"{own_command()} db rejects {db_option(db)}"
    return f"No hand is new. Published {report.snapshot}, for the lines in quarantine: {lists}"


def report_json(report: LoadReport) -> dict[str, object]:
    """Return the counts of a load as plain values for a JSON encoder."""
    return output.values_of(report, unless_empty=["forgotten", "gave_way"])
