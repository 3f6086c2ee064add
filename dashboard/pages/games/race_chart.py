"""The score race: a line for each side of a game, and what each hand was for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from tricklog.dashboard.kit.drawing import Spec, layer, show, specification
from tricklog.dashboard.kit.palette import Palette, palette
from tricklog.ingest.sheets import words
from tricklog.ingest.sheets.model import Row, Sheet, turns_of
from tricklog.schemas.languages.messages import say, say_in
from tricklog.schemas.printable import one_line

if TYPE_CHECKING:
    import altair as alt
else:
    from tricklog.dashboard.kit import vega as alt

_TWO: Final = 2
_COLOURED: Final = 3
"""Of more than two sides, so many have a colour of their own."""
_HEIGHT: Final = 330
_ALL_NUMBERED: Final = 3
"""Hands stand at their numbers while no more than so many places a row are left empty."""
_LABEL: Final = 22
"""Characters of what is said at the end of a line."""
_END_GAP: Final = 0.055
"""Least distance of two labels, as a share of the height."""
_SMALLEST: Final = 16
_LARGEST: Final = 75
_ROOM: Final = 2_000
"""Sizes of marks in square pixels, and what all marks of a side share."""
_CROSS: Final = "M-0.75,-0.75L0.75,0.75M0.75,-0.75L-0.75,0.75"
_TEXTS: Final = ("part", "kind", "colour", "fill", "text", "hand", "number", "deed")
_COLUMNS: Final = {
    **dict.fromkeys(_TEXTS, pl.String),
    **dict.fromkeys(("x", "x2", "y", "width"), pl.Float64),
    "side": pl.Int64,
}

Point = dict[str, Any]
"""A row of the chart, by the names of ``_COLUMNS``; ``part`` says which layer it belongs to."""


def show_race(sheet: Sheet, key: str) -> str | None:
    """Draw the score race of a game; return the id of the hand clicked on, if any.

    Nothing is drawn of a game without known scores.
    """
    colours = palette()
    points = list(_points(sheet, colours))
    if not any(each["part"] == "point" for each in points):
        return None
    picked = show(
        _specification(sheet, colours),
        pl.DataFrame(points, schema=_COLUMNS),
        key=key,
        said=say("Score race: {result}", result=one_line(words.headline(sheet))),
    )
    return picked["hand"] if picked else None


def key_words(sheet: Sheet) -> str:
    """Return what the marks of the chart mean."""
    said = [say("filled: own bid made")]
    if _shows_defence(sheet):
        said.append(say("ring: in defence"))
    said.append(say("cross: own bid set"))
    turns = turns_of(sheet)
    if turns and turns.swing:
        said.append(say("band: the largest swing"))
    if len(sheet.sides) > _COLOURED:
        said.append(say("the first three in colour"))
    return " · ".join(said)


# --- What is drawn


def _points(sheet: Sheet, colours: Palette) -> Iterator[Point]:
    places, ink, (low, high) = _places(sheet.rows), _inks(sheet, colours), _span(sheet)
    defence = "defence" if _shows_defence(sheet) else ""
    for side, colour in enumerate(ink):
        base = {"side": side, "colour": colour, "width": 1.4 if colour == colours.field else 2.5}
        if sheet.start:
            yield {**base, "part": "line", "x": places[0] - 1.0, "y": sheet.start[side]}
        for place, row in zip(places, sheet.rows, strict=True):
            at = {**base, "x": place, "y": None if row.scores is None else row.scores[side]}
            yield {**at, "part": "line"}
            is_played = row.maker_side is not None and row.result in ("made", "set")
            if row.scores is None or row.hand is None or not is_played:
                continue
            if kind := row.result if row.maker_side == side else defence:
                fill = colour if kind == "made" else colours.page
                yield {**at, "part": "point", "kind": kind, "fill": fill}
                maker = "" if row.maker is None else f"{row.maker} {words.bid_text(row)}"
                deed = [maker, words.trump_text(row), words.result_text(row)]
                yield {
                    **at,
                    "part": "target",
                    "hand": row.hand,
                    "number": words.number_text(row),
                    "text": sheet.sides[side].label,
                    "deed": " ".join(filter(None, deed)),
                }
    # The names at the ends of the lines, far enough from each other to be read.
    final, gap = sheet.final or (), (high - low) * _END_GAP
    free = low
    for side in sorted(range(len(final)), key=final.__getitem__):
        y = max(float(final[side]), free)
        free = y + gap
        label = sheet.sides[side].label
        name = label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}…"
        end = {"part": "end", "x": max(places), "y": y, "side": side, "colour": ink[side]}
        yield {**end, "text": f"{name} {words.score_text(sheet, final[side])}"}
    for goal in (sheet.target, sheet.lowest):
        # The lines at which the game ends.
        if goal is not None and low <= goal <= high:
            yield {"part": "goal", "y": goal, "colour": colours.ink}
    turns = turns_of(sheet)
    if turns and turns.swing:
        end_at = places[turns.swing.row]
        yield {"part": "band", "x": end_at - 1.0, "x2": end_at, "colour": colours.sunk}


def _shows_defence(sheet: Sheet) -> bool:
    """Whether defenders score, and there are not too many of them for a mark each."""
    return len(sheet.sides) == _TWO and not sheet.in_game_points


def _places(rows: Sequence[Row]) -> list[float]:
    """Return where each row stands along the chart: at its number where that leaves no gaps."""
    numbers = [row.last_number for row in rows]
    known = [number for number in numbers if number is not None]
    rise = all(before < after for before, after in pairwise(known))
    if len(known) == len(rows) and rise and known[-1] <= _ALL_NUMBERED * len(rows):
        return [float(number) for number in known]
    return [float(place) for place in range(1, len(rows) + 1)]


def _inks(sheet: Sheet, colours: Palette) -> list[str]:
    """Return the colour of each side; of many, the first ones have one, by their final scores."""
    count = len(sheet.sides)
    if count == _TWO:
        return [colours.one, colours.two]
    final = sheet.final or (0,) * count
    order = sorted(range(count), key=lambda side: (side != sheet.winner, -final[side]))
    named = dict(zip(order, (colours.one, colours.two, colours.three), strict=False))
    return [named.get(side, colours.field) for side in range(count)]


def _span(sheet: Sheet) -> tuple[float, float]:
    scores = [score for row in sheet.rows for score in row.scores or ()]
    if sheet.in_game_points:
        scores += [sheet.target, -sheet.target if sheet.lowest is None else sheet.lowest]
    low, high = min(0, *scores), max(sheet.target, *scores)
    room = (high - low) * 0.05
    return low - room, high + room


# --- How it is drawn


def _specification(sheet: Sheet, colours: Palette) -> Spec:
    places = _places(sheet.rows)
    hand, score = say_in("a column", "hand"), say_in("a column", "score")
    across = alt.X(
        "x:Q",
        title=hand,
        scale=alt.Scale(domain=[places[0] - 1.0, max(places[-1], 1.0)], nice=False),
        axis=alt.Axis(grid=False, format="d", tickMinStep=1, tickCount=12),
    )
    along = alt.Y(
        "y:Q",
        title=say("game points") if sheet.in_game_points else score,
        scale=alt.Scale(domain=[*_span(sheet)], nice=False),
        axis=alt.Axis(
            format="+d" if sheet.in_game_points else "d",
            labelExpr="datum.value == 0 ? '0' : datum.label",
            tickMinStep=1,
            tickCount=6,
        ),
    )
    tooltip = [
        alt.Tooltip("number:N", title=hand),
        alt.Tooltip("text:N", title=say_in("a column", "side")),
        alt.Tooltip("y:Q", title=score),
        alt.Tooltip("deed:N", title=say_in("a column", "contract")),
    ]
    shapes = alt.Scale(domain=["made", "defence", "set"], range=["circle", "circle", _CROSS])
    # Smaller where there are many hands.
    size = max(_SMALLEST, min(_LARGEST, _ROOM // len(places)))
    looks: Spec = {"aria": False, "align": "left", "dx": 10, "fontSize": 13, "fontWeight": 600}
    colour, text = alt.Color("colour:N", scale=None), alt.Text("text:N")
    place: dict[str, Any] = {"x": across, "y": along}

    def of(part: str, mark: alt.MarkDef, **channels: Any) -> Spec:  # noqa: ANN401 - those of ``layer``
        return layer(mark, where=f"datum.part == '{part}'", **channels)

    line = alt.MarkDef(
        "line", aria=False, interpolate="step-after" if sheet.in_game_points else "linear"
    )
    layers = [
        of("band", alt.MarkDef("rect", aria=False), color=colour, x=across, x2=alt.X2("x2")),
        of("goal", alt.MarkDef("rule", aria=False), color=colour, y=along),
        of(
            "line", line, color=colour, detail=alt.Detail("side:N"),
            strokeWidth=alt.StrokeWidth("width:Q", scale=None), **place,
        ),
        of(
            "point",
            alt.MarkDef("point", aria=False, filled=False, opacity=1, size=size, strokeWidth=2),
            shape=alt.Shape("kind:N", scale=shapes, legend=None),
            stroke=alt.Stroke("colour:N", scale=None),
            fill=alt.Fill("fill:N", scale=None),
            **place,
        ),
        # Text keeps clear of lines by an edge in the colour of the page.
        of(
            "end",
            alt.MarkDef("text", stroke=colours.page, strokeWidth=4, strokeJoin="round", **looks),
            text=text, **place,
        ),
        of("end", alt.MarkDef("text", **looks), text=text, color=colour, **place),
        # What is clicked on is as large as a finger, and not to be seen.
        of(
            "target", alt.MarkDef("point", filled=True, size=320, opacity=0, cursor="pointer"),
            picks=["hand"], tooltip=tooltip, **place,
        ),
    ]  # fmt: skip
    return specification(layers, _HEIGHT)
