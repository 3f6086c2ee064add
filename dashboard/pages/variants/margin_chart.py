"""How close the contracts of two games are: bars by what was beyond the need, or short of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl
import streamlit as st

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind, clickable
from tricklog.dashboard.kit.palette import palette
from tricklog.dashboard.text.escaping import as_html
from tricklog.ingest.metrics.filters import Range
from tricklog.schemas.languages.messages import say, say_in
from tricklog.schemas.languages.numbers import number, percent

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
        less, more = (f"{abs(round(each * 100))}" for each in sorted((low, high), key=abs))
        if place in ends:
            said = say("{less} % of the need or more", less=less)
        else:
            said = say("{less} to {more} % of the need", less=less, more=more)
        return _by(said, made=place >= 0), ""
    least, most = int(low), int(high) - 1
    near, far = sorted((abs(least), abs(most)))
    points = number(near)
    if place in ends:
        points = say("{least} or more", least=number(near))
    elif near != far:
        points = say("{low} to {high}", low=number(near), high=number(far))
    within = Range(None if place == ends[0] else least, None if place == ends[1] else most)
    return _by(points, made=place >= 0), str(within)


def _by(margin: str, *, made: bool) -> str:
    if made:
        return say("made by {margin}", margin=margin)
    return say("set by {margin}", margin=margin)


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
        said = _contracts_said(rows, measured)
        st.html(
            f'<p class="tl-chart-title"><b class="{kind}">{as_html(name)}</b>'
            f"<span>{as_html(said)}</span></p>"
        )
        picked = MARGINS.show(
            rows.drop("variant"),
            measured == Measured.NEED,
            Content(across=across, most=[0.0, most], colour=colour, ink=colours.ink),
            key=f"margins {variant} {measured.name}",
            said=say(
                "{game}: contracts by what was taken beyond the need or was short of it", game=name
            ),
        )
        if picked and picked["picked"]:
            found = (variant, picked["picked"])
    return found


def _contracts_said(rows: pl.DataFrame, measured: Measured) -> str:
    """Say how many contracts there are, and how many failed by one where a bar shows them alone."""
    contracts = int(rows["contracts"].sum())
    one = rows.filter(pl.col("picked") == "-1")
    if measured != Measured.POINTS or one.is_empty() or not contracts:
        return say("{number} contracts", number=number(contracts))
    return say(
        "{number} contracts; set by exactly 1: {share}",
        number=number(contracts),
        share=percent(one["share"][0], 1),
    )


class Content(NamedTuple):
    """What stands in a chart of margins, apart from its rows."""

    across: list[float]
    """Ends of the axis of margins."""
    most: list[float]
    """Ends of the axis of shares."""
    colour: str
    ink: str


def _draw(shares: bool, content: Content) -> alt.LayerChart:  # noqa: FBT001 - what there are two kinds of
    across = alt.X(
        "left:Q",
        title=say("beyond the need, as a share of it (left of the line: set)")
        if shares
        else say("card points beyond the need (left of the line: set)"),
        scale=alt.Scale(domain=content.across, nice=False),
        axis=alt.Axis(
            grid=False,
            format="+.0%" if shares else "+d",
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
                title=say("contracts"),
                scale=alt.Scale(domain=content.most, nice=False),
                axis=alt.Axis(format=".0%", tickCount=4),
            ),
            fill=alt.value(content.colour),
            stroke=alt.value(content.colour),
            fillOpacity=alt.FillOpacityValue(0.25, condition={"test": "datum.made", "value": 0.9}),
            tooltip=[
                alt.Tooltip("said:N", title=say("contracts")),
                alt.Tooltip("contracts:Q", title="n", format=","),
                alt.Tooltip("share:Q", title=say_in("of all contracts", "share"), format=".1%"),
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
