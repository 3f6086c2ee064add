"""A ledger as it is shown: in tenths, with start and parts that sum to the result as they stand.

Not the parts are rounded but the sums between them, and a part is the difference of two of these.
It is never off by more than a tenth, and nobody who adds up what they read finds a rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

from replay.study.accounts import Unit
from replay.study.ledger import PARTS, Amount, Ledger, Part, Term

_TENTHS: Final = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """The ledger of a hand in one unit, in tenths."""

    start: Fraction
    parts: tuple[Fraction, ...]
    """In the order of ``PARTS``."""
    players: tuple[tuple[tuple[int, Fraction], ...], ...]
    """By part, what those who chose brought the makers; they sum to the part."""
    result: Fraction

    def part(self, name: Part) -> Fraction:
        """Return the part of this name."""
        return self.parts[PARTS.index(name)]


def shown_in(ledger: Ledger, unit: Unit) -> Shown | None:
    """Return a ledger as it is shown; ``None`` where it has no account in this unit."""
    if (ledger.no_points if unit == "points" else ledger.no_score) is not None:
        return None
    sums = [value_in(ledger.start, unit)]
    parts: list[Fraction] = []
    players: list[tuple[tuple[int, Fraction], ...]] = []
    for term in ledger.terms:
        before, after = sums[-1], sums[-1] + value_in(term.amount, unit)
        parts.append(in_tenths(after) - in_tenths(before))
        players.append(tuple(_shares(term, unit, before)))
        sums.append(after)
    return Shown(in_tenths(sums[0]), tuple(parts), tuple(players), in_tenths(sums[-1]))


def value_in(amount: Amount, unit: Unit) -> Fraction:
    """Return an amount in a unit that the ledger has an account in."""
    value = amount.points if unit == "points" else amount.score
    if value is None:
        raise ValueError(f"there is no account in {unit}")
    return value


def in_tenths(value: Fraction) -> Fraction:
    """Return the nearest tenth; of two as near the higher one."""
    return Fraction(floor(value * _TENTHS + Fraction(1, 2)), _TENTHS)


def _shares(term: Term, unit: Unit, before: Fraction) -> Iterator[tuple[int, Fraction]]:
    """Yield what each seat brought by a part, so that it sums to the part as shown."""
    now = before
    for seat, amount in term.players:
        after = now + value_in(amount, unit)
        yield seat, in_tenths(after) - in_tenths(now)
        now = after
