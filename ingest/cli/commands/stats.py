"""``tricklog stats``: any figure, grouped and filtered, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from tricklog.ingest.cli.arguments import (
    DEFAULT_DB,
    AtLeastOne,
    Flag,
    MetricsFiles,
    Several,
    Sort,
    Warehouse,
    use_metrics,
)
from tricklog.ingest.cli.conditions import ALL, Chosen
from tricklog.ingest.cli.failure_state import need_warehouse
from tricklog.ingest.cli.output import (
    UserError,
    err,
    one_form,
    out,
    remark,
    write_bytes,
    write_frame,
)
from tricklog.schemas.words import counted

if TYPE_CHECKING:
    import polars as pl
    from duckdb import DuckDBPyConnection

    from tricklog.ingest.metrics import Metric
    from tricklog.ingest.metrics.filters import Filters

EXAMPLES = """\
  tricklog stats --list                            # what there is
  tricklog stats --db club                         # the main figures
  tricklog stats --summary --db club               # and those of each game
  tricklog stats made-rate --by player             # who makes their contracts
  tricklog stats overbid --by player --where variant=pedro
  tricklog stats set-rate --by player --where 'bid>=10' --where 'bid<=12'
  tricklog stats cards-lost --by card --where player=ann --where player=bo
  tricklog stats made-rate --by player --whose ours    # at your table
  tricklog stats made-rate --by player --output made.csv
  tricklog stats no-trick --by player --metrics ours.toml    # your own"""

MAIN: Final = (
    "hands",
    "made-rate",
    "margin-share",
    "aggression",
    "points-share",
    "pedros-lost",
    "cinching",
    "score-share",
    "win-rate",
    "valid-rate",
)
"""What is shown when no metric is named."""
ROWS: Final = 20
"""Rows of a table, unless more are asked for."""
Format = Literal["table", "csv", "json", "parquet"]


def stats(  # noqa: PLR0913 - each is an option of the command
    *metrics: str,
    by: Several = (),
    chosen: Chosen = ALL,
    all_verdicts: Flag = False,
    min: AtLeastOne = None,  # noqa: A002 - the name of the option
    sort: Sort | None = None,
    top: AtLeastOne = None,
    format: Format | None = None,  # noqa: A002 - the name of the option
    output: str | None = None,
    list: Flag = False,  # noqa: A002 - the name of the option
    summary: Flag = False,
    metrics_file: MetricsFiles = (),
    db: Warehouse = DEFAULT_DB,
    json: Flag = False,
) -> None:
    """Print figures, grouped and filtered as you like.

    Every figure comes with its 95 % interval and the number of cases n, and with the hands that it
    leaves out.

    Args:
        metrics: Which figures, by name; without one the main figures.
        by: A dimension to group the figures by; may be given several times.
        chosen: Which hands count.
        all_verdicts: Count irregular, doubtful, incomplete and rejected hands, too.
        min: Below so many cases it says too few hands; 30 unless said.
        sort: How the rows come: by the figure, the largest first; those first that differ most
            surely from the mean of all (sure); by cases, the most first; or by the dimension
            (name). Unless said, numbers and days by their own order, and others by the figure, or
            as sure where there are more rows than are shown.
        top: Show so many rows; 20 of a table unless said. As csv, json and parquet all, by the
            dimension, unless these two are given.
        format: As a table for people, or csv, json or parquet; without it as the name of the output
            ends.
        output: A file to write into.
        list: List all metrics and dimensions instead.
        summary: The main tables of each game instead: contracts made by bid and by player, point
            cards kept, the share of the score; of each the ten rows with the most cases, where
            these are enough. With --json every row, and the totals of the warehouse.
        metrics_file: A file with metrics of your own, TOML or Python; may be given several times.
        json: The same as --format json.
    """
    form = one_form(format, json=json) or _format_of(output)
    if not list:
        need_warehouse(db)
    use_metrics(metrics_file)
    if list:
        _listed(form)
        return
    from tricklog.ingest.cli import figures
    from tricklog.ingest.metrics import TOO_FEW
    from tricklog.ingest.metrics.looked_at import looked_at

    groups = tuple(dict.fromkeys(name for each in by for name in each.split(",")))
    if summary:
        named = (*metrics, *groups, output, all_verdicts, min, sort, top)
        _sum_up(db, chosen, form, is_alone=not any(named))
        return
    minimum = min or TOO_FEW
    asked = chosen.filters(every_verdict=all_verdicts)
    wanted = _wanted(metrics, groups, asked)
    with chosen.opened(db, asked) as (facts, filters):
        counts = figures.verdict_counts(facts, filters)
        found, unsolved = _measured_all(facts, wanted, groups, filters, minimum)
        if min:
            # Whoever names a minimum means it, however few the games are.
            found = [(each, _with_enough(frame, min)) for each, frame in found]
        rest = [0 for _ in found]
        if groups and (form == "table" or sort or top):
            most = top or (ROWS if form == "table" else None)
            found, rest = _first_rows(found, groups, sort, most)
        solved = looked_at(facts, [metric for metric, _ in found], filters)
    says = "\n".join((figures.left_out_text(wanted, filters, counts), *map(str, solved), *unsolved))
    if form == "table":
        _print_tables(groups, found, rest, says, output)
    elif form == "json":
        _write_json(found, filters, minimum, {"hands": counts, "looked_at": solved}, output)
        remark(*unsolved)
    else:
        _write_rows(form, groups, found, output)
        err().print(says)


