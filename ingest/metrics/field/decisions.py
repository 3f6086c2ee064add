"""Bid or pass: what became of those who bid and of those who passed, with like cards and price.

Nobody sees what a hand that was passed would have come to. So scores are compared as they were: of
hands in which somebody bid at a decision, and of hands in which somebody passed at the same one.
Pushing the others up is in it. A decision is a tenth of the margin, which is the points the field
takes with these cards less the least bid, and who holds the bid.

The chance that cards make a bid is what other hands with like cards came to. A hand takes the
points expected of it, and what some other hand took above or below those expected there; the nearer
what was expected there, the more that hand counts. So the chance falls as the bid rises, whatever
the hands say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.field import holdings, judging
from tricklog.ingest.metrics.field.holdings import FeatureTables, Flags, Floats, Integers
from tricklog.ingest.metrics.field.judging import HOLDERS, Contracts, Judged, JudgedCalls, Study
from tricklog.ingest.metrics.field.reading import FOLDS, Hands
from tricklog.ingest.metrics.intervals import (
    FEWEST_GAMES_OF_AMOUNTS,
    Z_95,
    Scale,
    by_game,
    interval,
    pooled,
    student,
)
from tricklog.ingest.metrics.model import TOO_FEW
from tricklog.ingest.sql import run
from tricklog.schemas.cards import SUITS, mask_of, names_in, parse_cards

FEWEST_OF_EACH: Final = 15
"""Bids, and passes, that a decision takes to be compared."""
USUAL: Final = 2 / 3
"""Chance at the least bid from which on such cards usually make it."""
_TENTHS: Final = 10
_WIDTH: Final = 0.7
"""How far off points may be expected for a hand to be alike, in standard deviations of them."""
_STEPS: Final = 61
"""Expected points between the lowest and the highest for which chances are worked out."""
_MOST: Final = 20_000
"""Contracts that chances are made of; of more, evenly chosen ones."""


# --- The score after a bid and after a pass


def bid_or_pass(study: Study) -> pl.DataFrame:
    """Return what hands added to the score after a bid and after a pass, by decision.

    One row for each decision with a free call under the filters, the first of each player in each
    hand: ``tenth`` (1 is the lowest margins), ``holder`` of the bid (nobody, partner, others),
    ``margin`` on the average, ``expected`` points and ``lowest`` bid on the average, ``bids``,
    ``passes``, ``games``; ``bid_score`` and ``pass_score``, what the hand added to the score of the
    side less what it added to the others', at that margin; their ``difference``; of each the 95 %
    interval, a game as one draw: ``bid_low`` to ``bid_high``, ``pass_low`` to ``pass_high``, and
    ``low`` to ``high``; and ``enough``, whether there are 15 of each in 10 games, else scores,
    difference and intervals are null. Scores are adjusted for the margin by a line with one slope
    within the decision. Those who bid such cards may be other people than those who pass them.
    """
    means, counts = ("margin", "expected", "lowest"), ("bids", "passes", "games")
    scores = [name for names, _ in _SCORES for name in names]
    schema = {"tenth": pl.Int64, "holder": pl.String, **dict.fromkeys(means, pl.Float64)}
    schema |= dict.fromkeys(counts, pl.Int64) | dict.fromkeys(scores, pl.Float64)
    schema["enough"] = pl.Boolean
    rows = []
    if study.judged is not None:
        calls, hands = study.judged.calls, study.hands
        first = _first_calls(hands, calls)
        gain = hands.gain[calls.hand[first], calls.seat[first]]
        first, gain = first[np.isfinite(gain)], gain[np.isfinite(gain)]
        game, cells = hands.games_of(calls.hand[first]), calls.cell[first]
        is_bid = calls.is_bid[first]
        amounts = {name: getattr(calls, name)[first] for name in means}
        for cell in np.unique(cells).tolist():
            inside = np.flatnonzero(cells == cell)
            tenth, holder = divmod(cell, len(HOLDERS))
            row = {"tenth": tenth + 1, "holder": HOLDERS[holder]}
            row |= {name: float(each[inside].mean()) for name, each in amounts.items()}
            margin = amounts["margin"][inside]
            rows.append(row | _compared(is_bid[inside], margin, gain[inside], game[inside]))
    return pl.DataFrame(rows, schema=schema)


_SCORES: Final = (
    (("bid_score", "bid_low", "bid_high"), (1.0, 1.0, 0.0)),
    (("pass_score", "pass_low", "pass_high"), (1.0, 0.0, 0.0)),
    (("difference", "low", "high"), (0.0, 1.0, 0.0)),
)
"""Columns, and what makes them of the score of all, that of a bid beyond it, and the slope."""


def _first_calls(hands: Hands, calls: JudgedCalls) -> Integers:
    """Return the places of the first free call of each chosen player in each hand."""
    at = calls.hand.astype(np.int64) * hands.seats + calls.seat
    first = np.full(len(hands.hand) * hands.seats, len(at), dtype=np.int64)
    np.minimum.at(first, at, np.arange(len(at)))
    first = first[first < len(at)]
    return first[calls.chosen[first]]


def _compared(is_bid: Flags, margin: Floats, gain: Floats, game: Integers) -> dict[str, Any]:
    bids = int(is_bid.sum())
    passes = len(is_bid) - bids
    games, of_game = np.unique(game, return_inverse=True)
    found: dict[str, Any] = {"bids": bids, "passes": passes, "games": len(games)}
    enough = min(bids, passes) >= FEWEST_OF_EACH and len(games) >= FEWEST_GAMES_OF_AMOUNTS
    if enough:
        rows = np.column_stack([np.ones(len(gain)), is_bid, margin - margin.mean()])
        # Where all margins are alike there is no slope, and no number for it.
        inverse = np.linalg.pinv(rows.T @ rows)
        weights = inverse @ rows.T @ gain
        left = rows * (gain - rows @ weights)[:, None]
        of_games = np.column_stack([np.bincount(of_game, column, len(games)) for column in left.T])
        spread = inverse @ (of_games.T @ of_games) @ inverse * len(games) / (len(games) - 1)
        width = float(student(np.array(len(games) - 2.0), Z_95))
        for names, parts in _SCORES:
            combined = np.array(parts)
            value = float(combined @ weights)
            half = width * math.sqrt(max(0.0, float(combined @ spread @ combined)))
            found |= dict(zip(names, (value, value - half, value + half), strict=True))
    return found | {"enough": enough}


# --- Chances


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances by expected points and bid; what lies between is taken from both neighbours."""

    steps: Floats
    """Expected points, in even steps."""
    lowest: int
    """The lowest bid there is a chance for; the next ones follow."""
    of_folds: Floats
    """By fold, step and bid: made of the contracts of all other folds."""
    of_all: Floats
    """By step and bid: made of all contracts."""

    def chance(self, expected: Floats, bid: Integers, fold: Integers | None = None) -> Floats:
        """Return the chance to take as many points as bid, from 0 to 1.

        With ``fold`` the hands of that fold are left out.
        """
        table = self.of_all[None] if fold is None else self.of_folds
        number = np.zeros(len(expected), dtype=np.int64) if fold is None else fold
        column = np.clip(bid - self.lowest, 0, table.shape[2] - 1).astype(np.int64)
        width = self.steps[1] - self.steps[0]
        at = np.clip((expected - self.steps[0]) / width, 0, len(self.steps) - 1)
        below = np.minimum(at.astype(np.int64), len(self.steps) - 2)
        part = at - below
        one, other = table[number, below, column], table[number, below + 1, column]
        found: Floats = (1 - part) * one + part * other
        return found


