"""``tricklog rejects``: the lines in quarantine."""

from __future__ import annotations

from ingest.cli.commands.load import DEFAULT_DB, Warehouse
from ingest.cli.output import SUCCESS, Flag, UserError, out, print_json
from schemas.words import counted

EXAMPLES = """\
  tricklog rejects --db club             # every line in quarantine
  tricklog rejects --code id-conflict    # hands whose id another hand has
  tricklog rejects --json | jq -r .text  # the lines themselves"""


def rejects(*, db: Warehouse = DEFAULT_DB, code: str | None = None, json: Flag = False) -> int:
    """List the lines in quarantine.

    Each is shown with its place, what is wrong and what to do. Where two hands claim one id, the
    first is stored, the other one is here, and the places of both are shown.

    Args:
        db: The folder of the warehouse, or a lake.
        code: Only lines with this code.
        json: One JSON object a line; text is the line as it was read.
    """
    from ingest.cli.failure_state import explained_failures
    from ingest.cli.reject_text import reject_json, reject_text
    from ingest.reading.rejects import RejectCode
    from ingest.store import quarantine
    from ingest.warehouses import open_snapshot

    if code is not None and code not in list(RejectCode):
        raise UserError(f"there is no code {code}", f"Codes are {', '.join(RejectCode)}.")
    console = out()
    count = 0
    with explained_failures(db), open_snapshot(db, once=True) as connection:
        for reject in quarantine.lines(connection, code=code):
            count += 1
            if json:
                text = reject.text.decode("utf-8", "backslashreplace")
                print_json(reject_json(reject) | {"text": text})
            else:
                console.print(reject_text(reject))
                console.print()
    if not json:
        console.print(f"{counted(count, 'line')} in quarantine")
    return SUCCESS
