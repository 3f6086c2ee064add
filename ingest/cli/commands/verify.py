"""``tricklog db verify``: is what a warehouse says about itself true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, On, Warehouse
from tricklog.ingest.cli.failure_state import working
from tricklog.ingest.cli.output import PROBLEM, SUCCESS, print_json, put, values_of
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.upkeep.verifying import Verification

EXAMPLES = """\
  tricklog db verify --db club           # all rows, and a replay of some hands
  tricklog db verify --db club --all     # replays every hand"""


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
    from tricklog.ingest.upkeep.verifying import verify as check

    with working("Verifying", db) as line:
        found = check(db, everything=all, on_progress=line.report, on=on)
    if json:
        print_json(values_of(found, unless_empty=["checksum"]))
    else:
        _print(found)
    return PROBLEM if found.problems else SUCCESS


def _print(found: Verification) -> None:
    from rich.text import Text

    from tricklog.schemas.printable import one_line

    for problem in found.problems:
        row = f" {one_line(problem.row)}" if problem.row else ""
        text = Text(f"✗ {problem.table}{row}", "bold red")
        text.append(f"  {problem.check}: {one_line(problem.message)}", "not bold default")
        text.append(f"\n  {one_line(problem.hint)}", "dim")
        put(text)
    if found.checksum:
        put(f"Checksum {found.checksum}")
    count = len(found.problems)
    verdict = counted(count, "problem") if count else "No problem"
    put(
        f"{verdict} in {found.snapshot or 'the folder'}: {counted(found.hands, 'record')} checked, "
        f"{counted(found.replayed, 'hand')} replayed"
    )
