"""``tricklog db undo``: take the latest load back."""

from __future__ import annotations

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.failure_state import explained_failures, need_warehouse
from tricklog.ingest.cli.output import print_json, put
from tricklog.schemas.words import counted

EXAMPLES = """\
  tricklog db undo --db club    # what was loaded last is out again
  tricklog db undo 7 --db club  # only if load 7 is the latest"""


def undo(
    load: int | None = None,
    /,
    *,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Undo the latest load.

    What stood in the warehouse before it is published again: its hands and lines in quarantine go,
    and hands that it corrected are back as they were. Notes and tags stay. Once something else has
    been published, the load can no longer be undone.

    Args:
        load: Its number, as pages and tables name it; without it whichever is the latest.
        json: One JSON object with the counts.
    """
    need_warehouse(db)
    from tricklog.ingest.upkeep.undoing import undo_load

    with explained_failures(db):
        undone = undo_load(db, load)
    if json:
        print_json(
            {
                "load": undone.load,
                "paths": undone.paths,
                "before": undone.hands,
                "hands": undone.now,
            }
        )
        return
    put(
        f"Load {undone.load} of {', '.join(undone.paths)} is undone",
        f"{counted(undone.now, 'hand')}, before {counted(undone.hands, 'hand')}",
    )
