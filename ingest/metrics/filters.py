"""Which hands a figure looks at, by the values of dimensions; and how every query is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Filters:
    """Which rows of the facts to look at; a field left alone lets everything through."""

    chosen: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Names of dimensions, each with the values it may have, written as they are in an address."""
    since: date | None = None
    """First day, by the local day at the table."""
    until: date | None = None
    """Last day, included."""
    every_verdict: bool = False
    """Whether hands count that are irregular, doubtful, incomplete or rejected."""

    @classmethod
    def of(
        cls,
        chosen: Mapping[str, str | tuple[str, ...]],
        *,
        since: date | None = None,
        until: date | None = None,
        every_verdict: bool = False,
    ) -> Filters:
        """Return filters from names of dimensions and a value or values of each."""
        pairs = (
            (name, (values,) if isinstance(values, str) else tuple(values))
            for name, values in chosen.items()
        )
        return cls(
            tuple(sorted((name, values) for name, values in pairs if values)),
            since,
            until,
            every_verdict,
        )

    def also(self, name: str, *values: str) -> Filters:
        """Return the same filters with the values of one dimension replaced; none removes it."""
        chosen = dict(self.chosen) | {name: values}
        return replace(
            self, chosen=tuple(sorted((key, each) for key, each in chosen.items() if each))
        )

    def values(self, name: str) -> tuple[str, ...]:
        """Return the values chosen of a dimension, empty when it lets everything through."""
        return dict(self.chosen).get(name, ())


EVERYTHING: Final = Filters()


def run(connection: DuckDBPyConnection, sql: str, parameters: dict[str, Any]) -> pl.DataFrame:
    """Return the rows of a query, on a cursor of its own."""
    frame: pl.DataFrame = connection.cursor().sql(sql, params=parameters).pl()
    return frame
