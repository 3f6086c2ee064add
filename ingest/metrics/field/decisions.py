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
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.field.holdings import Flags, Floats, Integers
from tricklog.ingest.metrics.field.judging import (
    HOLDERS,
    TENTHS,
    Contracts,
    JudgedCalls,
    Study,
)
from tricklog.ingest.metrics.field.reading import FOLDS
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

if TYPE_CHECKING:
    import polars as pl

FEWEST_OF_EACH: Final = 15
"""Bids, and passes, that a decision takes to be compared."""
_CELLS: Final = TENTHS * len(HOLDERS)
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
    import polars as pl

    schema = {
        "tenth": pl.Int64,
        "holder": pl.String,
        **dict.fromkeys(("margin", "expected", "lowest"), pl.Float64),
        **dict.fromkeys(("bids", "passes", "games"), pl.Int64),
        **dict.fromkeys(("bid_score", "bid_low", "bid_high"), pl.Float64),
        **dict.fromkeys(("pass_score", "pass_low", "pass_high"), pl.Float64),
        **dict.fromkeys(("difference", "low", "high"), pl.Float64),
        "enough": pl.Boolean,
    }
    if study.judged is None:
        return pl.DataFrame(schema=schema)
    calls, hands = study.judged.calls, study.hands
    first = first_calls(study, calls)
    gain = hands.gain[calls.hand[first], calls.seat[first]]
    first, gain = first[np.isfinite(gain)], gain[np.isfinite(gain)]
    game = hands.sitting_game[hands.sitting[calls.hand[first]]]
    rows = []
    for cell, inside in _by_cell(calls, first):
        chosen = first[inside]
        rows.append(
            {
                **_decision(cell, calls, chosen),
                **_compared(calls.is_bid[chosen], calls.margin[chosen], gain[inside], game[inside]),
            }
        )
    return pl.DataFrame(rows, schema=schema)


def first_calls(study: Study, calls: JudgedCalls) -> Integers:
    """Return the places of the first free call of each chosen player in each hand."""
    seats = study.hands.seats
    at = calls.hand.astype(np.int64) * seats + calls.seat
    first = np.full(len(study.hands.hand) * seats, len(at), dtype=np.int64)
    np.minimum.at(first, at, np.arange(len(at)))
    first = first[first < len(at)]
    return first[calls.chosen[first]]


def _by_cell(calls: JudgedCalls, chosen: Integers) -> list[tuple[int, Integers]]:
    """Return decisions with the places of their calls among those chosen."""
    cell = calls.tenth[chosen] * len(HOLDERS) + calls.holder[chosen]
    order = np.argsort(cell, kind="stable")
    bounds = np.searchsorted(cell[order], np.arange(_CELLS + 1))
    return [
        (number, order[bounds[number] : bounds[number + 1]])
        for number in range(_CELLS)
        if bounds[number] < bounds[number + 1]
    ]


def _decision(cell: int, calls: JudgedCalls, chosen: Integers) -> dict[str, Any]:
    tenth, holder = divmod(cell, len(HOLDERS))
    return {
        "tenth": tenth + 1,
        "holder": HOLDERS[holder],
        "margin": float(calls.margin[chosen].mean()),
        "expected": float(calls.expected[chosen].mean()),
        "lowest": float(calls.lowest[chosen].mean()),
    }


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
        of_games = np.column_stack(
            [np.bincount(of_game, weights=column, minlength=len(games)) for column in left.T]
        )
        spread = inverse @ (of_games.T @ of_games) @ inverse * len(games) / (len(games) - 1)
        width = float(student(np.array(len(games) - 2.0), Z_95))
        for score, low, high, combined in (
            ("bid_score", "bid_low", "bid_high", np.array([1.0, 1.0, 0.0])),
            ("pass_score", "pass_low", "pass_high", np.array([1.0, 0.0, 0.0])),
            ("difference", "low", "high", np.array([0.0, 1.0, 0.0])),
        ):
            value = float(combined @ weights)
            half = width * math.sqrt(max(0.0, float(combined @ spread @ combined)))
            found |= {score: value, low: value - half, high: value + half}
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
    expected = contracts.expected[::every][order]
    taken, folds = contracts.taken[::every][order], fold[::every][order]
    spread = max(float(contracts.expected.std()), 1e-9)
    low, high = float(contracts.expected.min()), float(contracts.expected.max())
    steps = np.linspace(low, max(high, low + spread), _STEPS)
    of_folds = np.empty((FOLDS, _STEPS, len(bids)))
    of_all = np.empty((_STEPS, len(bids)))
    amounts = np.array(bids)
    for step, points in enumerate(steps):
        alike = np.exp(-0.5 * ((points - expected) / (_WIDTH * spread)) ** 2)
        # Hands in the order of what they took: the first ones fall short of the bid.
        short = np.searchsorted(taken, amounts - points - 1e-9)
        for number in range(FOLDS):
            of_folds[number, step] = _share_from(np.where(folds == number, 0.0, alike), short)
        of_all[step] = _share_from(alike, short)
    return Chances(steps, bids.start, of_folds, of_all)


