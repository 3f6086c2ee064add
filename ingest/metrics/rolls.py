"""The roll-up of games: sums over them and of their squares, so that figures need not read games.

The figure of a row and its interval come of sums over games. Where a game adds to one row alone,
these sums can be added up beforehand: by day and by month, for each kind of table and each player.
That is table ``moments``. A game that lies in several of its cells, as one that goes on past the
end of a month, is in none of them; its tallies are in table ``moments_rest``, and are put together
by game when somebody asks. ``rolled`` asks; here is what both tables have, and how they are made.

All rows of ``moments`` count, whoever added them: what a game said before it went on later is taken
away by a row with the signs turned round, and rows of the same cell may be put together in any
order. All sums are whole numbers of 64 bits. A figure turns them into floating point, which has
each of them exactly up to 2 ** 53.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics.model import Grain, Kind, Level, Metric
from tricklog.ingest.metrics.tallies import BUILT_IN, Tally, columns, columns_for

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

TABLE: Final = "moments"
REST: Final = "moments_rest"
OF_REST: Final = (
    "game_no, verdict::VARCHAR AS verdict, source, variant, ruleset, seating, day, seat, player, "
    "partners, kind, side_no, first_of_side"
)
"""Columns of the rest that rows of tallies and facts of games have."""
DAY: Final = "day"
MONTH: Final = "month"
YEAR: Final = "year"


@dataclass(frozen=True, slots=True)
class Roll:
    """One way of putting games together: whose sums a cell has, beside time, rules and table."""

    name: str
    keys: tuple[str, ...]
    """Further columns that tell cells apart."""
    spans: tuple[str, ...]
    """Whether there are cells of days, months and years."""
    whole: str
    """Which games are in its cells, of ``WHOLE``; the others are rest."""
    together: bool = False
    """Whether a game counts as all at the table played it: what is shared counts once."""
    apart: bool = False
    """Whether cells say what all did in their games, too, to compare by."""


ROLLS: Final = {
    each.name: each
    for each in (
        Roll("table", (), (DAY, MONTH), "table", together=True),
        Roll("source", ("source",), (MONTH,), "table", together=True),
        Roll("kind", ("kind",), (DAY, MONTH), "table", together=True),
        Roll("seat", ("kind", "seat"), (MONTH,), "table"),
        Roll("player", ("kind", "player", "paired"), (MONTH, YEAR), "player", apart=True),
    )
}
"""The roll-ups by name, which stands in column ``roll``."""
KEYS: Final = (
    *("roll", "span", "day", "verdict", "variant", "ruleset", "seating"),
    *("source", "kind", "seat", "player", "paired"),
)
"""The columns that tell cells apart. Of a month or a year ``day`` is the first.

Rows without a verdict say what games with hands of other verdicts add to those with the verdict
valid, where all hands count whatever their verdict.
"""
ORDER: Final = ("roll", "span", "day", "player")
"""What rows are sorted by, so that files and parts of them can be passed over."""
OF_TABLE: Final = ("variant", "ruleset", "seating")
EACH: Final = "each"
"""Hands of one verdict, whichever it is."""
EVERY: Final = "every"
"""Hands of every verdict together."""
WHOLE: Final = {
    ("table", DAY): "same_day AND same_rules",
    ("table", MONTH): "same_month AND same_rules",
    ("player", MONTH): "same_month AND same_table AND headed",
    ("player", YEAR): "same_year AND same_table AND headed",
}
_LEVELS: Final = {Level.HAND: "hand", Level.SIDE: "side", Level.SEAT: "own"}
ROLLED: Final = (Grain.SEAT, Grain.CARD, Grain.GAME)
"""The grains whose metrics are rolled up."""


def left_out(whole: str, span: str, scope: str) -> str:
    """Return the column of the rest that says whether a row is not in such cells."""
    return f"not_by_{whole}_{span}_{scope}"


def product(one: str, other: str) -> str:
    """Return the column with the sum over games of the product of two."""
    return "_x_".join(sorted((one, other)))


OF_ALL: Final = "_of_all"


def of_all(name: str) -> str:
    """Return the column of what all at the table did in the games of a cell."""
    return name + OF_ALL


def games_of(cases: str) -> str:
    """Return the column that says how many games have such cases."""
    return f"{cases}_games"


def named(metric: Metric) -> Tally | None:
    """Return the columns of moments that a metric is made of; ``None`` if it is not rolled up."""
    tally = columns_for(metric) if metric.grain in ROLLED else None
    if tally is None:
        return None
    level = _LEVELS[metric.level]
    return Tally(f"{level}_{tally.cases}", f"{level}_{tally.amount}", f"{level}_{tally.weight}")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of moments beside the keys, in their order."""

    sums: dict[str, tuple[Level, str]]
    """What is added up of a game: of what level, and the column of the tallies."""
    cases: tuple[str, ...]
    """Those of them that are cases, of which the games are counted."""
    products: tuple[tuple[str, str], ...]
    compared: dict[str, str]
    """What is added up of all at a table, and the cases that a player has in the games."""
    crossed: tuple[tuple[str, str], ...]
    """Products of what a player did and what all did, and of what all did."""

    def names(self) -> Iterator[str]:
        """Yield the names of the columns."""
        yield from self.sums
        yield from map(games_of, self.cases)
        yield from (product(*each) for each in self.products)
        yield from map(of_all, self.compared)
        yield from (product(*each) for each in self.crossed)


