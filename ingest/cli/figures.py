"""Figures of the metrics as tables on a screen, with the hands they leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date
from typing import Any, Final

import polars as pl
from duckdb import DuckDBPyConnection
from rich.console import RenderableType
from rich.text import Text

from tricklog.ingest.cli import figures
from tricklog.ingest.cli.arguments import EVERYBODY, Sort
from tricklog.ingest.cli.failure_state import explained_failures, need_warehouse
from tricklog.ingest.cli.output import UserError, guess, out, own_command, print_json, remark
from tricklog.ingest.cli.progress import DerivingNote, ProgressLine
from tricklog.ingest.cli.text_table import boxed
from tricklog.ingest.facts import par, solved
from tricklog.ingest.facts.aliased import merged, set_aside
from tricklog.ingest.metrics import (
    DIMENSION,
    METRIC,
    FigureError,
    Metric,
    dimensions_of,
    measure,
    metric_named,
)
from tricklog.ingest.metrics.figure_words import figure_text
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.model import PARTIAL, SOUND
from tricklog.ingest.store import userdata
from tricklog.ingest.store.aliases import SetAside, aliases, set_aside_in
from tricklog.ingest.store.scopes import PEOPLE
from tricklog.ingest.warehouses import open_facts, open_snapshot, warehouse_at
from tricklog.schemas.actions import bid_name
from tricklog.schemas.printable import one_line
from tricklog.schemas.words import counted, noun

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
    need_warehouse(db)
    with explained_failures(db):
        with ProgressLine("Figures") as line, DerivingNote() as note:
            facts = open_facts(db, line.report if line.is_shown else note.report)
        if whose != EVERYBODY:
            facts = _within(facts, db, whose)
        remark(*(set_aside_text(SetAside(*each)) for each in set_aside(facts)))
        try:
            with facts:
                yield facts
        except FigureError as error:
            raise UserError(str(error), "tricklog stats --list names what there is.") from error


def set_aside_by(db: str) -> list[SetAside]:
    """Return the aliases that do not hold in a warehouse, as both ids sat at one table."""
    try:
        known = aliases(warehouse_at(db).user_folder())
    except userdata.UserDataError as error:
        remark(str(error))
        return []
    if not known:
        return []
    with open_snapshot(db) as tables:
        return set_aside_in(tables, known)


def set_aside_text(found: SetAside) -> str:
    """Return what an alias that does not hold means, and what to do."""
    return f"{found.sentence} tricklog mark alias remove {found.player} takes the alias away."


def known_players(facts: DuckDBPyConnection, filters: Filters) -> Filters:
    """Return filters in which an id that stands for another player is that of the player."""
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
    heads = [DIMENSION[name].title for name in by]
    rows = [
        [*(_cell_text(name, row[name]) for name in by), figure_text(metric, row)]
        for row in frame.iter_rows(named=True)
    ]
    table = boxed([*heads, metric.unit], rows) if rows else "nothing to count"
    return [Text(metric.title, "bold"), Text(metric.sentence, "dim"), table, ""]


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


def totals_table(rows: Sequence[tuple[Metric, pl.DataFrame]]) -> RenderableType:
    """Return metrics that are not grouped, one row each."""
    return boxed(
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


def _cell_text(dimension: str, value: Any) -> str:  # noqa: ANN401 - of any dimension
    """Return the value of a dimension for a screen."""
    if dimension == "bid":
        return bid_name(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else one_line(str(value))


# --- Hands left out


def verdict_counts(facts: DuckDBPyConnection, filters: Filters) -> dict[str, int]:
    """Return how many hands of each verdict filters choose; only what all hands have counts."""
    known = {each.name for each in dimensions_of(METRIC["verdicts"])} - {"verdict"}
    for name, _ in filters.chosen:
        if name not in known:
            filters = filters.also(name)
    frame = measure(facts, "verdicts", ["verdict"], filters)
    return dict(frame.select("verdict", "n").iter_rows())


def left_out_text(metrics: Sequence[Metric], filters: Filters, counts: dict[str, int]) -> str:
    """Return which hands figures are made of and which are left out, in one sentence."""
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
    with figures.opened_facts(db, whose) as facts:
        if json:
            print_json(_as_json(facts))
        else:
            out().print(totals_text(facts))
            if (known := solved.counts(facts)).left < known.hands:
                out().print(str(known))
            if (against := par.counts(facts)).is_any:
                out().print(str(against))
            print_tables(facts, SHOWN, db, whose=whose)


def _as_json(facts: DuckDBPyConnection) -> dict[str, Any]:
    return {
        "overview": _totals(facts),
        "solved": asdict(solved.counts(facts)),
        "par": asdict(par.counts(facts)),
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
