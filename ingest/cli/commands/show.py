"""``tricklog show``: a hand, a game, an evening, a season or a player, by its id."""

from __future__ import annotations

import re
from typing import Annotated, Final

from cyclopts import Parameter

from ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from ingest.cli.failure_state import explained_failures, need_warehouse
from ingest.cli.output import UserError, own_command

EXAMPLES = """\
  tricklog show club-7 --db club         # a hand, step by step
  tricklog show friday-2 --db club       # the score sheet of a game
  tricklog show 2026-11-20 --db club     # an evening
  tricklog show 2026 --db club           # a season
  tricklog show ann --db club            # the main figures of a player"""

_YEAR: Final = re.compile(r"[0-9]{4}")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def show(
    what: Annotated[str, Parameter(name="ID", allow_leading_hyphen=True)],
    /,
    *,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> int:
    """Show a hand, a game, an evening or a player of a warehouse.

    tricklog list has the ids. Of a hand, a game and a player with one id, the hand is shown, else
    the game; tricklog game and tricklog stats show the others.

    Args:
        what: The id of a hand, a game or a player; a day such as 2026-11-20; or a year.
        db: The folder of the warehouse, or a lake.
        json: As JSON objects.
    """
    need_warehouse(db)
    from ingest.cli.commands.game import game
    from ingest.cli.commands.replay import replay
    from ingest.cli.commands.session import session
    from ingest.cli.commands.stats import stats
    from ingest.store.queries import Named, what_is_named
    from ingest.warehouses import open_snapshot

    with explained_failures(db), open_snapshot(db) as connection:
        named = what_is_named(connection, what)
    if named is Named.HAND:
        return replay(hand=what, db=db, json=json)
    if named is Named.GAME:
        return game(what, db=db, json=json)
    if named is Named.PLAYER:
        return stats(where=(f"player={what}",), db=db, format="json" if json else None)
    if _YEAR.fullmatch(what):
        return session(season=int(what), db=db, json=json)
    if _DAY.fullmatch(what):
        return session(what, db=db, json=json)
    raise UserError(
        f"nothing in {db} has the id {what!r}",
        f"{own_command()} list hands --text {what!r} --db {db} finds what has it as a part.",
    )
