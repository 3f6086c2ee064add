"""What loads into a lake cost by size and by cores: measured, and computed for larger ones."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from benchmarks.hands import write_log
from benchmarks.harness import Budget
from benchmarks.lake import Load, bytes_of, load_apart, logs_of, table
from benchmarks.loading import budget_table
from tricklog.ingest.lake.engines import Here
from tricklog.ingest.lake.load import PORTION, STAGING, load
from tricklog.ingest.lake.settling import settle_ids
from tricklog.ingest.lake.storage import storage_of
from tricklog.ingest.lake.storing import store_games

A = TypeVar("A")
R = TypeVar("R")
LARGE: Final = 3_000_000
"""Hands from which on a load is measured with two processes only."""
CHART: Final = Path(__file__).with_name("lake.svg")
COMPUTED: Final = (10**8, 10**9, 10**10)
"""Hands for which the costs are computed from those of the largest load measured."""
CORES: Final = (2, 16, 128)
MEMORY: Final = 1024
"""MiB that a task may take."""
FEW: Final = 10_000
"""Hands of the load that says what it takes to look up ids among those stored."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What the largest load that was measured says of larger ones."""

    largest: Load
    logs: int
    set_aside: int
    tables: int
    """Bytes of that load: of its logs, on the store between its steps, and of its tables."""
    lookup: float
    """Processor time in seconds that each load takes for each hand that is stored already."""

    def core_seconds(self, hands: float) -> float:
        """Return the processor time of a load, all of whose portions cost a hand the same.

        To that comes what grows with the square of it: each portion looks up its ids among those
        that the portions before it have stored.
        """
        portion = PORTION * self.largest.accepted / self.logs
        before = hands * max(0.0, hands / portion - 1) / 2
        return self.largest.processor * hands / self.largest.accepted + self.lookup * before

    def hours(self, hands: float, cores: int) -> float:
        """Return how long that takes when all but what cannot be shared is shared by all cores."""
        alone = self.largest.alone * hands / self.largest.accepted
        return (alone + (self.core_seconds(hands) - alone) / cores) / 3600

    def lines(self) -> list[str]:
        """Return costs of large loads as Markdown."""
        largest = self.largest
        whole, alone = (
            each / largest.accepted * 1e6 for each in (largest.processor, largest.alone)
        )
        sizes = {"logs": self.logs, "set aside": self.set_aside, "tables": self.tables}
        columns = ["core hours", *(f"hours on {cores} cores" for cores in CORES), *sizes]
        rows = [f"| hands | {' | '.join(columns)} |", "|---" * (1 + len(columns)) + "|"]
        for hands in COMPUTED:
            row = [f"{self.core_seconds(hands) / 3600:,.0f}"]
            row += [f"{self.hours(hands, cores):,.1f}" for cores in CORES]
            row += [f"{size * hands / largest.accepted / 1e9:,.0f} GB" for size in sizes.values()]
            rows.append(f"| {hands:,} | {' | '.join(row)} |")
        return [
            (
                f"Computed from the largest load above: {whole:.0f} us a hand, of which "
                f"{alone:.2f} us in the process that gives out the tasks, which cannot be shared. "
                f"Each portion of {PORTION >> 30} GiB of logs also looks up its ids among those "
                f"stored, which takes {self.lookup * 1e6:.2f} us for each of these. What is set "
                "aside is on the store until its portion is published, so at any time that of one."
            ),
            "",
            *rows,
        ]


def grow(sizes: list[int]) -> list[str]:
    """Load logs of several sizes into lakes, with one process and with two; compute larger ones."""
    taken: dict[str, list[Load]] = {}
    found: list[Load] = []
    for hands in sorted(sizes):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            logs = logs_of(folder, hands, sound=hands >= LARGE)
            # The largest is long enough to be measured once.
            for processes in (1, 2) if hands < LARGE else (2,):
                lake = f"lake:{folder / str(processes)}"
                found.append(load_apart(lake, f"processes={processes}", logs))
                taken[f"{hands:,} hands, {processes} processes"] = found[-1:]
                print(hands, processes, found[-1], flush=True)
            costs = Costs(
                found[-1],
                sum(Path(log).stat().st_size for log in logs),
                _set_aside(folder, logs),
                bytes_of(lake),
                _lookup(folder, lake) / found[-1].accepted,
            )
    draw(found, costs)
    return [
        "",
        *table(taken),
        "",
        *budget_table(
            [Budget("largest process of a load", max(each.peak for each in found), MEMORY, "MiB")]
        ),
        "",
        *costs.lines(),
        "",
        f"![Hours of a load by hands and cores, measured and computed]({CHART.name})",
    ]


def draw(found: list[Load], costs: Costs) -> None:
    """Draw hours by hands: points measured on one core and on two, lines computed."""
    import altair as alt
    import polars as pl

    computed = pl.DataFrame(
        [
            {"hands": hands, "hours": costs.hours(hands, cores), "cores": f"{cores} cores"}
            for hands in (10**power for power in range(4, 11))
            for cores in CORES
        ]
    )
    measured = pl.DataFrame([{"hands": each.accepted, "hours": each.wall / 3600} for each in found])
    hands = alt.X("hands:Q", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s"))
    hours = alt.Y("hours:Q", scale=alt.Scale(type="log"))
    lines = alt.Chart(computed).mark_line(strokeDash=[4, 3])
    points = alt.Chart(measured).mark_point(filled=True, color="black")
    chart = lines.encode(hands, hours, alt.Color("cores:N", title="computed")) + points.encode(
        hands, hours
    )
    chart.properties(
        width=480, height=300, title="Dots: measured with one process and two. Lines: computed."
    ).save(CHART)


class _UntilStored(Here):
    """Does the tasks of a load until hands are to be stored."""

    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        if work is store_games:
            raise OSError("enough is known")
        yield from super().map(work, items, memory=memory)


def _set_aside(folder: Path, logs: list[str]) -> int:
    """Return how many bytes a load has set aside when it begins to store."""
    storage = storage_of(f"lake:{folder / 'aside'}")
    with suppress(OSError):
        load(logs, storage, _UntilStored())
    return sum(entry.size for entry in storage.list(STAGING))


class _Looking(Here):
    """Does the tasks of a load, and says how long looking up ids took."""

    seconds = 0.0

    def map(self, work: Callable[[A], R], items: Iterable[A], *, memory: int = 0) -> Iterator[R]:
        began = time.process_time()
        for result in super().map(work, items, memory=memory):
            if work is settle_ids:
                self.seconds += time.process_time() - began
            yield result
            began = time.process_time()


def _lookup(folder: Path, lake: str) -> float:
    """Return how much longer ids are looked up in a lake than in one that holds next to nothing."""
    few = folder / "few.jsonl"
    write_log(few, "pedro", FEW)
    # Ids that the lake has would be compared hand by hand.
    few.write_bytes(few.read_bytes().replace(b'"pedro-', b'"few-'))
    seconds = []
    for place in (f"lake:{folder / 'few'}", f"lake:{folder / 'none'}", lake):
        looking = _Looking()
        load([few], storage_of(place), looking)
        seconds.append(looking.seconds)
    # The first one also reads in what all need.
    return seconds[2] - seconds[1]
