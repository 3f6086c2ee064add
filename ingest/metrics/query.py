"""From a metric, dimensions and filters to SQL, and to the rows of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from duckdb import DuckDBPyConnection

from tricklog.ingest.metrics import wording
from tricklog.ingest.metrics.dimensions import DIMENSION, dimension_named
from tricklog.ingest.metrics.filters import Filters, range_of
from tricklog.ingest.metrics.model import (
    GRADED,
    OF_HANDS,
    SOLVED,
    Dimension,
    FigureError,
    Grain,
    Kind,
    Level,
    Metric,
    UnsolvedError,
    facts_for,
)
from tricklog.ingest.metrics.own.checks import try_out
from tricklog.ingest.metrics.tallies import DRAWN_ALONE, TABLE, TALLIES, are_kept, tally_of
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import Message, mark, say
from tricklog.schemas.printable import one_line

Query: TypeAlias = tuple[str, dict[str, Any]]
"""SQL, and the values of its parameters."""


class Which(StrEnum):
    """Which cases of a figure."""

    ALL = "all"
    COUNTED = "counted"
    """Those that the numerator counts."""
    OTHERS = "others"
    """Those that only the denominator counts."""


class Cases(NamedTuple):
    """Cases of a metric, to find the hands behind a figure."""

    metric: Metric
    which: Which = Which.ALL


# --- Filters


def conditions_for(of: Metric | Grain, filters: Filters) -> tuple[list[str], dict[str, Any]]:
    """Return the conditions that filters put on what a metric is counted from, and parameters.

    The rows of a grain by itself count whatever the verdict of their hand. Raises ``FigureError``
    for a dimension that they do not have.
    """
    grain, verdicts = (of, "true") if isinstance(of, Grain) else (of.grain, of.among_verdicts)
    parameters: dict[str, Any] = {}

    def given(value: object) -> str:
        name = f"p{len(parameters)}"
        parameters[name] = value
        return f"${name}"

    def fits(dimension: Dimension, value: str) -> str:
        if dimension.is_number and (within := range_of(value)):
            ends = ((within.least, ">="), (within.most, "<="))
            tests = (
                f"({dimension.sql}) {operator} {given(end)}::BIGINT"
                for end, operator in ends
                if end is not None
            )
            return f"({' AND '.join(tests)})"
        # A value that nobody has is no value of the type, and lets nothing through.
        typed = f"TRY_CAST({given(value)} AS {dimension.type})"
        if dimension.each:
            return f"list_contains({dimension.sql}, {typed})"
        return f"({dimension.sql}) = {typed}"

    is_open = filters.every_verdict or filters.values("verdict")
    conditions = [] if is_open or verdicts == "true" else [verdicts]
    for bound, operator in ((filters.since, ">="), (filters.until, "<=")):
        if bound is not None:
            conditions.append(f"day {operator} {given(bound)}")
    for name, values in filters.chosen:
        dimension = _dimension(name, grain)
        if dimension.names:
            table, column = dimension.names
            conditions.append(
                f"{dimension.sql} IN (SELECT {dimension.sql} FROM {table} "  # noqa: S608 - names of our own
                f"WHERE list_contains({given(list(values))}::VARCHAR[], {column}))"
            )
        else:
            conditions.append(f"({' OR '.join(fits(dimension, each) for each in values)})")
    return conditions, parameters


def _all_of(conditions: Sequence[str]) -> str:
    return " AND ".join(conditions) or "true"


def _dimension(name: str, grain: Grain) -> Dimension:
    found = dimension_named(name)
    if grain not in found.grains:
        allowed = ", ".join(each.name for each in DIMENSION.values() if grain in each.grains)
        raise FigureError(
            say(
                "This figure cannot be grouped or filtered by {name}. It can be by {allowed}.",
                name=name,
                allowed=allowed,
            )
        )
    return found


def alias(dimension: Dimension) -> str:
    """Return the column of a dimension in a query."""
    return "by_" + dimension.name.replace("-", "_")


# --- What partners or a whole table share

_FIRST: Final = {
    (grain, level): column
    for grain in (Grain.SEAT, Grain.STUDY, Grain.LUCK, Grain.PAR, Grain.GAME)
    for level, column in (
        (Level.HAND, "first_of_game" if grain == Grain.GAME else "first_of_hand"),
        (Level.SIDE, "first_of_side"),
    )
}


def counted_once(metric: Metric) -> str:
    """Return the condition that leaves one row of what several share, empty for each one's own."""
    return _FIRST.get((metric.grain, metric.level), "")


