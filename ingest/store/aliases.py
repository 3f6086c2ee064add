"""Which ids of players are one player: what users write, in ``user.sqlite``.

An alias says that the player with one id is the player with another. It changes nothing that was
loaded and can be taken back at any time.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.sql import run
from tricklog.ingest.store.userdata import UserDataError, best_rows, change, writing


class AliasError(UserDataError):
    """Two ids that cannot be one player; the sentence says why."""


def aliases(db: str | Path) -> tuple[tuple[str, str], ...]:
    """Return each id that stands for another player, with the id of that player, sorted."""
    (rows,) = best_rows(db, "aliases")
    return tuple(rows)


def add_alias(db: str | Path, tables: DuckDBPyConnection, player: str, stands_for: str) -> None:
    """Say that ``player`` is the player with the id ``stands_for``.

    ``tables`` are those of the warehouse in ``db``. Raises ``AliasError`` for an id that nobody
    has, for one that is merged already, and for two that ever sat at one table, which it names.
    """
    _check_known(tables, player, stands_for)
    with writing(db) as connection:
        known = dict(connection.execute("SELECT player, stands_for FROM aliases").fetchall())
        _check_free(known, player, stands_for)
        group = {stands_for, *(each for each, whom in known.items() if whom == stands_for)}
        if hand := hand_with(tables, {player}, group):
            raise AliasError(
                f"{player} and {stands_for} are two people: both sat at the table of hand {hand}. "
                "Nobody plays against themselves."
            )
        connection.execute("INSERT INTO aliases VALUES (?, ?)", (player, stands_for))


def remove_alias(db: str | Path, player: str) -> bool:
    """Let an id stand for itself again; return whether it stood for another one."""
    return bool(change(db, "DELETE FROM aliases WHERE player = ?", player))


class SetAside(NamedTuple):
    """An alias that does not hold, because both ids sat at one table."""

    player: str
    stands_for: str
    hand: str
    """A hand at which they did."""

    @property
    def sentence(self) -> str:
        """What it means."""
        return (
            f"{self.player} and {self.stands_for} are not counted as one player, as both sat at "
            f"the table of hand {self.hand}."
        )


def set_aside_in(tables: DuckDBPyConnection, known: Collection[tuple[str, str]]) -> list[SetAside]:
    """Return those of the aliases that do not hold in a warehouse."""
    found = []
    for player, whom in known:
        others = {whom, *(each for each, same in known if same == whom and each != player)}
        if hand := hand_with(tables, {player}, others):
            found.append(SetAside(player, whom, hand))
    return found


def hand_with(
    tables: DuckDBPyConnection, some: Collection[str], others: Collection[str]
) -> str | None:
    """Return a hand at whose table two ids sat, one of each kind; ``None`` where there is none."""
    found = run(
        tables,
        "SELECT hand_id FROM hands SEMI JOIN (SELECT seating_id FROM seatings WHERE "
        "list_has_any([each.id FOR each IN players], $some::VARCHAR[]) AND "
        "list_has_any([each.id FOR each IN players], $others::VARCHAR[])) USING (seating_id) "
        "ORDER BY hand_no LIMIT 1",
        {"some": list(some), "others": list(others)},
    )
    return found["hand_id"].item() if len(found) else None


def _check_known(tables: DuckDBPyConnection, *players: str) -> None:
    if players[0] == players[-1]:
        raise AliasError(f"{players[0]} is one id; name two of one player.")
    known = [name for (name,) in tables.cursor().execute("SELECT player FROM players").fetchall()]
    for player in players:
        if player not in known:
            near = did_you_mean(player, known)
            raise AliasError(f"No player here has the id {player!r}{near}.")


def _check_free(known: dict[str, str], player: str, stands_for: str) -> None:
    if player in known:
        raise AliasError(f"{player} stands for {known[player]} already. Take that back first.")
    if stands_for in known:
        raise AliasError(
            f"{stands_for} stands for {known[stands_for]} itself. Let {player} stand for "
            f"{known[stands_for]}, so that no chain or circle comes of it."
        )
    if player in known.values():
        others = ", ".join(sorted(each for each, whom in known.items() if whom == player))
        raise AliasError(
            f"{others} stands for {player}, so {player} cannot stand for another. Take that back "
            f"first, and let each stand for {stands_for}."
        )
