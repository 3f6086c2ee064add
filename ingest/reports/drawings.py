"""The drawings of a report, as SVG without script: lines, intervals and a calendar.

They are read on paper in black and white, so that what differs has another shape or dash as well.
A figure drawn stands in a table or in words beside it.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from math import ceil, floor, log10
from typing import Final

from tricklog.ingest.reports.content import Drawing
from tricklog.schemas.languages.numbers import localised, short_month

COLOURS: Final = ("#1c5cab", "#1a1f2b", "#a13a0c", "#1b7560", "#6a3d9a", "#6b6b00", "#8a1c5a")
DASHES: Final = ("", "6 3", "2 3", "9 3 2 3", "12 4", "1 4", "4 2 1 2")
_GREY: Final = "#5a6475"
_FAINT: Final = "#d8dde6"
_WIDTH: Final = 690
_FONT: Final = 11.5
_LETTER: Final = 6.2
"""Width of a letter, about."""
_CAPTION: Final = 22
_TICKS: Final = 5
_TALL: Final = 120
_NOTHING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a drawing: a value for each place, ``None`` where there is none."""

    label: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Point:
    """A value with the interval around it."""

    label: str
    value: float
    low: float | None
    high: float | None


def ticks_within(least: float, most: float, count: int = _TICKS) -> list[float]:
    """Return round numbers from ``least`` to ``most``, about ``count`` of them."""
    span = most - least
    if span <= 0:
        return [least]
    rough = span / count
    size = 10.0 ** floor(log10(rough))
    step = next(size * each for each in (1, 2, 5, 10) if size * each >= rough)
    first = ceil(least / step - 1e-9)
    last = floor(most / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def lines(
    given: Sequence[Line], labels: Sequence[str], *, said: str, target: float | None = None
) -> Drawing:
    """Draw lines over the same places, their names at their ends; ``target`` is a dashed line."""
    values = [value for each in given for value in each.values if value is not None]
    if target is not None:
        values.append(target)
    least, most = min(values), max(values)
    room = max(len(each.label) for each in given) * _LETTER + 44
    left, right, top, height = 34.0, _WIDTH - room, 14.0, float(_TALL)
    across = _Scale(0, max(1, len(labels) - 1), left, right)
    up = _Scale(least, most, top + height, top)
    parts = [
        _line(left, up(tick), right, up(tick), _FAINT)
        + _text(left - 6, up(tick) + 4, localised(f"{tick:g}".replace("-", "−")), end=True)
        for tick in ticks_within(least, most, 4)
    ]
    if target is not None:
        parts.append(_line(left, up(target), right, up(target), _GREY, dash="3 3"))
        parts.append(_text(left + 4, up(target) - 4, localised(f"{target:g}"), bold=True))
    skip = max(1, ceil(len(labels) * 26 / (right - left)))
    for place, label in enumerate(labels):
        if place % skip == 0:
            parts.append(_text(across(place), top + height + 18, label, middle=True))
    ends = _spread([(up(_last(each.values)), number) for number, each in enumerate(given)])
    for number, each in enumerate(given):
        parts.append(_path(each.values, across, up, number))
        colour = COLOURS[number % len(COLOURS)]
        parts.append(_text(right + 8, ends[number] + 4, each.label, colour=colour, bold=True))
    return _drawing(parts, _WIDTH, top + height + _CAPTION + 4, said)


def ends_of(points: Sequence[Point]) -> tuple[float, float]:
    """Return the least and the most of values, their intervals, and 0."""
    drawn = [each for point in points for each in (point.value, point.low, point.high)]
    known = [0.0, *(each for each in drawn if each is not None)]
    return min(known), max(known)


def months(
    points: Sequence[Point],
    ends: tuple[float, float],
    *,
    said: str,
    title: str,
) -> Drawing:
    """Draw shares with their intervals one after the other, between two ends, and a line at 0."""
    least, most = ends
    width = 330
    left, right, top, height = 38.0, width - 8.0, 24.0, 80.0
    up = _Scale(least, most, top + height, top)
    step = (right - left) / max(1, len(points))
    parts = [_text(0, 11, title, bold=True, colour=COLOURS[1])]
    parts += [
        _line(left, up(tick), right, up(tick), _FAINT)
        + _text(left - 6, up(tick) + 4, _signed(tick * 100), end=True)
        for tick in ticks_within(least, most, 4)
    ]
    parts.append(_line(left, up(0.0), right, up(0.0), _GREY, dash="3 3"))
    for place, point in enumerate(points):
        x = left + step * (place + 0.5)
        if point.low is not None and point.high is not None:
            parts.append(_line(x, up(point.low), x, up(point.high), COLOURS[0], width=2))
        parts.append(_dot(x, up(point.value), filled=point.low is not None))
        parts.append(_text(x, top + height + 16, point.label, middle=True))
    return _drawing(parts, width, top + height + _CAPTION, said)


def interval(
    point: Point, least: float, most: float, field: float | None, *, width: int = 150
) -> Drawing:
    """Draw one value with its interval for a cell of a table, and a tick at ``field``."""
    across = _Scale(least, most, 4, width - 4)
    parts = [_line(4, 8, width - 4, 8, _FAINT)]
    if field is not None:
        parts.append(_line(across(field), 1, across(field), 15, _GREY, width=1.5))
    if point.low is not None and point.high is not None:
        low, high = across(max(least, point.low)), across(min(most, point.high))
        parts.append(_line(low, 8, high, 8, COLOURS[0], width=2.5))
    parts.append(_dot(across(point.value), 8, filled=point.low is not None))
    return _drawing(parts, width, 16, point.label)


def calendar(hands: dict[date, int], *, said: str) -> Drawing:
    """Draw the days of play, a row for each month and a square for each day, with its hands."""
    firsts = sorted({day.replace(day=1) for day in hands})
    most = max(hands.values())
    left, size, top = 66.0, 19.5, 16.0
    parts = [_text(left + size * (day - 0.5), 11, str(day), middle=True) for day in range(1, 32)]
    for row, first in enumerate(firsts):
        y = top + row * size
        parts.append(_text(0, y + 14, f"{short_month(first)} {first.year}"))
        for day in range(1, monthrange(first.year, first.month)[1] + 1):
            count = hands.get(first.replace(day=day), 0)
            parts.append(_day(left + size * (day - 1), y, size - 2, count, most))
    return _drawing(parts, _WIDTH, top + len(firsts) * size + 2, said)


def _day(x: float, y: float, size: float, count: int, most: int) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}"'
    if not count:
        return f'<rect {box} fill="none" stroke="{_FAINT}"/>'
    depth = 0.12 + 0.5 * count / most
    filled = f'<rect {box} fill="{COLOURS[0]}" fill-opacity="{depth:.2f}" stroke="{_GREY}"/>'
    return filled + _text(x + size / 2, y + size / 2 + 4, str(count), middle=True, size=9)


