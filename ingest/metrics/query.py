"""From a metric, dimensions and filters to SQL, and to the rows of a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

from ingest.metrics.dimensions import DIMENSION
from ingest.metrics.filters import EVERYTHING, Filters, run
from ingest.metrics.intervals import Numbers, Sums, interval, typical_of_each
from ingest.metrics.model import (
    TOO_FEW,
    Dimension,
    Grain,
    Kind,
    Level,
    Metric,
    facts_for,
)
from ingest.metrics.tallies import DRAWN_ALONE, TALLIES, Tally, are_kept, tally_of
from schemas.render import one_line

if TYPE_CHECKING:
    import polars as pl

SOUND: Final = "valid"
"""The verdict of hands that figures are made of."""


class Which(StrEnum):
    """Which cases of a figure."""

    ALL = "all"
    COUNTED = "counted"
    """Those that the numerator counts."""
    OTHERS = "others"
    """Those that only the denominator counts."""


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases of a metric, to find the hands behind a figure."""

    metric: Metric
    which: Which = Which.ALL


class FigureError(ValueError):
    """A question that has no answer; the sentence says why and what to ask instead."""


@dataclass(slots=True)
class _Question:
    """What is asked of one table of facts: conditions, and the values of their parameters."""

    grain: Grain
    conditions: list[str] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)

    def filter_by(self, filters: Filters, *, every_verdict: bool) -> None:
        """Add the conditions of the filters."""
        if not (every_verdict or filters.every_verdict or filters.values("verdict")):
            self.conditions.append(f"verdict = '{SOUND}'")
        for bound, operator in ((filters.since, ">="), (filters.until, "<=")):
            if bound is not None:
                name = self._parameter(bound)
                self.conditions.append(f"day {operator} {name}")
        for name, values in filters.chosen:
            self.conditions.append(self._is_among(_dimension(name, self.grain), values))

    def _parameter(self, value: object) -> str:
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return f"${name}"

    def _is_among(self, dimension: Dimension, values: tuple[str, ...]) -> str:
        if dimension.names:
            table, column = dimension.names
            name = self._parameter(list(values))
            return (
                f"{dimension.sql} IN (SELECT {dimension.sql} FROM {table} "  # noqa: S608 - names of our own
                f"WHERE list_contains({name}::VARCHAR[], {column}))"
            )
        # A value that nobody has is no value of the type, and lets nothing through.
        names = [f"TRY_CAST({self._parameter(each)} AS {dimension.type})" for each in values]
        if dimension.each:
            tests = [f"list_contains({dimension.sql}, {each})" for each in names]
        else:
            tests = [f"({dimension.sql}) = {each}" for each in names]
        return f"({' OR '.join(tests)})"

    def once(self, level: Level, by: Sequence[Dimension], filters: Filters) -> str:
        """Make what partners or a whole table share count once for each value it is grouped by.

        Returns what to group rows by of which the filters may let several through, empty where
        there is one of each already.
        """
        if level == Level.SEAT:
            return ""
        chosen = [(DIMENSION[name], values) for name, values in filters.chosen]
        single = [each for each, values in chosen if len(values) == 1]
        if any(each.own for each in (*by, *single)):
            return ""
        finest = max((each.level for each in (*by, *(each for each, _ in chosen))), default=level)
        if finest < Level.SEAT:
            # What is the same for partners is in the row of the first of them.
            self.conditions.append(_FIRST[self.grain, max(level, finest)])
        if finest <= level:
            return ""
        thing = ["game_no" if self.grain == Grain.GAME else "hand"]
        thing += ["side_no"] if level == Level.SIDE else []
        thing += [_alias(each) if each.each else each.sql for each in by]
        return ", ".join(thing)


_FIRST: Final = {
    (Grain.SEAT, Level.HAND): "first_of_hand",
    (Grain.SEAT, Level.SIDE): "first_of_side",
    (Grain.GAME, Level.HAND): "first_of_game",
    (Grain.GAME, Level.SIDE): "first_of_side",
}


def counted_once(metric: Metric) -> str:
    """Return the condition that leaves one row of what several share, empty for each one's own."""
    return _FIRST.get((metric.grain, metric.level), "")


