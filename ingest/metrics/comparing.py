"""Each player, or other value of a dimension, compared with all others at the same tables.

A ratio over several variants says mostly which of them somebody played, and at tables of how many.
So what each did is compared, for each variant and kind of table, with what the others did there,
and the differences are put together by how many cases of their own each has. Such a kind of table
is what the functions here call a variant. Games in which both sat share their luck, and the
others' games vary as well: both are in the variance.

``sums`` counts what is needed, one row for each player and variant; all else is arithmetic.
"""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from tricklog.ingest.metrics import intervals, wording
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.intervals import WORTH, Numbers, Scale, Sums, sums_of, unbiased
from tricklog.ingest.metrics.model import Dimension, FigureError, Kind, Level, Metric
from tricklog.ingest.metrics.query import Asked, ask
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import say

FEWEST_OF_OTHERS: Final = 5
"""Games that the others need in a variant for it to count."""
FEWEST_COMPARED: Final = 10
"""Games from which on a difference is judged."""
FEWEST_EXPECTED: Final = 5.0
"""Hits, and misses, that the others' share would give: with fewer a difference is not judged."""
_EDGE: Final = 0.02


def sums(
    connection: DuckDBPyConnection, metric: Metric, by: str, filters: Filters
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what each value of a dimension adds up to in each variant, and what all do.

    The frames are those that ``compare`` takes; the first one has the column ``cases`` as well.

    What partners share is the same for both, so for each of them the other stands among the others.

    Raises ``FigureError`` as ``ask`` does, and for what cannot be compared: counts, dimensions of
    which one case has several values, and players in what all at the table share.
    """
    games, asked = games_of(connection, metric, by, filters)
    of_who = _OF_WHO.format(raw=_RAW if metric.within else "")
    query = f"WITH {games} {of_who} UNION ALL BY NAME {_OF_TABLES} ORDER BY who, variant"
    found = run(connection, query, asked.parameters)
    rows = found.filter(found["who"].is_not_null())
    return rows, found.filter(found["who"].is_null()).select("variant", "games", *_WHOLE)


def games_of(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: str,
    filters: Filters,
    *then: str,
) -> tuple[str, Asked]:
    """Return queries, to stand after WITH, for what each value of a dimension did in each game.

    Table ``games`` has a row for each value ``who``, game, and value of the dimensions ``then`` in
    it, which stand under their ``query.alias``: ``y`` and ``w``, ``o`` and ``p`` of the others,
    ``t`` and ``u`` of all. Table ``tables`` has the latter for every game.

    Raises ``FigureError`` as ``sums`` does.
    """
    asked = ask(connection, metric, (by, *then), filters)
    dimension = asked.dimensions[0]
    if metric.kind == Kind.COUNT or dimension.each or dimension.names:
        raise FigureError(
            say(
                "{figure} cannot be compared by {dimension}.",
                figure=wording.title(metric),
                dimension=wording.title(dimension),
            )
        )
    if dimension.own and metric.level == Level.HAND:
        raise FigureError(
            say(
                "{figure} is the same for all at a table. Take a figure of players or of sides.",
                figure=wording.title(metric),
            )
        )
    shared = _is_shared(metric, dimension, filters)
    also = {"paired": "len(partners) > 0", "counts": "first_of_side"} if shared else {}
    taken = "CASE WHEN paired THEN 0 ELSE {} END" if shared else "{}"
    whole = "raw" if metric.within else "y"
    query = _GAMES.format(
        cases=cases_within(asked, **also),
        raw=", sum(raw)::DOUBLE AS raw" if metric.within else "",
        who=asked.keys[0],
        then="".join(f", {key}" for key in asked.keys[1:]),
        counts="counts" if shared else "true",
        whole=whole,
        y=taken.format(whole),
        w=taken.format("w"),
        n="sum(w)" if metric.kind == Kind.SHARE else asked.n,
    )
    return query, asked


def cases_within(asked: Asked, **also: str) -> str:
    """Return the query for the cases, for players with each held against its like.

    Roles cost different amounts, and who bids more is more often the maker. So from each case of a
    role is taken by how much the others' cases of the role are above all of theirs at such tables;
    what others are held against is left as it was counted, ``raw``. Column ``variant`` has the kind
    of table, and ``also`` are further ones, as for ``Asked.cases``.
    """
    also["variant"] = KIND_OF_TABLE
    within = asked.metric.within
    if not within:
        return asked.cases(**also)
    if asked.dimensions[0].name != "player":
        return f"SELECT *, y AS raw FROM ({asked.cases(**also)})"  # noqa: S608 - names of our own
    cases = asked.cases(**also, within=f"coalesce({within}::VARCHAR, '')")
    return _WITHIN.format(cases=cases, who=asked.keys[0])


_WITHIN: Final = """
WITH raw AS MATERIALIZED ({cases}),
summed AS (
    SELECT {who}, variant, within, sum(y)::DOUBLE AS y, sum(w)::DOUBLE AS w FROM raw GROUP BY ALL
),
of_others AS (
    SELECT {who}, variant, within,
        (sum(y) OVER alike - y) / nullif(sum(w) OVER alike - w, 0)
        - (sum(y) OVER tables - sum(y) OVER own) / nullif(sum(w) OVER tables - sum(w) OVER own, 0)
        AS above
    FROM summed
    WINDOW
        alike AS (PARTITION BY variant, within),
        tables AS (PARTITION BY variant),
        own AS (PARTITION BY variant, {who})
)
SELECT raw.* REPLACE (raw.y - raw.w * coalesce(above, 0) AS y), raw.y AS raw
FROM raw JOIN of_others USING ({who}, variant, within)
"""


def _is_shared(metric: Metric, dimension: Dimension, filters: Filters) -> bool:
    """Return whether a figure is that of both partners, who are not each other's others."""
    # Where a filter lets one partner through and not the other, each counts for themselves.
    whole = all(
        DIMENSION[name].level == Level.HAND or name == dimension.name for name, _ in filters.chosen
    )
    return dimension.own and metric.level == Level.SIDE and whole


KIND_OF_TABLE: Final = "concat(variant, ', ', seating)"
"""What is compared within itself: among five each takes less than in a partnership."""
_WHOLE: Final = ("t", "u", "tt", "tu", "uu")
"""Columns of what all did in some games: numerator, denominator, and their squares and product."""
_NUMBERS: Final = (
    *Sums.__slots__,
    *("o", "p", "oo", "op", "pp"),
    *_WHOLE,
    *("yo", "yp", "wo", "wp"),
)
"""Games and sums over them, of which the letters are the columns that are multiplied."""


def _added(*names: str) -> str:
    """Return sums over games as SQL."""
    return ", ".join(f"sum({' * '.join(name)}) AS {name}" for name in names)


_GAMES: Final = """
cases AS MATERIALIZED ({cases}),
tables AS MATERIALIZED (
    SELECT game_no{then}, any_value(variant)::VARCHAR AS variant,
        sum({whole})::DOUBLE AS t, sum(w)::DOUBLE AS u
    FROM cases WHERE {counts} GROUP BY game_no{then}
),
own AS (
    SELECT {who}::VARCHAR AS who, game_no{then}, {n} AS cases, sum(y)::DOUBLE AS y,
        sum(w)::DOUBLE AS w, sum({y})::DOUBLE AS taken_y, sum({w})::DOUBLE AS taken_w{raw}
    FROM cases GROUP BY ALL
),
games AS (
    SELECT *, t - taken_y AS o, u - taken_w AS p FROM own JOIN tables USING (game_no{then})
)
"""
_OF_WHO: Final = f"""
SELECT who, variant, sum(cases)::BIGINT AS cases, count(*) AS games, {_added(*_NUMBERS[1:])}{{raw}}
FROM games GROUP BY who, variant
"""  # noqa: S608 - names of our own
_RAW: Final = ", sum(raw) AS raw_y, sum(raw * raw) AS raw_yy, sum(raw * w) AS raw_yw"
"""What they are without regard to what they are compared within."""
_OF_TABLES: Final = f"""
SELECT NULL AS who, variant, count(*) AS games, {_added(*_WHOLE)}
FROM tables GROUP BY variant
"""  # noqa: S608 - names of our own


def compare(rows: pl.DataFrame, totals: pl.DataFrame, scale: Scale) -> pl.DataFrame:
    """Return how far each is from all others in the same variants.

    ``rows`` has a row for each one and variant: ``who``, ``variant``, ``games``, ``y``, ``w``,
    ``yy``, ``yw``, ``ww``; ``o``, ``p``, ``oo``, ``op``, ``pp`` of what others did in these games;
    ``t``, ``u``, ``tt``, ``tu``, ``uu`` of what all did in them; and the products ``yo``, ``yp``,
    ``wo``, ``wp``. ``totals`` has one row for each variant: ``variant``, ``games``, ``t``, ``u``,
    ``tt``, ``tu``, ``uu``.

    Columns: ``who``; ``expected``, what the others' figures give for the same cases in each
    variant; ``difference`` to that with its 99 % interval ``low`` and ``high``, its ``variance``
    and the degrees of ``freedom`` of that, which may be infinite; ``chance``, how often chance
    alone gives as much; ``games`` it is from; ``judged``, whether there are enough hits and misses
    to be expected to judge by; ``variants`` that count and ``about``, what is expected of one's
    cases in each, moved by the difference; and ``left_out``, the variants in which the others have
    too few games. Whoever has fewer than ten games of those that count is left out.
    """
    own, others = sums_of(rows), others_of(rows, totals)
    variants, who = rows["variant"].to_list(), rows["who"].to_list()
    typical = intervals.typical_of_each(own, variants, scale if scale.bounded else Scale.FREE)
    counts = (others.games >= FEWEST_OF_OTHERS) & (others.w > 0)
    number = {each: place for place, each in enumerate(dict.fromkeys(who))}
    of_person = np.array([number[each] for each in who], dtype=np.int64)
    # Whoever has too few games is not judged, and there may be thousands.
    played, weight = (
        np.bincount(of_person, each * counts, len(number)) for each in (own.games, own.w)
    )
    kept = (played >= FEWEST_COMPARED) & (weight > 0)
    used, judged = np.flatnonzero(counts & kept[of_person]), np.flatnonzero(kept)
    part = _Part(
        np.searchsorted(judged, of_person[used]),
        len(judged),
        own.of(used),
        others.of(used),
        tuple(rows[name].to_numpy().astype(float)[used] for name in ("yo", "yp", "wo", "wp")),
        np.array([typical[each] for each in variants], dtype=float)[used],
    )
    numbers, about = _differences(part, scale)
    expected = np.full(len(rows), np.nan)
    expected[used] = about
    of_variant = pl.col("variant").cast(pl.String)
    found = (
        rows.select("who", of_variant, counts=counts, about=expected)
        .filter(kept[of_person])
        .group_by("who", maintain_order=True)
        .agg(
            variants=pl.col("variant").filter("counts"),
            about=pl.col("about").filter("counts"),
            left_out=pl.col("variant").filter(~pl.col("counts")),
        )
        .with_columns(games=played[judged].astype(np.int64), **numbers)
    )
    lists = ("variants", "about", "left_out")
    return found.select("who", *_COMPARED, "games", "judged", *lists)


_COMPARED: Final = ("expected", "difference", "low", "high", "variance", "freedom", "chance")


def compare_one(games: pl.DataFrame, scale: Scale) -> dict[str, Any]:
    """Return how far one is from all others, from a row for each game.

    Columns: ``variant``, ``y`` and ``w`` of one's own (zero where they did not sit in), ``o`` and
    ``p`` of the others. The values are those of a row of ``compare``; none of somebody who is left
    out.
    """
    whole = games.with_columns(t=pl.col("y") + pl.col("o"), u=pl.col("w") + pl.col("p"))
    sums = [reduce(mul, map(pl.col, name)).sum().alias(name) for name in _NUMBERS[1:]]
    sums.append(pl.len().alias("games"))
    rows = whole.filter(pl.col("w") > 0).group_by("variant").agg(sums).sort("variant")
    totals = whole.group_by("variant").agg(sums)
    found = compare(rows.with_columns(who=pl.lit("")), totals, scale)
    return next(found.iter_rows(named=True), {})


def others_of(rows: pl.DataFrame, totals: pl.DataFrame) -> Sums:
    """Return what the others did in the variant of each row, of frames as ``compare`` takes them.

    In the games one did not sit in, the others are all.
    """
    whole = rows.select("variant").join(totals, on="variant", how="left", maintain_order="left")
    others = zip(_WHOLE, ("o", "p", "oo", "op", "pp"), strict=True)
    columns = [whole["games"], *(whole[all_] - rows[all_] + rows[other] for all_, other in others)]
    return Sums(*(each.cast(pl.Float64).to_numpy() for each in columns))


class _Part(NamedTuple):
    """People in the variants that count: an element of each array is a person in a variant."""

    of_person: NDArray[np.int64]
    """Whose element it is, from 0."""
    people: int
    own: Sums
    others: Sums
    """All games of the variant, without what is one's own."""
    shared: tuple[Numbers, ...]
    """Four sums of products over one's games: own y with others' y and w, own w with both."""
    scatter: Numbers

    def over_variants(self, values: Numbers) -> Numbers:
        """Return the sums of values over the variants of each person."""
        added = np.bincount(self.of_person, weights=values, minlength=self.people)
        return added.astype(np.float64)


def _differences(part: _Part, scale: Scale) -> tuple[dict[str, Any], Numbers]:
    """Return the columns of ``compare`` for people, and what is expected of each element.

    The latter is moved by the difference.
    """
    own, others, add = part.own, part.others, part.over_variants
    weight, games = add(own.w), add(own.games)
    field = others.ratio
    difference = add(own.y - field * own.w) / weight
    about = field + difference[part.of_person]
    spread = np.fmax(0.0, add(own.squares(about))) * unbiased(games)
    telling = weight**2 / add(own.ww) - 1
    if scale == Scale.SHARE:
        hits = add(own.y)
        telling = np.minimum(telling, np.minimum(hits - 1, weight - hits - 1))
    telling = np.fmax(0.0, telling)
    usual = add(_usual(part, about, scale))
    # Where nobody's games say how far games scatter, one's own decide alone.
    worth = np.where(np.isnan(usual), 0.0, WORTH)
    alone = (telling * spread + worth * np.nan_to_num(usual)) / np.maximum(telling + worth, 1e-9)
    variance_own = alone / weight**2
    # Each variant has a figure of its own, and so its own games that say how far it may be off.
    share = own.w / weight[part.of_person] / others.w
    variance_field = add(share**2 * others.spread())
    yo, yp, wo, wp = part.shared
    together = add(share * (yo - field * yp - about * (wo - field * wp))) / weight
    apart = variance_own + variance_field
    variance = np.maximum(apart - 2 * together, intervals.LEAST_OF_VARIANCE * apart)
    # Few hits scatter little, so that a share far below a small one would look surer than it is:
    # it is tested by the variance that there is if nothing differs.
    tested = variance
    if scale == Scale.SHARE:
        if_equal = add(_usual(part, field, scale)) / weight**2
        tested = variance + np.fmax(0.0, if_equal - variance_own)
    with np.errstate(divide="ignore"):
        freedom = np.where(telling > 0, (telling + worth) ** 2 / telling, np.inf)
    reach = intervals.student(freedom, intervals.Z_99) * np.sqrt(variance)
    expected = add(field * own.w) / weight
    low, high = difference - reach, difference + reach
    if scale.bounded:
        low, high = np.maximum(low, -expected), np.minimum(high, 1 - expected)
    chances = map(intervals.chance_of, difference.tolist(), tested.tolist(), freedom.tolist())
    numbers = {
        "expected": expected,
        "difference": difference,
        "low": np.fmin(low, difference),
        "high": np.fmax(high, difference),
        "variance": variance,
        "freedom": freedom,
        "chance": np.fromiter(chances, float),
        "judged": _expects_enough(weight, alone, expected, scale),
    }
    return numbers, about


def _usual(part: _Part, about: Numbers, scale: Scale) -> Numbers:
    """Return the variance of each sum, if its games scattered as everybody's do."""
    own, scatter = part.own, part.scatter
    within = np.clip(about, _EDGE, 1 - _EDGE)
    alone = within * (1 - within)
    if scale == Scale.SHARE:
        inflated = np.maximum(intervals.LEAST_INFLATION * own.w, own.w + scatter * (own.ww - own.w))
        return alone * inflated
    if scale == Scale.PART:
        return alone * scatter * own.w
    return scatter * own.w


def _expects_enough(
    weight: Numbers, variance: Numbers, expected: Numbers, scale: Scale
) -> NDArray[np.bool_]:
    """Return whether a share expects enough hits and misses, of cases that stand for themselves."""
    if scale != Scale.SHARE:
        return np.ones(len(weight), dtype=np.bool_)
    alone = np.maximum(expected * (1 - expected), 1e-12) * weight
    effect = np.maximum(variance / alone, 1e-12)
    return np.minimum(expected, 1 - expected) * weight / effect >= FEWEST_EXPECTED
