"""Loading logs: time against other readers of the same file, memory, storage, and how they grow."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks import harness
from benchmarks.hands import MIXED, kept_log
from benchmarks.harness import Budget, Measured, Run, figure

VARIANTS: Final = ("pedro", MIXED)
CHART: Final = Path(__file__).with_name("growth.svg")
FLAT: Final = 1.1
"""Memory is flat when ten times the hands take no more than this times the memory."""

Timed = Callable[[], Mapping[str, float]]


def load(log: str, hands: int, *, facts: bool = True) -> Timed:
    """Load a log into a new warehouse: every check, every table, published; with facts or not."""
    from tricklog import ingest

    def timed() -> Mapping[str, float]:
        with tempfile.TemporaryDirectory() as folder:
            report = ingest.load(log, db=folder, facts=facts)
            if report.accepted != hands or report.snapshot is None or report.exit_status:
                raise AssertionError(f"the log should load without a fault: {report}")
            files = Path(folder).glob("*.duckdb")
            return {"hands": hands, "bytes": sum(file.stat().st_size for file in files)}

    return timed


def polars_read(log: str, hands: int) -> Timed:
    """Only parse the log, with Polars."""
    import polars as pl

    def timed() -> Mapping[str, float]:
        frame = pl.read_ndjson(log)
        if frame.height != hands:
            raise AssertionError(f"{frame.height} rows of {hands}")
        return {"hands": hands}

    return timed


def duckdb_read(log: str, hands: int) -> Timed:
    """Only parse the log into a table in memory, with DuckDB."""
    import duckdb

    def timed() -> Mapping[str, float]:
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE hands AS FROM read_json(?)", [log])
            (rows,) = connection.execute("SELECT count(*) FROM hands").fetchall()[0]
        if rows != hands:
            raise AssertionError(f"{rows} rows of {hands}")
        return {"hands": hands}

    return timed


def runs_of(log: Path, hands: int) -> list[Run]:
    """Return the readers to compare over one log."""
    arguments = {"log": str(log), "hands": hands}
    return [
        Run("tricklog load", "benchmarks.loading:load", arguments | {"facts": False}),
        Run("tricklog load with facts", "benchmarks.loading:load", arguments),
        Run("polars.read_ndjson", "benchmarks.loading:polars_read", arguments),
        Run("duckdb read_json", "benchmarks.loading:duckdb_read", arguments),
    ]


def compare(hands: int, rounds: int) -> list[str]:
    """Measure loading against bare readers, over a Pedro log and one of all systems."""
    lines: list[str] = []
    budgets: list[Budget] = []
    for variant in VARIANTS:
        log = kept_log(variant, hands)
        size = log.stat().st_size / hands
        found = harness.measure(runs_of(log, hands), rounds)
        lines += ["", f"{variant}: {hands:,} hands of {size:.0f} bytes, {rounds} rounds", ""]
        lines += table(found)
        budgets += _budgets(variant, found)
    return [*lines, "", *budget_table(budgets)]


def table(found: Sequence[Measured]) -> list[str]:
    """Return what was measured as a Markdown table."""
    rows = [
        f"| {each.run.name} | {each.seconds:.3g} s | {each.spread} | "
        f"{each.rate('hands'):,.0f} | {each.peak_mb:,.0f} MiB |"
        for each in found
    ]
    return ["| run | median | spread | hands/s | peak |", "|---|---|---|---|---|", *rows]


def budget_table(budgets: Sequence[Budget]) -> list[str]:
    """Return budgets as a Markdown table."""
    head = ["| what | measured | budget | |", "|---|---|---|---|"]
    return [*head, *(str(budget) for budget in budgets)]


def _budgets(variant: str, found: Sequence[Measured]) -> list[Budget]:
    ours, whole, polars, duckdb = found
    alone, with_facts = (0.85, 3.0) if variant == MIXED else (0.75, 2.5)
    stored = whole.number("bytes") / whole.number("hands")
    return [
        Budget(f"{variant}: load / bare Polars", ours.seconds / polars.seconds, alone),
        Budget(
            f"{variant}: load with facts / bare Polars", whole.seconds / polars.seconds, with_facts
        ),
        Budget(f"{variant}: load / bare DuckDB", ours.seconds / duckdb.seconds, 2.2),
        Budget(f"{variant}: storage with facts", stored, 400, "bytes a hand"),
    ]


def grow(sizes: Sequence[int], rounds: int, variant: str) -> list[str]:
    """Measure loads of growing logs: time a hand, peak memory, storage; draw them."""
    found: list[Measured] = []
    for hands in sorted(sizes):
        arguments = {"log": str(kept_log(variant, hands)), "hands": hands}
        run = Run(f"{hands:,} hands", "benchmarks.loading:load", arguments)
        found += harness.measure([run], rounds)
    rows = [
        f"| {each.run.name} | {each.seconds:.3g} s | {each.spread} | "
        f"{1e6 * each.seconds / each.number('hands'):,.3g} µs | {each.peak_mb:,.0f} MiB | "
        f"{each.number('bytes') / each.number('hands'):.0f} |"
        for each in found
    ]
    largest = found[-1]
    budgets = [
        Budget("peak memory of the largest load", largest.peak_mb / 1024, 1.2, "GiB"),
        Budget("storage", largest.number("bytes") / largest.number("hands"), 400, "bytes a hand"),
    ]
    if len(found) > 1:
        times = figure(largest.number("hands") / found[-2].number("hands"))
        what = f"peak memory with {times} times the hands"
        budgets.insert(0, Budget(what, largest.peak_mb / found[-2].peak_mb, FLAT, "x"))
    draw(found, CHART)
    return [
        "",
        f"Loads of {variant} logs, {rounds} rounds.",
        "",
        "| log | median | spread | a hand | peak | bytes a hand |",
        "|---|---|---|---|---|---|",
        *rows,
        "",
        *budget_table(budgets),
        "",
        f"![Time a hand and peak memory by the size of the log]({CHART.name})",
    ]


def draw(found: Sequence[Measured], path: Path) -> None:
    """Draw time a hand and peak memory over the number of hands."""
    import altair as alt
    import polars as pl

    data = pl.DataFrame(
        {
            "hands": [each.number("hands") for each in found],
            "µs a hand": [1e6 * each.seconds / each.number("hands") for each in found],
            "peak MiB": [each.peak_mb for each in found],
        }
    )
    base = alt.Chart(data, width=320, height=220).mark_line(point=True)
    hands = alt.X("hands:Q", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    panels = [base.encode(hands, alt.Y(f"{name}:Q")) for name in ("µs a hand", "peak MiB")]
    alt.hconcat(*panels).save(path)
