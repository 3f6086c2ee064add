"""``tricklog demo``: the whole way of the data, on the sample logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from tricklog.ingest.cli import output
from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag
from tricklog.ingest.cli.commands.load import report_json, run_load, standing_text
from tricklog.ingest.cli.failure_state import working
from tricklog.ingest.cli.output import UserError, own_command, put, remark
from tricklog.ingest.store.absent import db_option
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.loading.auditing import Audit, AuditedLine
    from tricklog.ingest.loading.report import LoadReport

EXAMPLES = """\
  tricklog demo
  tricklog demo --db /tmp/first-look
  tricklog demo --check                  # is all there that Tricklog needs
  tricklog demo --check --db club        # also looks at that warehouse"""

DEMO_DB = f"{DEFAULT_DB}/demo"
FIGURE = ("made-rate", "player")
"""The figure that is shown, of those of a summary."""
MOST_ROWS = 3
"""Rows of it, so that everything fits two screens."""


def demo(*, check: Flag = False, db: str | None = None, json: Flag = False) -> int:
    """Try everything on the sample logs.

    Audits the samples, loads them, sums them up, and says how to look at them. Some samples are
    broken on purpose: their findings are part of the show, so the exit status is 0 when everything
    worked.

    With --check it looks at Python, packages, data files, the engine, the warehouse and the browser
    instead, and the exit status is 1 when something is broken.

    Args:
        check: Only check that everything Tricklog needs is there.
        db: The folder of the warehouse that is made, tricklog-data/demo unless said; delete it when
            you are done. With --check the warehouse to look at, a folder or a lake.
        json: One JSON object with the counts of the audit and of the load; with --check one for
            each thing looked at: name, ok (null: not needed), says.
    """
    if check:
        from tricklog.ingest.cli.doctor import check_all

        return check_all(db or DEFAULT_DB, json=json)
    db = db or DEMO_DB
    from tricklog import ingest
    from tricklog.ingest.cli.figure_tables import print_tables
    from tricklog.ingest.cli.figures import opened_facts
    from tricklog.ingest.reading.samples import samples_folder

    with output.in_words(FileNotFoundError, "Install Tricklog again, or run it in a checkout."):
        samples = Path(output.nearby(samples_folder()))
    if not json:
        _heading(1, "Was everything legal and scored right?", f"audit {samples}")
    run = ingest.audit(samples)
    broken = max(run, key=lambda item: len(item.findings) if item.replay else 0)
    if not json:
        _tell_audit(run, broken, samples)
        _heading(2, "Into the warehouse", f"load {samples} {db_option(db)}")
    report = _loaded(samples, db)
    if json:
        audited = {"verdicts": run.verdicts, "findings": run.codes}
        told = {"samples": str(samples), "db": db, "audit": audited, "load": report_json(report)}
        output.print_json(told)
        return output.SUCCESS
    again = "You have run this before: the same hands again add nothing."
    is_again = report.duplicate and not report.accepted
    put(output.counts_sentence(report), again if is_again else standing_text(report, db))
    _heading(3, "Who bids well?", f"stats --summary {db_option(db)}")
    with opened_facts(db) as facts:
        print_tables(facts, (FIGURE,), db, MOST_ROWS)
    _heading(4, "Go on", "")
    for purpose, words in (
        ("look at it all in the browser", f"dashboard {db_option(db)}"),
        ("step through a hand", f"replay {samples}"),
        ("read the rules of a game", "rules pidro"),
        ("audit logs of your own", "audit YOUR-LOGS"),
    ):
        line = Text(f"   {own_command()} {words}", "bold")
        output.out().print(line.append(f"  # {purpose}", "not bold"), soft_wrap=True)
    return output.SUCCESS


def _loaded(samples: Path, db: str) -> LoadReport:
    """Load the samples; what another version made of them in our own place is made again first."""
    from tricklog.ingest.store.warehouse import OtherVersionError

    try:
        return run_load((samples,), db, tell_rejects=False)
    except UserError as error:
        if db != DEMO_DB or not isinstance(error.__cause__, OtherVersionError):
            raise
    from tricklog.ingest.upkeep.rebuilding import rebuild

    with working("Rebuilding", db):
        rebuild(samples, db=db)
    remark(f"{db} was written by another version of Tricklog, and was made again.")
    return run_load((samples,), db, tell_rejects=False)


def _heading(number: int, title: str, command: str) -> None:
    put(*([""] if number > 1 else []), Text(f"{number}. {title}", "bold"))
    if command:
        output.out().print(Text(f"   {own_command()} {command}", "dim"), soft_wrap=True)


def _tell_audit(run: Audit, item: AuditedLine, samples: Path) -> None:
    """Say what an audit came to, and show one hand: the table at a finding, and the others."""
    from rich.padding import Padding

    from tricklog.core.render.sentences import moment_of
    from tricklog.core.render.terminal import table

    verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in run.verdicts.most_common())
    put(output.counts_sentence(run.counts), f"Hands: {verdicts}")
    replayed = item.replay
    if replayed is None or not item.findings:
        return
    file = Path(item.line.file)
    name = file.relative_to(samples) if file.is_relative_to(samples) else file
    put(
        f"{counted(run.codes.total(), 'finding')}, since some samples are broken on purpose. "
        "Such as:",
        "",
        Text(one_line(f"{name}:{item.line.line}  {replayed.hand.id}"), "bold"),
    )
    moments = [finding.action for finding in replayed.findings if finding.action is not None]
    in_play = [moment for moment in moments if replayed.at(moment).trick_number]
    shown = next(iter(in_play + moments), None)
    if shown is not None:
        put(Padding(table(replayed.at(shown), replayed), (0, 0, 0, 2)))
    found = [(moment_of(each, replayed), each.code) for each in replayed.findings]
    if others := [code for moment, code in found if shown is None or moment != shown]:
        put(f"  Also found: {', '.join(others)}")
