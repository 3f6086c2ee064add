"""Holdings as sets of cards, and the features of one with a suit as trumps.

A set of cards has bit ``n`` for card ``n`` of ``tricklog.schemas.cards``. The features of a
holding are a sum: a part for its trumps, which depends on nothing else, and a part for each plain
suit. So a fit is two tables, and the points expected of a holding are looked up in them, suit by
suit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from tricklog.schemas.cards import FIVE, JACK, JOKER, RANK_COUNT, RANKS, SUITS
from tricklog.schemas.codes import ZERO

if TYPE_CHECKING:
    import pyarrow as pa

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]

NOT_KNOWN: Final = -1
"""In place of a set of cards of which the record does not name every one."""
MANY: Final = 8
"""Cards in the auction from which on long trumps are likely."""
SUIT_COUNT: Final = len(SUITS)

_SUIT_SETS: Final = 1 << RANK_COUNT
_JOKER: Final = RANK_COUNT
"""Bit of the joker in a set of trumps."""
_OFF_RANKS: Final = {FIVE: "off five", JACK: "off jack"}
"""Ranks of which the card of the other suit of the trump colour may be a trump. They have the next
bits."""
_PORTION: Final = 20_000
"""Hands that are read at a time."""
_LENGTHS: Final = {True: (4, 6), False: (2, 4)}
"""Numbers of trumps from which on each further one counts by itself: of many cards, of few."""
_RANKS_OF_TRUMPS: Final = "AKQJT9532"
_OUTSIDE: Final = {"twenty-nine": "J9AT"}
"""Ranks that are counted in the plain suits, by family: where every suit has points, those that
have some, else aces and kings."""


def read_holdings(deals: pa.ChunkedArray, seats: int, packet: int) -> Integers:
    """Return what each seat held before the auction, as sets of cards: hands by seats.

    ``deals`` are the hands dealt in the code of ``tricklog.schemas.codes``, each with a comma
    behind it; ``packet`` is how many cards a seat holds in the auction. ``NOT_KNOWN`` where the
    record does not name all of them.
    """
    held = np.full((len(deals), seats), NOT_KNOWN, dtype=np.int64)
    for first in range(0, len(deals), _PORTION):
        part = deals.slice(first, _PORTION).combine_chunks().cast("large_string")
        _, places, letters = part.buffers()
        bounds = np.frombuffer(places, np.int64)[part.offset : part.offset + len(part) + 1]
        text = np.frombuffer(letters, np.uint8)[bounds[0] : bounds[-1]]
        held[first : first + len(part)] = _sets_of(text, bounds - bounds[0], seats, packet)
    return held


def _sets_of(text: NDArray[np.uint8], bounds: Integers, seats: int, packet: int) -> Integers:
    marks = np.flatnonzero((text == ord(" ")) | (text == ord(",")))
    first_mark = np.searchsorted(marks, bounds[:-1])
    ends = marks[np.minimum(first_mark[:, None] + np.arange(seats), len(marks) - 1)]
    begins = np.column_stack([bounds[:-1], ends[:, :-1] + 1])
    # The comma comes after the last seat: another number of seats leaves the hand unknown.
    known = (ends[:, -1:] == bounds[1:, None] - 1) & (ends - begins >= packet)
    sets = np.zeros(known.shape, dtype=np.int64)
    for place in range(packet):
        card = text[np.minimum(begins + place, len(text) - 1)]
        known &= card >= ZERO
        sets |= np.left_shift(1, np.maximum(card, ZERO).astype(np.int64) - ZERO)
    return np.where(known, sets, NOT_KNOWN)


@dataclass(frozen=True, slots=True)
class FeatureTables:
    """The features of every set of trumps and of every set of cards of a plain suit.

    ``names`` are the columns, those of ``trumps`` first; ``trumps`` and ``plain`` are sets by
    columns. Those of the plain suits of a holding are added up.
    """

    names: tuple[str, ...]
    trumps: Floats
    plain: Floats


@cache
def feature_tables(family: str, *, many: bool) -> FeatureTables:
    """Return the features of holdings in a family of games; ``many`` for ``MANY`` cards or more.

    Of trumps: how many, how many above two lengths, and whether each of the ranks that take or
    carry points is there, joker and off cards among them. Of plain suits: high cards, and suits
    without a card.
    """
    bits = [*map(RANKS.index, _RANKS_OF_TRUMPS), *range(_JOKER, _JOKER + 1 + len(_OFF_RANKS))]
    sets, suits = np.arange(1 << (_JOKER + 1 + len(_OFF_RANKS))), np.arange(_SUIT_SETS)
    count = np.bitwise_count(sets).astype(float)
    long = [np.maximum(count - length, 0) for length in _LENGTHS[many]]
    outside = _OUTSIDE.get(family, "AK")
    high = [suits >> RANKS.index(rank) & 1 for rank in outside]
    return FeatureTables(
        names=(
            *("trumps", *(f"trumps over {length}" for length in _LENGTHS[many])),
            *(f"{rank} of trumps" for rank in _RANKS_OF_TRUMPS),
            *("joker", *_OFF_RANKS.values()),
            *(*(f"plain {rank}" for rank in outside), "suits without a card"),
        ),
        trumps=np.column_stack([count, *long, *(sets >> bit & 1 for bit in bits)]).astype(float),
        plain=np.column_stack([*high, suits == 0]).astype(float),
    )


def _places(held: Integers, trump: int, off_ranks: int) -> tuple[Integers, list[Integers]]:
    """Return the places of holdings in the table of trumps, and in that of plain suits by suit.

    ``off_ranks``: the ranks, a bit each, of which the card of the other suit of the colour is one.
    """
    suits = [held >> RANK_COUNT * suit & (_SUIT_SETS - 1) for suit in range(SUIT_COUNT)]
    other = SUIT_COUNT - 1 - trump
    trumps = suits[trump] | (held >> JOKER & 1) << _JOKER
    for bit, rank in enumerate(_OFF_RANKS, _JOKER + 1):
        trumps |= ((suits[other] & off_ranks) >> rank & 1) << bit
    suits[other] &= ~off_ranks
    return trumps, [cards for suit, cards in enumerate(suits) if suit != trump]


def features_of(features: FeatureTables, held: Integers, suit: int, *, off_ranks: int) -> Floats:
    """Return the features of holdings with a suit as trumps: holdings by columns."""
    trumps, plain = _places(held, suit, off_ranks)
    return np.column_stack([features.trumps[trumps], features.plain[np.array(plain)].sum(axis=0)])


def worth(features: FeatureTables, weights: Floats, held: Integers, *, off_ranks: int) -> Floats:
    """Return what holdings are worth with each suit as trumps: holdings by suits.

    ``weights`` has a number for each feature.
    """
    of_trumps = features.trumps @ weights[: features.trumps.shape[1]]
    of_plain = features.plain @ weights[features.trumps.shape[1] :]
    found = np.empty((len(held), SUIT_COUNT))
    for suit in range(SUIT_COUNT):
        trumps, plain = _places(held, suit, off_ranks)
        found[:, suit] = of_trumps[trumps]
        for each in plain:
            found[:, suit] += of_plain[each]
    return found
