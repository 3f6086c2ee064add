"""What hands came to, as seen from the side that dealt: what chances are made of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import duckdb
import numpy as np
from duckdb import DuckDBPyConnection
from msgspec import UNSET

from tricklog.core import replay
from tricklog.core.engine.records import Rules
from tricklog.core.engine.rules import game_end
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.standing import RESULTS
from tricklog.core.rulesets.ruleset import make_rules
from tricklog.ingest.metrics.intervals import Numbers, Whole
from tricklog.ingest.reading.reader import read
from tricklog.ingest.reading.samples import samples_folder
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import Message, message

if TYPE_CHECKING:
    import polars as pl

FEW: Final = 100
"""Hands below which the sample hands of the game count, too."""
PRIOR_WORTH: Final = 50.0
"""How many hands those are worth together."""
WORTH: Final = 50.0
"""How many hands all of them are worth in each phase of the score, beside its own."""
NOBODY: Final = -1
"""In place of a side: nobody was maker, or nobody has won."""
OUTCOME: Final = ("change_dealers", "change_others", "maker", "result")
"""An outcome: what both sides add; whether the dealing side (0), the other one (1) or nobody bid;
and how the hand ended, in numbers of ``scoring``."""
_SIDES: Final = 2
_PHASES: Final = 4


@dataclass(frozen=True, slots=True)
class Game:
    """Rules of stored hands, as far as chances hang on them."""

    ruleset: str
    variant: str
    title: str
    rules: Rules
    most: int
    """What a hand can bring a side: the points of the pack, or 1 where games count hands won."""

    @property
    def refusal(self) -> Message | None:
        """Why there are no chances for it, ``None`` where there are."""
        if self.rules.side_count != _SIDES:
            return message(
                "{game}: chances to win are worked out for two sides; with more of them there are "
                "too many ways in which the scores can stand.",
                game=self.title,
            )
        if game_end.counts_out(self.rules):
            return message(
                "{game}: points are counted out card by card at the end of a game, so that the "
                "scores alone do not say who wins.",
                game=self.title,
            )
        return None


def games_of(connection: DuckDBPyConnection, games: Sequence[str] | None = None) -> list[Game]:
    """Return the rules of stored hands, or of those of some games by id."""
    rows = run(connection, _RULESETS.format(within=_within(connection)), {"games": games})
    return [
        Game(ruleset, variant, title, make_rules(json.loads(policies), seats), most)
        for ruleset, variant, title, policies, seats, most in rows.iter_rows()
    ]


def hands_of(
    connection: DuckDBPyConnection,
    ruleset: str,
    games: Sequence[str] | None = None,
    *,
    latest: int | None = None,
) -> pl.DataFrame:
    """Return hands of two sides under some rules of which is known who dealt, and what for.

    All of them, those of some games by id, or as many as ``latest`` of those stored last, in the
    order of play. ``dealers`` is the side that dealt, and ``sound`` hands are those that figures
    count; the running scores before a hand are null where nothing tells them.
    """
    last = "" if latest is None else f"ORDER BY hand_no DESC LIMIT {latest}"
    query = _HANDS.format(within=_within(connection), last=last)
    return run(connection, query, {"ruleset": ruleset, "results": list(RESULTS), "games": games})


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Outcomes in the order of ``OUTCOME``, and their shares: a row a phase, which sums to one."""

    rows: Whole
    shares: Numbers
    hands: int
    """How many stored hands they are from."""


def outcomes_of(game: Game, hands: pl.DataFrame) -> Outcomes | None:
    """Return the outcomes of sound hands by ``phase``; ``None`` where there is nothing to go by.

    Each phase leans on all hands as if they were ``WORTH``, so that who bids alike loses little.
    """
    import polars as pl

    known = hands.filter("sound", pl.col("dealers_before").is_not_null())
    at = phase(game, *(known[each].to_numpy() for each in ("dealers_before", "others_before")))
    prior = prior_of(game.variant)[: None if len(known) < FEW else 0]
    both = pl.concat([known.select(OUTCOME).cast(pl.Int64), pl.DataFrame(prior, OUTCOME)])
    if both.is_empty():
        return None
    # The samples count as a phase of their own.
    of_phase = pl.Series("phase", np.append(at, np.full(len(prior), _PHASES)))
    counts = [(pl.col("phase") == each).sum().alias(str(each)) for each in range(_PHASES + 1)]
    counted = both.with_columns(of_phase).group_by(OUTCOME).agg(counts).sort(OUTCOME)
    *found, of_prior = counted.drop(OUTCOME).to_numpy().T
    pooled = np.sum(found, axis=0) + PRIOR_WORTH * of_prior / max(len(prior), 1)
    shares = found + WORTH * pooled / pooled.sum()
    rows = counted.select(OUTCOME).to_numpy()
    return Outcomes(rows, shares / shares.sum(axis=1, keepdims=True), len(known))


