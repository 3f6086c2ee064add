"""Small pictures for the cells of a table: intervals, columns and lines.

They are drawn with spans and styles, since a page may hold no SVG of its own, and each has words
for who cannot see it. The heading of a column says what its two ends stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tricklog.dashboard.text.escaping import as_html


@dataclass(frozen=True, slots=True)
class Picture:
    """A cell that shows a picture."""

    html: str
    said: str
    """What it is called aloud."""


class Track(NamedTuple):
    """The scale that the pictures of a column share."""

    least: float
    most: float
    tick: float | None = None
    """Where a line stands in every cell: the field, or nothing."""


def track_of(values: Iterable[float]) -> Track:
    """Return a scale with room for values and for nothing, where a line stands."""
    known = [0.0, *values]
    room = (max(known) - min(known) or 1.0) * 0.06
    return Track(min(known) - room, max(known) + room, 0.0)


class Colour(StrEnum):
    """Whose picture it is. Blue and orange are sides or people, never good and bad."""

    ONE = "one"
    TWO = "two"
    FIELD = "field"


class Shape(StrEnum):
    """What the dot of an interval looks like, so that it differs without colour as well."""

    DISC = "disc"
    RING = "few"
    DIAMOND = "diamond"
    SQUARE = "square"


def interval(  # noqa: PLR0913 - each is a part of what is drawn
    track: Track,
    value: float,
    low: float | None,
    high: float | None,
    said: str,
    colour: Colour = Colour.FIELD,
    *,
    few: bool = False,
    shape: Shape = Shape.DISC,
) -> Picture:
    """Return a value as a dot and its interval as a bar; what is out of scale ends at its edge.

    With ``few`` the dot is a ring: there are too few cases. ``said`` tells value and interval.
    """
    bar = "" if low is None or high is None else _bar(track, low, high)
    dot = f'<b style="left:{_place(track, value):.1f}%"></b>'
    drawn = Shape.RING if few else shape
    look = f"tl-{colour}{'' if drawn == Shape.DISC else f' tl-{drawn}'}"
    return _across(track, look, bar + dot, said)


def step(
    track: Track, start: float, end: float, said: str, look: str, *, mark: float | None = None
) -> Picture:
    """Return a bar from one value to another; ``look`` is how it is filled (``tl-step-LOOK``).

    ``mark`` is where a dashed line stands in every cell.
    """
    line = "" if mark is None else f'<s style="left:{_place(track, mark):.1f}%"></s>'
    bar = _bar(track, *sorted((start, end)), least=1.0)
    return _across(track, f"tl-step tl-step-{look}", bar + line, said)


def _bar(track: Track, low: float, high: float, *, least: float = 0.0) -> str:
    left, right = _place(track, low), _place(track, high)
    return f'<u style="left:{left:.1f}%;width:{max(right - left, least):.1f}%"></u>'


def _across(track: Track, look: str, drawn: str, said: str) -> Picture:
    if track.tick is not None:
        drawn = f'<i style="left:{_place(track, track.tick):.1f}%"></i>{drawn}'
    return Picture(f'<span class="tl-iv {look}" aria-hidden="true">{drawn}</span>', said)


def columns(values: Sequence[float], said: str, *, most: float | None = None) -> Picture:
    """Return one small column for each value, the highest of them marked.

    ``most`` is the value of a column of full height; without it the highest of ``values``.
    """
    top = max([most or 0, *values, 0])
    marked = max(values, default=0)
    bars = "".join(
        f'<i class="{"tl-marked" if each == marked > 0 else ""}" '
        f'style="height:{100 * max(each, 0) / top if top else 0:.0f}%"></i>'
        for each in values
    )
    return Picture(f'<span class="tl-bars" aria-hidden="true">{bars}</span>', said)


def line(
    values: Sequence[float],
    track: Track,
    said: str,
    *,
    across: Sequence[float] | None = None,
    thick: float = 6.0,
) -> Picture:
    """Return values as a line from left to right, with a dot on the last of them.

    ``across`` says where each stands, from 0 to 1; without it they are as far from each other.
    ``thick`` is half of how thick the line is, in per cent of the height.
    """
    heights = [100 - _place(track, each) for each in values]
    if across is None:
        across = [place / max(len(values) - 1, 1) for place in range(len(values))]
    points = list(zip([100 * each for each in across], heights, strict=True))
    upper = [f"{x:.1f}% {y - thick:.1f}%" for x, y in points]
    lower = [f"{x:.1f}% {y + thick:.1f}%" for x, y in reversed(points)]
    parts = []
    if track.tick is not None:
        parts.append(f'<i style="top:{100 - _place(track, track.tick):.1f}%"></i>')
    if len(points) > 1:
        parts.append(f'<u style="clip-path:polygon({",".join(upper + lower)})"></u>')
    if points:
        x, y = points[-1]
        parts.append(f'<b style="left:{x:.1f}%;top:{y:.1f}%"></b>')
    return Picture(f'<span class="tl-line" aria-hidden="true">{"".join(parts)}</span>', said)


def squares(marks: Sequence[bool | None], said: str) -> Picture:
    """Return one small square for each mark: filled, empty, or only its outline for ``None``."""
    looks = {True: "tl-marked", False: "", None: "tl-few"}
    boxes = "".join(f'<i class="{looks[each]}"></i>' for each in marks)
    return Picture(f'<span class="tl-squares" aria-hidden="true">{boxes}</span>', said)


def picture_html(picture: Picture) -> str:
    """Return a picture as HTML, with its words for who cannot see it."""
    return f'{picture.html}<span class="tl-aloud">{as_html(picture.said)}</span>'


def _place(track: Track, value: float) -> float:
    """Return where on the scale a value lies, in per cent, at an end if it lies outside."""
    across = (value - track.least) / (track.most - track.least)
    return 100 * min(max(across, 0), 1)
