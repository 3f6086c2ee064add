"""The way of the fives: who held them, who led to their trick, and who won them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import altair as alt
import polars as pl

from tricklog.dashboard.kit.chart_kinds import ROWS, ChartKind, clickable
from tricklog.dashboard.kit.palette import Palette, palette
from tricklog.dashboard.text.labels import seat_words
from tricklog.schemas.languages.messages import mark, message_in, say, say_in, translated
from tricklog.schemas.languages.numbers import number

NO_TRICK: Final = mark("no trick")
"""In place of who led: the five was left over or laid off."""
COLUMNS: Final = (
    message_in("fives", "held by"),
    message_in("fives", "in a trick led by"),
    message_in("fives", "won by"),
)
_SEATS: Final = ("maker", "partner", "left", "right", *(f"{each} after" for each in range(1, 7)))
_WINNERS: Final = ("makers", "defenders")
_HEIGHT: Final = 400
_STEPS: Final = 24
"""Parts that the edge of a band is made of."""
_GAP: Final = 0.045
"""Room between two nodes, as a share of all fives."""
_HALF: Final = 0.03
"""Half the width of a node; from column to column it is 1."""
_PALE: Final = 0.32
_STRONG: Final = 0.82
_FIELDS: Final = ("holder", "leader", "side", "kept")
_DRAWN: Final = {
    "part": pl.String,
    "x": pl.Float64,
    "x2": pl.Float64,
    "y": pl.Float64,
    "y2": pl.Float64,
    "band": pl.String,
    "colour": pl.String,
    "strength": pl.Float64,
    "text": pl.String,
    "n": pl.Int64,
    "fate": pl.String,
    "said": pl.String,
    **dict.fromkeys(_FIELDS, pl.String),
}

Point = dict[str, Any]
"""A row of the chart, by the names of ``_DRAWN``; ``part`` says which layer it belongs to."""


class Band(NamedTuple):
    """Fives that went one way between two columns; what a column does not tell is ``None``."""

    start: int
    """The column it begins in: 0 or 1."""
    holder: str | None
    leader: str
    side: str
    """The side of the holder."""
    kept: bool
    n: int

    @property
    def winner(self) -> str:
        """The side that won them."""
        return self.side if self.kept else _WINNERS[self.side == "makers"]

    @property
    def ends(self) -> tuple[str, str]:
        """The nodes it goes from and to."""
        return (self.holder, self.leader) if self.holder else (self.leader, self.winner)


def bands(ways: pl.DataFrame) -> list[Band]:
    """Return the bands of a frame of ``fives.ways``, from top to bottom of each column."""
    ways = ways.with_columns(pl.col("leader").fill_null(NO_TRICK))
    found = [Band(0, *row) for row in ways.select("holder", "leader", "side", "kept", "n").rows()]
    second = ways.group_by("leader", "side", "kept", maintain_order=True).agg(pl.col("n").sum())
    found += [Band(1, None, *row) for row in second.rows()]
    return sorted(found, key=lambda each: (each.start, *map(_place, each.ends), not each.kept))


def counts(found: Iterable[Band]) -> tuple[dict[str, int], ...]:
    """Return how many fives go through each node of each column, from top to bottom."""
    columns: tuple[dict[str, int], ...] = ({}, {}, {})
    for band in found:
        first, last = band.ends
        if band.start == 0:
            columns[0][first] = columns[0].get(first, 0) + band.n
            columns[1][last] = columns[1].get(last, 0) + band.n
        else:
            columns[2][last] = columns[2].get(last, 0) + band.n
    return tuple({name: each[name] for name in sorted(each, key=_place)} for each in columns)


def node_words(node: str) -> str:
    """Return what a node is called."""
    return translated(NO_TRICK) if node == NO_TRICK else seat_words(node)


def show_flow(found: Sequence[Band], key: str, said: str) -> Band | None:
    """Draw the bands; return the one clicked on, if any. ``said`` tells the chart aloud."""
    colours = palette()
    whole = sum(band.n for band in found if band.start == 0)
    content = Content(
        [float(whole * (1 + _GAP * (max(map(len, counts(found))) - 1)) * 1.01), -0.1 * whole],
        colours.page,
        colours.ink,
    )
    rows = pl.DataFrame(list(_points(found, colours)), schema=_DRAWN)
    picked = FLOW.show(rows, None, content, key=key, said=said)
    return None if picked is None else _picked(found, picked)


def _picked(found: Sequence[Band], picked: Mapping[str, str]) -> Band | None:
    wanted = tuple(picked.get(name, "") for name in _FIELDS)
    return next((band for band in found if _told(band) == wanted), None)


def _told(band: Band) -> tuple[str, ...]:
    return (band.holder or "", band.leader, band.side, "yes" if band.kept else "no")


def _place(node: str) -> tuple[int, str]:
    listed = (*_SEATS, NO_TRICK, *_WINNERS)
    return (listed.index(node) if node in listed else len(listed), node)


# --- What is drawn


def _points(found: Sequence[Band], colours: Palette) -> Iterator[Point]:
    sizes = counts(found)
    whole = sum(sizes[0].values())
    full = whole * (1 + _GAP * (max(map(len, sizes)) - 1))
    tops = [_tops(column, full) for column in sizes]
    out, into = [dict(each) for each in tops], [dict(each) for each in tops]
    for place, band in enumerate(found):
        first, last = band.ends
        start = out[band.start][first]
        end = into[band.start + 1][last]
        out[band.start][first] += band.n
        into[band.start + 1][last] += band.n
        yield from _ribbon(band, place, start, end, colours)
    for column, names in enumerate(sizes):
        for name, n in names.items():
            top = tops[column][name]
            sides = {"x": column - _HALF, "x2": column + _HALF}
            yield {"part": "node", **sides, "y": top, "y2": top + n}
            text = f"{node_words(name)} {number(n)}"
            at = column + (-2 * _HALF if column == len(sizes) - 1 else 2 * _HALF)
            part = "before" if column == len(sizes) - 1 else "behind"
            yield {"part": part, "x": at, "y": top + n / 2, "text": text}
    for column, head in enumerate(COLUMNS):
        at = column + (-_HALF, 0.0, _HALF)[column]
        yield {"part": f"head {column}", "x": at, "y": -0.06 * whole, "text": str(head)}


def _tops(sizes: Mapping[str, int], full: float) -> dict[str, float]:
    """Return where each node of a column begins, so that they are spread over its height."""
    room = full - sum(sizes.values())
    gap = room / (len(sizes) - 1) if len(sizes) > 1 else 0.0
    at, tops = (0.0 if len(sizes) > 1 else room / 2), {}
    for name, n in sizes.items():
        tops[name] = at
        at += n + gap
    return tops


def _ribbon(band: Band, place: int, start: float, end: float, colours: Palette) -> Iterator[Point]:
    first, last = map(node_words, band.ends)
    way = say(
        "{first_column} {first}, {next_column} {last}",
        first_column=COLUMNS[band.start],
        first=first,
        next_column=COLUMNS[band.start + 1],
        last=last,
    )
    fate = say("stays with its side") if band.kept else say("won by the other side")
    told = {
        "part": "band",
        "band": str(place),
        "colour": colours.one if band.kept else colours.two,
        "strength": _PALE if band.kept else _STRONG,
        "text": way,
        "n": band.n,
        "fate": fate,
        "said": say("{way}: {number}, {fate}", way=way, number=number(band.n), fate=fate),
        **dict(zip(_FIELDS, _told(band), strict=True)),
    }
    for step in range(_STEPS + 1):
        along = step / _STEPS
        # Slow at both ends: a smooth step.
        y = start + (end - start) * along * along * (3 - 2 * along)
        x = band.start + _HALF + (1 - 2 * _HALF) * along
        yield {**told, "x": x, "y": y, "y2": y + band.n}


# --- How it is drawn


class Content(NamedTuple):
    """What stands in the chart, apart from its rows."""

    ends: list[float]
    """Ends of the axis of counts, the lower one first."""
    page: str
    """The colour of the page, with which text keeps clear of bands."""
    ink: str


def _draw(_: None, content: Content) -> alt.LayerChart:
    across = alt.X("x:Q", scale=alt.Scale(domain=[-0.04, 2.04], nice=False), axis=None)
    along = alt.Y("y:Q", scale=alt.Scale(domain=content.ends, nice=False), axis=None)
    bands_drawn = (
        _part("band")
        .mark_area(cursor="pointer")
        .encode(
            across,
            along,
            alt.Y2("y2"),
            alt.Detail(["band:N", *(f"{name}:N" for name in _FIELDS)]),
            alt.Color("colour:N", scale=None),
            alt.Opacity("strength:Q", scale=None),
            alt.Description("said:N"),
            tooltip=[
                alt.Tooltip("text:N", title=say_in("fives", "way")),
                alt.Tooltip("fate:N", title=say_in("fives", "fate")),
                alt.Tooltip("n:Q", title=say_in("a column", "fives"), format=","),
            ],
        )
    )
    layers = [
        clickable(bands_drawn, list(_FIELDS)),
        _part("node")
        .mark_rect(aria=False, color=content.ink)
        .encode(across, alt.X2("x2"), along, alt.Y2("y2")),
    ]
    for part, align in (("behind", "left"), ("before", "right")):
        base = _part(part).encode(alt.Text("text:N"), across, along)
        looks: dict[str, Any] = {"align": align, "fontSize": 13, "fontWeight": 600, "aria": False}
        layers.append(
            base.mark_text(stroke=content.page, strokeWidth=4, strokeJoin="round", **looks)
        )
        layers.append(base.mark_text(color=content.ink, **looks))
    for column, align in enumerate(("left", "center", "right")):
        head = _part(f"head {column}").encode(alt.Text("text:N"), across, along)
        looks = {"align": align, "fontSize": 14, "fontWeight": 700, "aria": False}
        layers.append(head.mark_text(color=content.ink, **looks))
    return alt.LayerChart(data=ROWS, layer=layers, height=_HEIGHT)


def _part(name: str) -> alt.Chart:
    chart: alt.Chart = alt.Chart().transform_filter(f"datum.part == '{name}'")
    return chart


FLOW: Final = ChartKind(
    _draw, Content(ends=[987_654_321.0, -987_654_321.0], page="<page>", ink="<ink>")
)
