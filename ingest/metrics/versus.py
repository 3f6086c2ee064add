"""Two players, or other values of a dimension, against each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.comparing import (
    FEWEST_COMPARED,
    KIND_OF_TABLE,
    cases_within,
    compare,
    sums,
)
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import (
    Z_99,
    Apart,
    Estimate,
    Numbers,
    Sums,
    chance_of,
    interval,
    sums_of,
    typical,
)
from tricklog.ingest.metrics.measuring import FIGURE
from tricklog.ingest.metrics.model import TOO_FEW, Metric
from tricklog.ingest.metrics.naming import name_rows
from tricklog.ingest.metrics.players import require_player
from tricklog.ingest.metrics.query import ask
from tricklog.ingest.metrics.standings import figures
from tricklog.ingest.sql import run

if TYPE_CHECKING:
    import polars as pl

_MOST_LIKE: Final = 0.9
"""How closely two may go together at most, for all that a few shared games can show."""


def two_players(
    connection: DuckDBPyConnection,
    player: str,
    other: str,
    metrics: Sequence[Metric],
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return figures of two players side by side, each over their own hands.

    One row for each metric that either has a case of: ``metric``, ``n``, ``games``, ``value``,
    ``low``, ``high`` and ``enough``, and the same for the other player with ``other_`` before the
    name; ``difference``, the first less the second, ``difference_low``, ``difference_high`` (99 %
    interval) and ``chance``, how often chance alone gives as much; and ``named``, whether it stands
    among all these metrics (Holm, at 3 %) and is of a relevant size. Where the two played several
    variants, the difference is that of what each did above others in the same variants.

    What is compared is null where one has too few cases or games.

    Raises ``FigureError`` as ``players.against_field`` does.
    """
    for each in (player, other):
        require_player(connection, each)
    return compare_two(connection, "player", (player, other), metrics, filters, minimum)


def compare_two(
    connection: DuckDBPyConnection,
    by: str,
    pair: tuple[str, str],
    metrics: Sequence[Metric],
    filters: Filters,
    minimum: int,
) -> pl.DataFrame:
    """Return what ``two_players`` does, for two values of any dimension."""
    import polars as pl

    rows = []
    everybody = filters.also(by)
    for metric in metrics:
        found, totals = sums(connection, metric, by, everybody)
        frame = figures(found, metric, minimum)
        sides = [
            next(iter(frame.filter(pl.col("who") == each).drop("who").to_dicts()), _NONE)
            for each in pair
        ]
        if not any(each["n"] for each in sides):
            continue
        apart = None
        if all(each["enough"] and each["games"] >= FEWEST_COMPARED for each in sides):
            apart = _apart(connection, metric, by, pair, (found, totals), everybody)
        rows.append((metric.name, *sides[0].values(), *sides[1].values(), *(apart or NOT_TOLD)))
    return side_by_side("metric", {metric.name: metric.relevant for metric in metrics}, rows)


_NONE: Final[Mapping[str, Any]] = dict.fromkeys(FIGURE) | {"n": 0, "games": 0, "enough": False}
NOT_TOLD: Final = (None,) * len(Apart._fields)
"""In place of how far two are apart of whom there is too little."""


def side_by_side(
    key: str, relevant: Mapping[str, float], rows: Sequence[Sequence[Any]], *also: str
) -> pl.DataFrame:
    """Return rows of a text, the figures of two, how far they are ``Apart``, and numbers.

    ``key`` is the column of the text, and ``relevant`` the size from which on a difference matters,
    by text. The columns of the second figure begin with ``other_``; ``also`` are the names of the
    numbers. ``named`` says whether a difference stands among all rows.
    """
    import polars as pl

    figure = {name: getattr(pl, kind) for name, kind in FIGURE.items()}
    apart = ("difference", "difference_low", "difference_high", "chance")
    schema = {
        key: pl.String,
        **figure,
        **{f"other_{name}": kind for name, kind in figure.items()},
        **dict.fromkeys((*apart, *also), pl.Float64),
    }
    return name_rows(pl.DataFrame(rows, schema=schema, orient="row"), relevant)


def _apart(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: str,
    pair: tuple[str, str],
    found: tuple[pl.DataFrame, pl.DataFrame],
    filters: Filters,
) -> Apart | None:
    """Return how far two are apart; nothing where the others have too few games to say."""
    import polars as pl

    rows, totals = found
    own = [rows.filter(pl.col("who") == each) for each in pair]
    shared = _shared(connection, metric, by, pair, filters)
    variants = {variant for part in own for variant in part["variant"]}
    if len(variants) == 1 and not metric.within:
        same = rows.filter(pl.col("variant").is_in(variants))
        return _in_one_variant(metric, same, own, next(iter(shared.values()), _NOTHING_SHARED))
    compared = compare(rows, totals, metric.scale).rows_by_key("who", named=True, unique=True)
    if not all(each in compared for each in pair):
        return None
    one, two = (compared[each] for each in pair)
    about, other_about = (
        dict(zip(each["variants"], each["about"], strict=True)) for each in (one, two)
    )
    together = sum(
        each.about(about[variant], other_about[variant])
        for variant, each in shared.items()
        if variant in about and variant in other_about
    )
    weight, other = (float(part["w"].sum()) for part in own)
    return Estimate.of(one).less(Estimate.of(two), together / (weight * other)).apart()


