"""Two beside each other, players or games: a chart in two colours, and a table of all figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import polars as pl
import streamlit as st

from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.page_parts import few_words, show_figures
from tricklog.dashboard.kit.tables import Cell, Link
from tricklog.ingest.metrics import Metric
from tricklog.ingest.metrics.figure_words import difference_text, figure_text, is_share
from tricklog.schemas.languages.messages import say, say_in
from tricklog.schemas.languages.numbers import number

MOST_DRAWN: Final = 8
_DRAWN: Final = {
    **dict.fromkeys(("label", "key", "series", "series_key"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
    "n": pl.Int64,
    "enough": pl.Boolean,
}


class Side(NamedTuple):
    """A figure of one of the two."""

    text: str
    n: int
    value: float | None = None
    """``None`` where it is not drawn, as it is no share."""
    low: float | None = None
    high: float | None = None
    address: str | None = None
    """That of the hands behind it."""


class Beside(NamedTuple):
    """A figure of both; without a ``difference`` there is too little of one of them."""

    label: str
    sides: tuple[Side, Side]
    difference: str
    """With its 99 % interval."""
    sure: bool
    """Whether it stands with all others compared."""
    size: float
    """How far the two are apart."""
    address: str | None = None
    """That of the hands behind both."""


def beside_of(
    metric: Metric,
    row: Mapping[str, Any],
    label: str,
    hands: tuple[str, str],
    address: str | None = None,
) -> Beside:
    """Return a figure of both from a row of ``tricklog.ingest.metrics.versus``.

    ``hands`` are the addresses of the hands behind either, ``address`` is that of both.
    """
    sides = []
    for begins, own in zip(("", "other_"), hands, strict=True):
        names = ("n", "games", "value", "low", "high", "enough")
        of = {name: row[f"{begins}{name}"] for name in names}
        side = Side(figure_text(metric, of, cases=False), of["n"], address=own)
        if is_share(metric):
            side = side._replace(value=of["value"], low=of["low"], high=of["high"])
        sides.append(side)
    difference = row["difference"]
    text = "" if difference is None else difference_text(metric, row)
    named, size = bool(row["named"]), abs(difference or 0.0)
    return Beside(label, (sides[0], sides[1]), text, named, size, address)


class TwoBeside(NamedTuple):
    """What two are compared by, as the chart and the table say it."""

    names: tuple[str, str]
    category: str
    """What each row is of: a figure, a player."""
    measure: str
    difference: str
    """What stands above the differences."""
    name: str
    """What the table is called aloud."""
    signed: bool = False
    """Whether values are above or below something."""
    mixed: bool = False
    """Whether each row is another figure."""

    def show(
        self,
        rows: Sequence[Beside],
        key: str,
        pick: Callable[[int, int], None] | None = None,
    ) -> None:
        """Draw those that are furthest apart, and list all with enough of both.

        A click on a point calls ``pick`` with the place of its row and which of the two it is of.
        """
        told = [row for row in rows if row.difference]
        drawn = [row for row in told if all(side.value is not None for side in row.sides)]
        drawn.sort(key=lambda row: (not row.sure, -row.size))
        if drawn:
            picked = self._chart(len(drawn)).show(self._frame(drawn[:MOST_DRAWN]), key)
            if picked and pick:
                pick(rows.index(drawn[int(picked["key"])]), int(picked["series_key"]))
        if left := len(rows) - len(told):
            st.caption(few_words(left))
        if told:
            one, other = self.names
            show_figures(
                [
                    *(self.category, one, other, self.difference),
                    *(say("with all of these compared"), say("n of both")),
                ],
                map(self._row, told),
                name=self.name,
            )

    def _chart(self, count: int) -> IntervalChart:
        measure = self.measure
        if count > MOST_DRAWN:
            measure = say(
                "{measure} · the {shown} furthest apart of {number}",
                measure=measure,
                shown=MOST_DRAWN,
                number=number(count),
            )
        return IntervalChart(
            title=say("{one} and {other}", one=self.names[0], other=self.names[1]),
            category=self.category,
            measure=measure,
            percent=True,
            series=say("who"),
            names=self.names,
            signed=self.signed,
            mixed=self.mixed,
        )

    def _frame(self, rows: Sequence[Beside]) -> pl.DataFrame:
        return pl.DataFrame(
            [
                {
                    "label": f"{row.label} ✓" if row.sure else row.label,
                    "key": str(place),
                    "series": self.names[which],
                    "series_key": str(which),
                    "value": side.value,
                    "low": side.low,
                    "high": side.high,
                    "n": side.n,
                    "enough": True,
                }
                for place, row in enumerate(rows)
                for which, side in enumerate(row.sides)
            ],
            schema=_DRAWN,
        )

    def _row(self, row: Beside) -> list[Cell]:
        label: Cell = Link(row.label, row.address) if row.address else row.label
        sides: list[Cell] = [
            Link(each.text, each.address, f"{row.label}, {name}: {each.text}")
            if each.address
            else each.text
            for name, each in zip(self.names, row.sides, strict=True)
        ]
        sure = say_in("how sure", "sure") if row.sure else say("cannot tell yet")
        n = " / ".join(number(each.n) for each in row.sides)
        return [label, *sides, row.difference, sure, n]
