"""The ledger of a hand as it is shown: rounded so that its parts still sum to the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import floor
from typing import Final

from tricklog.core.study.ledger import PARTS, Ledger, Part, Term
from tricklog.core.study.sampling import Unit

_TENTHS: Final = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """The ledger of a hand in one unit, in tenths, with start and parts that sum to the result.

    Not the parts are rounded but the sums between them, and a part is the difference of two of
    these. It is never off by more than a tenth, and nobody who adds up what they read finds a rest.
    """

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
    if ledger.why_not(unit):
        return None
    now = ledger.start.of(unit)
    amounts = [term.amount.of(unit) for term in ledger.terms]
    sums = [*accumulate(amounts, initial=now)]
    return Shown(
        in_tenths(now),
        tuple(_steps(now, amounts)),
        tuple(_shares(term, unit, now) for term, now in zip(ledger.terms, sums, strict=False)),
        in_tenths(sums[-1]),
    )


def _shares(term: Term, unit: Unit, before: Fraction) -> tuple[tuple[int, Fraction], ...]:
    """Return what each seat brought by a part, so that it sums to the part as shown."""
    steps = _steps(before, [amount.of(unit) for _, amount in term.players])
    return tuple(zip([seat for seat, _ in term.players], steps, strict=True))


def in_tenths(value: Fraction) -> Fraction:
    """Return the nearest tenth; of two as near the higher one."""
    return Fraction(floor(value * _TENTHS + Fraction(1, 2)), _TENTHS)


def _steps(first: Fraction, amounts: Sequence[Fraction]) -> list[Fraction]:
    """Return amounts from ``first`` on, each as the difference of the sums around it in tenths."""
    sums = map(in_tenths, accumulate(amounts, initial=first))
    return [after - before for before, after in pairwise(sums)]
