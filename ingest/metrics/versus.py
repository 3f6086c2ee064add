"""Two against each other: players, values of another dimension, or variants.

Games of two variants are distinct, so each side has its own games as clusters and the variances
add. Who plays which is not the same, so a difference is one between the games as these tables play
them, not between the rules alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import METRIC, intervals
from tricklog.ingest.metrics.bid_map import BY_ONE
from tricklog.ingest.metrics.comparing import (
    FEWEST_COMPARED,
    FEWEST_EXPECTED,
    cases_within,
    compare,
    sums,
)
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.intervals import Z_99, Apart, Estimate, Numbers, Scale, Sums, sums_of
from tricklog.ingest.metrics.measuring import FIGURE, summed, with_intervals
from tricklog.ingest.metrics.model import TOO_FEW, FigureError, Metric
from tricklog.ingest.metrics.naming import name_rows
from tricklog.ingest.metrics.own import metrics_in
from tricklog.ingest.metrics.query import ask
from tricklog.ingest.metrics.standings import figures, require_player
from tricklog.ingest.sql import run, toml_data

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

    Raises ``FigureError`` as ``standings.against_field`` does.
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
    nothing = dict.fromkeys(FIGURE) | {"n": 0, "games": 0, "enough": False}
    rows: list[tuple[Any, ...]] = []
    everybody = filters.also(by)
    for metric in metrics:
        found, totals = sums(connection, metric, by, everybody)
        known = figures(found, metric, minimum).rows_by_key("who", named=True, unique=True)
        sides = [known.get(each, nothing) for each in pair]
        apart = None
        if all(each["enough"] and each["games"] >= FEWEST_COMPARED for each in sides):
            shared = _shared(connection, metric, by, pair, everybody)
            apart = _apart(metric, pair, found, totals, shared)
        if any(each["n"] for each in sides):
            rows.append((metric.name, *_told(sides, apart)))
    return _side_by_side("metric", {metric.name: metric.relevant for metric in metrics}, rows)


def _told(sides: Sequence[Mapping[str, Any]], apart: Apart | None) -> list[Any]:
    """Return the figures of two, and how far they are apart."""
    listed = [side[name] for side in sides for name in FIGURE]
    return [*listed, *(apart or [None] * len(Apart._fields))]


def _side_by_side(
    key: str, relevant: Mapping[str, float], rows: Sequence[Sequence[Any]], *also: str
) -> pl.DataFrame:
    """Return rows of a text, what ``_told`` says, and the numbers ``also``, named among all.

    ``key`` is the column of the text, and ``relevant`` the size from which on a difference matters,
    by text. The columns of the second figure begin with ``other_``.
    """
    figure = {name: getattr(pl, kind) for name, kind in FIGURE.items()}
    others = {f"other_{name}": kind for name, kind in figure.items()}
    schema = {key: pl.String} | figure | others | dict.fromkeys((*_DIFFERENCE, *also), pl.Float64)
    return name_rows(pl.DataFrame(rows, schema=schema, orient="row"), relevant)


_DIFFERENCE: Final = ("difference", "difference_low", "difference_high", "chance")
"""What the parts of ``Apart`` are called in rows of two figures."""


def _apart(
    metric: Metric,
    pair: tuple[str, str],
    rows: pl.DataFrame,
    totals: pl.DataFrame,
    shared: Mapping[str, _Shared],
) -> Apart | None:
    """Return how far two are apart; nothing where the others have too few games to say."""
    own = [rows.filter(pl.col("who") == each) for each in pair]
    variants = {variant for part in own for variant in part["variant"]}
    if len(variants) == 1 and not metric.within:
        # From the intervals of both, which respect their range.
        scatter = _scatter(rows.filter(pl.col("variant").is_in(variants)), metric)
        parts = [sums_of(part) for part in own]
        squares = [float(part.squares(part.ratio)[0]) for part in parts]
        like = 0.0
        if shared and min(squares) > 0:
            about = shared[variants.pop()].about(*(float(part.ratio[0]) for part in parts))
            like = min(max(about / math.sqrt(squares[0] * squares[1]), -_MOST_LIKE), _MOST_LIKE)
        return _by_intervals(metric, parts, (scatter, scatter), like)
    compared = compare(rows, totals, metric.scale).rows_by_key("who", named=True, unique=True)
    if not all(each in compared for each in pair):
        return None
    one, two = (compared[each] for each in pair)
    about_one, about_two = (
        dict(zip(each["variants"], each["about"], strict=True)) for each in (one, two)
    )
    together = sum(
        each.about(about_one[variant], about_two[variant])
        for variant, each in shared.items()
        if variant in about_one and variant in about_two
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
    query = _PRODUCTS.format(cases=cases_within(asked), who=asked.keys[0])
    rows = run(connection, query, asked.parameters | {"one": pair[0], "two": pair[1]})
    return {variant: _Shared(*products) for variant, *products in rows.iter_rows()}


def _scatter(rows: pl.DataFrame, metric: Metric) -> Numbers:
    """Return how far the games of rows scatter, for one row."""
    return np.array([intervals.typical(sums_of(rows), metric.scale, metric.least or 0.0)])


def _by_intervals(
    metric: Metric, parts: Sequence[Sums], scatter: Sequence[Numbers], like: float = 0.0
) -> Apart:
    """Return the difference of two values from the sums of both, a row each.

    ``scatter`` is that of the rows that each is one of; ``like`` as for ``apart``.
    """
    values, ends = [], []
    for part, usual in zip(parts, scatter, strict=True):
        value = float(part.ratio[0])
        found = intervals.interval(part, usual, metric.scale, metric.least or 0.0, Z_99)
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
    chance = intervals.chance_of(difference, (towards / Z_99) ** 2, math.inf)
    return Apart(difference, difference - down, difference + up, chance)


# --- Two variants

ABOVE_FIELD: Final = METRIC["score-share"]
"""What people are compared by: it is on one scale in every variant."""
HIGHER: Final = "in one of two games"
"""The context in which it is translated what is said of the game with the higher figure."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure that means the same in every variant, as this comparison asks for it."""

    metric: Metric
    group: str
    higher: str
    """What is said of the game in which it is higher, before ``in`` and its name."""
    title: str = ""
    """What it is called here, if not as the metric is."""
    only: tuple[tuple[str, str], ...] = ()
    """Dimensions, each with the one value that counts here."""
    behind: tuple[str, tuple[tuple[str, str], ...]] = ("", ())
    """Which hands stand behind it, where its metric is known on this page only: a metric that is
    known everywhere, with values of dimensions."""

    @property
    def name(self) -> str:
        """What tells it from all others: no two have the same metric and title."""
        return self.title or self.metric.title

    def narrowed(self, filters: Filters) -> Filters | None:
        """Return the filters with what counts here alone; nothing where they exclude that."""
        for name, value in self.only:
            if filters.values(name) not in ((), (value,)):
                return None
            filters = filters.also(name, value)
        return filters