def dimension_named(name: str) -> Dimension:
    """Return a dimension. Raises ``FigureError`` for a name that none has."""
    try:
        return DIMENSION[name]
    except KeyError:
        raise FigureError(
            f"There is no dimension {name!r}. Known are {', '.join(DIMENSION)}."
        ) from None


def _dimension(name: str, grain: Grain) -> Dimension:
    found = dimension_named(name)
    if grain not in found.grains:
        allowed = ", ".join(each.name for each in DIMENSION.values() if grain in each.grains)
        raise FigureError(
            f"This figure cannot be grouped or filtered by {name}. It can be by {allowed}."
        )
    return found


@dataclass(frozen=True, slots=True)
class Counted:
    """What a figure is counted from: the facts of its metric, or the tallies made of them."""

    tallies: str
    """The tallies, or a query for them; empty for the facts."""
    grain: Grain
    condition: str
    """That a row is a case, or has some."""
    columns: dict[str, str]
    """What the cases add to the numerator, ``y``, and to the denominator, ``w``."""
    n: str
    """How many cases some rows are."""
    alone: bool = False
    """Whether the rows of one game for which the column ``alone`` holds never go together."""

    @classmethod
    def from_facts(cls, metric: Metric) -> Counted:
        """Count each row of the facts."""
        columns = {"y": metric.amount, "w": metric.weight}
        return cls("", metric.grain, metric.cases, columns, "count(*)")

    @classmethod
    def from_tallies(cls, metric: Metric, tally: Tally, by: Sequence[str]) -> Counted:
        """Add up what has been counted."""
        columns = {"y": tally.amount, "w": tally.weight, "cases": tally.cases, "alone": "alone"}
        alone = not DRAWN_ALONE.isdisjoint(by)
        condition = f"{tally.cases} > 0"
        return cls(TALLIES[metric.grain], metric.grain, condition, columns, "sum(cases)", alone)

    def source(self, *expressions: str) -> str:
        """Return the table, or a query for one, that has the columns named in expressions."""
        return self.tallies or facts_for(self.grain, *expressions)


def count_from(
    connection: DuckDBPyConnection, metric: Metric, by: Sequence[str], filters: Filters
) -> Counted:
    """Return what a figure is counted from: tallies where they say enough, else the facts."""
    tally = tally_of(metric, (*by, *(name for name, _ in filters.chosen)))
    if tally is None or not are_kept(connection):
        return Counted.from_facts(metric)
    return Counted.from_tallies(metric, tally, by)


@dataclass(frozen=True, slots=True)
class Asked:
    """A metric with dimensions and filters, as SQL."""

    metric: Metric
    dimensions: tuple[Dimension, ...]
    counted: Counted
    conditions: tuple[str, ...]
    parameters: dict[str, Any]
    once: str
    """What rows are grouped by of which only one counts, empty where each counts."""

    @property
    def keys(self) -> list[str]:
        """The columns of the dimensions."""
        return [_alias(each) for each in self.dimensions]

    def cases(self, **also: str) -> str:
        """Return the query for the cases: ``keys``, ``game_no`` and the columns of ``counted``.

        ``also`` are further columns, each as SQL over the facts.
        """
        columns = {
            _alias(each): _alias(each) if each.each else each.sql for each in self.dimensions
        }
        columns |= {"game_no": "game_no", **self.counted.columns, **also}
        # What is the same for all whom a row is about is taken from any of them.
        taken = "any_value({})" if self.once else "{}"
        listed = ", ".join(f"{taken.format(sql)} AS {name}" for name, sql in columns.items())
        unnested = "".join(
            f", unnest({each.sql}) AS {_alias(each)}_list({_alias(each)})"
            for each in self.dimensions
            if each.each
        )
        source = self.counted.source(listed, unnested, self.once, *self.conditions)
        return (
            f"SELECT {listed} FROM {source}{unnested} WHERE {' AND '.join(self.conditions)} "  # noqa: S608 - our own
            f"{f'GROUP BY {self.once}' if self.once else ''}"
        )


