"""Ledgers of many hands as words and rows of tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dashboard.cells import Colour, Picture, Shape, Track, interval
from dashboard.escaping import as_html
from dashboard.labels import counted
from dashboard.ledger_chart import number_text
from dashboard.ledger_words import shortened
from dashboard.tables import Cell, Lines, Link
from ingest.study.means import Mean
from ingest.study.season import Line, Season, Total
from ingest.study.season_lines import LUCK, Whose
from ingest.study.season_words import whose_words
from schemas.render import one_line

_SHAPES: Final[dict[Whose, tuple[Shape, Colour]]] = {
    "start": (Shape.RING, Colour.FIELD),
    "luck": (Shape.DIAMOND, Colour.FIELD),
    "own": (Shape.DISC, Colour.ONE),
    "others": (Shape.RING, Colour.TWO),
    "sum": (Shape.SQUARE, Colour.FIELD),
}
_LEGEND: Final[tuple[tuple[Whose, str], ...]] = (
    ("luck", "luck"),
    ("own", "own choices"),
    ("others", "others' choices"),
    ("sum", "the sum of all parts"),
)
_LEGEND_TRACK: Final = Track(-1.0, 1.0)
_HUNDREDTH: Final = 0.005


def amount_text(value: float) -> str:
    """Return an amount a hand with its sign and two places."""
    text = f"{value:+.2f}" if abs(value) >= _HUNDREDTH else "0"
    return text.replace("-", "−")


def mean_text(mean: Mean) -> str:
    """Return a mean and how far it may be off."""
    text = amount_text(float(mean.value))
    if mean.low is None or mean.high is None:
        return text
    reach = (mean.high - mean.low) / 2
    return f"{text} ±{reach:.2f}" if reach >= _HUNDREDTH else text


def who_words(players: Sequence[str], names: Mapping[str, str]) -> str:
    """Return what players are called."""
    return " & ".join(shortened(one_line(names.get(each) or each) or each) for each in players)


def shapes_html() -> str:
    """Return what the shapes of the pictures mean."""
    parts = []
    for whose, words in _LEGEND:
        shape, colour = _SHAPES[whose]
        drawn = interval(_LEGEND_TRACK, 0.0, None, None, "", colour, shape=shape)
        parts.append(f"<span>{drawn.html}{as_html(words)}</span>")
    parts.append("<span>bars: 95 % by games</span>")
    return f'<p class="tl-shapes">{"".join(parts)}</p>'


def track_of(lines: Sequence[Line]) -> Track:
    """Return a scale with room for all means and their intervals, and a line at 0."""
    values = [0.0]
    for each in lines:
        mean = each.mean
        values += [float(mean.value), *(end for end in (mean.low, mean.high) if end is not None)]
    room = (max(values) - min(values) or 1.0) * 0.06
    return Track(min(values) - room, max(values) + room, 0.0)


def _picture(line: Line, track: Track) -> Picture:
    shape, colour = _SHAPES[line.whose]
    mean = line.mean
    said = f"{line.name}: {mean_text(mean)}"
    return interval(track, float(mean.value), mean.low, mean.high, said, colour, shape=shape)


def part_rows(season: Season, total: Total) -> list[tuple[Cell, ...]]:
    """Return a row for each part, and for phones the same in one cell."""
    track = track_of(total.lines)
    rows: list[tuple[Cell, ...]] = []
    for line in total.lines:
        name, told = _name_of(season, line), mean_text(line.mean)
        picture = _picture(line, track)
        rows.append((name, line.mean.hands, told, picture, Lines((name, told), picture)))
    return rows


def _name_of(season: Season, line: Line) -> str:
    if line.name == "start":
        return "start: an average deal"
    if line.name == "result":
        return "result: all parts together"
    whose = whose_words(line) if season.by == "makers" else ""
    return f"{line.name} ({whose})" if whose else line.name


def everybody_rows(
    totals: Sequence[Total],
    names: Mapping[str, str],
    link: Callable[[Sequence[str]], str] | None,
) -> list[tuple[Cell, ...]]:
    """Return a row for each player or side: hands, and the parts in short."""
    rows: list[tuple[Cell, ...]] = []
    for total in totals:
        name = who_words(total.players, names)
        who: Cell = name if link is None else Link(name, link(total.players))
        rows.append((who, total.hands, *(mean_text(each.mean) for each in total.summary)))
    return rows


def everybody_rows_for_phones(totals: Sequence[Total], names: Mapping[str, str]) -> list[Lines]:
    """Return one cell for each player or side."""
    return [
        Lines(
            (
                f"{who_words(each.players, names)}, {counted(each.hands, 'hand')}",
                *(f"{line.name}: {mean_text(line.mean)}" for line in each.summary),
            )
        )
        for each in totals
    ]


_HOW_POINTS: Final = (
    "In points, what the makers take counts for their side and against the other, so that who made "
    "the most contracts stands highest; compare players by score."
)


def in_words(season: Season, total: Total, names: Mapping[str, str]) -> str:
    """Return two or three sentences: the result, what was luck, what own choices brought."""
    few = {line.name: line.mean for line in total.summary}
    unit = "of score " if season.unit == "score" else "points "
    who = f"{who_words(total.players, names)}'s side" if total.players else "The makers"
    result = few["result"]
    own, others = (float(few[name].value) for name in ("own choices", "others' choices"))
    amount = float(result.value)
    if season.unit == "points" and total.players:
        what = f"came to {amount_text(amount)} points"
    elif season.unit == "points":
        what = f"took {number(amount)} points"
    else:
        which = "less" if amount < 0 else "more"
        what = f"scored {number(abs(amount))} {which} than the other side"
    sentences = [
        f"{who} {what} a hand{_sure(result)}.",
        *([_HOW_POINTS] if season.unit == "points" and total.players else []),
        f"Deal and draw gave {amount_text(float(few[LUCK].value))}{_sure(few[LUCK])}.",
    ]
    if total.players:
        sentences.append(
            f"Their own choices came to {amount_text(own)}, those of all others to "
            f"{amount_text(others)}."
        )
        cards = [each.mean for each in total.lines if each.name.startswith("own cards")]
        cost = -sum(float(each.value) for each in cards)
        sentences.append(f"Their own cards cost {number(cost)} {unit}a hand with all cards open.")
    else:
        sentences.append(
            f"What they bid, laid off and played came to {amount_text(own)}, and the defence "
            f"gave away {number(others)}."
        )
    return " ".join(sentences)


def number(value: float) -> str:
    """Return an amount without a sign but a minus."""
    return f"{value:.2f}".replace("-", "−")


def _sure(mean: Mean) -> str:
    """Return the interval of a mean in brackets, and whether it could be chance."""
    if mean.low is None or mean.high is None:
        return " (too few games to say how sure)"
    ends = f"{amount_text(mean.low)} to {amount_text(mean.high)}"
    return f" ({ends}{': could be chance' if mean.low <= 0 <= mean.high else ''})"


def progress_words(told: Mapping[str, Any], seconds: float) -> tuple[float, str]:
    """Return how much of a stage is done, and how far it is in words, with the time left."""
    stage = str(told.get("stage", "starting"))
    done, total = told.get("done", 0), told.get("total")
    if not total:
        return 0.0, stage
    words = f"{stage}, {done:,} of {total:,}"
    if done and seconds > 1:
        left = seconds * (total - done) / done
        words += f", about {number_text(max(1.0, round(left)))} s left"
    return min(1.0, done / total), words