_DATA: Final = toml_data("tricklog.ingest.metrics", "versus.toml")
_ROWS: Final[list[dict[str, Any]]] = _DATA.pop("figure")
_BIDS, *_OTHERS = (metric for _, metric in metrics_in("versus.toml", _DATA, BY_ONE.dated))
OWN: Final = (_BIDS, replace(BY_ONE, title="Contracts set by exactly one point"), *_OTHERS)
"""Metrics that are asked for here alone."""
_KNOWN: Final = METRIC | {each.name: each for each in OWN}


def _compared(metric: str, group: str, higher: str, **row: Any) -> Compared:  # noqa: ANN401 - of TOML
    """Return a row of the file; the length of games can be compared, as here is no other unit."""
    only = tuple((name, value) for name, value in row.get("only", ()))
    behind, *values = row.get("behind", ("",))
    return Compared(
        replace(_KNOWN[metric], comparable=True),
        group,
        higher,
        row.get("title", ""),
        only,
        (behind, tuple((name, value) for name, value in values)),
    )


FIGURES: Final = tuple(_compared(**row) for row in _ROWS)
"""What is compared, group by group: shares, and amounts that are no points."""


class Comparison(NamedTuple):
    """Two variants compared."""

    rows: pl.DataFrame
    """One for each figure that both have a case of: ``figure`` (the name of one of ``FIGURES``);
    ``n``, ``games``, ``value``, ``low``, ``high`` (95 %) and ``enough`` of the first variant, with
    ``other_`` before the name of the second; ``difference`` (the second less the first) with its
    99 % interval ``difference_low`` and ``difference_high``, ``chance``, how often chance alone
    gives as much, ``named``, whether it stands among all figures here (Holm, at 3 %) and is of a
    relevant size: null where one side has too few cases or games; and ``size``, the difference on
    a scale on which shares and amounts can be put in order."""
    missing: tuple[str, ...]
    """Figures of which one variant or both have no case."""
    barred: tuple[str, ...]
    """Figures that these filters cannot be asked of."""


