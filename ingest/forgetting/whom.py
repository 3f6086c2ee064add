"""Who is meant by a player to be forgotten: ids, names, and who else has these names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.reading.forgotten import Forgotten, ForgottenList, name_keys, stand_in
from tricklog.ingest.sql import run
from tricklog.ingest.store.warehouse import WarehouseError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

People = Mapping[str, set[str]]
"""Everybody who sits in a warehouse by id, with every name of theirs."""


class UnknownPlayerError(WarehouseError):
    """Nobody in the warehouse has this id, and nobody who had it was forgotten."""


class AlreadyForgottenError(WarehouseError):
    """An id that stands in the place of somebody's, which is all that is left of them."""


def people(named: Iterable[tuple[str, str | None]]) -> People:
    """Return people by their ids and names; one may be there under several."""
    found: dict[str, set[str]] = defaultdict(set)
    for player, name in named:
        found[player].update([name] if name else [])
    return dict(found)


def people_of(tables: DuckDBPyConnection) -> Iterator[tuple[str, str | None]]:
    """Return id and name of everybody in the tables of a snapshot."""
    sql = "SELECT DISTINCT each.id, each.name FROM (SELECT unnest(players) AS each FROM seatings)"
    yield from run(tables, sql, {}).iter_rows()


@dataclass(frozen=True, slots=True)
class Whom:
    """The ids to be forgotten, and what they are called."""

    names: Mapping[str, set[str]]
    """Names by id, of the one that was asked for first, then of those that were merged with it."""
    others: frozenset[str]
    """Ids and names of everybody else."""


def whom(
    player: str,
    here: People,
    aliases: Iterable[tuple[str, str]],
    known: Forgotten,
    also: Sequence[str] = (),
) -> Whom:
    """Return who is meant by an id.

    ``aliases`` are ids with those whom they stand for; ``also`` are further names to be looked
    for. Raises ``UnknownPlayerError`` where nobody is, and ``AlreadyForgottenError`` for an id that
    stands for somebody who was forgotten: under a second one logs would give their hands again.
    """
    if player in known.stand_ins:
        raise AlreadyForgottenError(
            f"{player} stands for somebody who was forgotten already. To have another name of "
            "theirs looked for, give the id that they had, and the name with --also."
        )
    stands_for = dict(aliases)
    first = stands_for.get(player, player)
    merged = [each for each, other in stands_for.items() if other == first]
    asked = dict.fromkeys([player, first, *sorted(merged)])
    names = {each: {*here.get(each, ())} for each in asked if each not in known.stand_ins}
    if known.number_of(player) is None and not here.keys() & names.keys():
        named = sorted(each for each, called in here.items() if player in called)
        if named:
            raise UnknownPlayerError(f"{player} is a name, not an id. Forget {' or '.join(named)}.")
        raise UnknownPlayerError(
            f"No player here has the id {player!r}{did_you_mean(player, list(here))}."
        )
    names[player].update(also)
    others = (
        name
        for other, called in here.items()
        if other not in names and known.number_of(other) is None
        for name in (other, *called)
    )
    return Whom(names, frozenset(others))


def with_whom(known: Forgotten, meant: Whom, here: People) -> ForgottenList:
    """Return the list with those who are meant, each under a number of their own."""
    at_work = known
    called_alike = frozenset(key for name in meant.others for key in name_keys(name))
    for each, names in meant.names.items():
        number = at_work.number_of(each)
        if number is None:
            number = max((one.number for one in at_work.listed.players), default=0) + 1
            # A warehouse may hold hands of another one, in which somebody was forgotten.
            while stand_in(number) in here:
                number += 1
        at_work = Forgotten(at_work.with_player(each, names, called_alike, number))
    return at_work.with_longer(meant.others)