def _share_from(weights: Floats, places: Integers) -> Floats:
    """Return which share of the weights stands at each place or after it."""
    added = np.concatenate([[0.0], np.cumsum(weights)])
    found: Floats = 1 - added[places] / added[-1]
    return found


def study_chances(study: Study) -> Chances | None:
    """Return the chances to make bids at a kind of table; ``None`` where there is no field."""
    if study.judged is None:
        return None
    contracts = study.judged.contracts
    bid = study.hands.bid[contracts.hand]
    lowest = study.judged.calls.lowest
    bids = range(
        int(min(bid.min(), lowest.min(initial=int(bid.min())))),
        int(max(bid.max(), lowest.max(initial=0))) + 1,
    )
    return chances_of(contracts, study.hands.fold[contracts.hand], bids)


# --- What bids came to

USUAL: Final = 2 / 3
"""Chance at the least bid from which on such cards usually make it."""
_TENTHS: Final = 10


def score_by_bid(study: Study) -> pl.DataFrame:
    """Return what contracts came to by the number bid.

    One row for each bid of a contract under the filters: ``bid`` in card points, ``n`` contracts in
    ``games`` games, ``made`` as a share, ``expected`` points on the average; ``score``, what the
    hand added to the makers' score less what it added to the others', with its 95 % interval
    ``low`` to ``high``, a game as one draw; and ``enough``, whether there are 30 in 10 games, else
    score and interval are null.
    """
    import polars as pl

    schema = {
        **dict.fromkeys(("bid", "n", "games"), pl.Int64),
        **dict.fromkeys(("made", "expected", "score", "low", "high"), pl.Float64),
        "enough": pl.Boolean,
    }
    if study.judged is None:
        return pl.DataFrame(schema=schema)
    hands, contracts = study.hands, study.judged.contracts
    gain = hands.gain[contracts.hand, hands.maker[contracts.hand]]
    chosen = np.flatnonzero(contracts.chosen & np.isfinite(gain))
    hand = contracts.hand[chosen]
    bids, at = np.unique(hands.bid[hand], return_inverse=True)
    sums = by_game(at, _games(study, hand), gain[chosen]).sums(len(bids))
    enough = (sums.w >= TOO_FEW) & (sums.games >= FEWEST_GAMES_OF_AMOUNTS)
    low, high = interval(sums, np.full(len(bids), pooled(sums)), Scale.FREE)
    made = np.bincount(at, weights=hands.made[hand], minlength=len(bids)) / sums.w
    expected = np.bincount(at, weights=contracts.expected[chosen], minlength=len(bids)) / sums.w
    scores = {"score": sums.ratio, "low": low, "high": high}
    return pl.DataFrame(
        {
            "bid": bids.astype(np.int64),
            "n": sums.w.astype(np.int64),
            "games": sums.games.astype(np.int64),
            "made": made,
            "expected": expected,
            **{name: np.where(enough, each, np.nan) for name, each in scores.items()},
            "enough": enough,
        },
        schema=schema,
    ).with_columns(pl.col("score", "low", "high").fill_nan(None))


