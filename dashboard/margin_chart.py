"""How close the contracts of two games are: bars by what was beyond the need, or short of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl
import streamlit as st

from dashboard.chart_kinds import ROWS, ChartKind, clickable
from dashboard.escaping import as_html
from dashboard.palette import palette
from ingest.metrics.filters import Range

_MOST_BARS: Final = 44
_WIDTHS: Final = (1, 2, 5, 10, 20, 50)
_OUTERMOST: Final = 0.005
"""Share of the contracts of both games, at either end, that the last bars may take together."""
_TENTH: Final = 0.1
_LEAST_OF_NEED: Final = -1.0
_MOST_OF_NEED: Final = 1.5
_HEIGHT: Final = 180


class Measured(StrEnum):
    """What margins are measured in, by what it is called."""

    POINTS = "card points"
    NEED = "share of the need"


def binned(margins: pl.DataFrame, measured: Measured) -> pl.DataFrame:
    """Return the bars of every variant in a frame of ``two_variants.margins``.

    Columns: ``variant``; ``left`` and ``right``, between which a bar stands, the last ones with all
    beyond; ``contracts``; ``share`` of the contracts of the variant; ``made``; ``said``, the bar
    in words; and ``picked``, the points over the need as a filter has them, empty for shares.
    No bar has contracts that were made and others that were set.
    """
    whole = margins.filter(pl.col("need") > 0)
    if measured == Measured.NEED:
        width, values = _TENTH, pl.col("margin") / pl.col("need")
        # Tenths that floating point puts just below themselves.
        place = ((values + 1e-9) / width).floor()
        first, last = round(_LEAST_OF_NEED / width), round(_MOST_OF_NEED / width) - 1
    else:
        low, high = _ends(whole)
        width = float(next((each for each in _WIDTHS if high - low < each * _MOST_BARS), 100))
        place = (pl.col("margin") / width).floor()
        first, last = int(low // width), int(high // width)
    bars = (
        whole.with_columns(place=place.cast(pl.Int64).clip(first, last))
        .group_by("variant", "place", maintain_order=True)
        .agg(pl.col("contracts").sum(), lowest=pl.col("margin").min())
        .sort("variant", "place")
        .with_columns(
            left=pl.col("place") * width,
            right=(pl.col("place") + 1) * width,
            share=pl.col("contracts") / pl.col("contracts").sum().over("variant"),
            made=pl.col("place") >= 0,
        )
    )
    told = [_told(place, width, (first, last), measured) for place in bars["place"]]
    return bars.with_columns(
        said=pl.Series([said for said, _ in told], dtype=pl.String),
        picked=pl.Series([picked for _, picked in told], dtype=pl.String),
    ).select("variant", "left", "right", "contracts", "share", "made", "said", "picked")


def _ends(margins: pl.DataFrame) -> tuple[int, int]:
    """Return the margins between which nearly all contracts lie, none and one less included."""
    within = (
        margins.sort("margin")
        .with_columns(
            below=pl.col("contracts").cum_sum() / pl.col("contracts").sum(),
        )
        .filter(pl.col("below").is_between(_OUTERMOST, 1 - _OUTERMOST))["margin"]
    )
    return min([-1, *within]), max([0, *within])


def _told(place: int, width: float, ends: tuple[int, int], measured: Measured) -> tuple[str, str]:
    """Return what a bar is called, and the filter for it."""
    low, high = place * width, (place + 1) * width
    if measured == Measured.NEED:
        unit = "of the need"
        less, more = (f"{abs(round(each * 100))}" for each in sorted((low, high), key=abs))
        said = f"{less} to {more} % {unit}"
        if place in ends:
            said = f"{less} % {unit} or more"
        return f"{'made by' if place >= 0 else 'set by'} {said}", ""
    least, most = int(low), int(high) - 1
    near, far = sorted((abs(least), abs(most)))
    points = f"{near:,}" if near == far else f"{near:,} to {far:,}"
    if place in ends:
        points = f"{near:,} or more"
    within = Range(None if place == ends[0] else least, None if place == ends[1] else most)
    return f"{'made by' if place >= 0 else 'set by'} {points}", str(within)


def show_margins(
    bars: pl.DataFrame, names: Mapping[str, str], measured: Measured
) -> tuple[str, str] | None:
    """Draw the bars of each variant, the first in blue and the second in orange.

    ``names`` are the titles of the variants in that order. Returns the variant and the margins
    clicked on, if any.
    """
    colours = palette()
    ends = bars.select(pl.col("share").max(), pl.col("left").min(), pl.col("right").max())
    highest, *across = (float(each or 0) for each in ends.row(0))
    most = (highest or 1) * 1.05
    found = None
    for (variant, name), colour, kind in zip(
        names.items(), (colours.one, colours.two), ("tl-one", "tl-two"), strict=True
    ):
        rows = bars.filter(pl.col("variant") == variant)
        said = f"{rows['contracts'].sum():,} contracts"
        said += _by_one(rows) if measured == Measured.POINTS else ""
        st.html(
            f'<p class="tl-chart-title"><b class="{kind}">{as_html(name)}</b>'
            f"<span>{as_html(said)}</span></p>"
        )
        picked = MARGINS.show(
            rows.drop("variant"),
            measured == Measured.NEED,
            Content(across=across, most=[0.0, most], colour=colour, ink=colours.ink),
            key=f"margins {variant} {measured.name}",
            said=f"{name}: contracts by what was taken beyond the need or was short of it",
        )
        if picked and picked["picked"]:
            found = (variant, picked["picked"])
    return found


def _by_one(rows: pl.DataFrame) -> str:
    """Say how many contracts failed by one, where a bar shows them alone."""
    one = rows.filter(pl.col("picked") == "-1")
    if one.is_empty() or not rows["contracts"].sum():
        return ""
    return f"; set by exactly 1: {one['share'][0] * 100:.1f} %"


class Content(NamedTuple):
    """What stands in a chart of margins, apart from its rows."""

    across: list[float]
    """Ends of the axis of margins."""
    most: list[float]
    """Ends of the axis of shares."""
    colour: str
    ink: str


def _draw(percent: bool, content: Content) -> alt.LayerChart:  # noqa: FBT001 - what there are two kinds of
    across = alt.X(
        "left:Q",
        title="beyond the need, as a share of it (left of the line: set)"
        if percent
        else "card points beyond the need (left of the line: set)",
        scale=alt.Scale(domain=content.across, nice=False),
        axis=alt.Axis(
            grid=False,
            format="+.0%" if percent else "+d",
            labelExpr="datum.value == 0 ? '0' : replace(datum.label, '-', '−')",
            tickCount=8,
        ),
    )
    bars = clickable(alt.Chart().mark_bar(cursor="pointer", strokeWidth=1), ["picked"])
    layers: list[Any] = [
        bars.encode(
            across,
            alt.X2("right"),
            alt.Y2Datum(0),
            alt.Y(
                "share:Q",
                title="contracts",
                scale=alt.Scale(domain=content.most, nice=False),
                axis=alt.Axis(format=".0%", tickCount=4),
            ),
            fill=alt.value(content.colour),
            stroke=alt.value(content.colour),
            fillOpacity=alt.FillOpacityValue(0.25, condition={"test": "datum.made", "value": 0.9}),
            tooltip=[
                alt.Tooltip("said:N", title="contracts"),
                alt.Tooltip("contracts:Q", title="n", format=","),
                alt.Tooltip("share:Q", title="share", format=".1%"),
            ],
        ),
        alt.Chart()
        .mark_rule(strokeWidth=2, aria=False)
        .encode(alt.XDatum(0), color=alt.value(content.ink)),
    ]
    return alt.LayerChart(data=ROWS, layer=layers, height=_HEIGHT)


MARGINS: Final = ChartKind(
    _draw,
    Content(
        across=[-876_543_210.0, 876_543_210.0],
        most=[0.0, 987_654_321.0],
        colour="<colour>",
        ink="<ink>",
    ),
)