class _Shared(NamedTuple):
    """Sums of products over the games of both: numerators, and with the other's denominators."""

    yy: float
    yw: float
    wy: float
    ww: float

    def about(self, one: float, other: float) -> float:
        """Return the sum of products of what each did beyond a ratio."""
        return self.yy - other * self.yw - one * self.wy + one * other * self.ww


_NOTHING_SHARED: Final = _Shared(0.0, 0.0, 0.0, 0.0)

_PRODUCTS: Final = """
WITH own AS (
    SELECT {who}::VARCHAR AS who, game_no, any_value(variant)::VARCHAR AS variant,
        sum(y)::DOUBLE AS y, sum(w)::DOUBLE AS w
    FROM ({cases}) GROUP BY ALL
)
SELECT one.variant AS variant, sum(one.y * two.y) AS yy, sum(one.y * two.w) AS yw,
    sum(one.w * two.y) AS wy, sum(one.w * two.w) AS ww
FROM (FROM own WHERE who = $one) AS one JOIN (FROM own WHERE who = $two) AS two USING (game_no)
GROUP BY one.variant
"""


def _shared(
    connection: DuckDBPyConnection, metric: Metric, by: str, pair: tuple[str, str], filters: Filters
) -> dict[str, _Shared]:
    """Return what two have in common in the games in which both sat, by variant."""
    # What a case is held against is known from the cases of all.
    whose = filters.also(by) if metric.within else filters.also(by, *pair)
    asked = ask(connection, metric, (by,), whose)
    query = _PRODUCTS.format(cases=cases_within(asked, variant=KIND_OF_TABLE), who=asked.keys[0])
    rows = run(connection, query, asked.parameters | {"one": pair[0], "two": pair[1]})
    return {variant: _Shared(*products) for variant, *products in rows.iter_rows()}


def _in_one_variant(
    metric: Metric, rows: pl.DataFrame, own: Sequence[pl.DataFrame], shared: _Shared
) -> Apart:
    """Return the difference of two values from the intervals of both, which respect their range."""
    scatter = np.array([typical(sums_of(rows), metric.scale, metric.least or 0.0)])
    parts = [sums_of(part) for part in own]
    squares = [float(part.squares(part.ratio)[0]) for part in parts]
    like = 0.0
    if min(squares) > 0:
        about = shared.about(*(float(part.ratio[0]) for part in parts))
        like = min(max(about / math.sqrt(squares[0] * squares[1]), -_MOST_LIKE), _MOST_LIKE)
    return by_intervals(metric, parts, (scatter, scatter), like)


def by_intervals(
    metric: Metric, parts: Sequence[Sums], scatter: Sequence[Numbers], like: float = 0.0
) -> Apart:
    """Return the difference of two values from the sums of both, a row each.

    ``scatter`` is that of the rows that each is one of; ``like`` as for ``apart``.
    """
    values, ends = [], []
    for part, usual in zip(parts, scatter, strict=True):
        value = float(part.ratio[0])
        found = interval(part, usual, metric.scale, metric.least or 0.0, Z_99)
        low, high = (float(end[0]) for end in found)
        values.append(value)
        # A value without an interval stands for itself.
        ends.append((value if math.isnan(low) else low, value if math.isnan(high) else high))
    return apart(values, ends, like)


def apart(values: Sequence[float], ends: Sequence[tuple[float, float]], like: float = 0.0) -> Apart:
    """Return the difference of two values from the 99 % intervals of both.

    ``like`` is how closely the two go together, from -1 to 1: 0 where they have no game in common.
    """
    below, above = values[0] - ends[0][0], ends[0][1] - values[0]
    other_below, other_above = values[1] - ends[1][0], ends[1][1] - values[1]
    down = math.sqrt(below**2 + other_above**2 - 2 * like * below * other_above)
    up = math.sqrt(above**2 + other_below**2 - 2 * like * above * other_below)
    difference = values[0] - values[1]
    # The side of the interval towards zero says how likely zero is.
    towards = down if difference > 0 else up
    chance = chance_of(difference, (towards / Z_99) ** 2, math.inf)
    return Apart(difference, difference - down, difference + up, chance)
