"""The ledger of a hand as it counts for one player, who chose what, and as it is shown.

Amounts are of the player's own side: its change of score less that of the other side; in points
what the makers take counts for them and against the others. Parts are split by who chose, and they
sum to the result exactly. Where each plays alone only hands count in which the player was maker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import floor
from typing import Final, Literal, get_args

from replay.study.ledger import PARTS, Ledger, Part, Term
from replay.study.sampling import Unit

Entry = Literal[
    "start",
    "deal",
    "draw",
    "own bids",
    "partner's bids",
    "opponents' bids",
    "own exchange",
    "partner's exchange",
    "opponents' exchange",
    "own cards as maker's side",
    "own cards in defence",
    "partner's cards",
    "opponents' cards",
    "result",
]
ENTRIES: Final[tuple[Entry, ...]] = get_args(Entry)
"""Entries in order; the last one is the sum of all others."""
_CHOSEN: Final[dict[str, tuple[Entry, Entry, Entry]]] = {
    "auction": ("own bids", "partner's bids", "opponents' bids"),
    "exchange": ("own exchange", "partner's exchange", "opponents' exchange"),
    "makers": ("own cards as maker's side", "partner's cards", "opponents' cards"),
    "defence": ("own cards in defence", "partner's cards", "opponents' cards"),
}
"""By part of the ledger: what the player, their partner and others chose in it."""

_TENTHS: Final = 10

Account = dict[Entry, Fraction]
"""One hand, as it counts for one player."""


def account_of(ledger: Ledger, seat: int, unit: Unit, *, alone: bool = False) -> Account | None:
    """Return what a hand brought the side of ``seat``, by entry; ``None`` where it does not count.

    That is where the ledger has no account in ``unit``, or where each plays ``alone`` and somebody
    else was the maker.
    """
    if ledger.why_not(unit) or (alone and seat != ledger.maker):
        return None
    made = seat in ledger.makers
    sign = 1 if made else -1
    account: Account = dict.fromkeys(ENTRIES, Fraction(0))
    account["start"] = sign * ledger.start.of(unit)
    account["result"] = sign * ledger.result.of(unit)
    for term in ledger.terms:
        if term.name in ("deal", "draw"):
            entry: Entry = "deal" if term.name == "deal" else "draw"
            account[entry] = sign * term.amount.of(unit)
            continue
        own, partners, others = _CHOSEN[term.name]
        for chooser, amount in term.players:
            same_side = (chooser in ledger.makers) == made
            entry = own if chooser == seat else partners if same_side else others
            account[entry] += sign * amount.of(unit)
    return account


# --- As it is shown


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
