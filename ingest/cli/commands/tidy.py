"""``tricklog db tidy``: keep a lake in shape."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from tricklog.ingest.cli.arguments import Flag
from tricklog.ingest.cli.failure_state import working
from tricklog.ingest.cli.output import UserError, print_json, put, remark
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from tricklog.ingest.lake.upkeep import Held, Tidied

    Blocks = tuple[Held, Held] | None
    """What the blocks of solved hands had, and have; ``None`` where a load was in the way."""

DAYS = 7.0

EXAMPLES = """\
  tricklog db tidy --db s3://club/tricklog   # joins small files, removes old ones
  tricklog db tidy --db lake:club --dry-run
  tricklog db tidy --db lake:club --keep 30  # a month of what was replaced"""

Days = Annotated[float, Parameter(validator=Number(gte=0))]


def tidy(
    *,
    db: str,
    keep: Days = DAYS,
    dry_run: Flag = False,
    take_over: Flag = False,
    json: Flag = False,
) -> None:
    """Keep a lake in shape.

    Puts small files together, with their rows sorted again and without those of games that a later
    load continued; likewise of what tricklog solve has found. What hands and figures say stays the
    same. Files that were replaced longer ago
    than so many days are removed, and so is what loads left behind that did not come to their end.
    Whoever has the lake open can go on reading for as long.

    Args:
        db: The lake: lake:FOLDER or the address of an object store.
        keep: Days for which files that were replaced stay. With 0 whoever is reading fails, and so
            does a load that is still staging its logs.
        dry_run: Only tell what would be done.
        take_over: Do not wait for a load that holds the lake and no longer runs.
        json: One JSON object with the counts instead of sentences.
    """
    from tricklog.ingest.lake.storage import is_lake_uri, storage_of
    from tricklog.ingest.reading.progress import Progress, Stage
    from tricklog.ingest.store.publishing import BusyError

    if not is_lake_uri(db):
        raise UserError(
            f"{db} is no lake.",
            "A warehouse in a folder is tidied by every load; name a lake as lake:FOLDER.",
        )
    with working("Tidying", db) as line:
        storage = storage_of(db)
        # Only now is it known that what it needs is installed.
        from tricklog.ingest.lake import upkeep
        from tricklog.ingest.study.lake_tables import merge_blocks

        if not keep and not dry_run:
            says = "Nothing that was replaced is kept: whoever reads the lake now may fail"
            remark(says)
        told = upkeep.tidy(
            storage,
            keep=keep,
            dry_run=dry_run,
            take_over=take_over,
            on_progress=lambda done, size: line.report(
                Progress(Stage.TIDYING, done=done, total=size)
            ),
        )
        blocks = None
        with suppress(BusyError):
            # Where a load holds the lake by now, they wait for the next time.
            blocks = merge_blocks(storage, dry_run=dry_run)
    if json:
        print_json(_as_json(told, blocks, dry_run=dry_run))
    else:
        _print(told, blocks, dry_run=dry_run)


def _as_json(told: Tidied, blocks: Blocks, *, dry_run: bool) -> dict[str, object]:
    def plain(held: Held) -> dict[str, int]:
        return {"files": held.files, "bytes": held.size}

    return {
        "before": plain(told.total_before),
        "after": plain(told.total_after),
        "tables": {
            table: {"before": plain(held), "after": plain(told.after[table])}
            for table, held in told.before.items()
            if table in told.after
        },
        "blocks": (
            {"before": plain(blocks[0]), "after": plain(blocks[1])} if blocks is not None else None
        ),
        "games": told.games,
        "rows": told.rows,
        "removed": plain(told.removed),
        "snapshots": told.snapshots,
        "snapshot": told.snapshot.number,
        "dry_run": dry_run,
        "busy": told.busy or None,
    }


def _print(told: Tidied, blocks: Blocks, *, dry_run: bool) -> None:
    before, after = told.total_before, told.total_after
    if dry_run:
        lines = _foretold(told, blocks)
    else:
        lines = [f"{_held(before)} became {_held(after)}" if before != after else _unchanged(told)]
        if told.games:
            lines.append(f"{_dead(told)} are gone")
        if blocks is not None and blocks[0].files != blocks[1].files:
            lines.append(f"{_solved(blocks[0])} became {_held(blocks[1])}")
        removed = f"Removed {_held(told.removed)} that nobody needs"
        old = f", and {counted(told.snapshots, 'old snapshot')}" if told.snapshots else ""
        lines.append(f"Nothing was removed. {told.busy}" if told.busy else removed + old)
    put(*lines)


def _foretold(told: Tidied, blocks: Blocks) -> list[str]:
    before, after = told.total_before, told.total_after
    lines = [_unchanged(told)]
    if before.files != after.files:
        lines = [f"{_held(before)} would become {counted(after.files, 'file')}, about"]
    if told.games:
        lines.append(f"{_dead(told)} would go")
    if blocks is not None and blocks[0].files != blocks[1].files:
        lines.append(f"{_solved(blocks[0])} would become {counted(blocks[1].files, 'file')}")
    lines.append(f"{_held(told.removed)} that nobody needs would be removed")
    return [*lines, "The lake stays as it is: this was a dry run"]


def _unchanged(told: Tidied) -> str:
    return f"In shape already: {_held(told.total_before)}"


def _dead(told: Tidied) -> str:
    games = counted(told.games, "game")
    return f"{counted(told.rows, 'row')} of {games} that later loads continued"


def _solved(held: Held) -> str:
    return f"Of what tricklog solve has found, {_held(held)}"


def _held(held: Held) -> str:
    return f"{counted(held.files, 'file')} ({held.size / 1e6:,.1f} MB)"
