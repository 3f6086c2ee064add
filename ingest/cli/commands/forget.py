"""``tricklog forget``: a player's hands stay, under an id that names nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.failure_state import working
from tricklog.ingest.cli.output import SUCCESS, need_agreement, print_json, put, remark

if TYPE_CHECKING:
    from tricklog.ingest.forgetting import ForgetReport

EXAMPLES = """\
  tricklog forget ann --db club --dry-run       # says what would be done
  tricklog forget ann --db club  # asks, and does it
  tricklog forget ann --db club --also Annie    # a nickname in texts, too"""


def forget(
    player: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    db: Warehouse = DEFAULT_DB,
    also: tuple[str, ...] = (),
    dry_run: Flag = False,
    yes: Flag = False,
    json: Flag = False,
) -> int:
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
    from tricklog.ingest import forgetting
    from tricklog.ingest.cli.forget_text import report_json, report_lines

    def run(*, is_rehearsal: bool) -> ForgetReport:
        try:
            with working("Forgetting", db) as line:
                return forgetting.forget(
                    player, db=db, also=also, dry_run=is_rehearsal, on_progress=line.report
                )
        except KeyboardInterrupt as error:
            if is_rehearsal:
                raise
            raise KeyboardInterrupt(
                f"{error}. Run the same command again: it finishes what was begun, and until then "
                "nothing else writes there"
            ) from error

    if not dry_run and not yes:
        _ask(player, db, run(is_rehearsal=True))
    report = run(is_rehearsal=dry_run)
    if json:
        print_json(report_json(report))
    else:
        put(*report_lines(report))
    return SUCCESS


def _ask(player: str, db: str, report: ForgetReport) -> None:
    """Say what would be done, and ask. Raises ``UserError`` without a yes."""
    from tricklog.ingest.cli.forget_text import report_lines

    remark(*report_lines(report))
    need_agreement(
        f"Forget {player} in {db}? It cannot be taken back.", f"{player} was not forgotten"
    )
