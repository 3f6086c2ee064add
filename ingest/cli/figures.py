"""Figures of the metrics as tables on a screen, with the hands they leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from tricklog.ingest.cli.arguments import EVERYBODY
from tricklog.ingest.cli.output import UserError, guess, own_command
from tricklog.schemas.words import counted, noun

if TYPE_CHECKING:
    import polars as pl
    from duckdb import DuckDBPyConnection
    from rich.console import RenderableType

    from tricklog.ingest.cli.arguments import Sort
    from tricklog.ingest.metrics import Metric
    from tricklog.ingest.metrics.filters import Filters

OURS: Final = "ours"
_WHOSE: Final = (EVERYBODY, "people", OURS)


@contextmanager
def opened_facts(db: str, whose: str = EVERYBODY) -> Iterator[DuckDBPyConnection]:
    """Open the facts of a warehouse, with a line that says how far their making is.

    Where no terminal shows that line, what takes long is said when it begins and when it is done.
    ``whose`` hands count: those of ``everybody``, of ``people`` without bots and samples,
    of the table chosen in the dashboard (``ours``), or of one that an address of it names.

    Raises ``UserError`` for a warehouse that cannot be used and a question without an answer.
    """
    from tricklog.ingest.cli.failure_state import explained_failures, need_warehouse

    need_warehouse(db)
    from tricklog.ingest.cli.progress import DerivingNote, ProgressLine
    from tricklog.ingest.metrics import FigureError
    from tricklog.ingest.warehouses import open_facts

    with explained_failures(db):
        with ProgressLine("Figures") as line, DerivingNote() as note:
            facts = open_facts(db, line.report if line.is_shown else note.report)
        if whose != EVERYBODY:
            facts = _within(facts, db, whose)
        _tell_set_aside(facts)
        try:
            with facts:
                yield facts
        except FigureError as error:
            raise UserError(str(error), "tricklog stats --list names what there is.") from error


def _tell_set_aside(facts: DuckDBPyConnection) -> None:
    """Say which ids are not counted as one player any more."""
    from tricklog.ingest.cli.merged import tell_set_aside
    from tricklog.ingest.facts.aliased import set_aside
    from tricklog.ingest.store.aliases import SetAside

    tell_set_aside(SetAside(*each) for each in set_aside(facts))


def known_players(facts: DuckDBPyConnection, filters: Filters) -> Filters:
    """Return filters in which an id that stands for another player is that of the player."""
    from tricklog.ingest.facts.aliased import merged
    from tricklog.ingest.metrics import DIMENSION

    known = merged(facts)
    for name, values in filters.chosen:
        if known and name in DIMENSION and DIMENSION[name].players:
            filters = filters.also(name, *(known.get(each, each) for each in values))
    return filters


def of_table(whose: str) -> str:
    """Return the option that a command needs for the same people, to be named in a hint."""
    return "" if whose == EVERYBODY else f" --whose {whose}"


def _within(facts: DuckDBPyConnection, db: str, whose: str) -> DuckDBPyConnection:
    """Return the facts of one table in the place of those of everybody."""
    from tricklog.ingest.metrics.filters import EVERYTHING
    from tricklog.ingest.store import userdata
    from tricklog.ingest.store.scopes import PEOPLE
    from tricklog.ingest.warehouses import warehouse_at

    warehouse = warehouse_at(db)
    with facts:
        try:
            known = userdata.scopes(warehouse.user_folder())
        except userdata.UserDataError as error:
            raise UserError(str(error), "Leave out --whose to count everybody.") from error
        scope = known.by_id.get(whose)
        if whose == "people":
            scope = PEOPLE
        elif whose == OURS:
            scope = known.chosen
            if scope is None:
                raise UserError(
                    f"no table is chosen in {db}, so that --whose ours says nothing",
                    f"Choose one: {own_command()} dashboard --db {db}, and on top of a page whose "
                    "hands count. Or give --whose people, which leaves out bots and samples.",
                )
        if scope is None:
            raise UserError(
                f"--whose {whose!r} names no table of {db}.",
                f"{guess(whose, _WHOSE)}Give everybody, people, ours, or what stands after whose= "
                "in an address of the dashboard.",
            )
        state = warehouse.current()
        assert state
        scoped = warehouse.scoped(state, scope)
    if not verdict_counts(scoped, EVERYTHING):
        scoped.close()
        raise UserError(
            f"--whose {whose} leaves no hand of {db}", "Leave out --whose to count everybody."
        )
    return scoped


def figure_table(metric: Metric, by: Sequence[str], frame: pl.DataFrame) -> list[RenderableType]:
    """Return a metric grouped by dimensions: its heading and one row for each of its values."""
    from rich.text import Text

    from tricklog.ingest.metrics import DIMENSION
    from tricklog.ingest.metrics.figure_words import figure_text

    heads = [DIMENSION[name].title for name in by]
    rows = [
        [*(_cell_text(name, row[name]) for name in by), figure_text(metric, row)]
        for row in frame.iter_rows(named=True)
    ]
    table = _table([*heads, metric.unit], rows) if rows else "nothing to count"
    return [Text(metric.title, "bold"), Text(metric.sentence, "dim"), table, ""]


def in_order(frame: pl.DataFrame, sort: Sort) -> pl.DataFrame:
    """Return the rows of a grouped figure in an order; those with too few cases come last."""
    import polars as pl

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
    from tricklog.ingest.metrics import DIMENSION

    if all(DIMENSION[name].ordered for name in by):
        return "name"
    return "figure" if rows <= top else "sure"


def totals_table(rows: Sequence[tuple[Metric, pl.DataFrame]]) -> RenderableType:
    """Return metrics that are not grouped, one row each."""
    from tricklog.ingest.metrics.figure_words import figure_text

    return _table(
        ["figure", "value", "unit"],
        [
            [
                metric.title,
                figure_text(metric, frame.row(0, named=True))
                if frame.height
                else "nothing to count",
                metric.unit,
            ]
            for metric, frame in rows
        ],
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> RenderableType:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def _cell_text(dimension: str, value: Any) -> str:  # noqa: ANN401 - of any dimension
    """Return the value of a dimension for a screen."""
    from tricklog.schemas.actions import bid_name
    from tricklog.schemas.printable import one_line

    if dimension == "bid":
        return bid_name(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else one_line(str(value))


# --- Hands left out


def verdict_counts(facts: DuckDBPyConnection, filters: Filters) -> dict[str, int]:
    """Return how many hands of each verdict filters choose; only what all hands have counts."""
    from tricklog.ingest.metrics import METRIC, dimensions_of, measure

    known = {each.name for each in dimensions_of(METRIC["verdicts"])} - {"verdict"}
    for name, _ in filters.chosen:
        if name not in known:
            filters = filters.also(name)
    frame = measure(facts, "verdicts", ["verdict"], filters)
    return dict(frame.select("verdict", "n").iter_rows())


def left_out_text(metrics: Sequence[Metric], filters: Filters, counts: dict[str, int]) -> str:
    """Return which hands figures are made of and which are left out, in one sentence."""
    from tricklog.ingest.metrics.model import PARTIAL, SOUND

    total = sum(counts.values())
    wanted = filters.values("verdict") or (SOUND,)
    if filters.every_verdict and not filters.values("verdict"):
        return f"Made of {counted(total, 'hand')}, whatever the verdict: {_listed(counts)}."
    used = {name: counts.get(name, 0) for name in wanted}
    left = {name: count for name, count in counts.items() if name not in wanted}
    totals = [each.title for each in metrics if each.from_totals]
    gaps = (
        "" if filters.values("verdict") else _with_gaps(totals, len(metrics), left.get(PARTIAL, 0))
    )
    if gaps and len(totals) == len(metrics):
        left.pop(PARTIAL)
    hands = noun(sum(used.values()), "hand")
    says = f"Made of {_listed(used)} {hands}; left out: {_listed(left)}.{gaps}"
    every = [each.title for each in metrics if each.every_verdict]
    if every and left:
        says += f" Made of all {counted(total, 'hand')}: {', '.join(every)}."
    return says


def _with_gaps(totals: Sequence[str], asked: int, count: int) -> str:
    """Return which figures count records with gaps as well; nothing where there are none."""
    if not totals or not count:
        return ""
    which = "" if len(totals) == asked else f": {', '.join(totals)}"
    return f" Records with gaps, {count:,} here, count where they know enough{which}."


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"
