"""Sharing out cards at random, each of the ways there are as likely as any other.

Cards that may go to the same places are alike, so ways are counted by how many of each kind a place
gets, not by cards: the numbers of ways left after each place are kept in a table, place by place
from the last to the first, and shares are then drawn place by place in proportion to them. No way
is tried and given up. Numbers are floats, so that chances are right to some fifteen digits.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any, Final

import numpy as np

from tricklog.core.engine.records import lowest_first

Counts = tuple[int, ...]
Table = np.ndarray[Any, np.dtype[np.float64]]
LARGEST: Final = 2_000_000
"""Entries of a table at the most."""


@dataclass(frozen=True, slots=True)
class Share:
    """A place that cards go to."""

    size: int
    may: int
    """The cards that may go there, as a set."""
    weight: Callable[[int], float] | None = None
    """How often a way counts by the number of marked cards that go there; once without."""


class TooMany(ValueError):
    """There are too many kinds of cards to count the ways."""


class Shares:
    """All ways to share out a set of cards over places."""

    def __init__(self, cards: int, marked: int, places: Sequence[Share]) -> None:
        """Count the ways to give each of ``places`` as many of ``cards`` as it takes, which is all.

        ``marked``: the cards that weights count. Raises ``TooMany`` for a table above ``LARGEST``.
        """
        # The largest place comes last: it takes what is left.
        self._order = sorted(range(len(places)), key=lambda place: places[place].size)
        self._places = [places[place] for place in self._order]
        self._kinds = _kinds_of(cards, marked, self._places)
        self._marked = [kind & marked != 0 for kind in self._kinds]
        shape = tuple(kind.bit_count() + 1 for kind in self._kinds)
        if np.prod(shape, dtype=float) > LARGEST:
            raise TooMany
        self._start: Counts = tuple(size - 1 for size in shape)
        self._options = [self._options_of(place) for place in self._places[:-1]]
        self._tables = self._count(shape)
        self._drawn: dict[tuple[int, Counts], tuple[list[Counts], list[float]]] = {}

    @property
    def ways(self) -> float:
        """How many ways there are, each as often as its weights say; 0 for none."""
        total = float(self._tables[0][self._start])
        for left in self._start:
            total *= factorial(left)
        return total

    def draw(self, chance: random.Random) -> list[int]:
        """Return by place, as given, the set of cards that it gets; there has to be a way."""
        piles = [[*lowest_first(kind)] for kind in self._kinds]
        for pile in piles:
            chance.shuffle(pile)
        got = [0] * len(self._places)
        left = self._start
        for place in range(len(self._places)):
            taken = left
            if place < len(self._options):
                options, chances = self._chances(place, left)
                (taken,) = chance.choices(options, cum_weights=chances)
            for pile, count in zip(piles, taken, strict=True):
                for _ in range(count):
                    got[self._order[place]] |= 1 << pile.pop()
            left = _less(left, taken)
        return got

    def _chances(self, place: int, left: Counts) -> tuple[list[Counts], list[float]]:
        known = self._drawn.get((place, left))
        if known is None:
            options: list[Counts] = []
            sums: list[float] = []
            total = 0.0
            following = self._tables[place + 1]
            for counts, weight in self._options[place]:
                rest = _less(left, counts)
                ways = weight * float(following[rest]) if min(rest, default=0) >= 0 else 0.0
                if ways > 0:
                    total += ways
                    options.append(counts)
                    sums.append(total)
            known = self._drawn[place, left] = options, sums
        return known

    def _options_of(self, place: Share) -> list[tuple[Counts, float]]:
        most = [min(place.size, (kind & place.may).bit_count()) for kind in self._kinds]
        found = [(each, self._weight(place, each)) for each in _compositions(place.size, most)]
        return [(counts, weight) for counts, weight in found if weight > 0]

    def _weight(self, place: Share, counts: Counts) -> float:
        weight = 1.0
        for count in counts:
            weight /= factorial(count)
        if place.weight is not None:
            marked = zip(counts, self._marked, strict=True)
            weight *= place.weight(sum(count for count, is_marked in marked if is_marked))
        return weight

    def _count(self, shape: Counts) -> list[Table]:
        """Return by place the ways to fill it and those after it, by how many cards are left."""
        table: Table = np.zeros(shape)
        for counts, weight in self._options_of(self._places[-1]):
            table[counts] = weight
        tables = [table]
        for options in reversed(self._options):
            following = tables[0]
            table = np.zeros(shape)
            for counts, weight in options:
                upper = tuple(slice(count, None) for count in counts)
                lower = tuple(slice(size - less) for size, less in zip(shape, counts, strict=True))
                table[upper] += weight * following[lower]
            tables.insert(0, table)
        return tables


def _kinds_of(cards: int, marked: int, places: Sequence[Share]) -> list[int]:
    kinds: dict[tuple[bool, ...], int] = {}
    for card in lowest_first(cards):
        key = (marked >> card & 1 == 1, *(place.may >> card & 1 == 1 for place in places))
        kinds[key] = kinds.get(key, 0) | 1 << card
    return list(kinds.values())


def _less(left: Counts, taken: Counts) -> Counts:
    return tuple(one - other for one, other in zip(left, taken, strict=True))


def _compositions(size: int, most: Sequence[int]) -> Iterator[Counts]:
    """Yield the ways to write ``size`` as a sum with no part above its ``most``."""
    if not most:
        if size == 0:
            yield ()
        return
    rest = sum(most[1:])
    for first in range(max(0, size - rest), min(size, most[0]) + 1):
        for others in _compositions(size - first, most[1:]):
            yield (first, *others)