def _once(
    metric: Metric, by: Sequence[Dimension], filters: Filters, *, tallied: bool
) -> tuple[list[str], str]:
    """Return the condition, if any, that leaves one of shared rows for each value grouped by.

    And what to group rows by of which the filters may let several through, empty for none.
    ``tallied``: whether rows are tallies, of which those of a table have the same counts.
    """
    grain, level = metric.grain, metric.level
    chosen = [(DIMENSION[name], values) for name, values in filters.chosen]
    single = [
        each
        for each, values in chosen
        if len(values) == 1 and not (each.is_number and range_of(values[0]))
    ]
    if level == Level.SEAT or any(each.own for each in (*by, *single)):
        return [], ""
    finest = max((each.level for each in (*by, *(each for each, _ in chosen))), default=level)
    # What is the same for partners is in the row of the first of them.
    first = [_FIRST[grain, max(level, finest)]] if finest < Level.SEAT else []
    if finest <= level:
        return first, ""
    thing = [*TABLE] if tallied else ["game_no" if grain == Grain.GAME else "hand_no"]
    thing += ["side_no"] if level == Level.SIDE else []
    thing += [alias(each) if each.each else each.sql for each in by]
    return first, ", ".join(thing)


# --- Figures


@dataclass(frozen=True, slots=True)
class Asked:
    """A metric with dimensions and filters, as SQL."""

    metric: Metric
    dimensions: tuple[Dimension, ...]
    tallies: str
    """The tallies that it is counted from, or a query for them; empty for the facts."""
    columns: dict[str, str]
    """What the cases add to the numerator, ``y``, and to the denominator, ``w``."""
    conditions: tuple[str, ...]
    parameters: dict[str, Any]
    once: str
    """What rows are grouped by of which only one counts, empty where each counts."""
    puts_together: bool = False
    """Whether ``game_no`` is a number that several games share, as there are very many."""

    @property
    def keys(self) -> list[str]:
        """The columns of the dimensions."""
        return [alias(each) for each in self.dimensions]

    @property
    def n(self) -> str:
        """How many cases some rows are."""
        return "sum(cases)" if self.tallies else "count(*)"

    @property
    def alone(self) -> bool:
        """Whether the rows of a game for which the column ``alone`` holds never go together."""
        drawn = (each.name for each in self.dimensions)
        return bool(self.tallies) and not DRAWN_ALONE.isdisjoint(drawn)

    def cases(self, **also: str) -> str:
        """Return the query for the cases: ``keys``, ``game_no`` and ``columns``.

        ``also`` are further columns, each as SQL over the facts.
        """
        columns = {alias(each): alias(each) if each.each else each.sql for each in self.dimensions}
        columns |= {"game_no": "game_no", **self.columns, **also}
        # What is the same for all whom a row is about is taken from any of them.
        taken = "any_value({})" if self.once else "{}"
        listed = ", ".join(f"{taken.format(sql)} AS {name}" for name, sql in columns.items())
        unnested = "".join(
            f", unnest({each.sql}) AS {alias(each)}_list({alias(each)})"
            for each in self.dimensions
            if each.each
        )
        named = (listed, unnested, self.once, *self.conditions)
        source = self.tallies or facts_for(self.metric.grain, *named)
        cases = (
            f"SELECT {listed} FROM {source}{unnested} WHERE {_all_of(self.conditions)} "  # noqa: S608 - our own
            f"{f'GROUP BY {self.once}' if self.once else ''}"
        )
        if not self.puts_together:
            return cases
        # A join lets DuckDB mix the games of few cases alone.
        return (
            f"SELECT cases.* REPLACE (mixed % {CLUSTERS} AS game_no) "  # noqa: S608 - our own
            f"FROM ({cases}) AS cases JOIN ({_MIXED}) ON numbered = cases.game_no"
        )