@cache
def columns_of_cells() -> Columns:
    """Return the columns of cells that all metrics need."""
    sums: dict[str, tuple[Level, str]] = {}
    cases: dict[str, None] = {}
    products: dict[tuple[str, str], None] = {}
    compared: dict[str, str] = {}
    crossed: dict[tuple[str, str], None] = {}
    for metric in BUILT_IN:
        tally, names = columns_for(metric), named(metric)
        if tally is None or names is None:
            continue
        sums[names.cases] = (metric.level, tally.cases)
        if metric.kind == Kind.COUNT:
            continue
        sums[names.amount] = (metric.level, tally.amount)
        sums[names.weight] = (metric.level, tally.weight)
        cases[names.cases] = None
        both = sorted({names.amount, names.weight})
        products |= dict.fromkeys(combinations_with_replacement(both, 2))
        if metric.level == Level.HAND:
            continue
        all_did = [of_all(each) for each in both]
        compared |= dict.fromkeys(both, names.cases)
        crossed |= dict.fromkeys(combinations_with_replacement(all_did, 2))
        crossed |= {(own, other): None for own in both for other in all_did}
    return Columns(sums, tuple(cases), tuple(products), compared, tuple(crossed))


@cache
def sums() -> tuple[str, ...]:
    """Return the columns of moments that are summed up, ``BIGINT`` each."""
    return tuple(columns_of_cells().names())


_TYPES: Final = {
    "day": "DATE",
    "seat": "UTINYINT",
    "paired": "BOOLEAN",
}


def types() -> dict[str, str]:
    """Return the columns of moments with their SQL types."""
    keys = {name: _TYPES.get(name, "VARCHAR") for name in KEYS}
    return keys | dict.fromkeys(sums(), "BIGINT")


def games_counted(tally: Tally | None = None) -> str:
    """Return what tallies of games are, as SQL over their facts: those of a metric, or all."""
    wanted = {tally.cases, tally.amount, tally.weight} if tally else None
    return ", ".join(
        f"(CASE WHEN {cases} THEN {added}{' ELSE 0' if added == '1' else ''} END)::BIGINT AS {name}"
        for (cases, added), name in columns(Grain.GAME).items()
        if wanted is None or name in wanted
    )


def rest_types() -> dict[str, str]:
    """Return the columns of the rest with their SQL types."""
    flags = [left_out(*each, scope) for each in WHOLE for scope in (EACH, EVERY)]
    counted = [each for grain in ROLLED for each in columns(grain).values()]
    return (
        {"game_no": "BIGINT", "complete": "BOOLEAN", "seating_id": "BIGINT"}
        | dict.fromkeys(("verdict", "source", *OF_TABLE), "VARCHAR")
        | {"day": "DATE", "seat": "UTINYINT", "player": "VARCHAR", "partners": "VARCHAR[]"}
        | {"kind": "VARCHAR", "side_no": "UTINYINT"}
        | dict.fromkeys(("first_of_side", "first_of_hand", "first_of_game"), "BOOLEAN")
        | dict.fromkeys(counted, "BIGINT")
        | dict.fromkeys(flags, "BOOLEAN")
    )


