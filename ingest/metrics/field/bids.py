"""What bids came to: which of them pay, whether they mean what they say, and what was passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.field.decisions import first_calls, study_chances
from tricklog.ingest.metrics.field.holdings import Floats, Integers
from tricklog.ingest.metrics.field.judging import Study
from tricklog.ingest.metrics.intervals import (
    FEWEST_GAMES_OF_AMOUNTS,
    Scale,
    by_game,
    interval,
    pooled,
)
from tricklog.ingest.metrics.model import TOO_FEW
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl

USUAL: Final = 2 / 3
"""Chance at the least bid from which on such cards usually make it."""
_STEPS: Final = 10


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


def calibration(study: Study, player: str | None = None) -> pl.DataFrame:
    """Return how often contracts were made beside the chance that their cards made them.

    One row for each tenth of the chance with a contract under the filters: ``chance`` on
    the average, by contracts of other folds; ``n`` contracts in ``games`` games; ``made``, the
    share that was, with its 95 % interval ``low`` to ``high``, a game as one draw; and ``enough``,
    whether there are 30 in 10 games, else share and interval are null. With ``player`` only theirs.
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
    if player is not None:
        maker = hands.players_of(contracts.hand, hands.maker[contracts.hand])
        names = np.array([name == player for name in hands.players])
        chosen = np.flatnonzero(contracts.chosen & names[maker])
    hand = contracts.hand[chosen]
    chance = chances.chance(
        contracts.expected[chosen], hands.bid[hand].astype(np.int64), hands.fold[hand]
    )
    step = np.minimum((chance * _STEPS).astype(np.int64), _STEPS - 1)
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


def passed_by_player(study: Study) -> pl.DataFrame:
    """Return how often each player passed cards that usually make the least bid.

    One row for each player with such cards at a first free call under the filters: ``player``,
    ``n`` of these calls, ``passed`` among them, and ``share``; those who passed most come first.
    """
    import polars as pl

    schema = {"player": pl.String, "n": pl.Int64, "passed": pl.Int64, "share": pl.Float64}
    first, _ = _usually_made(study)
    if study.judged is None:
        return pl.DataFrame(schema=schema)
    hands, calls = study.hands, study.judged.calls
    who = hands.players_of(calls.hand[first], calls.seat[first])
    n = np.bincount(who, minlength=len(hands.players))
    passed = np.bincount(who[~calls.is_bid[first]], minlength=len(hands.players))
    rows = [
        (name, int(n[place]), int(passed[place]), float(passed[place] / n[place]))
        for place, name in enumerate(hands.players)
        if n[place]
    ]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.sort("passed", "player", descending=[True, False])


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
