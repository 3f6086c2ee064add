"""``tricklog db reaudit``: replay stored hands after a change of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, On, TakeOver, Warehouse
from tricklog.ingest.cli.failure_state import reporting, working
from tricklog.ingest.cli.output import PROBLEM, SUCCESS, print_json, put, values_of
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.upkeep.reauditing import HandChange, ReauditReport

EXAMPLES = """\
  tricklog db reaudit --db club --dry-run    # what would change
  tricklog db reaudit --db club          # and change it"""

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
    from tricklog.ingest.upkeep.reauditing import reaudit as replay_again

    quiet = 0

    def tell(change: HandChange) -> None:
        nonlocal quiet
        if json:
            print_json(_change_json(change))
        elif change.only_the_rules:
            quiet += 1
        else:
            with line.aside():
                _print(change)

    with working("Replaying again", db) as line:
        report = replay_again(
            db,
            dry_run=dry_run,
            on=on,
            take_over=take_over,
            on_change=tell,
            on_progress=line.report,
        )
    with reporting(db, report.snapshot if report.published else None):
        if json:
            print_json(report)
        else:
            _print_report(report, quiet, dry_run=dry_run)
    return PROBLEM if report.unplayable else SUCCESS


def _print(change: HandChange) -> None:
    from rich.text import Text

    from tricklog.schemas.printable import one_line

    text = Text(one_line(change.id), "bold")
    text.append(f"  {one_line(change.file)}:{change.line}", "not bold dim")
    if change.unplayable:
        text.append(
            f"\n  ✗ cannot be replayed any more: {one_line(change.unplayable)}", "not bold red"
        )
        text.append(" What is stored of it stays.", "not bold")
    unnamed = []
    for name, (old, new) in change.facts.items():
        shown = f"{_value(old)} → {_value(new)}"
        if len(shown) > LONGEST:
            unnamed.append(name)
        else:
            text.append(f"\n  {name}: {one_line(shown)}", "not bold")
    if unnamed:
        text.append(f"\n  also other: {', '.join(unnamed)}", "not bold")
    for sign, findings in (("+", change.added), ("-", change.gone)):
        for finding in findings:
            place = f" at {finding.pointer}" if finding.pointer else ""
            text.append(
                f"\n  {sign} {finding.code}{place}: {one_line(finding.message)}", "not bold"
            )
    put(text)


def _value(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "nothing"
    return str(value)


def _print_report(report: ReauditReport, quiet: int, *, dry_run: bool) -> None:
    same = report.hands - report.changed - report.unplayable
    put(
        f"{counted(report.hands, 'hand')} = {same:,} as before + {report.changed:,} changed + "
        f"{report.unplayable:,} that cannot be replayed"
    )
    if quiet:
        put(f"Of {counted(quiet, 'changed hand')} only the hash of the rules is another")
    if report.published:
        put(f"Published {report.snapshot}")
    elif dry_run:
        put("The warehouse stays as it is: this was a dry run")
    else:
        put("Nothing changed: the warehouse stays as it is")


def _change_json(change: HandChange) -> dict[str, Any]:
    facts = {name: {"before": old, "now": new} for name, (old, new) in change.facts.items()}
    values = values_of(change, id="hand_id")
    return values | {"facts": facts, "unplayable": change.unplayable or None}