def chances_of(contracts: Contracts, fold: Integers, bids: range) -> Chances:
    """Return the chances of bids, made of contracts and the fold of each."""
    every = -(-len(fold) // _MOST)
    order = np.argsort(contracts.taken[::every], kind="stable")
    expected, taken, folds = (
        each[::every][order] for each in (contracts.expected, contracts.taken, fold)
    )
    spread = max(float(contracts.expected.std()), 1e-9)
    low, high = float(contracts.expected.min()), float(contracts.expected.max())
    steps = np.linspace(low, max(high, low + spread), _STEPS)
    tables = np.empty((FOLDS + 1, _STEPS, len(bids)))
    for step, points in enumerate(steps):
        alike = np.exp(-0.5 * ((points - expected) / (_WIDTH * spread)) ** 2)
        # Hands in the order of what they took: the first ones fall short of the bid.
        short = np.searchsorted(taken, np.array(bids) - points - 1e-9)
        # No contract is of the last fold, whose chances are those of all.
        for number in range(FOLDS + 1):
            added = np.cumsum(np.where(folds == number, 0.0, alike))
            tables[number, step] = 1 - np.concatenate([[0.0], added])[short] / added[-1]
    return Chances(steps, bids.start, tables[:-1], tables[-1])


def _chances_in(hands: Hands, judged: Judged) -> Chances:
    """Return the chances to make bids at a kind of table."""
    bid, lowest = hands.bid[judged.contracts.hand], judged.calls.lowest
    least, most = int(bid.min()), int(bid.max())
    least, most = int(lowest.min(initial=least)), int(lowest.max(initial=most))
    return chances_of(judged.contracts, hands.fold[judged.contracts.hand], range(least, most + 1))


# --- What bids came to


def score_by_bid(study: Study) -> pl.DataFrame:
    """Return what contracts came to by the number bid.

    One row for each bid of a contract under the filters: ``bid`` in card points, ``n`` contracts in
    ``games`` games, ``made`` as a share, ``expected`` points on the average; ``score``, what the
    hand added to the makers' score less what it added to the others', with its 95 % interval
    ``low`` to ``high``, a game as one draw; and ``enough``, whether there are 30 in 10 games, else
    score and interval are null.
    """
    names = ("bid", "n", "games", "made", "expected", "score", "low", "high", "enough")
    if study.judged is None:
        return _empty(names)
    hands, contracts = study.hands, study.judged.contracts
    gain = hands.gain[contracts.hand, hands.maker[contracts.hand]]
    chosen = np.flatnonzero(contracts.chosen & np.isfinite(gain))
    hand = contracts.hand[chosen]
    bids, at = np.unique(hands.bid[hand], return_inverse=True)
    made, expected = hands.made[hand], contracts.expected[chosen]
    found = _of_groups(
        at, hands.games_of(hand), gain[chosen], Scale.FREE, made=made, expected=expected
    )
    found = found.with_columns(bid=bids.astype(np.int64)).rename({"value": "score"})
    return found.select(names)


def calibration(study: Study) -> pl.DataFrame:
    """Return how often contracts were made beside the chance that their cards made them.

    One row for each tenth of the chance with a contract under the filters: ``chance`` on
    the average, by contracts of other folds; ``n`` contracts in ``games`` games; ``made``, the
    share that was, with its 95 % interval ``low`` to ``high``, a game as one draw; and ``enough``,
    whether there are 30 in 10 games, else share and interval are null.
    """
    names = ("chance", "n", "games", "made", "low", "high", "enough")
    if study.judged is None:
        return _empty(names)
    hands, contracts = study.hands, study.judged.contracts
    chosen = np.flatnonzero(contracts.chosen)
    hand = contracts.hand[chosen]
    chance = _chances_in(hands, study.judged).chance(
        contracts.expected[chosen], hands.bid[hand].astype(np.int64), hands.fold[hand]
    )
    step = np.minimum((chance * _TENTHS).astype(np.int64), _TENTHS - 1)
    at = np.unique(step, return_inverse=True)[1]
    made = hands.made[hand].astype(float)
    found = _of_groups(at, hands.games_of(hand), made, Scale.SHARE, chance=chance)
    return found.rename({"value": "made"}).select(names)


def _empty(names: tuple[str, ...]) -> pl.DataFrame:
    kinds = dict.fromkeys(("bid", "n", "games"), pl.Int64) | {"enough": pl.Boolean}
    return pl.DataFrame(schema={name: kinds.get(name, pl.Float64) for name in names})


def _of_groups(
    at: Integers, game: Integers, y: Floats, scale: Scale, **means: Floats | Flags
) -> pl.DataFrame:
    """Return a row for each group of contracts, whose numbers ``at`` has.

    Columns: ``n``, ``games``, ``value`` of ``y``, ``low``, ``high`` and ``enough``, and the means
    of ``means``.
    """
    groups = int(at.max(initial=-1)) + 1
    sums = by_game(at, game, y).sums(groups)
    # No other shares are alike: cases stand for themselves as far as games do not say otherwise.
    scatter = 0.0 if scale == Scale.SHARE else pooled(sums)
    low, high = interval(sums, np.full(groups, scatter), scale)
    enough = (sums.w >= TOO_FEW) & (sums.games >= FEWEST_GAMES_OF_AMOUNTS)
    known = {"value": sums.ratio, "low": low, "high": high}
    return pl.DataFrame(
        {
            "n": sums.w.astype(np.int64),
            "games": sums.games.astype(np.int64),
            **{name: np.where(enough, each, np.nan) for name, each in known.items()},
            "enough": enough,
            **{name: np.bincount(at, each, groups) / sums.w for name, each in means.items()},
        }
    ).with_columns(pl.col(*known).fill_nan(None))


def passed_auctions(connection: DuckDBPyConnection, study: Study) -> pl.DataFrame:
    """Return hands in which somebody passed with cards that usually make the least bid.

    One row for each, by their first free call under the filters, the best chances first:
    ``hand_id``, ``seat``, ``player``, ``lowest`` bid, ``expected`` points with the best suit, and
    the ``chance`` to take that many, two thirds or more, as of other hands with such cards that
    were bid.
    """
    numbers = {"lowest": pl.Int64, "expected": pl.Float64, "chance": pl.Float64}
    schema = {"hand_id": pl.String, "seat": pl.Int64, "player": pl.String, **numbers}
    if study.judged is None:
        return pl.DataFrame(schema=schema)
    hands, calls = study.hands, study.judged.calls
    first = _first_calls(hands, calls)
    first = first[(calls.margin[first] >= 0) & ~calls.is_bid[first]]
    hand, seat = calls.hand[first], calls.seat[first]
    chances = _chances_in(hands, study.judged)
    found = pl.DataFrame(
        {
            "hand_no": hands.hand[hand],
            "seat": seat,
            "player": [hands.players[who] for who in hands.players_of(hand, seat)],
            "lowest": calls.lowest[first],
            "expected": calls.expected[first],
            "chance": chances.chance(calls.expected[first], calls.lowest[first], hands.fold[hand]),
        }
    ).filter(pl.col("chance") >= USUAL)
    ids = run(
        connection,
        "SELECT hand_no, hand_id FROM games.hands "
        "WHERE hand_no IN (SELECT unnest($hands::BIGINT[]))",
        {"hands": found["hand_no"].unique().to_list()},
    )
    named = found.join(ids, on="hand_no", how="left")
    named = named.sort("chance", "hand_id", "seat", descending=[True, False, False])
    return named.select(pl.col(name).cast(kind) for name, kind in schema.items())


# --- One hand that somebody names


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
    if study.judged is None:
        return None
    hands, calls, chances = study.hands, study.judged.calls, _chances_in(study.hands, study.judged)
    decisions = bid_or_pass(study)
    above = chances.lowest + chances.of_all.shape[1]
    return Guide(
        seats=hands.seats,
        packet=hands.packet,
        pack=int(np.bitwise_or.reduce(hands.held[hands.held != holdings.NOT_KNOWN], initial=0)),
        holders=tuple(HOLDERS[each] for each in np.unique(calls.holder)),
        least=int(calls.lowest.min(initial=above)),
        most=above - 1,
        off_ranks=hands.usual_off_ranks,
        features=study.judged.features,
        weights=study.judged.weights.mean(axis=0),
        edges=judging.edges_of(calls.margin),
        chances=chances,
        decisions=decisions,
        example=_example(hands, calls, decisions),
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
    cards, of_cards = np.array([mask_of(parse_cards(held.cards))]), guide.weights[guide.seats :]
    suits = holdings.worth(guide.features, of_cards, cards, off_ranks=guide.off_ranks)[0]
    best = int(suits.argmax())
    of_seat = guide.weights[0] + (guide.weights[held.from_dealer] if held.from_dealer else 0.0)
    expected = float(suits[best] + of_seat)
    margin = expected - held.least
    tenth = int(judging.tenths_of(np.array([margin]), guide.edges)[0]) + 1
    bids = np.arange(held.least, guide.most + 1)
    chances = guide.chances.chance(np.full(len(bids), expected), bids).tolist()
    listed = [(bid, round(chance, 1)) for bid, chance in zip(bids.tolist(), chances, strict=True)]
    found = guide.decisions.filter(tenth=tenth, holder=held.holder).to_dicts()
    return GivenHand(
        SUITS[best], expected, margin, tenth, tuple(listed), found[0] if found else None
    )


def _example(hands: Hands, calls: JudgedCalls, decisions: pl.DataFrame) -> Held | None:
    """Return a hand that is worth asking for: near the line, where both were done often enough."""
    first = _first_calls(hands, calls)
    rows = decisions.filter("enough").select("tenth", "holder").rows()
    enough = [(tenth - 1) * len(HOLDERS) + HOLDERS.index(holder) for tenth, holder in rows]
    compared = first[np.isin(calls.cell[first], enough)]
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