def ask(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str],
    filters: Filters,
    *also: str,
) -> Asked:
    """Return a metric with dimensions and filters as SQL; ``also`` are further conditions.

    Raises ``FigureError`` for a dimension that the metric does not have, and when figures of
    different variants would be thrown together.
    """
    dimensions = tuple(_dimension(name, metric.grain) for name in by)
    question = _Question(metric.grain)
    question.filter_by(filters, every_verdict=metric.every_verdict)
    counted = count_from(connection, metric, by, filters)
    _refuse_mixing(connection, metric, by, filters, question, counted)
    once = question.once(metric.level, dimensions, filters)
    if once:
        counted = Counted.from_facts(metric)
    conditions = [f"({counted.condition})", *question.conditions, *also]
    conditions += [f"({each.sql}) IS NOT NULL" for each in dimensions if not each.each]
    return Asked(metric, dimensions, counted, tuple(conditions), question.parameters, once)


def measure_metric(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str] = (),
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
) -> pl.DataFrame:
    """Return a figure, one row for each combination of the values of ``by`` that has a case.

    Columns: the dimensions by name, then ``n`` (cases), ``hits`` for a share, ``games`` (games the
    cases come from), ``value``, ``low`` and ``high`` (95 % interval) and ``enough``: whether ``n``
    reaches ``minimum`` and there are as many games as an interval takes. Without so many games
    there is none. A count has neither ``games`` nor an interval.

    Raises ``FigureError`` as ``ask`` does.
    """
    asked = ask(connection, metric, by, filters)
    if metric.kind == Kind.COUNT:
        counts = _named(_count(asked), asked.dimensions, _COUNTS)
        return run(connection, counts, asked.parameters)
    rows = run(connection, _named(_sums(asked), asked.dimensions, _SUMS), asked.parameters)
    field = rows
    if filters.values(_PLAYER) and not rows.is_empty():
        # How the games of one player scatter is seen beside those of the others.
        everybody = tuple(dict.fromkeys((*by, _PLAYER)))
        wanted = ask(connection, metric, everybody, filters.also(_PLAYER), _some_games(connection))
        field = run(connection, _named(_sums(wanted), wanted.dimensions, _SUMS), wanted.parameters)
    return _with_intervals(rows, field, metric, minimum)


_PLAYER: Final = "player"
_GAMES_OF_FIELD: Final = 4_000
"""Games enough to know how far games scatter."""