# --- Parts of drawings


class _Scale:
    """From values to places on the sheet."""

    def __init__(self, least: float, most: float, begin: float, end: float) -> None:
        self._least = least
        self._span = (most - least) or 1.0
        self._begin = begin
        self._length = end - begin

    def __call__(self, value: float) -> float:
        return self._begin + (value - self._least) / self._span * self._length


def _drawing(parts: Iterable[str], width: float, height: float, said: str) -> Drawing:
    svg = (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'role="img" aria-label="{escape(said)}" font-size="{_FONT}">{"".join(parts)}</svg>'
    )
    return Drawing(svg, said)


def _line(
    x: float,
    y: float,
    to_x: float,
    to_y: float,
    colour: str,
    *,
    width: float = 1,
    dash: str = "",
) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}" '
        f'stroke-width="{width:g}"{dashed}/>'
    )


def _text(  # noqa: PLR0913 - a place and a look
    x: float,
    y: float,
    text: str,
    *,
    end: bool = False,
    middle: bool = False,
    bold: bool = False,
    colour: str = _GREY,
    size: float = _FONT,
) -> str:
    anchor = ' text-anchor="end"' if end else ' text-anchor="middle"' if middle else ""
    weight = ' font-weight="600"' if bold else ""
    sized = f' font-size="{size:g}"' if size != _FONT else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}"{anchor}{weight}{sized}>'
        f"{escape(text)}</text>"
    )


def _dot(x: float, y: float, *, filled: bool) -> str:
    fill = COLOURS[0] if filled else "#fff"
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{COLOURS[0]}"/>'


def _path(values: Sequence[float | None], across: _Scale, up: _Scale, number: int) -> str:
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
    places = [(across(place), up(value)) for place, value in enumerate(values) if value is not None]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    marks = "".join(_mark(x, y, number, colour) for x, y in places)
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'
        f"{marks}"
    )


def _mark(x: float, y: float, number: int, colour: str) -> str:
    if number % 2:
        return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{colour}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"/>'


def _signed(number: float) -> str:
    return localised(f"{number:+g}".replace("-", "−")) if abs(number) > _NOTHING else "0"


def _last(values: Sequence[float | None]) -> float:
    return next((value for value in reversed(values) if value is not None), 0.0)


def _spread(ends: Sequence[tuple[float, int]], apart: float = 15.0) -> dict[int, float]:
    """Return where the names at the ends of lines stand, so that none covers another."""
    found: dict[int, float] = {}
    before = float("-inf")
    for place, number in sorted(ends):
        before = max(place, before + apart)
        found[number] = before
    return found