REST_ORDER: Final = (
    *(left_out(*each, EVERY) for each in reversed(WHOLE)),
    *("day", "game_no", "complete", "seat"),
)
"""What the rest is sorted by: most of it is needed for cells of days only."""


# --- How they are made

_LONGEST: Final = 20_000
"""Rows that are put together in one go: their sums are wide."""


def rows(
    connection: DuckDBPyConnection,
    tallies: str = "tallies",
    games: str = "game_facts",
    before: tuple[str, str] | None = None,
) -> Iterator[pa.Table]:
    """Yield the rows of moments in parts, in the order of ``ORDER`` over all of them.

    ``tallies`` and ``games`` name the tables, or queries in brackets, with the tallies and the
    facts of games to be added. ``before`` are two more, with those that these games had when they
    were added last: what they said is taken away. Each holds whole games.

    The columns are those of ``types``. A part has some 20,000 rows, or 100 MB.
    """
    nothing = ", ".join(f"NULL::{kind} AS {name}" for name, kind in types().items())
    schema = connection.sql(f"SELECT {nothing} LIMIT 0").to_arrow_table().schema
    frame = _scoped(connection, tallies, games, before)
    for roll in sorted(ROLLS.values(), key=lambda each: each.name):
        for span in roll.spans:
            for part in _parts(frame.filter(f"by_{roll.whole}_{span}"), roll, span):
                yield _as_rows(_cells(part, roll, span), roll, span, schema)


@cache
def rest(tallies: str = "tallies", games: str = "game_facts") -> str:
    """Return the query for the rows of games that are not in all cells.

    Its columns are those of ``rest_types``: of tallies those that figures are made of, those of the
    same kind for facts of games, and for each of ``left_out`` whether the row is. What is in no
    cell of months comes last, by days, so that the rest can be passed over.
    """
    flags = [name for name in rest_types() if name.startswith("not_by_")]
    return (
        f"WITH {_marked(tallies, games, None)} "  # noqa: S608 - names of our own
        f"SELECT {', '.join(rest_types())} "
        "FROM (SELECT *, first_of_hand AS first_of_game FROM marked) "
        f"WHERE {' OR '.join(flags)} ORDER BY {', '.join(REST_ORDER)}"
    )


def _all_rows(tallies: str, games: str, sign: int) -> str:
    """Return the query for tallies, and for facts of games in the same form."""
    kept = [*columns(Grain.SEAT).values(), *columns(Grain.CARD).values()]
    return (
        f"SELECT {sign} AS sign, false AS complete, seating_id::BIGINT AS seating_id, {OF_REST}, "  # noqa: S608 - names of our own
        f"first_of_hand, {', '.join(kept)} FROM {tallies} "
        f"UNION ALL BY NAME SELECT {sign} AS sign, true AS complete, 0 AS seating_id, {OF_REST}, "
        f"first_of_game AS first_of_hand, {games_counted()} FROM {games}"
    )


def _alike(name: str, span: str = "") -> str:
    """Return the condition that a column of a game has one value, or none, in all its rows."""
    ends = (f"date_trunc('{span}', {end}_{name})" if span else f"{end}_{name}" for end in _ENDS)
    return f"({' = '.join(ends)} AND known_{name} = n OR known_{name} = 0)"


_ENDS: Final = ("least", "most")
_COMPARED: Final = ("day", "variant", "ruleset", "seating", "seating_id")


