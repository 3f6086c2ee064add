"""``tricklog stats --summary``: what a warehouse says, in a few tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from tricklog.ingest.cli.output import out, own_command, print_json
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from duckdb import DuckDBPyConnection

SHOWN: Final = (
    ("made-rate", "bid"),
    ("made-rate", "player"),
    ("cards-kept", "card"),
    ("score-share", "side"),
)
"""Metrics, and what each is grouped by besides the variant and how the table sits."""
MOST_ROWS: Final = 10
"""Rows that are shown of a figure."""


def print_summary(db: str, whose: str, *, json: bool) -> None:
    """Print the totals of a warehouse and the main figures of each game.

    Args:
        db: the warehouse.
        whose: whose hands count, as ``opened_facts`` takes it.
        json: whether it is one object, with every row of the figures.
    """
    from tricklog.ingest.cli import figures
    from tricklog.ingest.facts import solved

    with figures.opened_facts(db, whose) as facts:
        if json:
            print_json(_as_json(facts))
        else:
            out().print(totals_text(facts))
            if (known := solved.counts(facts)).left < known.hands:
                out().print(str(known))
            if (against := solved.par_counts(facts)).is_any:
                out().print(str(against))
            print_tables(facts, SHOWN, db, whose=whose)


def _as_json(facts: DuckDBPyConnection) -> dict[str, Any]:
    from tricklog.ingest.facts import solved

    return {
        "overview": _totals(facts),
        "solved": asdict(solved.counts(facts)),
        "par": asdict(solved.par_counts(facts)),
        "figures": [
            {"metric": name, "by": dimension, "rows": _rows(facts, name, dimension).to_dicts()}
            for name, dimension in SHOWN
        ],
    }


def totals_text(facts: DuckDBPyConnection) -> str:
    """Return in one sentence how much there is."""
    totals = _totals(facts)
    hands, games, players = (
        counted(totals[f"{each}s"], each) for each in ("hand", "game", "player")
    )
    return f"{hands} in {games} of {players}"


def print_tables(
    facts: DuckDBPyConnection,
    shown: Sequence[tuple[str, str]],
    db: str,
    most: int = MOST_ROWS,
    whose: str = "everybody",
) -> None:
    """Print what the figures are made of, and of each figure a table of ``most`` rows at most.

    The rows are those with the most cases, where these are enough, in their usual order. Below the
    table stands how many rows are left out, and the command that shows them all.
    """
    from rich.text import Text

    from tricklog.ingest.cli.figures import figure_table, left_out_text, of_table, verdict_counts
    from tricklog.ingest.metrics import metric_named
    from tricklog.ingest.metrics.filters import EVERYTHING

    console = out()
    console.print(left_out_text([], EVERYTHING, verdict_counts(facts, EVERYTHING)))
    for name, dimension in shown:
        frame = _rows(facts, name, dimension)
        by = ["variant", *(["seating"] if _sits_differently(frame) else []), dimension]
        enough = frame.filter("enough")
        first = enough.with_row_index().sort("n", "index", descending=[True, False]).head(most)
        console.print()
        for part in figure_table(metric_named(name), by, first.sort("index"))[:-1]:
            console.print(part)
        left_out = _left_out(frame.height - enough.height, enough.height - first.height)
        if left_out:
            console.print(f"Not shown: {left_out}.")
            told = f"--by {','.join(by)} --top {frame.height} --db {db}{of_table(whose)}"
            command = f"{own_command()} stats {name} {told}"
            console.print(Text(f"  {command}", "dim"), soft_wrap=True)


def _left_out(few: int, further: int) -> str:
    """Return how many rows are left out: those with too few cases, and those beyond the first."""
    parts = [counted(further, "row") + " with fewer cases"] if further else []
    parts += [counted(few, "row") + " with too few hands"] if few else []
    return " and ".join(parts)


def _rows(facts: DuckDBPyConnection, name: str, dimension: str) -> pl.DataFrame:
    from tricklog.ingest.metrics import measure

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
