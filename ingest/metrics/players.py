"""One player against the field, and beside each partner, opponent and seat.

Every figure here is that of ``tricklog.ingest.metrics``: the same cases, amounts, weights and
intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, METRICS, known_metrics
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.measuring import measure
from tricklog.ingest.metrics.model import TOO_FEW, Better, FigureError, Kind, Level, Metric
from tricklog.ingest.metrics.naming import in_two_digits, name_rows
from tricklog.ingest.metrics.standings import hands_of, standings
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl

MIRRORS: Final = ("set-rate", "cards-lost")
"""Figures that say the same as another one beside them."""


def metrics_of_players(*, amounts: bool, own: bool = False) -> dict[str, Metric]:
    """Return the metrics that a player can be known by; ``amounts``: those of one game, too.

    ``own`` says whether metrics of one's own are among them; they come last.
    """
    return {
        metric.name: metric
        for metric in (known_metrics().values() if own else METRICS)
        if metric.level > Level.HAND
        and metric.kind != Kind.COUNT
        and metric.name not in MIRRORS
        and (amounts or metric.comparable)
    }


def not_countable(connection: DuckDBPyConnection, metrics: Sequence[Metric]) -> dict[str, str]:
    """Return which of one's own metrics cannot be counted over the facts there are, and why."""
    found: dict[str, str] = {}
    for metric in metrics:
        if metric.name in METRIC:
            continue
        try:
            measure(connection, metric, (), EVERYTHING, 1)
        except FigureError as error:
            found[metric.name] = str(error)
    return found


def require_player(connection: DuckDBPyConnection, player: str) -> None:
    """Raise ``FigureError`` when no hand of the snapshot has the player."""
    found = run(
        connection,
        "SELECT count(*) AS n FROM games.players WHERE player = $player",
        {"player": player},
    )
    if not found["n"].item():
        raise FigureError(
            f"There is no player {player!r}. A player is named by the id in the records: "
            "queries.players lists them."
        )


def against_field(
    connection: DuckDBPyConnection,
    player: str,
    metrics: Sequence[Metric],
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return figures of a player beside those of all other players in the same variants.

    One row for each metric of which the player has a case: ``metric``, and the columns of
    ``standings.standings``, but that ``named`` is corrected for all these metrics instead of all
    players, and that ``narrower_from`` says from how many hands on it is better known where they
    stand, null where no direction is better. A player among the filters is passed over.

    Raises ``FigureError`` for an unknown player, for metrics that are the same for all at a table,
    and as ``measure`` does.
    """
    import polars as pl

    require_player(connection, player)
    everybody = filters.also("player")
    rows = [
        frame.filter(pl.col("player") == player).select(
            pl.lit(metric.name).alias("metric"), pl.exclude("player")
        )
        for metric in metrics
        for frame in [standings(connection, metric, "player", everybody, minimum)]
    ]
    if not rows:
        raise FigureError("Name at least one metric to compare.")
    frame = name_rows(pl.concat(rows), {metric.name: metric.relevant for metric in metrics})
    hands = hands_of(connection, filters.also("player", player)).get(player, 0)
    neither = [metric.name for metric in metrics if metric.better == Better.NEITHER]
    narrower = pl.when(~pl.col("metric").is_in(neither)).then(hands * pl.col("narrower"))
    return frame.with_columns(narrower_from=in_two_digits(narrower))
