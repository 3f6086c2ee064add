"""Chances to win a game: what each hand changed of them, and how good such chances were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import call
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.chances.outcomes import OUTCOME, games_of, hands_of, outcomes_of
from tricklog.ingest.chances.table import ChanceTable
from tricklog.ingest.metrics.intervals import Z_95
from tricklog.schemas.languages.messages import Message

if TYPE_CHECKING:
    import polars as pl

MOST: Final = 100_000
"""Hands under some rules that chances are made of, those stored last; more change nothing that
could be seen, and take seconds."""
FEW_OF_A_BID: Final = 20
"""Hands with the same bid of the same side below which nothing is said of the auction."""
FEW_GAMES: Final = 30
"""Games below which nothing is said of how good chances were."""
_BEFORE: Final = ("dealers_before", "others_before")
_EDGE: Final = 0.001
_ROUNDS: Final = 12


class Slope(NamedTuple):
    """How far results bear out chances: the slope of their logistic line by the odds of chances.

    It is 1 where they are right, and above it those who stood better won more often than said.
    """

    slope: float
    low: float
    high: float
    """The ends of its interval of 95 %, by games."""
    games: int


@dataclass(frozen=True, slots=True)
class Model:
    """What chances under some rules are told by, made of hands that are stored of them."""

    table: ChanceTable
    is_of_latest: bool
    """Whether there are more hands than the ``MOST`` that they are made of."""
    slope: Slope | None
    """``None`` below ``FEW_GAMES`` that somebody has won."""
    spread: float
    """Standard deviation of the chance after a hand, in the mean over the hands."""
    bids: pl.DataFrame
    """Outcomes with their ``share`` of the same maker and bid, unless these are rare."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of stored hands."""

    frame: pl.DataFrame
    """A row for each side of a hand before which the scores are known, and of which is known who
    dealt. Its columns are those of the table ``hand_chances``, see ``ingest/store/columns.toml``.
    """
    models: tuple[Model, ...]
    """One for each of the rules they were played by, that of most hands first."""
    refused: tuple[Message, ...]
    """Why there are none for hands of other rules."""


def chances_of(
    connection: DuckDBPyConnection,
    games: Sequence[str] | None = None,
    *,
    kept: Callable[..., Any] = call,
) -> Chances:
    """Return the chances before and after all stored hands, or those of some games.

    ``connection`` is to a snapshot, or to its facts. ``kept(ask, connection, *given)`` returns what
    ``ask(connection, *given)`` does, which may be from an earlier time.
    """
    import polars as pl

    frames, models, refused = [pl.DataFrame(schema=_schema())], [], []
    for game in games_of(connection, games):
        if game.refusal:
            refused.append(game.refusal)
            continue
        model = kept(model_of, connection, game.ruleset)
        if model is not None:
            models.append(model)
            frames.append(_by_side(model, hands_of(connection, game.ruleset, games)))
    return Chances(pl.concat(frames), tuple(models), tuple(refused))


def model_of(connection: DuckDBPyConnection, ruleset: str) -> Model | None:
    """Return what chances under stored rules are told by; ``None`` with nothing to go by."""
    import polars as pl

    game = next(each for each in games_of(connection) if each.ruleset == ruleset)
    hands = hands_of(connection, ruleset, latest=MOST)
    made = outcomes_of(game, hands)
    if made is None:
        return None
    table = ChanceTable(game, made)
    known = _positions(table, hands)
    counted = hands.filter("sound").group_by("bid", *OUTCOME).len().sort(*OUTCOME)
    same = pl.col("len").sum().over("maker", "bid")
    bids = counted.filter(same >= FEW_OF_A_BID).with_columns(share=pl.col("len") / same)
    # Scores of which no hand could change anything come of records that are made up.
    spread = float(known.select(pl.col("spread").mean()).item() or 0) or 1.0
    return Model(table, len(hands) == MOST, _slope(known), spread, bids)


