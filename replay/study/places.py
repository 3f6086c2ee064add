"""Where the cards may be that a seat has not seen: hands, discards, the rest of the stock."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb
from typing import Literal, NamedTuple

from tricklog.core.study.knowledge import Known, Leave
from tricklog.core.study.shares import Share, Shares
from tricklog.schemas.cards import cards_in, mask_of


@dataclass(frozen=True, slots=True)
class Placed:
    """What nobody but its owner sees, as shared out."""

    held: dict[int, int]
    gone: dict[int, int]
    """By action that put cards away: which."""
    rest: int
    """Left in the stock; with discards that may have been taken up, all of both."""
    under: int


class Branch:
    """Ways that have in common which players kept nothing but trumps when they laid off some."""

    def __init__(self, known: Known, full: Sequence[Leave]) -> None:
        self._known = known
        # Places that may have the same cards are drawn for together, and shared out by chance.
        groups: dict[object, list[_Spot]] = {}
        for spot in _places(known, full):
            key: object = spot.name if spot.weight else spot.may & known.unseen
            groups.setdefault(key, []).append(spot)
        self._groups = [*groups.values()]
        shares = [
            Share(sum(each.size for each in group), group[0].may & known.unseen, group[0].weight)
            for group in self._groups
        ]
        self._shares = Shares(known.unseen, trumps_of(known), shares)
        self.ways = self._shares.ways

    def draw(self, chance: random.Random) -> Placed:
        """Return one of the ways, each as likely as another."""
        found: dict[Spot, int] = {}
        for spots, cards in zip(self._groups, self._shares.draw(chance), strict=True):
            pile = cards_in(cards)
            if len(spots) > 1:
                chance.shuffle(pile)
            for spot in spots:
                found[spot.name] = mask_of(pile[: spot.size])
                del pile[: spot.size]
        held = {seat: found["held", seat] for seat in self._known.hidden}
        gone = {at: cards for (kind, at), cards in found.items() if kind == "gone"}
        return Placed(held, gone, found["rest", 0], found.get(("under", 0), 0))


Spot = tuple[Literal["held", "gone", "under", "rest"], int]
"""A hand, with its seat; cards put away, with the action; the seventh card; the stock."""


class _Spot(NamedTuple):
    name: Spot
    size: int
    may: int
    weight: Callable[[int], float] | None = None


def trumps_of(known: Known) -> int:
    """Return the trumps as far as the seat knows what trumps are."""
    return 0 if known.trump is None else known.rules.trump_cards[known.trump]


def branches_of(known: Known) -> Iterator[Branch]:
    """Yield the ways with each set of players who may have kept nothing but trumps."""
    trumps = trumps_of(known)
    able = [
        each
        for each in known.leaves
        if each.may_when_full
        and not each.robbed
        and known.shown.get(each.seat, 0) & ~trumps == 0
        and known.hidden[each.seat] < (known.unseen & trumps).bit_count()
    ]
    for chosen in product((False, True), repeat=len(able)):
        yield Branch(known, [each for each, is_full in zip(able, chosen, strict=True) if is_full])


def _places(known: Known, full: Sequence[Leave]) -> list[_Spot]:
    """Return where cards may be, with the number of trumps in some of them weighed."""
    trumps = trumps_of(known)
    kept_all = {each.seat for each in full}
    spots = []
    for seat, size in known.hidden.items():
        may = known.may_hold[seat]
        may &= trumps if seat in kept_all else -1
        if seat in known.kept and seat not in known.drew:
            may &= known.kept[seat][1]
        spots.append(_Spot(("held", seat), size, may, _hand_weight(known, seat)))
    for each in known.leaves:
        if each.robbed:
            continue
        is_full = each in full
        may = each.may_when_full if is_full else each.may
        for card, loose in known.loose.items():
            fits = loose.seat == each.seat and loose.since < each.action
            may &= -1 if fits else ~(1 << card)
        weight = _leave_weight(known, each) if is_full else None
        spots.append(_Spot(("gone", each.action), each.size, may, weight))
    if known.under:
        loose_cards = sum(1 << card for card in known.loose)
        spots.append(_Spot(("under", 0), 1, known.rules.pack & ~loose_cards))
    spots.append(_Spot(("rest", 0), known.rest, known.may_rest))
    return spots


def _hand_weight(known: Known, seat: int) -> Callable[[int], float] | None:
    """Return how often a hand counts by its trumps not seen: as they may have been kept."""
    if known.trump is None:
        return None
    trumps = trumps_of(known)
    seen = (known.shown.get(seat, 0) & trumps).bit_count()
    least = known.needs_trump >> seat & 1
    kept, may_keep = known.kept.get(seat, (0, known.rules.pack))
    keeps_trumps = seat in known.drew and may_keep == known.rules.pack & trumps
    had = known.had_trump >> seat & 1
    put_aside = seat == known.secret_maker
    given, certain = known.given.get(seat, (0, 0))
    fixed = certain.bit_count()
    had += given if had else 0
    if not (least or keeps_trumps or had or put_aside or given):
        return None

    def weight(unseen: int) -> float:
        count = seen + unseen
        if unseen < least or count < had:
            return 0.0
        ways = comb(count, kept) if keeps_trumps else 1
        ways *= comb(max(0, count - fixed), given - fixed)
        return float(ways * count if put_aside else ways)

    return weight


def _leave_weight(known: Known, leave: Leave) -> Callable[[int], float]:
    """Return how often cards count that a player with nothing but trumps laid off, trumps too."""
    trumps = trumps_of(known)
    kept, may_keep = known.kept.get(leave.seat, (0, 0))
    held = known.hidden[leave.seat] + known.shown.get(leave.seat, 0).bit_count()
    drew_before = leave.seat in known.drew and known.drew[leave.seat] < leave.action
    weighs = drew_before and may_keep == known.rules.pack & trumps

    def weight(count: int) -> float:
        if count == 0:
            return 0.0
        return comb(held + count, kept) / comb(held, kept) if weighs else 1.0

    return weight