def _some_games(connection: DuckDBPyConnection) -> str:
    """Return the condition that leaves about as many games as the field needs."""
    last = connection.cursor().execute("SELECT max(game_no) FROM game_facts").fetchall()[0][0]
    every = max(1, (last or 0) // _GAMES_OF_FIELD)
    return f"game_no % {every} = 0" if every > 1 else "true"


def sums_of(rows: pl.DataFrame) -> Sums:
    """Return the sums over games that the columns of a frame are."""
    return Sums(*(rows[name].cast(float).to_numpy() for name in Sums.__slots__))


def _with_intervals(
    rows: pl.DataFrame, field: pl.DataFrame, metric: Metric, minimum: int
) -> pl.DataFrame:
    """Put the value, its interval and whether there is enough in the place of the sums."""
    import numpy as np
    import polars as pl

    scale, least = metric.scale, metric.least or 0.0
    whole = [""] * len(field)
    groups = field["variant"].to_list() if "variant" in field.columns else whole
    typical = typical_of_each(sums_of(field), groups, scale, least)
    of_row = rows["variant"].to_list() if "variant" in rows.columns else [""] * len(rows)
    scatter = np.array([typical.get(each, np.nan) for each in of_row], dtype=float)
    hits = [pl.col("y").cast(pl.Int64).alias("hits")] if metric.kind == Kind.SHARE else []
    names = [name for name in rows.columns if name not in ("n", *Sums.__slots__)]
    return rows.select(*names, "n", *hits, "games").with_columns(
        interval_columns(rows, scatter, metric, minimum)
    )


def interval_columns(
    rows: pl.DataFrame, scatter: Numbers, metric: Metric, minimum: int
) -> pl.DataFrame:
    """Return value, interval and whether there is enough, from sums over games and cases ``n``.

    ``scatter``: what ``intervals.typical`` says of the rows that each row is one of.
    """
    import numpy as np
    import polars as pl

    sums = sums_of(rows)
    low, high = interval(sums, scatter, metric.scale, metric.least or 0.0)
    known = sums.games >= metric.fewest_games
    return pl.DataFrame(
        {
            "value": sums.ratio,
            "low": np.where(known, low, np.nan),
            "high": np.where(known, high, np.nan),
            "enough": known & (rows["n"].to_numpy() >= minimum),
        }
    ).with_columns(pl.col("low", "high").fill_nan(None))


def rows_of(
    connection: DuckDBPyConnection, metric: Metric, filters: Filters
) -> tuple[str, dict[str, Any]]:
    """Return the condition that rows of a metric's facts fit the filters, and its parameters.

    Raises ``FigureError`` as ``measure_metric`` does.
    """
    question = _Question(metric.grain)
    question.filter_by(filters, every_verdict=metric.every_verdict)
    _refuse_mixing(connection, metric, (), filters, question, Counted.from_facts(metric))
    return " AND ".join(["true", *question.conditions]), question.parameters


def hands_behind(cases: Cases | None, filters: Filters) -> tuple[str, dict[str, Any]]:
    """Return a query for the hands behind a figure, and its parameters.

    It gives each hand once, with the columns ``hand``, ``day``, ``game_no`` and ``number``. Without
    ``cases`` these are all hands in which somebody, or some card, or some finding fits the filters,
    whatever their verdict.

    Raises ``FigureError`` for a dimension that the metric does not have.
    """
    if cases is None:
        grain = next(
            (
                each
                for each in (Grain.SEAT, Grain.CARD, Grain.FINDING)
                if all(each in dimension_named(name).grains for name, _ in filters.chosen)
            ),
            Grain.SEAT,
        )
        question = _Question(grain)
        question.filter_by(filters, every_verdict=True)
        level = Level.HAND
    else:
        metric = cases.metric
        question = _Question(metric.grain)
        question.conditions += [f"({metric.cases})", *_WHICH[cases.which](metric)]
        question.filter_by(filters, every_verdict=metric.every_verdict)
        level = metric.level
    coarse = all(DIMENSION[name].level == Level.HAND for name, _ in filters.chosen)
    where = " AND ".join(question.conditions or ["true"])
    facts = facts_for(question.grain, where)
    if question.grain == Grain.SEAT and (level != Level.HAND or not coarse):
        return f"SELECT DISTINCT {_COURSE} FROM {facts} WHERE {where}", question.parameters  # noqa: S608 - names of our own
    # One row stands for the hand, and nothing has to be grouped.
    if question.grain == Grain.SEAT:
        where = f"first_of_hand AND {where}"
    else:
        thing = "game_no" if question.grain == Grain.GAME else "hand"
        where = f"first_of_hand AND {thing} IN (SELECT {thing} FROM {facts} WHERE {where})"  # noqa: S608 - names of our own
        facts = facts_for(Grain.SEAT)
    return f"SELECT {_COURSE} FROM {facts} WHERE {where}", question.parameters  # noqa: S608 - names of our own


_COURSE: Final = "hand, day, game_no, number"
"""A hand, and what it is put in the order of play by."""

_WHICH: Final[dict[Which, Callable[[Metric], list[str]]]] = {
    Which.ALL: lambda _: [],
    Which.COUNTED: lambda metric: [f"({metric.amount}) <> 0"],
    Which.OTHERS: lambda metric: [f"({metric.amount}) = 0"],
}


def findings_behind(filters: Filters) -> tuple[str, dict[str, Any]]:
    """Return a query for the rows of ``finding_facts`` that fit filters, and its parameters.

    Hands of every verdict count. Raises ``FigureError`` for a dimension that findings do not have.
    """
    question = _Question(Grain.FINDING)
    question.filter_by(filters, every_verdict=True)
    where = " AND ".join(question.conditions or ["true"])
    return f"FROM finding_facts WHERE {where}", question.parameters


def _alias(dimension: Dimension) -> str:
    return "by_" + dimension.name.replace("-", "_")


def _sums(asked: Asked) -> str:
    """Return the query for cases and sums over games of what ``asked`` is about."""
    counted, cases = asked.counted, asked.cases()
    listed = "".join(f"{key}, " for key in asked.keys)
    # DuckDB's sums of whole numbers are wide; as floating point they are exact up to 2 ** 53.
    games = (
        f"SELECT {listed}{counted.n} AS cases, sum(y)::DOUBLE AS y, sum(w)::DOUBLE AS w "  # noqa: S608 - our own
        f"FROM ({cases}) {'WHERE NOT alone' if counted.alone else ''} GROUP BY {listed}game_no"
    )
    if counted.alone:
        # Nearly all rows are alone, and grouping them would take most of the time.
        games += (
            f" UNION ALL SELECT {listed}cases, y::DOUBLE AS y, w::DOUBLE AS w "  # noqa: S608 - our own
            f"FROM ({cases}) WHERE alone"
        )
    n = "sum(w)" if asked.metric.kind == Kind.SHARE else "sum(cases)"
    return (
        f"SELECT {listed}{n}::BIGINT AS n, count(*) AS games, sum(y) AS y, sum(w) AS w, "  # noqa: S608 - our own
        "sum(y * y) AS yy, sum(y * w) AS yw, sum(w * w) AS ww "
        f"FROM ({games}) GROUP BY {', '.join(asked.keys) or '()'} HAVING sum(w) > 0"
    )


def _count(asked: Asked) -> str:
    grouped = f"GROUP BY {', '.join(asked.keys)}" if asked.keys else ""
    return (
        f"SELECT {''.join(f'{key}, ' for key in asked.keys)}"  # noqa: S608 - names of our own
        f"coalesce({asked.counted.n}, 0)::BIGINT AS n, n::DOUBLE AS value, "
        "NULL::DOUBLE AS low, NULL::DOUBLE AS high, true AS enough "
        f"FROM ({asked.cases()}) {grouped}"
    )


_SUMS: Final = ("n", *Sums.__slots__)
_COUNTS: Final = ("n", "value", "low", "high", "enough")


def _named(summed: str, dimensions: Sequence[Dimension], numbers: Sequence[str]) -> str:
    """Give dimensions their names, numbers the text they stand for, and rows their order."""
    columns, joins, order = [], "", []
    for each in dimensions:
        key = _alias(each)
        if each.names:
            table, column = each.names
            joins += f" JOIN {table} AS {key}_named ON {key}_named.{each.sql} = {key}"
            columns.append(f'{key}_named.{column} AS "{each.name}"')
            order += [] if each.order else [f"{key}_named.{column}"]
        else:
            text = "::VARCHAR" if each.type.endswith("_key") else ""
            columns.append(f'{key}{text} AS "{each.name}"')
        if each.order:
            joins += f" LEFT JOIN ({each.order}) AS {key}_order ON {key}_order.ordered = {key}"
            order.append(f"{key}_order.place")
        order.append(key)
    ordered = f" ORDER BY {', '.join(order)}" if order else ""
    listed = "".join(f"{column}, " for column in columns)
    return (
        f"SELECT {listed}{', '.join(numbers)} "  # noqa: S608 - names of our own
        f"FROM ({summed}){joins}{ordered}"
    )


def _refuse_mixing(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str],
    filters: Filters,
    question: _Question,
    counted: Counted,
) -> None:
    """Raise when amounts that mean something else in each variant would be averaged."""
    pinned = ("variant", "ruleset", "game")
    if metric.comparable or any(name in by for name in pinned):
        return
    if any(len(filters.values(name)) == 1 for name in pinned):
        return
    where = " AND ".join(["true", *question.conditions])
    found = run(
        connection,
        f"SELECT DISTINCT variant::VARCHAR AS variant FROM {counted.source(where)} "  # noqa: S608 - names of our own
        f"WHERE {where} ORDER BY ALL LIMIT 3",
        question.parameters,
    )["variant"].to_list()
    if len(found) > 1:
        first, second = _titles(connection, found[:2])
        raise FigureError(
            f"{metric.title} is counted in {metric.unit}, which mean something else in "
            f"{first} than in {second}. Choose one variant, group the figures by "
            "variant, or take a figure that is a share."
        )


def _titles(connection: DuckDBPyConnection, variants: list[str]) -> list[str]:
    """Return what variants are called, in their newest version."""
    found = run(
        connection,
        "SELECT variant, any_value(title ORDER BY version DESC, ruleset) AS title "
        "FROM games.rulesets WHERE list_contains($variants, variant) GROUP BY variant",
        {"variants": variants},
    )
    titles = dict(found.iter_rows())
    return [one_line(titles.get(each) or each) for each in variants]
