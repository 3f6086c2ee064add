"""Making the specification of a chart: straight with Altair, and from what it drew before."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from benchmarks.harness import Budget, figure
from benchmarks.loading import budget_table
from tricklog.dashboard.kit.charts import INTERVALS, Content, Structure
from tricklog.dashboard.pages.players.profile_chart import AGAINST_FIELD
from tricklog.dashboard.pages.players.profile_chart import Content as AgainstField

USES: Final = 100
"""How often a structure is filled in for one time, as the clock is too coarse for once."""

_NAMES: Final = [f"name {number}" for number in range(25)]
_CONTENT: Final = Content(
    height=700,
    category="player",
    measure="share",
    series="side",
    order=_NAMES,
    names=_NAMES[:2],
    days=[],
    ends=[],
    interval="95 % from",
)
_FIELD: Final = AgainstField(height=700, order=_NAMES[:9], names=_NAMES[:2], player=_NAMES[0])


class Made(NamedTuple):
    """A chart to make in two ways."""

    name: str
    straight: Callable[[], object]
    filled: Callable[[], object]


def make_each(rounds: int) -> list[str]:
    """Measure the processor time of making charts, both ways in turn in this process."""
    rows, ratios, times = [], [], []
    for made in _charts():
        made.filled()
        straight, filled = [], []
        for _ in range(rounds):
            straight.append(_milliseconds(made.straight, 1))
            filled.append(_milliseconds(made.filled, USES))
        before, after = statistics.median(straight), statistics.median(filled)
        rows.append(f"| {made.name} | {figure(before)} ms | {figure(after)} ms |")
        ratios.append(before / after)
        times.append(after)
    return [
        "",
        f"Processor time, medians of {rounds} rounds in one process.",
        "",
        "| chart | straight with Altair | filled in |",
        "|---|---|---|",
        *rows,
        "",
        *budget_table(
            [
                Budget("a chart filled in, the slowest kind", max(times), 1, "ms"),
                Budget("straight / filled in", min(ratios), 50, "x", at_least=True),
            ]
        ),
    ]


def _charts() -> list[Made]:
    intervals = {
        "players in rows": Structure(),
        "two sides over many days": Structure("x", coloured=True, in_time="%Y", many_days=True),
        "amounts in bars": Structure("x", percent=False, bars=True, coloured=True),
    }
    return [
        *(
            Made(
                name,
                lambda each=each: INTERVALS.draw(each, _CONTENT).to_dict(),  # type: ignore[misc]  # its default says its type
                lambda each=each: INTERVALS.spec(each, _CONTENT),  # type: ignore[misc]  # its default says its type
            )
            for name, each in intervals.items()
        ),
        Made(
            "a player against the field",
            lambda: AGAINST_FIELD.draw(None, _FIELD).to_dict(),
            lambda: AGAINST_FIELD.spec(None, _FIELD),
        ),
    ]


def _milliseconds(make: Callable[[], object], times: int) -> float:
    start = time.process_time()
    for _ in range(times):
        make()
    return 1e3 * (time.process_time() - start) / times
