"""``tricklog summary``: what a warehouse says, in a few tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ingest.cli.load import DEFAULT_DB, Warehouse
from ingest.cli.output import CLEAN, Flag, out, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from duckdb import DuckDBPyConnection
    from rich.console import RenderableType

EXAMPLES = """\
  tricklog summary --db club
  tricklog summary --db club --json > summary.json"""

SHOWN: Final = (
    ("made-rate", "bid"),
    ("made-rate", "player"),
    ("cards-kept", "card"),
    ("score-share", "side"),
)
"""Metrics, and what each is told apart by besides the variant and how the table sits."""


def summary(*, db: Warehouse = DEFAULT_DB, json: Flag = False) -> int:
    """Print the main figures of a warehouse.

    Contracts made by bid and by player, point cards kept, and the share of the score, for each
    variant. tricklog stats prints any other figure. Every share comes with the number of cases n
    and the 95 % interval.

    Args:
        db: The folder of the warehouse.
        json: One JSON object with the totals and every row of the figures.
    """
    from ingest.cli import figures

    with figures.opened_facts(db) as facts:
        if json:
            print_json(_as_json(facts))
        else:
            for part in tables(facts, SHOWN):
                out().print(part)
    return CLEAN


def _as_json(facts: DuckDBPyConnection) -> dict[str, Any]:
    return {
        "overview": _totals(facts),
        "figures": [
            {"metric": name, "by": dimension, "rows": _rows(facts, name, dimension).to_dicts()}
            for name, dimension in SHOWN
        ],
    }


def tables(facts: DuckDBPyConnection, shown: Sequence[tuple[str, str]]) -> list[RenderableType]:
    """Return the totals and one table for each figure."""
    from ingest.cli.figures import figure_table, left_out_text, verdict_counts
    from ingest.filters import EVERYTHING
    from ingest.metrics import metric_named

    totals = _totals(facts)
    parts: list[RenderableType] = [
        f"{totals['hands']:,} hands in {totals['games']:,} games of {totals['players']:,} players",
        left_out_text([], EVERYTHING, verdict_counts(facts, EVERYTHING)),
        "",
    ]
    for name, dimension in shown:
        frame = _rows(facts, name, dimension)
        by = ["variant", *(["seating"] if _sits_differently(frame) else []), dimension]
        parts += figure_table(metric_named(name), by, frame)
    return parts[:-1]


def _rows(facts: DuckDBPyConnection, name: str, dimension: str) -> pl.DataFrame:
    from ingest.metrics import measure

    return measure(facts, name, ["variant", "seating", dimension])


def _totals(facts: DuckDBPyConnection) -> dict[str, int]:
    """Return how much there is, whatever the verdict."""
    counts = ", ".join(
        f"(SELECT count(*) FROM games.{table}) AS {table}"  # noqa: S608 - names of our own
        for table in ("hands", "games", "players", "findings", "rejects")
    )
    rows = facts.cursor().sql(f"SELECT {counts}").pl()
    row: dict[str, int] = rows.row(0, named=True)
    return row


def _sits_differently(frame: pl.DataFrame) -> bool:
    """Whether one variant was played at tables of different kinds."""
    pairs = frame.select("variant", "seating").unique()
    return pairs.height > pairs["variant"].n_unique()
