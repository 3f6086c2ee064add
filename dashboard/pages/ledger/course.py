"""Luck and choices of many hands as running totals: two lines over the games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl
import streamlit as st

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind
from tricklog.dashboard.kit.palette import palette
from tricklog.dashboard.pages.ledger.words import unit_words
from tricklog.dashboard.text.escaping import as_html
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number

_HEIGHT: Final = 210


class Content(NamedTuple):
    """What stands in the chart, apart from its rows."""

    unit: str
    games: list[int]
    luck: str
    chosen: str
    names: list[str]
    """What the two lines are called: luck first."""
    across: str
    what: str
    after: str


def show(course: Sequence[tuple[float, float]], *, unit: str) -> None:
    """Show the running totals after each game."""
    colours = palette()
    titles = {
        "points": say("Luck and choices, running total of the points"),
        "score": say("Luck and choices, running total of the score"),
    }
    title = titles[unit]
    legend = say("dashed: deal and draw · line: what was chosen, by everybody at the table")
    st.html(f'<p class="tl-chart-title"><b>{as_html(title)}</b><span>{as_html(legend)}</span></p>')
    content = Content(
        unit_words(unit),
        [0, len(course)],
        colours.field,
        colours.one,
        _names(),
        say("games, from the first to the last"),
        say("what"),
        say("after game"),
    )
    luck, chosen = course[-1]
    said = say(
        "{title}: after {count} games luck {luck}, choices {chosen}",
        title=title,
        count=len(course),
        luck=number(luck, sign=True),
        chosen=number(chosen, sign=True),
    )
    COURSE.show(rows_of(course), None, content, key="ledger-course", said=said)


def _names() -> list[str]:
    """Return what the two lines are called, luck first."""
    return [say("luck"), say("choices of everybody")]


def rows_of(course: Sequence[tuple[float, float]]) -> pl.DataFrame:
    """Return a point for each line before the first game and after each one."""
    rows: list[dict[str, Any]] = []
    for at, name in enumerate(_names()):
        totals = [0.0, *(each[at] for each in course)]
        last = len(totals) - 1
        rows += [
            {
                "game": game,
                "total": total,
                "what": name,
                "end": f"{name} {number(total, sign=True)}" if game == last else None,
            }
            for game, total in enumerate(totals)
        ]
    schema = {"game": pl.Int64, "total": pl.Float64, "what": pl.String, "end": pl.String}
    return pl.DataFrame(rows, schema=schema)


def _draw(_: None, content: Content) -> alt.LayerChart:
    x = alt.X(
        "game:Q",
        title=content.across,
        scale=alt.Scale(domain=content.games, nice=False),
        axis=alt.Axis(grid=False, tickMinStep=1, tickCount=8, format="d"),
    )
    y = alt.Y("total:Q", title=content.unit, axis=alt.Axis(tickCount=5, format="~r"))
    colour = alt.Color(
        "what:N",
        scale=alt.Scale(domain=content.names, range=[content.luck, content.chosen]),
        legend=None,
    )
    dash = alt.StrokeDash(
        "what:N", scale=alt.Scale(domain=content.names, range=[[5, 4], [1, 0]]), legend=None
    )
    tooltip = [
        alt.Tooltip("what:N", title=content.what),
        alt.Tooltip("game:Q", title=content.after),
        alt.Tooltip("total:Q", title=content.unit, format="+.1f"),
    ]
    return alt.LayerChart(
        data=ROWS,
        height=_HEIGHT,
        layer=[
            alt.Chart().mark_line(strokeWidth=2.2).encode(x, y, colour, dash, tooltip=tooltip),
            alt.Chart()
            .transform_filter("isValid(datum.end)")
            .mark_text(align="right", dx=-4, dy=-8, fontWeight="bold", aria=False)
            .encode(x, y, alt.Text("end:N"), colour),
        ],
    )


COURSE: Final = ChartKind(
    _draw,
    Content(
        unit="<unit>",
        games=[-987_654_321, 987_654_321],
        luck="<luck>",
        chosen="<chosen>",
        names=["<first>", "<second>"],
        across="<across>",
        what="<what>",
        after="<after>",
    ),
)