def ask(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str],
    filters: Filters,
    *also: str,
) -> Asked:
    """Return a metric with dimensions and filters as SQL; ``also`` are further conditions.

    Raises ``FigureError`` for a dimension that the metric does not have, when figures of different
    variants would be thrown together, for figures of solved hands where none is, and for a metric
    of one's own that cannot be counted.
    """
    if metric.source:
        try_out(connection, metric)
    dimensions = tuple(_dimension(name, metric.grain) for name in by)
    chosen, parameters = conditions_for(metric, filters)
    _refuse_unsolved(connection, metric)
    tally = tally_of(metric, (*by, *(name for name, _ in filters.chosen)))
    tallies, condition = "", metric.cases
    columns = {"y": metric.amount, "w": metric.weight}
    if tally and are_kept(connection):
        cases, amount, weight = tally
        tallies, condition = TALLIES[metric.grain], f"{cases} > 0"
        columns = {"y": amount, "w": weight, "cases": cases, "alone": "only_row"}
    source = tallies or facts_for(metric.grain, *chosen)
    found = f"FROM {source} WHERE {_all_of(chosen)}"
    _refuse_mixing(connection, metric, by, filters, (found, parameters))
    first, once = _once(metric, dimensions, filters, tallied=bool(tallies))
    conditions = [f"({condition})", *chosen, *first, *also]
    conditions += [f"({each.sql}) IS NOT NULL" for each in dimensions if not each.each]
    return Asked(metric, dimensions, tallies, columns, tuple(conditions), parameters, once)


CLUSTERS: Final = 4_096
"""Into how many parts games are put together where there are very many: whole games in each, so
that the parts scatter as the games do, and few enough to be added up quickly."""
MANY_GAMES: Final = 8 * CLUSTERS
# A hand without a game counts as a game under its own number.
_MIXED: Final = """
SELECT game_no AS numbered, md5_number_lower(game) AS mixed FROM games.games
UNION ALL
SELECT hand_no, md5_number_lower(hand_id) FROM games.hands WHERE game IS NULL
"""


def plan(
    connection: DuckDBPyConnection, metric: Metric, by: Sequence[str], filters: Filters
) -> Asked:
    """Return how a figure is counted: as ``ask`` says, with very many games put together.

    Which ones go together follows from what they are called, so every warehouse of the same hands
    says the same to the last digit, however its loads numbered them.
    """
    asked = ask(connection, metric, by, filters)
    if asked.tallies or metric.kind == Kind.COUNT or games_in(connection) <= MANY_GAMES:
        return asked
    return replace(asked, puts_together=True)


def some_games(share: int) -> list[str]:
    """Return the condition that leaves one of so many games, none where all are left."""
    if share == 1:
        return []
    some = f"SELECT numbered FROM ({_MIXED}) WHERE mixed // {CLUSTERS} % {share} = 0"  # noqa: S608 - our own
    return [f"game_no IN ({some})"]


def games_in(connection: DuckDBPyConnection) -> int:
    """Return how many complete games there are."""
    complete = "SELECT count(*) FROM game_facts WHERE first_of_game"
    return int(connection.cursor().execute(complete).fetchall()[0][0])


# --- Rows


def rows_of(connection: DuckDBPyConnection, metric: Metric, filters: Filters) -> Query:
    """Return the condition that rows of a metric's facts fit the filters, and its parameters.

    Raises ``FigureError`` as ``measure`` does.
    """
    conditions, parameters = conditions_for(metric, filters)
    where = _all_of(conditions)
    found = f"FROM {facts_for(metric.grain, where)} WHERE {where}"
    _refuse_mixing(connection, metric, (), filters, (found, parameters))
    return where, parameters


def hands_behind(cases: Cases | None, filters: Filters, **also: str) -> Query:
    """Return a query for the hands behind a figure, and its parameters.

    It gives each hand once, with the columns ``hand_no``, ``day``, ``game_no`` and ``hand`` and, as
    ``also`` names them, others that are the same for all at the table, as SQL over the facts of
    seats. Without ``cases`` these are all hands in which somebody, or some card, or some finding
    fits the filters, whatever their verdict.

    Raises ``FigureError`` for a dimension that the metric does not have.
    """
    dimensions = [dimension_named(name) for name, _ in filters.chosen]
    if cases:
        metric, which = cases
        grain, level, own = metric.grain, metric.level, [f"({metric.cases})"]
        if which != Which.ALL:
            own.append(f"({metric.amount}) {'<>' if which == Which.COUNTED else '='} 0")
        conditions, parameters = conditions_for(metric, filters)
    else:
        fitting = (each for each in OF_HANDS if all(each in one.grains for one in dimensions))
        grain, level, own = next(fitting, Grain.SEAT), Level.HAND, []
        conditions, parameters = conditions_for(grain, filters)
    where = _all_of([*own, *conditions])
    listed = ", ".join([_COURSE, *(f"{sql} AS {name}" for name, sql in also.items())])
    facts = facts_for(grain, where)
    is_coarse = level == Level.HAND and all(each.level == Level.HAND for each in dimensions)
    if grain == Grain.SEAT and not is_coarse:
        return f"SELECT DISTINCT {listed} FROM {facts} WHERE {where}", parameters  # noqa: S608 - names of our own
    # One row stands for the hand, and nothing has to be grouped.
    if grain != Grain.SEAT:
        thing = "game_no" if grain == Grain.GAME else "hand_no"
        where = f"{thing} IN (SELECT {thing} FROM {facts} WHERE {where})"  # noqa: S608 - names of our own
        facts = facts_for(Grain.SEAT)
    return f"SELECT {listed} FROM {facts} WHERE first_of_hand AND {where}", parameters  # noqa: S608 - names of our own