def _marked(tallies: str, games: str, before: tuple[str, str] | None) -> str:
    """Return tables, to stand after WITH: ``marked`` has all rows, and which cells they are in."""
    listed = [_all_rows(tallies, games, 1)]
    if before:
        listed.append(_all_rows(*before, -1))
    ends = ", ".join(
        f"min({each}) AS least_{each}, max({each}) AS most_{each}, count({each}) AS known_{each}"
        for each in _COMPARED
    )
    of_ends = ", ".join(
        f"min(least_{each}) AS least_{each}, max(most_{each}) AS most_{each}, "
        f"sum(known_{each}) AS known_{each}"
        for each in _COMPARED
    )
    same = (
        f"{_alike('day')} AS same_day, "
        f"{_alike('day', MONTH)} AS same_month, {_alike('day', YEAR)} AS same_year, "
        f"{' AND '.join(map(_alike, OF_TABLE))} AS same_rules, "
        f"same_rules AND {_alike('seating_id')} AS same_table"
    )
    flags = {
        scope: ", ".join(
            f"NOT ({condition}) AS {left_out(*each, scope)}" for each, condition in WHOLE.items()
        )
        for scope in (EACH, EVERY)
    }
    chosen = ", ".join(left_out(*each, EVERY) for each in WHOLE)
    return f"""
played AS MATERIALIZED ({" UNION ALL ".join(f"({each})" for each in listed)}),
by_verdict AS MATERIALIZED (
    SELECT sign, game_no, complete, verdict, count(*) AS n, {ends},
        -- Not where who sat first on a side gave way to somebody.
        count(DISTINCT side_no) = count(DISTINCT side_no) FILTER (first_of_side) AS headed
    FROM played GROUP BY sign, game_no, complete, verdict
),
of_verdict AS (
    SELECT sign, game_no, complete, verdict, {flags[EACH]} FROM (SELECT *, {same} FROM by_verdict)
),
of_game AS (
    SELECT sign, game_no, complete, mixed, {flags[EVERY]} FROM (
        SELECT *, {same} FROM (
            SELECT sign, game_no, complete, sum(n) AS n,
                bool_or(verdict <> 'valid') AS mixed, bool_and(headed) AS headed, {of_ends}
            FROM by_verdict GROUP BY sign, game_no, complete
        )
    )
),
marked AS MATERIALIZED (
    SELECT played.*, of_verdict.* EXCLUDE (sign, game_no, complete, verdict), mixed, {chosen},
        {_FIRST.format(also="")} AS first_of_kind,
        {_FIRST.format(also=", side_no")} AS first_of_kind_side
    FROM played
    JOIN of_verdict USING (sign, game_no, complete, verdict)
    JOIN of_game USING (sign, game_no, complete)
)"""  # noqa: S608 - names of our own


_FIRST: Final = (
    "seat = min(seat) OVER (PARTITION BY sign, game_no, complete, verdict, source, seating_id, "
    "day, kind{also})"
)


def _in_scope(scope: str) -> str:
    """Return columns that say which cells a row is in."""
    return ", ".join(
        f"NOT {left_out(whole, span, scope)} AS by_{whole}_{span}" for whole, span in WHOLE
    )


_SCOPED: Final = f"""
scoped AS (
    SELECT *, verdict AS scope, sign AS adds, verdict AS of_verdict, {_in_scope(EACH)} FROM marked
    UNION ALL
    SELECT *, 'every', sign, NULL, {_in_scope(EVERY)} FROM marked WHERE mixed
    UNION ALL
    SELECT *, 'besides', -sign, NULL, {_in_scope(EACH)}
    FROM marked WHERE mixed AND verdict = 'valid'
)"""  # noqa: S608 - names of our own
"""Rows as they add to cells: to those of their verdict, and, of games that have hands of others
besides valid ones, to what all their hands say beyond the valid ones."""


_GAME: Final = ("game_no", "complete", "scope", "adds")
_SHARED: Final = {Level.HAND: "first_of_hand", Level.SIDE: "first_of_side"}
_OF_KIND: Final = {Level.HAND: "first_of_kind", Level.SIDE: "first_of_kind_side"}
_TEXTS: Final = ("scope", "of_verdict", *OF_TABLE, "source", "kind", "player")


def _scoped(
    connection: DuckDBPyConnection, tallies: str, games: str, before: tuple[str, str] | None
) -> pl.DataFrame:
    """Return all rows as they add to cells."""
    import polars as pl

    counted = sorted({column for _, column in columns_of_cells().sums.values()})
    flags = ", ".join(f"by_{whole}_{span}" for whole, span in WHOLE)
    spans = ", ".join(f"date_trunc('{each}', day)::DATE AS {each}" for each in (MONTH, YEAR))
    first = ", ".join((*_SHARED.values(), *_OF_KIND.values()))
    found: pl.DataFrame = connection.sql(
        f"WITH {_marked(tallies, games, before)}, {_SCOPED} "  # noqa: S608 - names of our own
        f"SELECT game_no, complete, scope, adds::BIGINT AS adds, of_verdict, day, "
        f"{spans}, {', '.join(OF_TABLE)}, source, kind, seat, "
        "player, len(partners) > 0 AS paired, "
        f"{first}, {flags}, {', '.join(f'{each}::INTEGER AS {each}' for each in counted)} "
        "FROM scoped"
    ).pl()
    return found.with_columns(pl.col(counted).fill_null(0), pl.col(_TEXTS).cast(pl.Categorical))


