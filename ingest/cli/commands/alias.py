"""``tricklog mark alias``: which ids of players are one player."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from tricklog.ingest.cli.arguments import DEFAULT_DB, Flag, Warehouse
from tricklog.ingest.cli.failure_state import opened
from tricklog.ingest.cli.marked import explained, folder_of
from tricklog.ingest.cli.merged import set_aside_by
from tricklog.ingest.cli.output import UserError, print_json, put

EXAMPLES = """\
  tricklog mark alias add ann-phone ann --db club     # both count as ann
  tricklog mark alias list
  tricklog mark alias remove ann-phone                # as it was before"""


def alias(
    action: Literal["add", "remove", "list"],
    /,
    *players: Annotated[str, Parameter(allow_leading_hyphen=True)],
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Count two ids of one player as one player.

    Every figure, list and page counts the two as one from then on. What was loaded is not changed,
    and the alias can be taken back. Two ids that ever sat at one table are two people.

    Args:
        action: add, remove or list.
        players: For add the id that is to stand for another player, and the id of that player. For
            remove the ids that are to stand for themselves again.
        json: Print JSON.
    """
    if action == "add":
        _add(players, db)
    elif action == "remove":
        _remove(players, db)
    else:
        _list(db, json=json)


def _add(players: tuple[str, ...], db: str) -> None:
    from tricklog.ingest.store.aliases import AliasError, add_alias

    if len(players) != 2:  # noqa: PLR2004 - who, and whom they are
        raise UserError(
            "alias add needs two ids",
            "Write tricklog mark alias add OTHER-ID ID: hands of OTHER-ID then count as ID's.",
        )
    player, stands_for = players
    with opened(db) as tables, explained():
        try:
            add_alias(folder_of(db), tables, player, stands_for)
        except AliasError as error:
            raise UserError(
                str(error), "tricklog mark alias list says who stands for whom."
            ) from error
    put(
        f"What was played as {player} counts as {stands_for}'s from now on. Take it back with "
        f"tricklog mark alias remove {player}."
    )


def _remove(players: tuple[str, ...], db: str) -> None:
    from tricklog.ingest.store.aliases import remove_alias

    if not players:
        raise UserError("alias remove needs an id", "tricklog mark alias list has them.")
    for player in players:
        with explained():
            found = remove_alias(folder_of(db), player)
        if not found:
            raise UserError(
                f"{player} stands for nobody else", "tricklog mark alias list says who does."
            )
        put(f"{player} is a player of their own again.")


def _list(db: str, *, json: bool) -> None:
    from tricklog.ingest.store.aliases import aliases

    with explained():
        found = aliases(folder_of(db))
    apart = {each.player: each for each in set_aside_by(db)} if found else {}
    if json:
        print_json(
            [
                {"player": player, "stands_for": whom, "both_in": apart[player].hand}
                if player in apart
                else {"player": player, "stands_for": whom}
                for player, whom in found
            ]
        )
        return
    for player, whom in found:
        put(f"{player}  stands for {whom}")
        if player in apart:
            put(f"    set aside: {apart[player].sentence}")
