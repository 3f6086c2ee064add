"""``tricklog db rejects``: the lines in quarantine."""

from __future__ import annotations

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.failure_state import explained_failures, need_warehouse, opened
from tricklog.ingest.cli.output import UserError, out, print_json
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog db rejects --db club             # every line in quarantine
  tricklog db rejects --code id-conflict    # hands whose id another hand has
  tricklog db rejects --json | jq -r .text  # the lines themselves
  tricklog db rejects --log old/ --forget   # drop those of a log or a folder"""


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
    need_warehouse(db)
    from tricklog.ingest.cli.reject_text import reject_json, reject_text
    from tricklog.ingest.reading.rejects import RejectCode
    from tricklog.ingest.store import quarantine

    if code is not None and code not in list(RejectCode):
        raise UserError(f"there is no code {code}", f"Codes are {', '.join(RejectCode)}.")
    console = out()
    if forget:
        from tricklog.ingest.upkeep.dropping import drop_rejects

        with explained_failures(db):
            count = drop_rejects(db, code=code, log=log)
        if json:
            print_json({"dropped": count})
        else:
            console.print(f"{counted(count, 'line')} dropped from quarantine")
        return
    count = 0
    with opened(db, once=True) as connection:
        for reject in quarantine.lines(connection, code=code, log=log):
            count += 1
            if json:
                text = reject.text.decode("utf-8", "backslashreplace")
                print_json(reject_json(reject) | {"text": text})
            else:
                console.print(reject_text(reject))
                console.print()
    if not json:
        console.print(f"{counted(count, 'line')} in quarantine")