def phase(game: Game, dealers: Whole, others: Whole) -> Whole:
    """Return who can win with one hand: 0 nobody, 1 the dealing side, 2 the other one, 3 both."""
    near = game.rules.target - game.most
    return np.asarray((dealers >= near) + 2 * (others >= near))


@cache
def prior_of(variant: str) -> Whole:
    """Return the outcomes of the sample hands of a game, played by bots, one hand a row."""
    found = []
    with suppress(FileNotFoundError):
        for line in read(samples_folder() / "valid" / variant):
            if not line.hand or line.hand.rules.options or line.hand.dealer is UNSET:
                continue
            played = replay(line.hand)
            outcome, rules = played.outcome, played.rules
            if outcome is not None and rules.side_count == _SIDES:
                dealers, maker = side_of(rules, line.hand.dealer), NOBODY
                if outcome.maker is not None and not outcome.no_contract:
                    maker = int(side_of(rules, outcome.maker) != dealers)
                own, other = outcome.change[dealers], outcome.change[1 - dealers]
                found.append((own, other, maker, RESULTS.index(outcome.result)))
    return np.array(found, np.int64).reshape(-1, len(OUTCOME))


def _within(connection: DuckDBPyConnection) -> str:
    # Facts have the tables of a snapshot beside their own.
    try:
        connection.cursor().execute("SELECT 1 FROM games.hands LIMIT 0")
    except duckdb.CatalogException:
        return ""
    return "games."


_RULESETS: Final = """
SELECT ruleset, variant, title, policies, seats, if(scored_in = 'game points', 1, total_points)
FROM {within}rulesets
JOIN (
    SELECT ruleset, max(len(seat_sides)) AS seats, count(*) AS hands
    FROM {within}hands
    JOIN {within}seatings USING (seating_id)
    WHERE $games::VARCHAR[] IS NULL OR game IN (SELECT unnest($games::VARCHAR[]))
    GROUP BY ruleset
) USING (ruleset)
ORDER BY hands DESC, ruleset
"""
# Logs without running scores have those that their hands add up to, as long as none is missing.
_HANDS: Final = """
SELECT
    hand_no, hand_id, game, hand, dealers, sound, bid,
    change[dealers + 1]::BIGINT AS change_dealers,
    change[2 - dealers]::BIGINT AS change_others,
    CASE WHEN makers IS NULL THEN -1 WHEN makers = dealers THEN 0 ELSE 1 END AS maker,
    list_position($results::VARCHAR[], result) - 1 AS result,
    before[dealers + 1]::BIGINT AS dealers_before,
    before[2 - dealers]::BIGINT AS others_before
FROM (
    SELECT
        hand_no, hand_id, game, hand, bid, change, result,
        seat_sides[dealer + 1] AS dealers,
        CASE WHEN NOT no_contract THEN seat_sides[maker + 1] END AS makers,
        verdict IN ('valid', 'partial') AS sound,
        CASE
            WHEN scores_before[1] + scores_before[2] IS NOT NULL THEN scores_before
            WHEN hand = 1 THEN [0, 0]
            WHEN game IS NOT NULL AND count(*) OVER earlier = hand - 1
            THEN [sum(change[1]) OVER earlier, sum(change[2]) OVER earlier]
        END AS before
    FROM (
        FROM {within}hands
        JOIN {within}seatings USING (seating_id)
        WHERE ruleset = $ruleset AND list_max(seat_sides) = 1 AND result IS NOT NULL
            AND dealer IS NOT NULL AND len(change) = 2 AND (
                $games::VARCHAR[] IS NULL OR game IN (SELECT unnest($games::VARCHAR[]))
            )
        {last}
    )
    WINDOW earlier AS (
        PARTITION BY game ORDER BY hand ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )
)
ORDER BY game, hand, hand_no
"""
