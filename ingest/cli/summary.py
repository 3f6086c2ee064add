"""``tricklog summary``: what a warehouse says, in a few tables."""

from __future__ import annotations

import math
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from ingest.cli.load import DEFAULT_DB, Warehouse
from ingest.cli.output import CLEAN, Flag, UserError, out, print_json

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from rich.console import RenderableType

    from ingest.metrics import Metric

EXAMPLES = """\
  tricklog summary --db club
  tricklog summary --db club --metric bid-accuracy-by-player
  tricklog summary --db club --json > summary.json"""

SHOWN: Final = (
    "bid-accuracy-by-bid",
    "bid-accuracy-by-player",
    "point-capture-by-card",
    "scores-by-variant",
)
"""What is shown when no metric is named."""
_INTERVALS: Final = {"low", "high", "makers_low", "makers_high"}
_HIDDEN: Final = {"title", "bid", "scored_in", "mean_need", "makers_share"} | _INTERVALS
_SHARES: Final = {"share"}
_HEADS: Final = {"bid_name": "bid"}


def summary(
    *,
    db: Warehouse = DEFAULT_DB,
    metric: Annotated[tuple[str, ...], Parameter(negative=(), consume_multiple=False)] = (),
    json: Flag = False,
) -> int:
    """Print figures of a warehouse.

    Bid accuracy, point capture and scores by variant, unless you name others. Every share comes
    with the number of cases n and the 95 % interval. Only valid hands count.

    Args:
        db: The folder of the warehouse.
        metric: Which figures, by name; may be given several times. docs/metrics.md lists them.
        json: One JSON object with the totals and every row of the figures.
    """
    from ingest import warehouse
    from ingest.metrics import METRICS

    known = {each.name: each for each in METRICS}
    names = metric or SHOWN
    for name in names:
        if name not in known:
            raise UserError(f"there is no metric {name!r}", f"Known are {', '.join(known)}.")
    try:
        with warehouse.open_snapshot(db) as connection:
            if json:
                print_json(_as_json(connection, names))
            else:
                for part in tables(connection, [known[name] for name in names]):
                    out().print(part)
    except warehouse.WarehouseError as error:
        raise UserError(str(error)) from error
    return CLEAN


def _as_json(connection: DuckDBPyConnection, names: tuple[str, ...]) -> dict[str, Any]:
    from ingest.listings import overview
    from ingest.metrics import measure

    return {
        "overview": overview(connection).row(0, named=True),
        "metrics": {name: measure(connection, name).to_dicts() for name in names},
    }


def tables(connection: DuckDBPyConnection, metrics: list[Metric]) -> list[RenderableType]:
    """Return the totals and one table for each metric."""
    from rich.text import Text

    from ingest.listings import overview
    from ingest.metrics import measure

    totals = overview(connection).row(0, named=True)
    parts: list[RenderableType] = [
        Text(
            f"{totals['hands']:,} hands in {totals['games']:,} games of {totals['players']:,} "
            f"players; figures are made of the {totals['analysed']:,} valid hands"
        )
    ]
    for metric in metrics:
        rows = measure(connection, metric.name).to_dicts()
        parts += ["", Text(metric.title, "bold"), Text(metric.sentence, "dim"), _table(rows)]
    return parts


def _table(rows: list[dict[str, Any]]) -> RenderableType:
    from rich import box
    from rich.table import Table

    from schemas.show import clean

    if not rows:
        return "nothing to count yet"
    hidden = _HIDDEN if _sits_differently(rows) else _HIDDEN | {"seating"}
    shown = [name for name in rows[0] if name not in hidden]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in shown:
        number = isinstance(rows[0][name], int | float) or name in _SHARES
        table.add_column(
            _HEADS.get(name, name).replace("_", " "), justify="right" if number else "left"
        )
    for row in rows:
        table.add_row(*(clean(_cell(row, name)) for name in shown))
    return table


def _sits_differently(rows: list[dict[str, Any]]) -> bool:
    """Whether one variant was played at tables of different kinds."""
    seatings = {(row["variant"], row.get("seating")) for row in rows}
    return len(seatings) > len({row["variant"] for row in rows})


def _cell(row: dict[str, Any], name: str) -> str:
    from ingest.metrics import TOO_FEW

    value = row[name]
    if name in _SHARES:
        if (row.get("n") or 0) < TOO_FEW:
            return "too few hands"
        return f"{value:.0%} ({row['low']:.0%} to {row['high']:.0%})"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:.2f}"
    return value.isoformat() if isinstance(value, date) else str(value)
