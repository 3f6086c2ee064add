"""Questions to a warehouse from a program, which need not open it first: figures, and SQL."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import duckdb
from duckdb import DuckDBPyConnection

from tricklog.ingest import metrics
from tricklog.ingest.chances import chances_of
from tricklog.ingest.metrics import DIMENSION, TOO_FEW, FigureError, Metric
from tricklog.ingest.metrics.filters import EVERYTHING, Filters, Range, range_of
from tricklog.ingest.metrics.listings import check_values
from tricklog.ingest.metrics.tallies import about
from tricklog.ingest.ratings import Ratings, ratings_of
from tricklog.ingest.sql import sql_text
from tricklog.ingest.store.columns import comment_views
from tricklog.ingest.warehouses import open_facts

if TYPE_CHECKING:
    import polars as pl

Warehouse: TypeAlias = str | os.PathLike[str] | DuckDBPyConnection
"""A folder or an address of a lake, as ``--db`` takes it, or what ``open_facts`` has opened."""
Value: TypeAlias = str | int | date | Range
"""A value of a dimension, or a range of them."""
_DESCRIBED: Final = re.compile(
    r'\s*(?:DESCRIBE|DESC|SHOW)\s+(?:TABLE\s+)?(?:"?\w+"?\.)*"?(\w+)"?[\s;]*', re.IGNORECASE
)
"""A question for the columns of one table."""
_WITH_COMMENTS: Final = re.compile(r"\b(?:duckdb_\w+|information_schema)\b", re.IGNORECASE)
"""What a query names that asks for the comments of tables."""
_MADE: Final[Mapping[str, Callable[[DuckDBPyConnection], pl.DataFrame]]] = {
    "hand_chances": lambda facts: chances_of(facts).frame,
    "player_ratings": lambda facts: ratings_of(facts).frame,
}
"""Tables that are made for a question that names them."""


def measure(
    warehouse: Warehouse,
    metric: str | Metric,
    by: str | Sequence[str] = (),
    filters: Filters = EVERYTHING,
    minimum: int = TOO_FEW,
    *,
    where: Mapping[str, Value | Iterable[Value]] | None = None,
) -> pl.DataFrame:
    """Return the rows of a metric, one for each combination of the values of ``by``.

    Args:
        warehouse: a folder, the address of a lake, or what ``open_facts`` gives; whoever asks many
            questions opens it once.
        metric: the name of one that is built in, or one of your own.
        by: a dimension, or several.
        filters: what counts; ``where`` adds to it.
        minimum: cases below which there is not enough.
        where: dimensions with a value, a ``Range`` or several values of each.

    Raises ``FigureError`` for a question without an answer, as with a value that no hand has,
    ``WarehouseError`` for a warehouse that cannot be read, and ``TypeError`` for what is none.
    """
    dimensions: Any = (by,) if isinstance(by, str) else by
    is_listed = isinstance(dimensions, Iterable)
    if not is_listed or not all(isinstance(each, str) for each in dimensions):
        raise TypeError(
            f'by is the name of a dimension, such as "bid", or a list of names, and not {by!r}'
        )
    with _opened(warehouse, filters, where) as (facts, chosen):
        return metrics.measure(facts, metric, tuple(dimensions), chosen, minimum)


def win_chances(warehouse: Warehouse, game: str | Sequence[str] | None = None) -> pl.DataFrame:
    """Return the chance of each side to win its game, before and after each hand.

    The columns are those of the table ``hand_chances``, see ``docs/chances.md``. Chances are made
    of all hands under the same rules; ``game`` names one or several whose hands are returned.

    Raises ``FigureError`` for a game that no hand has, ``WarehouseError`` and ``TypeError`` as
    ``measure`` does.
    """
    games = [game] if isinstance(game, str) else game
    with _opened(warehouse, where={"game": games or ()}) as (facts, _):
        return chances_of(facts, games).frame


def ratings(
    warehouse: Warehouse,
    filters: Filters = EVERYTHING,
    *,
    where: Mapping[str, Value | Iterable[Value]] | None = None,
    weekly: bool = False,
    openskill: bool = False,
) -> Ratings:
    """Return who plays better: points a hand with partners and opponents taken out.

    Args:
        warehouse: as ``measure`` takes it.
        filters: which hands count.
        where: adds to it, as for ``measure``.
        weekly: whether to say what players brought week by week, too.
        openskill: whether a column ``openskill`` has ratings by games won, for which the package
            of that name is needed.

    Raises ``FigureError`` where there is nothing to rate, and as ``measure`` does.
    """
    with _opened(warehouse, filters, where) as (facts, chosen):
        return ratings_of(facts, chosen, weekly=weekly, openskill=openskill)


def sql(warehouse: Warehouse, query: str, **frames: Any) -> pl.DataFrame:  # noqa: ANN401 - what DuckDB takes
    """Return what a query says of the facts and tables of a warehouse, which it cannot change.

    The tables are in the schema ``games``, which needs no mention where facts have no such name.
    ``readable_hands`` has every hand in one row of words. ``frames`` are there under their names,
    of Polars, pandas or Arrow, to be joined. ``hand_chances`` and ``player_ratings`` are made for a
    query that names them. ``DESCRIBE`` of a table also says what each column means.

    Raises ``FigureError`` where DuckDB cannot answer, and as ``measure`` does.
    """
    with _opened(warehouse) as (facts, _), closing(facts.cursor()) as reading:
        try:
            named = {each.lower() for each in re.findall(r"\w+", query)}
            named -= {name.lower() for name in frames}
            # Tables of the warehouse are found under their names alone.
            alone = {table: f"FROM games.{table}" for (table,) in reading.sql(_ALONE).fetchall()}
            alone["readable_hands"] = sql_text("tricklog.ingest.store", "readable_hands.sql")
            for table in named & alone.keys():
                reading.execute(f"CREATE TEMP VIEW {table} AS {alone[table]}")
            for name in named & _MADE.keys():
                reading.register(name, _MADE[name](facts))
            if _WITH_COMMENTS.search(query):
                comment_views(reading, about)
            for name, frame in frames.items():
                reading.register(name, frame)
            # DuckDB's types do not say that it gives nothing for a statement without rows.
            found: Any = reading.sql(query)
            if found is None:
                raise FigureError("The query gives no rows. Begin it with SELECT or FROM.")
            rows: pl.DataFrame = _with_texts(found).pl()
        except duckdb.Error as error:
            raise FigureError(f"The query has no answer: {error}") from error
    described = _DESCRIBED.fullmatch(query)
    if described and described[1] not in frames and "column_name" in rows.columns:
        import polars as pl

        said = [about(described[1].lower(), column) for column in rows["column_name"]]
        rows = rows.insert_column(2, pl.Series("about", said, pl.String))
    return rows


def _with_texts(found: Any) -> Any:  # noqa: ANN401 - a relation, as DuckDB has it
    """Return rows whose intervals, which frames do not know, are texts such as 01:30:00."""
    names = (name.replace('"', '""') for name in found.columns)
    columns = (
        f'#{place}{"::VARCHAR" if kind == "INTERVAL" else ""} AS "{name}"'
        for place, (name, kind) in enumerate(zip(names, found.types, strict=True), 1)
    )
    return found.project(", ".join(columns)) if "INTERVAL" in found.types else found


_ALONE: Final = """
SELECT table_name FROM information_schema.tables
WHERE table_catalog = 'games' AND table_schema = 'main'
EXCEPT
SELECT table_name FROM information_schema.tables
WHERE table_catalog = current_database() AND table_schema = 'main'
"""


@contextmanager
def _opened(
    warehouse: Warehouse, filters: Filters = EVERYTHING, where: object = None
) -> Iterator[tuple[DuckDBPyConnection, Filters]]:
    """Open a warehouse and yield its facts, and filters with ``where``, whose values exist."""
    filters = _with(filters, where or {})
    if isinstance(warehouse, str | os.PathLike):
        with closing(open_facts(str(warehouse))) as opened:
            check_values(opened, filters)
            yield opened, filters
    elif isinstance(warehouse, DuckDBPyConnection):
        check_values(warehouse, filters)
        yield warehouse, filters
    else:
        raise TypeError(
            "the first argument is the folder or the address of a warehouse, or what open_facts "
            f"gives, and not {type(warehouse).__name__}"
        )


def _with(filters: Filters, where: object) -> Filters:
    if not isinstance(where, Mapping):
        raise TypeError(
            'where gives each dimension its value, such as {"variant": "pedro"}, and is not '
            f"{where!r}"
        )
    for name, given in where.items():
        texts = _written(given)
        for within in map(range_of, texts if name in DIMENSION else ()):
            if within and DIMENSION[name].is_number and within.is_empty:
                raise FigureError(
                    f"No {name} is at least {within.least} and at most {within.most}."
                )
        filters = filters.also(name, *texts)
    return filters


def _written(given: Value | Iterable[Value]) -> list[str]:
    """Return one value or several as an address has them."""
    # A range is a tuple, too.
    if isinstance(given, Range | str) or not isinstance(given, Iterable):
        return [str(given).lower() if isinstance(given, bool) else str(given)]
    return [text for each in given for text in _written(each)]