def compare_variants(
    connection: DuckDBPyConnection,
    first: str,
    second: str,
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> Comparison:
    """Compare two variants in all of ``FIGURES``; a variant among the filters is passed over."""
    both = filters.also("variant", first, second)
    rows, missing, barred = [], [], []
    for each in FIGURES:
        narrowed = each.narrowed(both)
        try:
            found = summed(connection, each.metric, ("variant",), narrowed) if narrowed else None
        except FigureError:
            found = None
        if found is None:
            barred.append(each.name)
            continue
        sides = [found.filter(pl.col("variant") == name) for name in (first, second)]
        if any(side.is_empty() for side in sides):
            missing.append(each.name)
        else:
            rows.append((each.name, *_two_sides(each.metric, sides, minimum)))
    relevant = {each.name: each.metric.relevant for each in FIGURES}
    frame = _side_by_side("figure", relevant, rows, "size")
    return Comparison(frame, tuple(missing), tuple(barred))


def _two_sides(metric: Metric, sides: Sequence[pl.DataFrame], minimum: int) -> list[Any]:
    """Return the columns of a row but for its name."""
    parts, scatter = [sums_of(side) for side in sides], [_scatter(side, metric) for side in sides]
    told = [
        with_intervals(side, side, metric, minimum).select(*FIGURE).row(0, named=True)
        for side in sides
    ]
    enough = all(each["enough"] and each["games"] >= FEWEST_COMPARED for each in told)
    if enough and metric.scale == Scale.SHARE:
        # Enough hits and misses are expected in both, if both are alike.
        hits, cases = (sum(float(getattr(part, name)[0]) for part in parts) for name in "yw")
        alone = [
            float(part.w[0] / intervals.effect(part, spread)[0])
            for part, spread in zip(parts, scatter, strict=True)
        ]
        enough = min(hits, cases - hits) / cases * min(alone) >= FEWEST_EXPECTED
    if not enough:
        return [*_told(told, None), None]
    size = _size(metric.scale, *(each["value"] for each in told))
    return [*_told(told, _by_intervals(metric, parts[::-1], scatter[::-1])), size]


def _size(scale: Scale, value: float, other: float) -> float:
    """Return how large a difference is: of shares by the angle, of amounts by the ratio."""
    if scale.bounded:
        return abs(2 * math.asin(math.sqrt(value)) - 2 * math.asin(math.sqrt(other)))
    if scale == Scale.ABOVE and value > 0 and other > 0:
        return abs(math.log(value / other))
    return abs(value - other)


# --- People


def better_at_which(
    connection: DuckDBPyConnection,
    first: str,
    second: str,
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return how far each person is above the others in each of two variants, and the difference.

    One row for everybody with enough hands and games of both, those with the largest difference
    first: ``player``; ``n``, ``games`` and ``above`` (share of the score at stake, above what the
    others take at the same kinds of table) of the first variant, with ``other_`` before the name of
    the second; ``difference`` (the second less the first) with its 99 % interval
    ``difference_low`` and ``difference_high``; ``chance``; and ``named``: whether it stands among
    all of them (Holm, at 3 %) and is of a relevant size. A player or variant among the filters is
    passed over.

    Raises ``FigureError`` for filters that a score cannot be chosen by.
    """
    sides = []
    for variant in (first, second):
        narrowed = filters.also("player").also("variant", variant)
        rows, totals = sums(connection, ABOVE_FIELD, "player", narrowed)
        cases = rows.group_by("who").agg(pl.col("cases").sum())
        found = compare(rows, totals, ABOVE_FIELD.scale).join(cases, on="who")
        enough = found.filter(pl.col("cases") >= minimum)
        sides.append(enough.rows_by_key("who", named=True, unique=True))
    people = []
    for who, one in sides[0].items():
        if other := sides[1].get(who):
            figures = (each[name] for each in (one, other) for name in _ABOVE)
            # No game is of both variants.
            apart = Estimate.of(other).less(Estimate.of(one)).apart()
            people.append((who, *figures, *apart))
    counts = dict.fromkeys(("n", "games", "other_n", "other_games"), pl.Int64)
    schema = dict.fromkeys(_PEOPLE, pl.Float64) | {"player": pl.String} | counts
    frame = pl.DataFrame(people, schema=schema, orient="row")
    return name_rows(frame, ABOVE_FIELD.relevant).sort(
        pl.col("difference").abs(), "player", descending=[True, False]
    )


_ABOVE: Final = ("cases", "games", "difference")
_PEOPLE: Final = (
    *("player", "n", "games", "above", "other_n", "other_games", "other_above"),
    *_DIFFERENCE,
)
