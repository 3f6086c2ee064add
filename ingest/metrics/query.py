"""From a metric, dimensions and filters to SQL, and to the rows of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from duckdb import DuckDBPyConnection

from tricklog.core.rulesets.suggestions import did_you_mean
from tricklog.ingest.metrics import wording
from tricklog.ingest.metrics.dimensions import DIMENSION
from tricklog.ingest.metrics.errors import FigureError, UnsolvedError
from tricklog.ingest.metrics.filters import Filters, Range, range_of
from tricklog.ingest.metrics.model import (
    GRADED,
    OF_HANDS,
    SOLVED,
    Dimension,
    Grain,
    Kind,
    Level,
    Metric,
    facts_for,
)
from tricklog.ingest.metrics.own.checks import try_out
from tricklog.ingest.metrics.tallies import DRAWN_ALONE, TABLE, TALLIES, are_kept, tally_of
from tricklog.ingest.sql import run
from tricklog.schemas.languages.messages import say
from tricklog.schemas.printable import one_line


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


@dataclass(slots=True)
class _Question:
    """What is asked of one table of facts: conditions, and the values of their parameters."""

    grain: Grain
    conditions: list[str] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)

    def filter_by(self, filters: Filters, verdicts: Sequence[str] = ()) -> None:
        """Add the conditions of the filters; they may choose others than ``verdicts``."""
        if verdicts and not (filters.every_verdict or filters.values("verdict")):
            self.conditions.append(among_verdicts(verdicts))
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
        return f"({' OR '.join(self._is(dimension, each) for each in values)})"

    def _is(self, dimension: Dimension, value: str) -> str:
        within = range_of(value) if dimension.is_number else None
        if within:
            return self._is_within(dimension, within)
        # A value that nobody has is no value of the type, and lets nothing through.
        name = f"TRY_CAST({self._parameter(value)} AS {dimension.type})"
        if dimension.each:
            return f"list_contains({dimension.sql}, {name})"
        return f"({dimension.sql}) = {name}"

    def _is_within(self, dimension: Dimension, within: Range) -> str:
        ends = ((within.least, ">="), (within.most, "<="))
        tests = [
            f"({dimension.sql}) {operator} {self._parameter(end)}::BIGINT"
            for end, operator in ends
            if end is not None
        ]
        return f"({' AND '.join(tests)})"

    def once(
        self, level: Level, by: Sequence[Dimension], filters: Filters, *, tallied: bool
    ) -> str:
        """Make what partners or a whole table share count once for each value it is grouped by.

        ``tallied`` says whether rows are tallies, of which those of a table have the same counts.

        Returns what to group rows by of which the filters may let several through, empty where
        there is one of each already.
        """
        if level == Level.SEAT:
            return ""
        chosen = [(DIMENSION[name], values) for name, values in filters.chosen]
        single = [each for each, values in chosen if is_one(each, values)]
        if any(each.own for each in (*by, *single)):
            return ""
        finest = max((each.level for each in (*by, *(each for each, _ in chosen))), default=level)
        if finest < Level.SEAT:
            # What is the same for partners is in the row of the first of them.
            self.conditions.append(_FIRST[self.grain, max(level, finest)])
        if finest <= level:
            return ""
        thing = [*TABLE] if tallied else ["game_no" if self.grain == Grain.GAME else "hand_no"]
        thing += ["side_no"] if level == Level.SIDE else []
        thing += [alias(each) if each.each else each.sql for each in by]
        return ", ".join(thing)


def is_one(dimension: Dimension, values: tuple[str, ...]) -> bool:
    """Return whether a filter with these values lets only one through."""
    return len(values) == 1 and not (dimension.is_number and range_of(values[0]))


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


def dimension_named(name: str) -> Dimension:
    """Return a dimension. Raises ``FigureError`` for a name that none has."""
    try:
        return DIMENSION[name]
    except KeyError:
        near = did_you_mean(name, DIMENSION)
        others = "" if near else f" Known are {', '.join(DIMENSION)}."
        raise FigureError(f"There is no dimension {name!r}{near}.{others}") from None


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
    cluster: str = "game_no"
    """The game of a row, or games put together where there are very many."""

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
        columns |= {"game_no": self.cluster, **self.columns, **also}
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
        return (
            f"SELECT {listed} FROM {source}{unnested} WHERE {' AND '.join(self.conditions)} "  # noqa: S608 - our own
            f"{f'GROUP BY {self.once}' if self.once else ''}"
        )


def among_verdicts(verdicts: Sequence[str]) -> str:
    """Return the condition that a hand has one of some verdicts."""
    tests = [f"verdict = '{verdict}'" for verdict in verdicts]
    return tests[0] if len(tests) == 1 else f"({' OR '.join(tests)})"


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
        among = among_verdicts(metric.verdicts) if metric.verdicts else "true"
        try_out(connection, metric, metric.source, among)
    dimensions = tuple(_dimension(name, metric.grain) for name in by)
    question = _Question(metric.grain)
    question.filter_by(filters, metric.verdicts)
    refuse_unsolved(connection, metric)
    tally = tally_of(metric, (*by, *(name for name, _ in filters.chosen)))
    tallies, condition = "", metric.cases
    columns = {"y": metric.amount, "w": metric.weight}
    if tally and are_kept(connection):
        cases, amount, weight = tally
        tallies, condition = TALLIES[metric.grain], f"{cases} > 0"
        columns = {"y": amount, "w": weight, "cases": cases, "alone": "only_row"}
    source = tallies or facts_for(metric.grain, *question.conditions)
    found = f"SELECT DISTINCT variant::VARCHAR AS variant FROM {source} "  # noqa: S608 - our own
    found += f"WHERE {' AND '.join(['true', *question.conditions])}"
    refuse_mixing(connection, metric, by, filters, found, question.parameters)
    once = question.once(metric.level, dimensions, filters, tallied=bool(tallies))
    conditions = [f"({condition})", *question.conditions, *also]
    conditions += [f"({each.sql}) IS NOT NULL" for each in dimensions if not each.each]
    where, parameters = tuple(conditions), question.parameters
    return Asked(metric, dimensions, tallies, columns, where, parameters, once)


CLUSTERS: Final = 4_096
"""Into how many parts games are put together where there are very many: whole games in each, so
that the parts scatter as the games do, and few enough to be added up quickly."""
MANY_GAMES: Final = 8 * CLUSTERS


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
    mixed = f"(SELECT mixed % {CLUSTERS} FROM ({_MIXED}) WHERE numbered = game_no)"  # noqa: S608 - our own
    return replace(asked, cluster=mixed)


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


# A hand without a game counts as a game under its own number.
_MIXED: Final = """
SELECT game_no AS numbered, md5_number_lower(game) AS mixed FROM games.games
UNION ALL
SELECT hand_no, md5_number_lower(hand_id) FROM games.hands WHERE game IS NULL
"""


def rows_of(
    connection: DuckDBPyConnection, metric: Metric, filters: Filters
) -> tuple[str, dict[str, Any]]:
    """Return the condition that rows of a metric's facts fit the filters, and its parameters.

    Raises ``FigureError`` as ``measure_metric`` does.
    """
    conditions, parameters = conditions_for(metric, filters)
    where = " AND ".join(["true", *conditions])
    found = f"SELECT DISTINCT variant::VARCHAR AS variant FROM {facts_for(metric.grain, where)} "  # noqa: S608 - our own
    refuse_mixing(connection, metric, (), filters, f"{found} WHERE {where}", parameters)
    return where, parameters


def conditions_for(metric: Metric, filters: Filters) -> tuple[list[str], dict[str, Any]]:
    """Return the conditions that filters put on what a metric is counted from, and parameters.

    Raises ``FigureError`` for a dimension that the metric does not have.
    """
    question = _Question(metric.grain)
    question.filter_by(filters, metric.verdicts)
    return question.conditions, question.parameters


def hands_behind(cases: Cases | None, filters: Filters, **also: str) -> tuple[str, dict[str, Any]]:
    """Return a query for the hands behind a figure, and its parameters.

    It gives each hand once, with the columns ``hand_no``, ``day``, ``game_no`` and ``hand`` and, as
    ``also`` names them, others that are the same for all at the table, as SQL over the facts of
    seats. Without ``cases`` these are all hands in which somebody, or some card, or some finding
    fits the filters, whatever their verdict.

    Raises ``FigureError`` for a dimension that the metric does not have.
    """
    if cases is None:
        grain = next(
            (
                each
                for each in OF_HANDS
                if all(each in dimension_named(name).grains for name, _ in filters.chosen)
            ),
            Grain.SEAT,
        )
        question = _Question(grain)
        question.filter_by(filters)
        level = Level.HAND
    else:
        metric = cases.metric
        question = _Question(metric.grain)
        question.conditions.append(f"({metric.cases})")
        if cases.which != Which.ALL:
            counted = "<>" if cases.which == Which.COUNTED else "="
            question.conditions.append(f"({metric.amount}) {counted} 0")
        question.filter_by(filters, metric.verdicts)
        level = metric.level
    coarse = all(DIMENSION[name].level == Level.HAND for name, _ in filters.chosen)
    where = " AND ".join(question.conditions or ["true"])
    listed = ", ".join([_COURSE, *(f"{sql} AS {name}" for name, sql in also.items())])
    facts = facts_for(question.grain, where)
    if question.grain == Grain.SEAT and (level != Level.HAND or not coarse):
        return f"SELECT DISTINCT {listed} FROM {facts} WHERE {where}", question.parameters  # noqa: S608 - names of our own
    # One row stands for the hand, and nothing has to be grouped.
    if question.grain == Grain.SEAT:
        where = f"first_of_hand AND {where}"
    else:
        thing = "game_no" if question.grain == Grain.GAME else "hand_no"
        where = f"first_of_hand AND {thing} IN (SELECT {thing} FROM {facts} WHERE {where})"  # noqa: S608 - names of our own
        facts = facts_for(Grain.SEAT)
    return f"SELECT {listed} FROM {facts} WHERE {where}", question.parameters  # noqa: S608 - names of our own


_COURSE: Final = "hand_no, day, game_no, hand"
"""A hand, and what it is put in the order of play by."""


def findings_behind(filters: Filters) -> tuple[str, dict[str, Any]]:
    """Return a query for the rows of ``finding_facts`` that fit filters, and its parameters.

    Hands of every verdict count. Raises ``FigureError`` for a dimension that findings do not have.
    """
    question = _Question(Grain.FINDING)
    question.filter_by(filters)
    where = " AND ".join(question.conditions or ["true"])
    return f"FROM finding_facts WHERE {where}", question.parameters


def alias(dimension: Dimension) -> str:
    """Return the column of a dimension in a query."""
    return "by_" + dimension.name.replace("-", "_")


def can_be_asked(connection: DuckDBPyConnection, metric: Metric) -> bool:
    """Return whether a metric is not about solved or graded hands, or somebody has done some."""
    table = _DONE.get(metric.grain)
    if table is None:
        return True
    asked = f"SELECT 1 FROM {table} LIMIT 1"  # noqa: S608 - our own
    return bool(connection.cursor().execute(asked).fetchall())


_DONE: Final = {
    **dict.fromkeys(SOLVED, "solved_hands"),
    **dict.fromkeys(GRADED, "hidden_hands"),
    Grain.PAR: "par_hands",
}
"""The table that has a row for every hand that was looked at, by grain."""


def refuse_unsolved(connection: DuckDBPyConnection, metric: Metric) -> None:
    """Raise where a metric is about solved or graded hands and nobody has done any."""
    if can_be_asked(connection, metric):
        return
    figure = wording.title(metric)
    if metric.grain == Grain.PAR:
        said = say(
            "{figure} is about auctions held against par, and none here has been. Of a "
            "warehouse on this machine tricklog solve --par does it.",
            figure=figure,
        )
    elif metric.grain in GRADED:
        said = say(
            "{figure} is about hands graded by what their players knew, and none here has "
            "been. tricklog solve --hidden 20 grades them.",
            figure=figure,
        )
    else:
        said = say(
            "{figure} is about hands solved with all cards open, and none here has been. "
            "tricklog solve solves them.",
            figure=figure,
        )
    raise UnsolvedError(said)


def refuse_mixing(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str],
    filters: Filters,
    variants: str,
    parameters: dict[str, Any],
) -> None:
    """Raise when amounts that mean something else in each variant would be averaged.

    ``variants`` is a query for the variants that a figure is about, in column ``variant``.
    """
    pinned = ("variant", "ruleset", "game")
    if metric.comparable or any(name in by for name in pinned):
        return
    if any(len(filters.values(name)) == 1 for name in pinned):
        return
    found = run(connection, f"{variants} ORDER BY ALL LIMIT 3", parameters)["variant"].to_list()
    if len(found) > 1:
        first, second = _titles(connection, found[:2])
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
