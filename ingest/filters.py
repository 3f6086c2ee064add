"""Which hands a query looks at, and how every query is run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from duckdb import DuckDBPyConnection

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Filters:
    """Which hands to look at; a field left alone lets everything through."""

    variants: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    """Hands in which at least one of these player ids sat; figures by player show only these."""
    game: str | None = None
    since: date | None = None
    """First day, by the local day at the table."""
    until: date | None = None
    """Last day, included."""

    def parameters(self) -> dict[str, Any]:
        """Return the values of the parameters every query has."""
        return {
            "variants": list(self.variants),
            "players": list(self.players),
            "game": self.game,
            "since": self.since,
            "until": self.until,
        }


EVERYTHING: Final = Filters()


def run(connection: DuckDBPyConnection, sql: str, parameters: dict[str, Any]) -> pl.DataFrame:
    """Return the rows of a query, on a cursor of its own."""
    frame: pl.DataFrame = connection.cursor().sql(sql, params=parameters).pl()
    return frame
