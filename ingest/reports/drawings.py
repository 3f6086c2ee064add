"""The drawings of a report, as SVG without script: lines, intervals and a calendar.

They are read on paper in black and white, so that what differs has another shape or dash as well.
A figure drawn stands in a table or in words beside it.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import date
from html import escape
from math import ceil, floor, log10
from typing import Final, NamedTuple

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
_TICKS: Final = 4
_TALL: Final = 120.0
_APART: Final = 15.0
"""Between the names at the ends of lines, so that none covers another."""
_NOTHING: Final = 1e-9


class Point(NamedTuple):
    """A value with the interval around it."""

    label: str
    value: float
    low: float | None
    high: float | None


def ticks_within(least: float, most: float) -> list[float]:
    """Return round numbers from ``least`` to ``most``, about four of them."""
    span = most - least
    if span <= 0:
        return [least]
    size = 10.0 ** floor(log10(span / _TICKS))
    step = next(size * each for each in (1, 2, 5, 10) if size * each >= span / _TICKS)
    ends = ceil(least / step - _NOTHING), floor(most / step + _NOTHING)
    return [number * step for number in range(ends[0], ends[1] + 1)]


def lines(
    given: Sequence[tuple[str, Sequence[float]]],
    labels: Sequence[str],
    *,
    said: str,
    target: float | None = None,
) -> Drawing:
    """Draw lines over the same places, each behind its name; ``target`` is a dashed line."""
    values = [value for _, each in given for value in each]
    if target is not None:
        values.append(target)
    room = max(len(label) for label, _ in given) * _LETTER + 44
    left, right, top = 34.0, _WIDTH - room, 14.0
    across = _scale(0, max(1, len(labels) - 1), left, right)
    up = _scale(min(values), max(values), top + _TALL, top)
    parts = [
        _line(left, up(tick), right, up(tick), _FAINT)
        + _text(left - 6, up(tick) + 4, localised(f"{tick:g}".replace("-", "−")), anchor="end")
        for tick in ticks_within(min(values), max(values))
    ]
    if target is not None:
        parts.append(_line(left, up(target), right, up(target), _GREY, dash="3 3"))
        parts.append(_text(left + 4, up(target) - 4, localised(f"{target:g}"), bold=True))
    skip = max(1, ceil(len(labels) * 26 / (right - left)))
    parts += [
        _text(across(place), top + _TALL + 18, labels[place], anchor="middle")
        for place in range(0, len(labels), skip)
    ]
    ends: dict[int, float] = {}
    lowest = float("-inf")
    for end, number in sorted((up(each[-1]), number) for number, (_, each) in enumerate(given)):
        ends[number] = lowest = max(end, lowest + _APART)
    for number, (label, each) in enumerate(given):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        places = [(across(place), up(value)) for place, value in enumerate(each)]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        look = f'fill="none" stroke="{colour}" stroke-width="2"{_dashed(dash)}'
        parts.append(f'<polyline points="{points}" {look}/>')
        for x, y in places:
            if number % 2:
                look = f'width="6" height="6" fill="{colour}"'
                parts.append(_shape("rect", look, x=x - 3, y=y - 3))
            else:
                parts.append(_shape("circle", f'r="3.2" fill="{colour}"', cx=x, cy=y))
        parts.append(_text(right + 8, ends[number] + 4, label, colour=colour, bold=True))
    return _drawing(parts, _WIDTH, top + _TALL + _CAPTION + 4, said)


def ends_of(points: Sequence[Point]) -> tuple[float, float]:
    """Return the least and the most of values, their intervals, and 0."""
    drawn = [each for point in points for each in (point.value, point.low, point.high)]
    known = [0.0, *(each for each in drawn if each is not None)]
    return min(known), max(known)


def months(points: Sequence[Point], ends: tuple[float, float], *, said: str, title: str) -> Drawing:
    """Draw shares with their intervals one after the other, between two ends, and a line at 0."""
    width = 330
    left, right, top, height = 38.0, width - 8.0, 24.0, 80.0
    up = _scale(*ends, top + height, top)
    step = (right - left) / max(1, len(points))
    parts = [_text(0, 11, title, bold=True, colour=COLOURS[1])]
    for tick in ticks_within(*ends):
        is_zero = abs(tick * 100) <= _NOTHING
        label = "0" if is_zero else localised(f"{tick * 100:+g}".replace("-", "−"))
        parts.append(_line(left, up(tick), right, up(tick), _FAINT))
        parts.append(_text(left - 6, up(tick) + 4, label, anchor="end"))
    parts.append(_line(left, up(0.0), right, up(0.0), _GREY, dash="3 3"))
    for place, point in enumerate(points):
        x = left + step * (place + 0.5)
        if point.low is not None and point.high is not None:
            parts.append(_line(x, up(point.low), x, up(point.high), COLOURS[0], width=2))
        parts.append(_dot(x, up(point.value), point))
        parts.append(_text(x, top + height + 16, point.label, anchor="middle"))
    return _drawing(parts, width, top + height + _CAPTION, said)


def interval(
    point: Point, least: float, most: float, field: float | None, *, width: int = 150
) -> Drawing:
    """Draw one value with its interval for a cell of a table, and a tick at ``field``."""
    across = _scale(least, most, 4, width - 4)
    parts = [_line(4, 8, width - 4, 8, _FAINT)]
    if field is not None:
        parts.append(_line(across(field), 1, across(field), 15, _GREY, width=1.5))
    if point.low is not None and point.high is not None:
        low, high = across(max(least, point.low)), across(min(most, point.high))
        parts.append(_line(low, 8, high, 8, COLOURS[0], width=2.5))
    parts.append(_dot(across(point.value), 8, point))
    return _drawing(parts, width, 16, point.label)


def calendar(hands: dict[date, int], *, said: str) -> Drawing:
    """Draw the days of play, a row for each month and a square for each day, with its hands."""
    firsts = sorted({day.replace(day=1) for day in hands})
    left, size, top = 66.0, 19.5, 16.0
    parts = [
        _text(left + size * (day - 0.5), 11, str(day), anchor="middle") for day in range(1, 32)
    ]
    side = size - 2
    for row, first in enumerate(firsts):
        y = top + row * size
        parts.append(_text(0, y + 14, f"{short_month(first)} {first.year}"))
        for day in range(1, monthrange(first.year, first.month)[1] + 1):
            count = hands.get(first.replace(day=day), 0)
            look = f'fill="none" stroke="{_FAINT}"'
            if count:
                depth = 0.12 + 0.5 * count / max(hands.values())
                look = f'fill="{COLOURS[0]}" fill-opacity="{depth:.2f}" stroke="{_GREY}"'
            x = left + size * (day - 1)
            parts.append(_shape("rect", look, x=x, y=y, width=side, height=side))
            if count:
                middle = x + side / 2, y + side / 2 + 4
                parts.append(_text(*middle, str(count), anchor="middle", size=9))
    return _drawing(parts, _WIDTH, top + len(firsts) * size + 2, said)


# --- Parts of drawings


def _scale(least: float, most: float, begin: float, end: float) -> Callable[[float], float]:
    """Return what gives the place of a value on the sheet."""
    span = (most - least) or 1.0
    return lambda value: begin + (value - least) / span * (end - begin)


def _drawing(parts: Sequence[str], width: float, height: float, said: str) -> Drawing:
    return Drawing(
        said,
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'role="img" aria-label="{escape(said)}" font-size="{_FONT}">{"".join(parts)}</svg>',
    )


def _shape(kind: str, look: str, **places: float) -> str:
    at = " ".join(f'{name}="{value:.1f}"' for name, value in places.items())
    return f"<{kind} {at} {look}/>"


def _dashed(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def _line(
    x: float, y: float, to_x: float, to_y: float, colour: str, *, width: float = 1, dash: str = ""
) -> str:
    look = f'stroke="{colour}" stroke-width="{width:g}"{_dashed(dash)}'
    return _shape("line", look, x1=x, y1=y, x2=to_x, y2=to_y)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "",
    bold: bool = False,
    colour: str = _GREY,
    size: float = _FONT,
) -> str:
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    weight = ' font-weight="600"' if bold else ""
    sized = f' font-size="{size:g}"' if size != _FONT else ""
    look = f'fill="{colour}"{anchored}{weight}{sized}'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(text)}</text>'


def _dot(x: float, y: float, point: Point) -> str:
    """Return the dot of a value, filled where there is an interval around it."""
    fill = "#fff" if point.low is None else COLOURS[0]
    return _shape("circle", f'r="4" fill="{fill}" stroke="{COLOURS[0]}"', cx=x, cy=y)
