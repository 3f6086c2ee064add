"""``tricklog demo``: the whole way of the data, on the sample logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag
from tricklog.ingest.cli.commands.load import report_json, run_load, standing_text
from tricklog.ingest.cli.output import (
    SUCCESS,
    UserError,
    counts_sentence,
    nearby,
    out,
    own_command,
    print_json,
)
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from rich.console import Console

    from tricklog.ingest.loading.auditing import AuditedLine

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
    from tricklog.ingest.reading.samples import samples_folder

    try:
        samples = Path(nearby(samples_folder()))
    except FileNotFoundError as error:
        raise UserError(str(error), "Install Tricklog again, or run it in a checkout.") from error
    if json:
        print_json(_run_quietly(samples, db))
        return SUCCESS
    console = out()
    _audit(console, samples)
    _load(console, samples, db)
    _sum_up(console, db)
    _go_on(console, samples, db)
    return SUCCESS


def _run_quietly(samples: Path, db: str) -> dict[str, Any]:
    from tricklog import ingest

    run = ingest.audit(samples)
    for _ in run:
        pass
    report = run_load((samples,), db, tell_rejects=False)
    audited = {"verdicts": dict(run.verdicts), "findings": dict(run.codes)}
    return {"samples": str(samples), "db": db, "audit": audited, "load": report_json(report)}


def _heading(console: Console, number: int, title: str, command: str) -> None:
    if number > 1:
        console.print()
    console.print(Text(f"{number}. {title}", "bold"))
    if command:
        console.print(Text(f"   {own_command()} {command}", "dim"), soft_wrap=True)


def _audit(console: Console, samples: Path) -> None:
    """Audit everything, and show one hand of what is found."""
    from tricklog import ingest

    _heading(console, 1, "Was everything legal and scored right?", f"audit {samples}")
    run = ingest.audit(samples)
    broken: AuditedLine | None = None
    for item in run:
        if item.replay and (broken is None or len(item.findings) > len(broken.findings)):
            broken = item if item.findings else broken
    console.print(counts_sentence(run.counts))
    verdicts = ", ".join(f"{count:,} {verdict}" for verdict, count in run.verdicts.most_common())
    console.print(f"Hands: {verdicts}")
    if broken:
        findings = counted(run.codes.total(), "finding")
        console.print(f"{findings}, since some samples are broken on purpose. Such as:")
        _show_broken(console, broken, samples)


def _show_broken(console: Console, item: AuditedLine, samples: Path) -> None:
    """Show a hand with findings: the card table at one of them, and what the others are."""
    from rich.padding import Padding

    from tricklog.core.render.sentences import moment_of
    from tricklog.core.render.terminal import table

    replayed = item.replay
    if replayed is None:
        return
    file = Path(item.line.file)
    name = file.relative_to(samples) if file.is_relative_to(samples) else file
    console.print()
    console.print(Text(one_line(f"{name}:{item.line.line}  {replayed.hand.id}"), "bold"))
    moments = [finding.action for finding in replayed.findings if finding.action is not None]
    in_play = [moment for moment in moments if replayed.at(moment).trick_number]
    shown = next(iter(in_play + moments), None)
    if shown is not None:
        console.print(Padding(table(replayed.at(shown), replayed), (0, 0, 0, 2)))
    others = [
        finding.code
        for finding in item.findings
        if shown is None or moment_of(finding, replayed) != shown
    ]
    if others:
        console.print(f"  Also found: {', '.join(others)}")


def _load(console: Console, samples: Path, db: str) -> None:
    _heading(console, 2, "Into the warehouse", f"load {samples} --db {db}")
    report = run_load((samples,), db, tell_rejects=False)
    console.print(counts_sentence(report))
    if report.duplicate and not report.accepted:
        console.print("You have run this before: the same hands again add nothing.")
    else:
        console.print(standing_text(report, db), soft_wrap=True)


def _sum_up(console: Console, db: str) -> None:
    from tricklog.ingest.cli.figure_tables import print_tables
    from tricklog.ingest.cli.figures import opened_facts

    _heading(console, 3, "Who bids well?", f"stats --summary --db {db}")
    with opened_facts(db) as facts:
        print_tables(facts, (FIGURE,), db, MOST_ROWS)


def _go_on(console: Console, samples: Path, db: str) -> None:
    _heading(console, 4, "Go on", "")
    command = own_command()
    for purpose, words in (
        ("look at it all in the browser", f"dashboard --db {db}"),
        ("step through a hand", f"replay {samples}"),
        ("read the rules of a game", "rules pidro"),
        ("audit logs of your own", "audit YOUR-LOGS"),
    ):
        line = Text(f"   {command} {words}", "bold")
        line.append(f"  # {purpose}", "not bold")
        console.print(line, soft_wrap=True)