def _sum_up(db: str, chosen: Chosen, form: Format, *, is_alone: bool) -> None:
    from tricklog.ingest.cli.figures import print_summary

    if not is_alone or form not in ("table", "json") or replace(chosen, whose=ALL.whose) != ALL:
        raise UserError(
            "--summary is of all hands, for people or as JSON",
            "With it there are --whose, --db and --json alone.",
        )
    print_summary(db, chosen.whose, json=form == "json")


def _listed(format_: Format) -> int:
    from tricklog.ingest.cli.lists import listed_figures

    if format_ not in ("table", "json"):
        raise UserError(f"the list is not written as {format_}", "Use --format table or json.")
    return listed_figures(json=format_ == "json")


def _format_of(output: str | None) -> Format:
    ending = Path(output).suffix if output else ""
    endings: dict[str, Format] = {".csv": "csv", ".json": "json", ".parquet": "parquet"}
    return endings.get(ending, "table")


# --- What is asked


def _wanted(names: Sequence[str], by: Sequence[str], filters: Filters) -> list[Metric]:
    """Return the metrics by name or, without one, those main ones that have the dimensions."""
    from tricklog.ingest.metrics import (
        METRIC,
        FigureError,
        dimension_named,
        dimensions_of,
        metric_named,
    )

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


def _measured_all(
    facts: DuckDBPyConnection,
    metrics: Sequence[Metric],
    by: Sequence[str],
    filters: Filters,
    minimum: int,
) -> tuple[list[tuple[Metric, pl.DataFrame]], list[str]]:
    """Return figures with their rows, and why there are none of those about solved hands."""
    from tricklog.ingest.metrics import UnsolvedError

    found: list[tuple[Metric, pl.DataFrame]] = []
    unsolved: list[str] = []
    for each in metrics:
        try:
            found.append((each, _measured(facts, each, by, filters, minimum)))
        except UnsolvedError as error:
            unsolved.append(str(error))
    return found, unsolved


def _with_enough(frame: pl.DataFrame, minimum: int) -> pl.DataFrame:
    import polars as pl

    return frame.with_columns(enough=pl.col("n") >= minimum)


def _measured(
    facts: DuckDBPyConnection, metric: Metric, by: Sequence[str], filters: Filters, minimum: int
) -> pl.DataFrame:
    from tricklog.ingest.metrics import FigureError, OwnMetricError, UnsolvedError, measure

    try:
        return measure(facts, metric.name, by, filters, minimum)
    except (UnsolvedError, OwnMetricError):
        raise
    except FigureError as error:
        raise FigureError(f"{metric.name}: {error}") from error


# --- What is answered


def _first_rows(
    found: Sequence[tuple[Metric, pl.DataFrame]],
    by: Sequence[str],
    sort: Sort | None,
    top: int | None,
) -> tuple[list[tuple[Metric, pl.DataFrame]], list[int]]:
    """Return figures with their rows in order, ``top`` of them, and how many more each has."""
    from tricklog.ingest.cli.figures import in_order, usual_order

    shown, rest = [], []
    for metric, frame in found:
        order = sort or usual_order(by, frame.height, top or frame.height)
        shown.append((metric, in_order(frame, order).head(top or frame.height)))
        rest.append(frame.height - shown[-1][1].height)
    return shown, rest


def _print_tables(
    by: Sequence[str],
    found: Sequence[tuple[Metric, pl.DataFrame]],
    rest: Sequence[int],
    says: str,
    output: str | None,
) -> None:
    from tricklog.ingest.cli.figures import figure_table, totals_table
    from tricklog.ingest.cli.output import console_for

    parts = [totals_table(found), ""] if found else []
    if by:
        parts = []
        for (metric, frame), more in zip(found, rest, strict=True):
            parts += figure_table(metric, by, frame)
            if more:
                told = f"and {counted(more, 'more row')}; --top {frame.height + more} shows all"
                parts[-1:] = [told, ""]
    with Path(output).open("w", encoding="utf-8") if output else nullcontext() as file:
        console = console_for(file) if file else out()
        for part in parts:
            console.print(part)
        console.print(says, soft_wrap=True)


def _write_json(
    found: Sequence[tuple[Metric, pl.DataFrame]],
    filters: Filters,
    minimum: int,
    counts: dict[str, object],
    output: str | None,
) -> None:
    import msgspec

    from tricklog.ingest.metrics.page import definition

    answer: dict[str, Any] = {
        "filters": {
            "where": dict(filters.chosen),
            "since": filters.since,
            "until": filters.until,
            "every_verdict": filters.every_verdict,
        },
        "minimum": minimum,
        **counts,
        "figures": [
            {"metric": definition(metric), "rows": frame.to_dicts()} for metric, frame in found
        ],
    }
    write_bytes(msgspec.json.encode(answer) + b"\n", output)


def _write_rows(
    format_: Format,
    by: Sequence[str],
    found: Sequence[tuple[Metric, pl.DataFrame]],
    output: str | None,
) -> None:
    import polars as pl

    whole = {"n": pl.Int64, "hits": pl.Int64, "games": pl.Int64}
    missing = [pl.lit(None, kind).alias(name) for name, kind in whole.items()]
    columns = ["metric", *by, *whole, "value", "low", "high", "enough"]
    frames = [
        frame.with_columns(
            pl.lit(metric.name).alias("metric"),
            *(each for each in missing if each.meta.output_name() not in frame.columns),
        ).select(columns)
        for metric, frame in found
    ]
    whole_frame = pl.concat(frames) if frames else pl.DataFrame(schema=columns)
    write_frame(whole_frame, format_, output)