def _parts(frame: pl.DataFrame, roll: Roll, span: str) -> Iterator[pl.DataFrame]:
    """Yield the rows of a roll-up in parts; what a cell of a player has is in one part."""
    if "player" not in roll.keys:
        if len(frame):
            yield frame
        return
    frame = frame.sort(span, "player", nulls_last=True)
    ends = frame.select(
        same=frame[span].eq_missing(frame[span].shift(-1))
        & frame["player"].eq_missing(frame["player"].shift(-1))
    )["same"]
    first = 0
    while first < len(frame):
        end = min(first + _LONGEST, len(frame))
        while end < len(frame) and ends[end - 1]:
            end += 1
        yield frame[first:end]
        first = end


def _cells(frame: pl.DataFrame, roll: Roll, span: str) -> pl.DataFrame:
    """Return the cells of a roll-up: what games add to each, and their squares and products."""
    import polars as pl

    found = columns_of_cells()
    keys = [pl.col(span).alias("day"), pl.col("of_verdict").alias("verdict")]
    keys += [pl.col(*OF_TABLE, *roll.keys)]
    shared = (_OF_KIND if roll.name == "kind" else _SHARED) if roll.together else {}
    games = frame.group_by(*_GAME, *keys).agg(
        _counted(*of, shared).sum().cast(pl.Int64).alias(name) for name, of in found.sums.items()
    )
    listed = [pl.col(name) for name in found.sums]
    listed += [(pl.col(name) > 0).cast(pl.Int64).alias(games_of(name)) for name in found.cases]
    pairs = found.products
    if roll.apart:
        together = frame.group_by(_GAME).agg(
            _counted(*found.sums[name], _SHARED).sum().cast(pl.Int64).alias(of_all(name))
            for name in found.compared
        )
        # Games in which a player has no case say nothing of what they did beside others.
        games = games.join(together, on=_GAME).with_columns(
            pl.when(pl.col(cases) > 0).then(pl.col(of_all(name))).otherwise(0).alias(of_all(name))
            for name, cases in found.compared.items()
        )
        listed += [pl.col(of_all(name)) for name in found.compared]
        pairs += found.crossed
    listed += [(pl.col(one) * pl.col(two)).alias(product(one, two)) for one, two in pairs]
    if (games["adds"] < 0).any():
        listed = [each * pl.col("adds") for each in listed]
    names = [name for name in games.columns if name not in (*_GAME, *found.sums)]
    kept = [name for name in names if not name.endswith(OF_ALL)]
    return games.group_by(kept).agg(each.sum() for each in listed)


def _counted(level: Level, column: str, shared: dict[Level, str]) -> pl.Expr:
    import polars as pl

    counted = pl.col(column)
    return counted * pl.col(shared[level]).cast(pl.Int32) if level in shared else counted


def _as_rows(cells: pl.DataFrame, roll: Roll, span: str, schema: pa.Schema) -> pa.Table:
    """Return cells as rows of moments."""
    import polars as pl
    import pyarrow as pa

    order = [name for name in ORDER if name in cells.columns]
    cells = cells.with_columns(
        pl.col(pl.Categorical).cast(pl.String),
        roll=pl.lit(roll.name),
        span=pl.lit(span),
    ).sort(order, nulls_last=True)
    found = cells.to_arrow()
    # A table looks through the names of its thousands of columns for each that it is asked for.
    by_name = dict(zip(found.column_names, found.columns, strict=True))
    return pa.table(
        [
            by_name[each.name].cast(each.type)
            if each.name in by_name
            else pa.nulls(len(found), each.type)
            for each in schema
        ],
        schema=schema,
    )
