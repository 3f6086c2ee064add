"""Figures from the roll-up of ``rolls``, where there is one and it says enough.

The days asked for are taken apart: whole years and months come from cells of years and months, the
days before and behind from cells of days, or from tallies where there are none. What games in
several cells add is put together by game, as ever.

Of very many games several are put together. Which ones follows from what they are called, so every
warehouse of the same hands says the same to the last digit, however its loads numbered them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from duckdb import CatalogException, DuckDBPyConnection

from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.model import Grain, Kind, Metric
from tricklog.ingest.metrics.query import (
    Asked,
    Counted,
    among_verdicts,
    ask,
    conditions_for,
    dimension_named,
    is_one,
    refuse_mixing,
)
from tricklog.ingest.metrics.rolls import (
    DAY,
    EACH,
    EVERY,
    MONTH,
    OF_REST,
    REST,
    ROLLS,
    TABLE,
    YEAR,
    Roll,
    games_counted,
    games_of,
    left_out,
    named,
    product,
)
from tricklog.ingest.metrics.tallies import Tally, columns_for

_DAYS: Final = frozenset({"day", "week", "weekday"})
"""Dimensions of which a month has several values."""
_EVERYWHERE: Final = frozenset({"variant", "ruleset", "seating", "verdict", "month"}) | _DAYS
"""Dimensions that cells of every roll-up have."""
_NAMES: Final = {
    frozenset(): "table",
    frozenset({"source"}): "source",
    frozenset({"kind"}): "kind",
    frozenset({"seat"}): "seat",
    frozenset({"kind", "seat"}): "seat",
    frozenset({"player"}): "player",
    frozenset({"kind", "player"}): "player",
}
"""The roll-up that answers questions with such dimensions beside those of every roll-up."""


def are_rolled(connection: DuckDBPyConnection) -> bool:
    """Return whether there is a roll-up beside the facts."""
    try:
        return bool(connection.cursor().execute(f"SELECT 1 FROM {TABLE} LIMIT 1").fetchall())  # noqa: S608
    except CatalogException:
        return False


def plan(
    connection: DuckDBPyConnection, metric: Metric, by: Sequence[str], filters: Filters
) -> Asked:
    """Return how a figure is counted: from the roll-up and the rest, from tallies, or from facts.

    Raises ``FigureError`` as ``query.ask`` does.
    """
    if kept := rolled(connection, metric, by, filters):
        return kept
    asked = ask(connection, metric, by, filters)
    if asked.counted.tallies or metric.kind == Kind.COUNT:
        return asked
    return replace(asked, cluster=cluster_of_game(connection))


def rolled(
    connection: DuckDBPyConnection,
    metric: Metric,
    by: Sequence[str],
    filters: Filters,
    *also: str,
) -> Asked | None:
    """Return how a figure is counted from the roll-up, ``None`` where it does not say enough.

    ``also`` are further conditions, on columns that tell cells apart. Raises ``FigureError`` as
    ``query.ask`` does.
    """
    names, tally, roll = named(metric), columns_for(metric), _roll_for(by, filters)
    if names is None or tally is None or roll is None or not are_rolled(connection):
        return None
    scope, parts = _scope(connection, metric, by, filters), _parts(roll, by, filters)
    if not scope:
        return None
    # Days are in the parts.
    anytime = replace(filters, since=None, until=None)
    conditions, parameters = conditions_for(metric, anytime)
    conditions += also
    cells = [
        f"{TABLE} WHERE roll = '{roll.name}' AND span = '{span}' AND {_OF_SCOPE[scope]} AND "
        + " AND ".join([within, *conditions])
        for span, within in parts
        if span in roll.spans
    ]
    if not cells:
        return None
    rest = _rest(metric, tally, roll, scope, parts)
    variants = [
        f"SELECT variant FROM {each} GROUP BY variant HAVING sum({_PRESENT[metric.grain]}) > 0"  # noqa: S608 - our own
        for each in cells
    ]
    variants.append(f"SELECT variant FROM {rest} WHERE {' AND '.join(['true', *conditions])}")  # noqa: S608
    refuse_mixing(connection, metric, by, filters, " UNION ".join(variants), parameters)
    counted = Counted(
        rest,
        metric.grain,
        f"{tally.cases} > 0",
        {"y": tally.amount, "w": tally.weight, "cases": tally.cases},
        "sum(cases)",
    )
    asked = ask(connection, metric, by, anytime, *also, counted=counted)
    known = [f"({each.sql}) IS NOT NULL" for each in asked.dimensions]
    listed = tuple(" AND ".join([each, *known]) for each in cells)
    return replace(asked, cells=listed, moments=names)


def add_up(asked: Asked, listed: Mapping[str, str], **also: str) -> str:
    """Return the query for columns of moments, added up in the cells of what is asked by its keys.

    ``listed`` are columns of moments by the names they get, ``also`` further keys as SQL.
    """
    keys = {key: each.sql for each, key in zip(asked.dimensions, asked.keys, strict=True)} | also
    columns = [f"{sql} AS {key}" for key, sql in keys.items()]
    # Whole numbers, so that their order makes no difference; DuckDB's own sums are slow.
    columns += [f"sum({column}::DOUBLE) AS {name}" for name, column in listed.items()]
    group = f" GROUP BY {', '.join(keys.values())}" if keys else ""
    return " UNION ALL ".join(
        f"SELECT {', '.join(columns)} FROM {each}{group}"  # noqa: S608 - names of our own
        for each in asked.cells
    )


def added(*names: str) -> str:
    """Return columns of cells and of the rest as SQL that puts the rows of both together."""
    return ", ".join(
        f"sum({name})::{'BIGINT' if name in ('n', 'cases', 'games') else 'DOUBLE'} AS {name}"
        for name in names
    )


def sums_in_cells(metric: Metric, moments: Tally) -> dict[str, str]:
    """Return the columns of moments that ``measuring.summed`` counts, by their names there."""
    y, w = moments.amount, moments.weight
    return {
        "n": w if metric.kind == Kind.SHARE else moments.cases,
        "games": games_of(moments.cases),
        "y": y,
        "w": w,
        "yy": product(y, y),
        "yw": product(y, w),
        "ww": product(w, w),
    }


_PRESENT: Final = {
    Grain.SEAT: "hand_hands_cases",
    Grain.CARD: "hand_hands_cases",
    Grain.GAME: "hand_games_cases",
}
"""The column that says whether anything is in a cell."""
_OF_SCOPE: Final = {
    EACH: "verdict IS NOT NULL",
    EVERY: "(verdict IS NULL OR verdict = 'valid')",
}


def _rest(
    metric: Metric, tally: Tally, roll: Roll, scope: str, parts: Sequence[tuple[str, str]]
) -> str:
    """Return the query for what is in no cell: games in several, and days without cells.

    A game of both has its hands of the one days here, those of the others there.
    """
    is_game = metric.grain == Grain.GAME
    left = " OR ".join(
        f"({left_out(roll.whole, span, scope)} AND {within})"
        for span, within in parts
        if span in roll.spans
    )
    complete = "complete" if is_game else "NOT complete"
    columns = f"{OF_REST}, {'first_of_game' if is_game else 'first_of_hand'},"
    counted = ", ".join(dict.fromkeys((tally.cases, tally.amount, tally.weight)))
    queries = [
        f"SELECT {columns} seating_id, {counted} FROM {REST} WHERE {complete} AND ({left})"  # noqa: S608
    ]
    if without := [within for span, within in parts if span not in roll.spans]:
        source, table = ("game_facts", "0 AS seating_id") if is_game else ("tallies", "seating_id")
        counted = games_counted(tally) if is_game else counted
        queries.append(
            f"SELECT {columns} {table}, {counted} FROM {source} "  # noqa: S608 - names of our own
            f"WHERE {' OR '.join(f'({within})' for within in without)}"
        )
    return f"({' UNION ALL BY NAME '.join(queries)})"


def _roll_for(by: Sequence[str], filters: Filters) -> Roll | None:
    """Return the roll-up in whose cells a game adds to one row of a figure once."""
    chosen = dict(filters.chosen)
    roll = _NAMES.get(frozenset({*by, *chosen} - _EVERYWHERE))
    if roll is None or roll == "table":
        return ROLLS.get(roll or "")
    fixed = {*by, *(name for name, each in chosen.items() if is_one(dimension_named(name), each))}
    return ROLLS[roll] if roll in fixed else None


def _scope(
    connection: DuckDBPyConnection, metric: Metric, by: Sequence[str], filters: Filters
) -> str:
    """Return of which verdicts hands count together, empty where it is some of them."""
    chosen = filters.values("verdict")
    if "verdict" in by or len(chosen) == 1:
        return EACH
    if chosen:
        return ""
    if metric.every_verdict or filters.every_verdict:
        return EVERY
    return "" if len(metric.verdicts) > 1 and _has_others(connection, metric.verdicts[1:]) else EACH


def _has_others(connection: DuckDBPyConnection, verdicts: Sequence[str]) -> bool:
    """Are there hands of these verdicts, so that several verdicts count together?"""
    found = f"SELECT 1 FROM {TABLE} WHERE {among_verdicts(verdicts)} LIMIT 1"  # noqa: S608 - our own
    return bool(connection.cursor().execute(found).fetchall())


def _parts(roll: Roll, by: Sequence[str], filters: Filters) -> list[tuple[str, str]]:
    """Return the time asked for in parts: whether days, months or years, and which days."""
    names = {*by, *(name for name, _ in filters.chosen)}
    since, until = filters.since, filters.until
    behind = until and _day_behind(until)
    if not names.isdisjoint(_DAYS):
        return [(DAY, _within(since, behind))]
    spans = [YEAR, MONTH, DAY] if YEAR in roll.spans and "month" not in names else [MONTH, DAY]
    return [(span, _within(*ends)) for span, *ends in _taken_apart(since, behind, spans)]


def _taken_apart(
    first: date | None, behind: date | None, spans: Sequence[str]
) -> list[tuple[str, date | None, date | None]]:
    """Return days as whole ones of the longest span, and the rest before and behind of others."""
    span, *shorter = spans
    if not shorter:
        return [(span, first, behind)]
    start, end = first and _next(span, first), behind and _begun(span, behind)
    if start and end and start >= end:
        return _taken_apart(first, behind, shorter)
    found: list[tuple[str, date | None, date | None]] = [(span, start, end)]
    if first != start:
        found += _taken_apart(first, start, shorter)
    if behind != end:
        found += _taken_apart(end, behind, shorter)
    return found


def _begun(span: str, day: date) -> date:
    """Return the first day of the month or year of a day."""
    return day.replace(day=1) if span == MONTH else day.replace(month=1, day=1)


def _next(span: str, day: date) -> date:
    """Return the first day of the first month or year that begins on a day or later."""
    begun = _begun(span, day)
    if day == begun or (day.year == date.max.year):
        return day
    return _begun(span, begun + timedelta(days=31 if span == MONTH else 366))


def _within(first: date | None, behind: date | None) -> str:
    """Return the condition that days are not before one and before another."""
    ends = [f"day >= DATE '{first}'"] if first else []
    ends += [f"day < DATE '{behind}'"] if behind else []
    return " AND ".join(ends or ["true"])


def _day_behind(day: date) -> date:
    return date.max if day == date.max else day + timedelta(days=1)


# --- Games put together

CLUSTERS: Final = 4_096
"""Into how many parts games are put together where there are very many: whole games in each, so
that the parts scatter as the games do, and few enough to be added up quickly."""
MANY_GAMES: Final = 8 * CLUSTERS


def cluster_of_game(connection: DuckDBPyConnection) -> str:
    """Return as SQL over the facts what stands for the game of a row in sums over games.

    That is ``game_no``, or where there are very many games one of ``CLUSTERS`` numbers.
    """
    if games_in(connection) <= MANY_GAMES:
        return "game_no"
    return f"(SELECT mixed % {CLUSTERS} FROM ({_MIXED}) WHERE numbered = game_no)"  # noqa: S608 - our own


def some_games(share: int) -> list[str]:
    """Return the condition that leaves one of so many games, none where all are left."""
    if share == 1:
        return []
    some = f"SELECT numbered FROM ({_MIXED}) WHERE mixed // {CLUSTERS} % {share} = 0"  # noqa: S608 - our own
    return [f"game_no IN ({some})"]


def games_in(connection: DuckDBPyConnection) -> int:
    """Return how many complete games there are."""
    complete = "SELECT count(*) FROM game_facts WHERE first_of_game"
    if are_rolled(connection):
        # Each of them is in a cell: it counts on the day of its last hand.
        complete = (
            f"SELECT coalesce(sum({_PRESENT[Grain.GAME]}), 0) FROM {TABLE} "  # noqa: S608 - our own
            f"WHERE roll = 'table' AND span = '{MONTH}' AND {_OF_SCOPE[EVERY]}"
        )
    return int(connection.cursor().execute(complete).fetchall()[0][0])


# A hand without a game counts as a game under its own number.
_MIXED: Final = """
SELECT game_no AS numbered, md5_number_lower(game) AS mixed FROM games.games
UNION ALL
SELECT hand_no, md5_number_lower(hand_id) FROM games.hands WHERE game_no IS NULL
"""