def calibration(study: Study) -> pl.DataFrame:
    """Return how often contracts were made beside the chance that their cards made them.

    One row for each tenth of the chance with a contract under the filters: ``chance`` on
    the average, by contracts of other folds; ``n`` contracts in ``games`` games; ``made``, the
    share that was, with its 95 % interval ``low`` to ``high``, a game as one draw; and ``enough``,
    whether there are 30 in 10 games, else share and interval are null.
    """
    import polars as pl

    schema = {
        "chance": pl.Float64,
        **dict.fromkeys(("n", "games"), pl.Int64),
        **dict.fromkeys(("made", "low", "high"), pl.Float64),
        "enough": pl.Boolean,
    }
    chances = study_chances(study)
    if study.judged is None or chances is None:
        return pl.DataFrame(schema=schema)
    hands, contracts = study.hands, study.judged.contracts
    chosen = np.flatnonzero(contracts.chosen)
    hand = contracts.hand[chosen]
    chance = chances.chance(
        contracts.expected[chosen], hands.bid[hand].astype(np.int64), hands.fold[hand]
    )
    step = np.minimum((chance * _TENTHS).astype(np.int64), _TENTHS - 1)
    steps, at = np.unique(step, return_inverse=True)
    sums = by_game(at, _games(study, hand), hands.made[hand] * 1.0).sums(len(steps))
    enough = (sums.w >= TOO_FEW) & (sums.games >= FEWEST_GAMES_OF_AMOUNTS)
    # No other rows are alike: cases stand for themselves as far as games do not say otherwise.
    low, high = interval(sums, np.zeros(len(steps)), Scale.SHARE)
    shares = {"made": sums.ratio, "low": low, "high": high}
    return pl.DataFrame(
        {
            "chance": np.bincount(at, weights=chance, minlength=len(steps)) / sums.w,
            "n": sums.w.astype(np.int64),
            "games": sums.games.astype(np.int64),
            **{name: np.where(enough, each, np.nan) for name, each in shares.items()},
            "enough": enough,
        },
        schema=schema,
    ).with_columns(pl.col("made", "low", "high").fill_nan(None))


def passed_auctions(connection: DuckDBPyConnection, study: Study) -> pl.DataFrame:
    """Return hands in which somebody passed with cards that usually make the least bid.

    One row for each, by their first free call under the filters, the best chances first:
    ``hand_id``, ``seat``, ``player``, ``lowest`` bid, ``expected`` points with the best suit, and
    the ``chance`` to take that many, two thirds or more, as of other hands with such cards that
    were bid.
    """
    import polars as pl

    schema = {
        "hand_no": pl.Int64,
        "seat": pl.Int64,
        "player": pl.String,
        "lowest": pl.Int64,
        "expected": pl.Float64,
        "chance": pl.Float64,
    }
    first, chance = _usually_made(study)
    if study.judged is None:
        return pl.DataFrame(schema={"hand_id": pl.String, **schema}).drop("hand_no")
    hands, calls = study.hands, study.judged.calls
    passed = ~calls.is_bid[first]
    at, chance = first[passed], chance[passed]
    who = hands.players_of(calls.hand[at], calls.seat[at])
    found = pl.DataFrame(
        {
            "hand_no": hands.hand[calls.hand[at]],
            "seat": calls.seat[at],
            "player": [hands.players[each] for each in who],
            "lowest": calls.lowest[at],
            "expected": calls.expected[at],
            "chance": chance,
        },
        schema=schema,
    )
    ids = run(
        connection,
        "SELECT hand_no, hand_id FROM games.hands "
        "WHERE hand_no IN (SELECT unnest($hands::BIGINT[]))",
        {"hands": found["hand_no"].unique().to_list()},
    )
    named = found.join(ids, on="hand_no", how="left")
    return named.sort("chance", "hand_id", "seat", descending=[True, False, False]).select(
        "hand_id", "seat", "player", "lowest", "expected", "chance"
    )


def _usually_made(study: Study) -> tuple[Integers, Floats]:
    """Return first free calls with cards that usually make the least bid, and their chances."""
    chances = study_chances(study)
    if study.judged is None or chances is None:
        return np.empty(0, dtype=np.int64), np.empty(0)
    calls = study.judged.calls
    first = first_calls(study, calls)
    first = first[calls.margin[first] >= 0]
    fold = study.hands.fold[calls.hand[first]]
    chance = chances.chance(calls.expected[first], calls.lowest[first], fold)
    return first[chance >= USUAL], chance[chance >= USUAL]


def _games(study: Study, hand: Integers) -> Integers:
    found: Integers = study.hands.sitting_game[study.hands.sitting[hand]]
    return found
