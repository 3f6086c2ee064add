"""One hand that somebody names: what the field makes of such cards, and bid or pass with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tricklog.ingest.metrics.field.decisions import Chances, bid_or_pass, first_calls, study_chances
from tricklog.ingest.metrics.field.holdings import (
    NOT_KNOWN,
    SUIT_COUNT,
    FeatureTables,
    Floats,
    Integers,
    worth,
)
from tricklog.ingest.metrics.field.judging import HOLDERS, Study, edges_of, tenths_of
from tricklog.schemas.cards import SUITS, mask_of, names_in, parse_cards

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Held:
    """Cards somebody holds when they are to call."""

    cards: str
    """As a log writes them, ``AS KS 5C``."""
    from_dealer: int
    """Places after the dealer in the direction of play, 0 for the dealer."""
    holder: str
    """Who holds the bid: nobody, partner or others."""
    least: int
    """The lowest bid they may make."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What is known of any hand at a kind of table, without the hands it is known from."""

    seats: int
    packet: int
    """Cards that a seat holds in the auction."""
    pack: int
    """The set of cards that were held there."""
    holders: tuple[str, ...]
    """Who held the bid at some call there."""
    least: int
    """The lowest bid that somebody might have made."""
    most: int
    """The highest bid there is a chance for."""
    off_ranks: int
    """Ranks, a bit each, of which the card of the other suit of the trump colour is a trump; of
    several rules, as most hands have it."""
    features: FeatureTables
    weights: Floats
    """The mean of the folds: of 1, of each place after the dealer but the first, of features."""
    edges: Floats
    """The margins between the tenths of all free calls."""
    chances: Chances
    decisions: pl.DataFrame
    """As ``bid_or_pass`` returns them."""
    example: Held | None
    """A hand of a first free call under the filters, with a margin near zero."""


@dataclass(frozen=True, slots=True)
class GivenHand:
    """What the field says of a hand."""

    suit: str
    """The best suit as trumps, a letter."""
    expected: float
    """Points the field takes with it."""
    margin: float
    """Points expected less the least bid."""
    tenth: int
    """Which tenth of all free calls that is, from 1 for the lowest margins."""
    chances: tuple[tuple[int, float], ...]
    """Each bid from the least one up with its chance, from 0 to 1, in steps of a tenth."""
    decision: dict[str, Any] | None
    """The row of ``bid_or_pass``; ``None`` where nobody had to decide so."""


def guide_of(study: Study) -> Guide | None:
    """Return what the field says of any hand at a table, ``None`` where there is no field.

    It takes less than 1 MB, however many hands the study has, so a caller may keep it.
    """
    chances = study_chances(study)
    if study.judged is None or chances is None:
        return None
    hands, calls = study.hands, study.judged.calls
    decisions = bid_or_pass(study)
    return Guide(
        seats=hands.seats,
        packet=hands.packet,
        pack=int(np.bitwise_or.reduce(hands.held[hands.held != NOT_KNOWN], initial=0)),
        holders=tuple(HOLDERS[each] for each in np.unique(calls.holder)),
        least=int(calls.lowest.min(initial=chances.lowest + chances.of_all.shape[1])),
        most=chances.lowest + chances.of_all.shape[1] - 1,
        off_ranks=study.hands.usual_off_ranks,
        features=study.judged.features,
        weights=study.judged.weights.mean(axis=0),
        edges=edges_of(calls.margin),
        chances=chances,
        decisions=decisions,
        example=_example(study, decisions),
    )


def given_hand(guide: Guide, held: Held) -> GivenHand:
    """Return what the field says of a hand.

    Raises ``ValueError`` for a card that is none, and for a place after the dealer, a holder of the
    bid or a least bid that the table does not have.
    """
    if held.from_dealer not in range(guide.seats):
        raise ValueError(f"there is no place {held.from_dealer} after the dealer")
    if held.holder not in HOLDERS:
        raise ValueError(f"{held.holder!r} is none of {', '.join(HOLDERS)}")
    if held.least not in range(guide.least, guide.most + 1):
        raise ValueError(f"there is no bid of {held.least} from {guide.least} to {guide.most}")
    suit, expected = _best_suit(
        guide.features, guide.weights, guide.seats, held, off_ranks=guide.off_ranks
    )
    margin = expected - held.least
    tenth = int(tenths_of(np.array([margin]), guide.edges)[0]) + 1
    bids = np.arange(held.least, guide.most + 1)
    chances = guide.chances.chance(np.full(len(bids), expected), bids)
    found = guide.decisions.filter(tenth=tenth, holder=held.holder).to_dicts()
    return GivenHand(
        suit,
        expected,
        margin,
        tenth,
        tuple(
            (int(bid), round(float(chance), 1)) for bid, chance in zip(bids, chances, strict=True)
        ),
        found[0] if found else None,
    )


def _best_suit(
    features: FeatureTables, weights: Floats, seats: int, held: Held, *, off_ranks: int
) -> tuple[str, float]:
    cards = np.array([mask_of(parse_cards(held.cards))])
    suits = worth(features, weights[seats:], cards, off_ranks=off_ranks)[0]
    best = max(range(SUIT_COUNT), key=lambda suit: (suits[suit], -suit))
    of_seat = weights[0] + (weights[held.from_dealer] if held.from_dealer else 0.0)
    return SUITS[best], float(suits[best] + of_seat)


def _example(study: Study, decisions: pl.DataFrame) -> Held | None:
    """Return a hand that is worth asking for: near the line, where both were done often enough."""
    if study.judged is None:
        return None
    hands, calls = study.hands, study.judged.calls
    first = first_calls(study, calls)
    rows = decisions.filter("enough").select("tenth", "holder").rows()
    enough = {(tenth - 1) * len(HOLDERS) + HOLDERS.index(holder) for tenth, holder in rows}
    cell: Integers = calls.tenth[first].astype(np.int64) * len(HOLDERS) + calls.holder[first]
    compared = first[np.isin(cell, list(enough))]
    first = compared if len(compared) else first
    if not len(first):
        return None
    at = first[np.abs(calls.margin[first]).argmin()]
    hand, seat = calls.hand[at], calls.seat[at]
    return Held(
        names_in(int(hands.held[hand, seat])),
        int(hands.from_dealer[hand, seat]),
        HOLDERS[calls.holder[at]],
        int(calls.lowest[at]),
    )
