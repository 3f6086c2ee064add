"""``tricklog verify``: is what a warehouse says about itself true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from ingest.cli.output import PROBLEM, SUCCESS, out, print_json
from schemas.words import counted

if TYPE_CHECKING:
    from ingest.upkeep.verifying import Verification

EXAMPLES = """\
  tricklog verify --db club  # checks all rows, replays a sample of the hands
  tricklog verify --db club --all        # replays every hand"""


def verify(
    *,
    db: Warehouse = DEFAULT_DB,
    all: Flag = False,  # noqa: A002 - the name of the option
    on: str | None = None,
    json: Flag = False,
) -> int:
    """Check a warehouse against itself.

    Looks at keys, references, sums, the hash of every record, the hashes of the rules, and at what
    is stored of hands against what a replay makes of them. Every problem is shown with its
    table, its row and what to do. The exit status is 1 when there is one.

    Args:
        db: The folder of the warehouse, or a lake.
        all: Replay every hand, not a sample of them.
        on: What does the work on a lake: processes=N, ray or ray://HOST:10001.
        json: One JSON object with the counts and the problems.
    """
    from ingest.cli.failure_state import explained_failures
    from ingest.cli.progress import ProgressLine
    from ingest.upkeep.verifying import verify as check

    with explained_failures(db), ProgressLine("Verifying") as line:
        found = check(db, everything=all, on_progress=line.report, on=on)
    if json:
        print_json(
            {
                "snapshot": str(found.snapshot) if found.snapshot else None,
                "hands": found.hands,
                "replayed": found.replayed,
                "problems": found.problems,
            }
            | ({"checksum": found.checksum} if found.checksum else {})
        )
    else:
        _print(found)
    return PROBLEM if found.problems else SUCCESS


def _print(found: Verification) -> None:
    from rich.text import Text

    from schemas.printable import one_line

    console = out()
    for problem in found.problems:
        row = f" {one_line(problem.row)}" if problem.row else ""
        text = Text(f"✗ {problem.table}{row}", "bold red")
        text.append(f"  {problem.check}: {one_line(problem.message)}", "not bold default")
        text.append(f"\n  {one_line(problem.hint)}", "dim")
        console.print(text, soft_wrap=True)
    if found.checksum:
        console.print(f"Checksum {found.checksum}")
    count = len(found.problems)
    verdict = counted(count, "problem") if count else "No problem"
    console.print(
        f"{verdict} in {found.snapshot or 'the folder'}: {counted(found.hands, 'record')} checked, "
        f"{counted(found.replayed, 'hand')} replayed",
        soft_wrap=True,
    )