_COURSE: Final = "hand_no, day, game_no, hand"
"""A hand, and what it is put in the order of play by."""


def findings_behind(filters: Filters) -> Query:
    """Return a query for the rows of ``finding_facts`` that fit filters, and its parameters.

    Hands of every verdict count. Raises ``FigureError`` for a dimension that findings do not have.
    """
    conditions, parameters = conditions_for(Grain.FINDING, filters)
    return f"FROM finding_facts WHERE {_all_of(conditions)}", parameters


# --- What has no answer

_SOLVED: Final = mark(
    "{figure} is about hands solved with all cards open, and none here has been. tricklog solve "
    "solves them."
)
_GRADED: Final = mark(
    "{figure} is about hands graded by what their players knew, and none here has been. tricklog "
    "solve --hidden 20 grades them."
)
_HELD_AGAINST_PAR: Final = mark(
    "{figure} is about auctions held against par, and none here has been. Of a warehouse on this "
    "machine tricklog solve --par does it."
)
_DONE: Final = {
    **dict.fromkeys(SOLVED, ("solved_hands", _SOLVED)),
    **dict.fromkeys(GRADED, ("hidden_hands", _GRADED)),
    Grain.PAR: ("par_hands", _HELD_AGAINST_PAR),
}
"""By grain the table that has a row for every hand that was looked at, and what is said of none."""


def can_be_asked(connection: DuckDBPyConnection, metric: Metric) -> bool:
    """Return whether a metric is not about solved or graded hands, or somebody has done some."""
    if metric.grain not in _DONE:
        return True
    asked = f"SELECT 1 FROM {_DONE[metric.grain][0]} LIMIT 1"  # noqa: S608 - our own
    return bool(connection.cursor().execute(asked).fetchall())


def _refuse_unsolved(connection: DuckDBPyConnection, metric: Metric) -> None:
    if not can_be_asked(connection, metric):
        said = Message(_DONE[metric.grain][1], {"figure": wording.title(metric)})
        raise UnsolvedError(str(said))


def _refuse_mixing(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str],
    filters: Filters,
    rows: Query,
) -> None:
    """Raise when amounts that mean something else in each variant would be averaged.

    ``rows`` are the facts that a figure is about, from ``FROM`` on.
    """
    pinned = ("variant", "ruleset", "game")
    if metric.comparable or any(each in by or len(filters.values(each)) == 1 for each in pinned):
        return
    found, parameters = rows
    query = f"SELECT DISTINCT variant::VARCHAR AS variant {found} ORDER BY ALL LIMIT 3"
    variants = run(connection, query, parameters)["variant"].head(2).to_list()
    if len(variants) < 2:  # noqa: PLR2004 - one cannot be mixed
        return
    newest = (
        "SELECT variant, any_value(title ORDER BY version DESC, ruleset) AS title "
        "FROM games.rulesets WHERE list_contains($variants, variant) GROUP BY variant"
    )
    titles = dict(run(connection, newest, {"variants": variants}).iter_rows())
    first, second = (one_line(titles.get(each) or each) for each in variants)
    raise FigureError(
        say(
            "{figure} is counted in {unit}, which mean something else in {first} than in "
            "{second}. Choose one variant, group the figures by variant, or take a figure that "
            "is a share.",
            figure=wording.title(metric),
            unit=wording.unit(metric),
            first=first,
            second=second,
        )
    )
