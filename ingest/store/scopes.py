"""A scope: the people and games that a club looks at."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

import msgspec

SAMPLES: Final = "sample:"
"""What the ids of players in the sample logs begin with."""
HAS_BOT: Final = (
    "list_bool_or([coalesce(each.kind = 'bot', false) "
    f"OR starts_with(each.id, '{SAMPLES}') FOR each IN players])"
)
"""Whether a bot or a player of the samples sits at a table, over ``seatings``."""
_ID_LENGTH: Final = 10


@dataclass(frozen=True, slots=True)
class Scope:
    """Which hands count, by who sat at the table and what was played there."""

    people: tuple[str, ...] = ()
    """Ids of players: hands count when nobody else sat at the table. Empty lets everybody sit."""
    variants: tuple[str, ...] = ()
    """Games that count; empty for all."""
    bots: bool = True
    """Whether tables with a bot or a player of the samples count, where nobody is chosen."""

    @property
    def scope_id(self) -> str:
        """What stands for the scope in an address: the same for the same people and games."""
        return hashlib.sha256(as_text(self).encode()).hexdigest()[:_ID_LENGTH]

    def condition(self) -> tuple[str, dict[str, list[str]]]:
        """Return when hands of a table count, over ``seatings`` and ``rulesets``; parameters."""
        conditions, parameters = ["true"], {}
        if self.people:
            conditions.append("list_has_all($people::VARCHAR[], [each.id FOR each IN players])")
            parameters["people"] = list(self.people)
        elif not self.bots:
            conditions.append(f"NOT {HAS_BOT}")
        if self.variants:
            conditions.append("list_contains($variants::VARCHAR[], variant)")
            parameters["variants"] = list(self.variants)
        return " AND ".join(conditions), parameters


EVERYBODY: Final = Scope()
PEOPLE: Final = Scope(bots=False)
"""Everybody but bots and the players of the samples."""


def as_text(scope: Scope) -> str:
    """Return a scope as JSON, whatever order people and games were chosen in."""
    said = {"people": sorted(scope.people), "variants": sorted(scope.variants), "bots": scope.bots}
    return msgspec.json.encode(said).decode()


def from_text(text: str) -> Scope:
    """Return the scope that ``as_text`` wrote. Raises ``msgspec.DecodeError`` for anything else."""
    return msgspec.json.decode(text, type=Scope)
