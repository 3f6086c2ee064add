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
SUIT_COUNT: Final = len(SUITS)

_SUIT_SETS: Final = 1 << RANK_COUNT
_JOKER: Final = RANK_COUNT
"""Bit of the joker in a set of trumps."""
_OFF_RANKS: Final = {FIVE: "off five", JACK: "off jack"}
"""Ranks of which the card of the other suit of the trump colour may be a trump. They have the next
bits."""
_TRUMP_SETS: Final = 1 << (RANK_COUNT + 1 + len(_OFF_RANKS))
_PORTION: Final = 20_000
"""Hands that are read at a time."""

_LENGTHS: Final = {True: (4, 6), False: (2, 4)}
"""Numbers of trumps from which on each further one counts by itself: of many cards, of few."""
_MANY: Final = 8
"""Cards from which on a holding is one of many."""
_RANKS_OF_TRUMPS: Final = "AKQJT9532"
_OUTSIDE: Final = {"twenty-nine": "J9AT"}
"""Ranks that are counted in the plain suits, by family: where every suit has points, those that
have some, else aces and kings."""
_ACES_AND_KINGS: Final = "AK"


# --- Reading


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
    of_seats = np.minimum(first_mark[:, None] + np.arange(seats), len(marks) - 1)
    ends = marks[of_seats]
    begins = np.column_stack([bounds[:-1], ends[:, :-1] + 1])
    # The comma comes after the last seat: another number of seats leaves the hand unknown.
    known = (ends[:, -1:] == bounds[1:, None] - 1) & (ends - begins >= packet)
    sets = np.zeros(known.shape, dtype=np.int64)
    for place in range(packet):
        card = text[np.minimum(begins + place, len(text) - 1)]
        known &= card >= ZERO
        sets |= np.left_shift(1, np.maximum(card, ZERO).astype(np.int64) - ZERO)
    return np.where(known, sets, NOT_KNOWN)


# --- Trumps and plain suits


def trumps_in(held: Integers, suit: int, *, off_ranks: int) -> Integers:
    """Return the trumps among cards with a suit as trumps, as a place in the tables of trumps.

    ``off_ranks``: the ranks, a bit each, of which the card of the other suit of the colour is one.
    """
    trumps = _cards_of(held, suit) | (held >> JOKER & 1) << _JOKER
    off_cards = _cards_of(held, SUIT_COUNT - 1 - suit) & off_ranks
    for bit, rank in enumerate(_OFF_RANKS, _JOKER + 1):
        trumps |= (off_cards >> rank & 1) << bit
    return trumps


def plain_in(held: Integers, suit: int, *, trump: int, off_ranks: int) -> Integers:
    """Return the cards of a plain suit beside trumps, as a place in the tables of plain suits."""
    plain = _cards_of(held, suit)
    return plain & ~off_ranks if suit == SUIT_COUNT - 1 - trump else plain


def _cards_of(held: Integers, suit: int) -> Integers:
    return held >> RANK_COUNT * suit & (_SUIT_SETS - 1)


# --- Features


@dataclass(frozen=True, slots=True)
class FeatureTables:
    """The features of every set of trumps and of every set of cards of a plain suit."""

    names: tuple[str, ...]
    """What the columns are, those of trumps first."""
    trumps: Floats
    """Sets of trumps by columns."""
    plain: Floats
    """Sets of cards of a plain suit by columns; those of a holding are added up."""


@cache
def feature_tables(family: str, *, many: bool) -> FeatureTables:
    """Return the features of holdings in a family of games; ``many`` as ``is_many`` says.

    Of trumps: how many, how many above two lengths, and whether each of the ranks that take or
    carry points is there, joker and off cards among them. Of plain suits: high cards, and suits
    without a card.
    """
    sets = np.arange(_TRUMP_SETS)
    count = np.bitwise_count(sets).astype(float)
    lengths = _LENGTHS[many]
    bits = [*map(RANKS.index, _RANKS_OF_TRUMPS), *range(_JOKER, _JOKER + 1 + len(_OFF_RANKS))]
    suits = np.arange(_SUIT_SETS)
    outside = _OUTSIDE.get(family, _ACES_AND_KINGS)
    return FeatureTables(
        names=(
            *("trumps", *(f"trumps over {length}" for length in lengths)),
            *(f"{rank} of trumps" for rank in _RANKS_OF_TRUMPS),
            *("joker", *_OFF_RANKS.values()),
            *(*(f"plain {rank}" for rank in outside), "suits without a card"),
        ),
        trumps=np.column_stack(
            [
                count,
                *(np.maximum(count - length, 0) for length in lengths),
                *((sets >> bit & 1).astype(float) for bit in bits),
            ]
        ),
        plain=np.column_stack(
            [
                *((suits >> RANKS.index(rank) & 1).astype(float) for rank in outside),
                (suits == 0).astype(float),
            ]
        ),
    )


def is_many(packet: int) -> bool:
    """Return whether so many cards in the auction make long trumps likely."""
    return packet >= _MANY


def features_of(features: FeatureTables, held: Integers, suit: int, *, off_ranks: int) -> Floats:
    """Return the features of holdings with a suit as trumps: holdings by columns."""
    plain = np.sum(
        [
            features.plain[plain_in(held, other, trump=suit, off_ranks=off_ranks)]
            for other in range(SUIT_COUNT)
            if other != suit
        ],
        axis=0,
    )
    return np.column_stack([features.trumps[trumps_in(held, suit, off_ranks=off_ranks)], plain])


def worth(features: FeatureTables, weights: Floats, held: Integers, *, off_ranks: int) -> Floats:
    """Return what holdings are worth with each suit as trumps: holdings by suits.

    ``weights`` has a number for each feature.
    """
    of_trumps = features.trumps @ weights[: features.trumps.shape[1]]
    of_plain = features.plain @ weights[features.trumps.shape[1] :]
    found = np.empty((len(held), SUIT_COUNT))
    for suit in range(SUIT_COUNT):
        found[:, suit] = of_trumps[trumps_in(held, suit, off_ranks=off_ranks)]
        for other in range(SUIT_COUNT):
            if other != suit:
                found[:, suit] += of_plain[plain_in(held, other, trump=suit, off_ranks=off_ranks)]
    return found
