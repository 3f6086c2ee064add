"""Who is meant by a player to be forgotten: ids, names, and who else has these names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.reading.forgotten import Forgotten, ForgottenList, name_keys, stand_in
from tricklog.ingest.sql import run
from tricklog.ingest.store.warehouse import WarehouseError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class UnknownPlayerError(WarehouseError):
    """Nobody in the warehouse has this id, and nobody who had it was forgotten."""


class AlreadyForgottenError(WarehouseError):
    """An id that stands in the place of somebody's, which is all that is left of them."""


@dataclass(frozen=True, slots=True)
class People:
    """Everybody who sits in a warehouse, with every name of theirs."""

    names: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def with_names(self, more: Iterable[tuple[str, str | None]]) -> People:
        """Return these and others."""
        found = {player: set(names) for player, names in self.names.items()}
        for player, name in more:
            found.setdefault(player, set()).update([name] if name else [])
        return People({player: frozenset(names) for player, names in found.items()})


def people_of(tables: DuckDBPyConnection) -> People:
    """Return the people of the tables of a snapshot."""
    sql = "SELECT DISTINCT each.id, each.name FROM (SELECT unnest(players) AS each FROM seatings)"
    return People().with_names(run(tables, sql, {}).iter_rows())


@dataclass(frozen=True, slots=True)
class Whom:
    """The ids to be forgotten, and what they are called."""

    ids: tuple[str, ...]
    """The one that was asked for first, then those that were merged with it."""
    names: Mapping[str, frozenset[str]]
    """Names by id, without the id."""
    others: frozenset[str]
    """Ids and names of everybody else."""

    @property
    def called_alike(self) -> frozenset[str]:
        """What the others are called, folded."""
        return frozenset(key for name in self.others for key in name_keys(name))

    @property
    def needles(self) -> list[str]:
        """All that is looked for: ids and names."""
        names = (name for each in self.names.values() for name in each)
        return list(dict.fromkeys([*self.ids, *sorted(names)]))


def whom(
    player: str,
    people: People,
    aliases: Iterable[tuple[str, str]],
    known: Forgotten | None,
    also: Sequence[str] = (),
) -> Whom:
    """Return who is meant by an id.

    ``aliases`` are ids with those whom they stand for; ``also`` are further names to be looked
    for. Raises ``UnknownPlayerError`` where nobody is, and ``AlreadyForgottenError`` for an id that
    stands for somebody who was forgotten: under a second one logs would give their hands again.
    """
    stand_ins = known.stand_ins if known else frozenset[str]()
    if player in stand_ins:
        raise AlreadyForgottenError(
            f"{player} stands for somebody who was forgotten already. To have another name of "
            "theirs looked for, give the id that they had, and the name with --also."
        )
    stands_for = dict(aliases)
    first = stands_for.get(player, player)
    merged = [each for each, other in stands_for.items() if other == first]
    asked = dict.fromkeys([player, first, *sorted(merged)])
    ids = tuple(each for each in asked if each not in stand_ins)
    here = [each for each in ids if each in people.names]
    is_known = known is not None and known.number_of(player) is not None
    if not here and not is_known:
        raise UnknownPlayerError(_unknown(player, people))
    names = {each: people.names.get(each, frozenset()) for each in ids}
    names[player] = names[player] | frozenset(also)
    others = frozenset(
        name
        for other, called in people.names.items()
        if other not in ids and (known is None or known.number_of(other) is None)
        for name in (other, *called)
    )
    return Whom(ids, names, others)


def _unknown(player: str, people: People) -> str:
    named = sorted(each for each, names in people.names.items() if player in names)
    if named:
        return f"{player} is a name, not an id. Forget {' or '.join(named)}."
    return f"No player here has the id {player!r}{did_you_mean(player, list(people.names))}."


def with_whom(known: Forgotten, meant: Whom, people: People) -> ForgottenList:
    """Return the list with those who are meant, each under a number of their own."""
    at_work = known
    called_alike = meant.called_alike
    for each in meant.ids:
        number = at_work.number_of(each) or _next_number(at_work.listed, people)
        listed = at_work.with_player(each, meant.names[each], called_alike, number)
        at_work = Forgotten(listed)
    return at_work.with_longer(meant.others)


def _next_number(listed: ForgottenList, people: People) -> int:
    taken = {each.number for each in listed.players}
    number = max(taken, default=0) + 1
    # A warehouse may hold hands of another one, in which somebody was forgotten.
    while stand_in(number) in people.names:
        number += 1
    return number
