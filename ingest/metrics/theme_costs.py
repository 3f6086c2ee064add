"""What a player loses by theme: of all they lose, a chance, and beside others in the same role."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, FigureError, wording
from tricklog.ingest.metrics.figure_words import between_text, too_few
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.measuring import measure
from tricklog.ingest.metrics.model import TOO_FEW, Metric, facts_for
from tricklog.ingest.metrics.query import rows_of
from tricklog.ingest.metrics.standings import against_field, require_player
from tricklog.ingest.metrics.themes import FIRST, REST, THEMES, Theme
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number, percent

_COST: Final = METRIC["cost-per-decision"]


def metric_of(theme: Theme, family: str) -> Metric:
    """Return the figure of a theme: the card points that each of its chances cost by it."""
    lost = f"(loss > 0 AND choices > 1 AND {FIRST[family]} = '{theme.title}')"
    return replace(
        _COST,
        name=theme.title,
        title=theme.title,
        cases=f"loss IS NOT NULL AND NOT alone AND ({theme.chance or theme.lost} OR {lost})",
        amount=f"CASE WHEN {lost} THEN loss ELSE 0 END",
    )


def theme_costs(
    connection: DuckDBPyConnection,
    player: str,
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return what a player's choices cost in one game by theme, with all cards open.

    One row for each theme of the game, and ``rest``: ``theme``; ``times`` a choice cost something,
    the card points ``lost`` by that, and their ``share`` of all that the player lost; ``chances``,
    and of points lost a chance what ``standings.against_field`` has, beside others in the same
    roles. What loses most beside others comes first, then what cannot be compared, by what is lost,
    and the rest last. A player without a solved decision has no row; one among the filters is
    passed over.

    Raises ``FigureError`` for an unknown player, for several games at once, for a game that has no
    themes, and where no hand is solved.
    """
    require_player(connection, player)
    own = filters.also("player", player)
    costs = measure(connection, _COST, ("theme",), own, 1)
    where, parameters = rows_of(connection, _COST, own)
    query = f"SELECT DISTINCT family, variant FROM {facts_for(_COST.grain, where)} WHERE {where}"  # noqa: S608 - our own
    games = run(connection, query, parameters)
    if games.is_empty():
        return pl.DataFrame(schema=["theme"])
    family, variant = games.row(0)
    if family not in THEMES:
        raise FigureError(
            say(
                "{game} has no themes. Those there are belong to Pedro, to Twenty-Nine and to the "
                "games that extend them.",
                game=variant,
            )
        )
    themes = THEMES[family]
    beside = against_field(
        connection, player, [metric_of(each, family) for each in themes], filters, minimum
    )
    lost = costs.select("theme", times="n", lost=pl.col("n") * pl.col("value"))
    found = pl.DataFrame({"theme": [*(each.title for each in themes), REST]})
    for columns in (lost, beside.rename({"metric": "theme", "n": "chances"})):
        found = found.join(columns, on="theme", how="left", maintain_order="left")
    known = pl.col("times", "lost").fill_null(0)
    share = (pl.col("lost").fill_null(0) / pl.col("lost").sum()).alias("share")
    order = [pl.col("theme") == REST, -pl.col("difference"), -pl.col("lost")]
    of_player = ("chances", "games", "value", "low", "high")
    beside_others = ("expected", "difference", "difference_low", "difference_high", "chance")
    found = found.select("theme", known, share, *of_player, *beside_others, "named", "enough")
    return found.sort(order, nulls_last=True, maintain_order=True)


def heads() -> list[str]:
    """Return the heads of the columns that ``cells`` fills."""
    return [
        *(say("theme"), say("times"), say("points lost"), say("share"), say("chances")),
        *(say("lost in 100 chances"), say("others")),
        *(say("more than others, 99 % interval"), say("with all themes compared")),
    ]


def cells(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a row of ``theme_costs`` for people; of what is unknown a dash."""
    found = [wording.theme(row["theme"]), number(row["times"]), number(row["lost"])]
    found += [percent(row["share"]) if row["lost"] else "–", _or_dash(row["chances"], 1, 0)]
    found += [_or_dash(row[name]) for name in ("value", "expected")]
    if row["difference"] is None:
        few = row["chances"] is not None and not row["enough"]
        return *found, "–", too_few(_COST, row) if few else ""
    names = ("difference", "difference_low", "difference_high")
    value, low, high = (number(row[name] * 100, 1, sign=True) for name in names)
    verdict = say("cannot tell yet")
    if row["named"]:
        above = row["difference"] > 0
        verdict = say("more than others") if above else say("less than others")
    return *found, between_text(value, low, high), verdict


def _or_dash(value: float | None, times: int = 100, digits: int = 1) -> str:
    return "–" if value is None else number(value * times, digits)
