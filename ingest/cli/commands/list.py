"""``tricklog list``: what a warehouse holds, hands, games, evenings or players, with their ids."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from tricklog.ingest.cli.arguments import DEFAULT_DB, AtLeastOne, Flag, Warehouse
from tricklog.ingest.cli.conditions import ALL, Chosen
from tricklog.ingest.cli.output import UserError, print_json, put
from tricklog.ingest.cli.text_table import aligned
from tricklog.schemas.printable import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.metrics.filters import Filters

EXAMPLES = """\
  tricklog list hands --db club                     # the latest twenty
  tricklog list hands --where player=ann --where result=set --db club
  tricklog list games --since 2026-11-01 --db club
  tricklog list evenings --db club --json | jq .day
  tricklog list players --text an --db club"""

What = Literal["hands", "games", "evenings", "players"]
ROWS: Final = 20
"""Rows that are shown unless more are asked for."""
_SHOWN: Final = {
    "hands": (
        *("hand_id", "day", "variant", "players", "maker", "bid_name", "trump", "result"),
        "verdict",
    ),
    "games": ("game", "day", "variant", "players", "hands", "scores", "winner"),
    "evenings": ("day", "games", "tables", "hands"),
    "players": ("player", "name", "hands", "first_day", "last_day"),
}
_NUMBERS: Final = frozenset({"games", "hands", "tables"})


def list(  # noqa: A001 - the name of the command
    what: What,
    /,
    *,
    chosen: Chosen = ALL,
    text: str | None = None,
    top: AtLeastOne = None,
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """List hands, games, evenings, players, deals or ratings.

    The latest come first, players by their hands. tricklog show ID shows any of them. The lists of
    deals and of ratings have options of their own: tricklog list deals --help.

    Args:
        what: hands, games, evenings or players.
        text: Only what has this text in an id or in the name of a player.
        top: Show so many; 20 unless said, with --json all.
        json: One JSON object for each.
    """
    with chosen.opened(db) as (facts, filters):
        most = top or (None if json else ROWS)
        rows, found = _found(what, facts, filters, text, most)
    if json:
        for row in rows:
            print_json(row)
        return
    if not rows:
        raise UserError(f"no {what} in {db} fit", "Leave out conditions to see more.")
    heads = _SHOWN[what]
    titles = [head.removesuffix("_name").replace("_", " ") for head in heads]
    cells = [[one_line(_cell(row, head)) for head in heads] for row in rows]
    put(*aligned(titles, [head in _NUMBERS for head in heads], cells))
    if found > len(rows):
        put(f"and {found - len(rows):,} more; --top {found} lists all")


def _found(
    what: What, facts: DuckDBPyConnection, filters: Filters, text: str | None, most: int | None
) -> tuple[Sequence[dict[str, Any]], int]:
    """Return the first rows of a list, all of them without ``most``, and how many it has."""
    from tricklog.ingest.metrics.listings import hand_count, hand_list, player_list
    from tricklog.ingest.sessions.evening import evenings, names_of
    from tricklog.ingest.sheets.games import game_count, game_list

    if what == "evenings" and text is not None:
        hint = "Leave out --text, or use --since and --until."
        raise UserError("evenings have no names", hint)
    if what == "evenings":
        frame = evenings(facts, filters).reverse()
        return frame.head(most or frame.height).to_dicts(), frame.height
    if what == "players":
        frame, found = player_list(facts, filters, text=text, limit=most or sys.maxsize)
        return frame.to_dicts(), found
    if what == "hands":
        found = hand_count(facts, filters, text=text)
        return hand_list(facts, filters, text=text, limit=most or found).to_dicts(), found
    found, names = game_count(facts, filters, text=text), names_of(facts)
    games = game_list(facts, filters, text=text, limit=most or found).to_dicts()
    return [each | {"players": [names[one] for one in each["players"]]} for each in games], found


def _cell(row: dict[str, Any], head: str) -> str:
    if head == "players":
        return " ".join(row["players"])
    if head == "scores":
        return ":".join(map(str, row["scores"] or ()))
    key = {"winner": "winner_side", "day": "day" if "day" in row else "first_day"}.get(head, head)
    value = row[key]
    if value is None:
        return ""
    if head == "maker":
        return str(row["players"][value])
    if head == "winner":
        seats = zip(row["players"], row["seat_sides"], strict=True)
        return " & ".join(name for name, side in seats if side == value)
    return str(value)
