"""Figures as tables on a screen, as JSON and as rows of a file: ``tricklog stats``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import polars as pl
from duckdb import DuckDBPyConnection
from rich.console import RenderableType
from rich.text import Text

from tricklog.ingest.cli.arguments import EVERYBODY, Sort
from tricklog.ingest.cli.conditions import Chosen
from tricklog.ingest.cli.figures import of_table, opened_facts, verdict_counts
from tricklog.ingest.cli.output import (
    UserError,
    console_for,
    err,
    is_stdout,
    out,
    own_command,
    print_json,
    put,
    remark,
    write_bytes,
    write_frame,
)
from tricklog.ingest.cli.text_table import boxed
from tricklog.ingest.facts import solved
from tricklog.ingest.metrics import (
    DIMENSION,
    METRIC,
    TOO_FEW,
    FigureError,
    Metric,
    OwnMetricError,
    UnsolvedError,
    dimension_named,
    dimensions_of,
    measure,
    metric_named,
)
from tricklog.ingest.metrics.figure_words import figure_text
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.looked_at import LookedAt, looked_at
from tricklog.ingest.metrics.model import PARTIAL, SOUND
from tricklog.ingest.metrics.page import definition
from tricklog.ingest.sql import run
from tricklog.ingest.store.absent import db_option
from tricklog.schemas.actions import bid_name
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted, noun

MAIN: Final = (
    *("hands", "made-rate", "margin-share", "aggression", "points-share", "pedros-lost"),
    *("cinching", "score-share", "win-rate", "valid-rate"),
)
"""What is shown when no metric is named."""
ROWS: Final = 20
"""Rows of a table, unless more are asked for."""


class Found(NamedTuple):
    """A figure with its rows, and how many more it has."""

    metric: Metric
    rows: pl.DataFrame
    more: int


class Measured(NamedTuple):
    """What was asked, and what is known of it."""

    metrics: Sequence[Metric]
    by: Sequence[str]
    filters: Filters
    minimum: int
    hands: dict[str, int]
    """How many hands the filters choose, by verdict."""
    found: Sequence[Found]
    solved: Sequence[LookedAt]
    unsolved: Sequence[str]
    """Why there are none of the figures about solved hands."""

    def write(self, form: str, output: str | None) -> None:
        """Write the figures as ``table``, ``json``, ``csv`` or ``parquet``, to a file if named."""
        left_out = left_out_text(self.metrics, self.filters, self.hands)
        said = (self._mixed(), left_out, *map(str, self.solved), *self.unsolved)
        says = "\n".join(filter(None, said))
        if form == "table":
            path = None if is_stdout(output) else Path(str(output))
            with path.open("w", encoding="utf-8") if path else nullcontext() as file:
                console = console_for(file) if file else out()
                for part in (*self._tables(), says):
                    console.print(part)
        elif form == "json":
            filters = self.filters
            told = {
                "filters": {
                    "where": dict(filters.chosen),
                    "since": filters.since,
                    "until": filters.until,
                    "every_verdict": filters.every_verdict,
                },
                "minimum": self.minimum,
                "hands": self.hands,
                "looked_at": self.solved,
                "figures": [
                    {"metric": definition(each.metric), "rows": each.rows.to_dicts()}
                    for each in self.found
                ],
            }
            write_bytes(msgspec.json.encode(told) + b"\n", output)
            remark(*self.unsolved)
        else:
            write_frame(self._frame(), form, output)
            err().print(says)

    def _mixed(self) -> str:
        """Say of figures by people that they are over all roles, in which decisions cost unlike."""
        metrics = [each.metric for each in self.found]
        mixed = [
            each for each in metrics if each.within in DIMENSION and each.within not in self.by
        ]
        if not mixed or not any(DIMENSION[name].players for name in self.by):
            return ""
        within = mixed[0].within
        titles, by = ", ".join(each.title for each in mixed), ",".join([*self.by, within])
        return (
            f"{titles}: over every {within} together, and one {within} costs more than another. "
            f"--by {by} sets like beside like; pages and reports compare so."
        )

    def _tables(self) -> Iterator[RenderableType]:
        if not self.by and self.found:
            rows = []
            for metric, frame, _ in self.found:
                text = "nothing to count"
                if frame.height:
                    text = figure_text(metric, frame.row(0, named=True))
                rows.append([metric.title, text, metric.unit])
            yield from (boxed(["figure", "value", "unit"], rows), "")
        for metric, frame, more in self.found if self.by else ():
            yield from figure_table(metric, self.by, frame)
            if more:
                yield f"and {counted(more, 'more row')}; --top {frame.height + more} shows all"
            yield ""

    def _frame(self) -> pl.DataFrame:
        whole = ("n", "hits", "games")
        columns = ["metric", *self.by, *whole, "value", "low", "high", "enough"]
        frames = [
            each.rows.with_columns(
                pl.lit(each.metric.name).alias("metric"),
                *(
                    pl.lit(None, pl.Int64).alias(name)
                    for name in whole
                    if name not in each.rows.columns
                ),
            ).select(columns)
            for each in self.found
        ]
        return pl.concat(frames) if frames else pl.DataFrame(schema=columns)


def measured(  # noqa: PLR0913 - most are named
    db: str,
    chosen: Chosen,
    names: Sequence[str],
    by: Sequence[str],
    *,
    is_table: bool,
    every_verdict: bool,
    minimum: int | None,
    sort: Sort | None,
    top: int | None,
) -> Measured:
    """Return figures by name, or else the main ones, grouped by dimensions.

    A table has its rows in order, and the first of them; other forms only where they are asked for.
    Raises ``UserError`` for a question without an answer.
    """
    asked = chosen.filters(every_verdict=every_verdict)
    metrics = _wanted(names, by, asked)
    found: list[Found] = []
    unsolved: list[str] = []
    with chosen.opened(db, asked) as (facts, filters):
        hands = verdict_counts(facts, filters)
        for metric in metrics:
            try:
                frame = measure(facts, metric.name, by, filters, minimum or TOO_FEW)
            except UnsolvedError as error:
                unsolved.append(str(error))
                continue
            except OwnMetricError:
                raise
            except FigureError as error:
                raise FigureError(f"{metric.name}: {error}") from error
            if minimum:
                # Whoever names a minimum means it, however few the games are.
                frame = frame.with_columns(enough=pl.col("n") >= minimum)
            rows = frame
            if by and (is_table or sort or top):
                most = top or (ROWS if is_table else frame.height)
                order = sort or usual_order(by, frame.height, most)
                rows = in_order(frame, order).head(most)
            found.append(Found(metric, rows, frame.height - rows.height))
        solved = looked_at(facts, [each.metric for each in found], filters)
    return Measured(metrics, by, filters, minimum or TOO_FEW, hands, found, solved, unsolved)


def _wanted(names: Sequence[str], by: Sequence[str], filters: Filters) -> list[Metric]:
    """Return the metrics by name or, without one, those main ones that have the dimensions."""
    try:
        if names:
            return [metric_named(each) for each in names]
        asked = {dimension_named(name).name for name in (*by, *dict(filters.chosen))}
    except FigureError as error:
        raise UserError(str(error), "tricklog stats --list says what each is.") from error
    main = [METRIC[name] for name in MAIN]
    found = [each for each in main if asked <= {own.name for own in dimensions_of(each)}]
    if not found:
        raise UserError(
            f"none of the main figures has the dimensions {', '.join(sorted(asked))}",
            "Name a metric; tricklog stats --list says which there are.",
        )
    return found


def figure_table(metric: Metric, by: Sequence[str], frame: pl.DataFrame) -> list[RenderableType]:
    """Return a metric grouped by dimensions: its heading and one row for each of its values."""

    def said(dimension: str, value: Any) -> str:  # noqa: ANN401 - of any dimension
        if dimension == "bid":
            return bid_name(value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value.isoformat() if isinstance(value, date) else one_line(str(value))

    rows = [
        [*(said(name, row[name]) for name in by), figure_text(metric, row)]
        for row in frame.iter_rows(named=True)
    ]
    heads = [*(DIMENSION[name].title for name in by), metric.unit]
    table = boxed(heads, rows) if rows else "nothing to count"
    return [Text(metric.title, "bold"), Text(metric.sentence, "dim"), table]


def in_order(frame: pl.DataFrame, sort: Sort) -> pl.DataFrame:
    """Return the rows of a grouped figure in an order; those with too few cases come last."""
    if sort == "name":
        return frame
    mean = (pl.col("value") * pl.col("n")).sum() / pl.col("n").sum()
    sure = (pl.col("value") - mean).abs() / (pl.col("high") - pl.col("low"))
    keys = {
        "figure": [pl.col("value")],
        "cases": [pl.col("n")],
        # Where games are too few for an interval, cases say how much a figure is worth.
        "sure": [sure, pl.col("n")],
    }
    known = (key.fill_nan(None) for key in keys[sort])
    return frame.sort(
        pl.col("enough"), *known, descending=True, nulls_last=True, maintain_order=True
    )


def usual_order(by: Sequence[str], rows: int, top: int) -> Sort:
    """Return how rows come unless somebody says: by the dimension where its values have an order.

    Else by the figure; of more rows than are shown, those that differ most surely come first.
    """
    if all(DIMENSION[name].ordered for name in by):
        return "name"
    return "figure" if rows <= top else "sure"


def left_out_text(metrics: Sequence[Metric], filters: Filters, counts: dict[str, int]) -> str:
    """Return which hands figures are made of and which are left out, in one sentence."""

    def listed(counts: dict[str, int]) -> str:
        return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"

    chosen = filters.values("verdict")
    whole = counted(sum(counts.values()), "hand")
    if filters.every_verdict and not chosen:
        return f"Made of {whole}, whatever the verdict: {listed(counts)}."
    used = {name: counts.get(name, 0) for name in chosen or (SOUND,)}
    left = {name: count for name, count in counts.items() if name not in used}
    totals = [each.title for each in metrics if each.from_totals]
    gaps = ""
    if totals and not chosen and (count := left.get(PARTIAL, 0)):
        which = "" if len(totals) == len(metrics) else f": {', '.join(totals)}"
        gaps = f" Records with gaps, {count:,} here, count where they know enough{which}."
        if not which:
            left.pop(PARTIAL)
    hands = noun(sum(used.values()), "hand")
    says = f"Made of {listed(used)} {hands}; left out: {listed(left)}.{gaps}"
    every = [each.title for each in metrics if each.every_verdict]
    return f"{says} Made of all {whole}: {', '.join(every)}." if every and left else says


# --- The summary

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
    with opened_facts(db, whose) as facts:
        counts = ", ".join(
            f"(SELECT count(*) FROM games.{table}) AS {table}"  # noqa: S608 - names of our own
            for table in ("hands", "games", "players", "findings", "rejects")
        )
        totals = run(facts, f"SELECT {counts}", {}).row(0, named=True)
        known, against = solved.counts(facts), solved.par_counts(facts)
        if json:
            figures = [
                {"metric": name, "by": by, "rows": _rows(facts, name, by).to_dicts()}
                for name, by in SHOWN
            ]
            print_json({"overview": totals, "solved": known, "par": against, "figures": figures})
            return
        hands, games, players = (
            counted(totals[f"{each}s"], each) for each in ("hand", "game", "player")
        )
        put(f"{hands} in {games} of {players}")
        put(*([str(known)] if known.left < known.hands else []))
        put(*([str(against)] if against.is_any else []))
        print_tables(facts, SHOWN, db, whose=whose)


def print_tables(
    facts: DuckDBPyConnection,
    shown: Sequence[tuple[str, str]],
    db: str,
    most: int = MOST_ROWS,
    whose: str = EVERYBODY,
) -> None:
    """Print what the figures are made of, and of each figure a table of ``most`` rows at most.

    The rows are those with the most cases, where these are enough, in their usual order. Below the
    table stands how many rows are left out, and the command that shows them all.
    """
    put(left_out_text([], EVERYTHING, verdict_counts(facts, EVERYTHING)))
    for name, dimension in shown:
        frame = _rows(facts, name, dimension)
        tables = frame.select("variant", "seating").unique()
        # One variant may have been played at tables of different kinds.
        differ = tables.height > tables["variant"].n_unique()
        by = ["variant", *(["seating"] if differ else []), dimension]
        enough = frame.filter("enough")
        first = enough.with_row_index().sort("n", "index", descending=[True, False]).head(most)
        put("", *figure_table(metric_named(name), by, first.sort("index")))
        further, few = enough.height - first.height, frame.height - enough.height
        left_out = [f"{counted(further, 'row')} with fewer cases"] if further else []
        left_out += [f"{counted(few, 'row')} with too few hands"] if few else []
        if left_out:
            put(f"Not shown: {' and '.join(left_out)}.")
            told = f"--by {','.join(by)} --top {frame.height} {db_option(db)}{of_table(whose)}"
            command = f"{own_command()} stats {name} {told}"
            out().print(Text(f"  {command}", "dim"), soft_wrap=True)


def _rows(facts: DuckDBPyConnection, name: str, dimension: str) -> pl.DataFrame:
    return measure(facts, name, ["variant", "seating", dimension])