def _positions(table: ChanceTable, hands: pl.DataFrame) -> pl.DataFrame:
    """Return hands of known scores with what they did to the chances of the side that dealt."""
    known = hands.drop_nulls("dealers_before")
    dealers, others = (known[each].to_numpy() for each in _BEFORE)
    after, winner = table.after(dealers, others, [known[each].to_numpy() for each in OUTCOME])
    before, spread = table.chance(dealers, others), table.spread(dealers, others)
    return known.with_columns(
        chance_before=before, chance_after=after, winner=winner, spread=spread
    )


def _by_side(model: Model, hands: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    known = _positions(model.table, hands)
    # What the auction has brought is known once it is known who plays which bid.
    spots = known.select(*_BEFORE, "maker", "bid").unique()
    ways = spots.join(model.bids, ["maker", "bid"], nulls_equal=True, maintain_order="left_right")
    dealers, others = (ways[each].to_numpy() for each in _BEFORE)
    after, _ = model.table.after(dealers, others, [ways[each].to_numpy() for each in OUTCOME])
    told = ways.with_columns(auction=pl.col("share") * pl.Series(after)).group_by(spots.columns)
    of_dealers = known.join(
        told.agg(pl.col("auction").sum()),
        spots.columns,
        "left",
        nulls_equal=True,
        maintain_order="left",
    ).with_columns(
        side_no=pl.col("dealers").cast(pl.Int64),
        ruleset=pl.lit(model.table.game.ruleset),
        dealt=pl.lit(value=True),
        leverage=pl.col("spread") / model.spread,
        won=pl.when(pl.col("winner") >= 0).then(pl.col("winner") == 0),
    )
    of_others = of_dealers.with_columns(
        -pl.col("side_no", "chance_before", "chance_after", "auction") + 1, ~pl.col("dealt", "won")
    )
    before = pl.col("chance_before")
    return (
        pl.concat([of_dealers, of_others])
        .with_columns(
            chance_change=pl.col("chance_after") - before, auction_change=pl.col("auction") - before
        )
        .sort("game", "hand", "hand_no", "side_no", maintain_order=True)
        .select(pl.col(name).cast(kind) for name, kind in _schema().items())
    )


def _slope(hands: pl.DataFrame) -> Slope | None:
    import polars as pl

    second = pl.when(pl.col("winner") >= 0).then(pl.col("dealers") != pl.col("winner"))
    won = second.drop_nulls().last().over("game")
    rows = hands.drop_nulls("game").with_columns(second_won=won).drop_nulls("second_won")
    games = rows["game"].rle_id().to_numpy()
    if len(np.unique(games)) < FEW_GAMES:
        return None
    chance = rows["chance_before"].to_numpy().clip(_EDGE, 1 - _EDGE)
    odds = np.log(chance / (1 - chance))
    won_it = (rows["second_won"] == (rows["dealers"] == 1)).to_numpy()
    found, weight, left = 1.0, 1.0, odds
    for _ in range(_ROUNDS):
        said = 1 / (1 + np.exp(-found * odds))
        weight, left = float((odds**2 * said * (1 - said)).sum()) or 1.0, odds * (won_it - said)
        found += float(left.sum()) / weight
    error = Z_95 * float(np.sqrt((np.bincount(games, left) ** 2).sum())) / weight
    return Slope(found, found - error, found + error, int(games[-1]) + 1)


def _schema() -> dict[str, Any]:
    import polars as pl

    numbers = ("chance_before", "chance_after", "chance_change", "auction_change", "leverage")
    return (
        {"hand_no": pl.Int64, "side_no": pl.UInt8, "hand_id": pl.String, "game": pl.String}
        | {"hand": pl.Int32, "ruleset": pl.String, "dealt": pl.Boolean}
        | dict.fromkeys(numbers, pl.Float64)
        | {"won": pl.Boolean}
    )
