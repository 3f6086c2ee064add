"""Ledgers of many hands as words and rows of tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tricklog.dashboard.kit.cells import Colour, Shape, Track, interval, track_of
from tricklog.dashboard.kit.tables import Cell
from tricklog.dashboard.pages.ledger.words import shortened
from tricklog.dashboard.text.escaping import as_html
from tricklog.ingest.study.season import LUCK, Line, Mean, Season, Total, Whose
from tricklog.ingest.study.season_words import PART, whose_words
from tricklog.schemas.languages.messages import (
    Message,
    mark,
    message_in,
    message_of,
    say,
    translated_in,
)
from tricklog.schemas.languages.numbers import MINUS
from tricklog.schemas.languages.numbers import number as number_of
from tricklog.schemas.printable import one_line

_SHAPES: Final[dict[Whose, tuple[Shape, Colour]]] = {
    "start": (Shape.RING, Colour.FIELD),
    "luck": (Shape.DIAMOND, Colour.FIELD),
    "own": (Shape.DISC, Colour.ONE),
    "others": (Shape.RING, Colour.TWO),
    "sum": (Shape.SQUARE, Colour.FIELD),
}
_LEGEND: Final[tuple[tuple[Whose, Message], ...]] = (
    ("luck", message_in("whose a part is", "luck")),
    ("own", message_in("whose a part is", "own choices")),
    ("others", message_in("whose a part is", "others' choices")),
    ("sum", message_in("whose a part is", "the sum of all parts")),
)
_LEGEND_TRACK: Final = Track(-1.0, 1.0)
_HUNDREDTH: Final = 0.005


def amount_text(value: float) -> str:
    """Return an amount a hand with its sign and two places."""
    return number_of(value, 2, sign=True) if abs(value) >= _HUNDREDTH else "0"


def mean_text(line: Line) -> str:
    """Return the mean of a part and how far it may be off."""
    mean, text = line.mean, amount_text(line.shown)
    if mean.low is None or mean.high is None:
        return text
    reach = (mean.high - mean.low) / 2
    return f"{text} ±{number_of(reach, 2)}" if reach >= _HUNDREDTH else text


def who_words(players: Sequence[str], names: Mapping[str, str]) -> str:
    """Return what players are called."""
    return " & ".join(shortened(one_line(names.get(each) or each) or each) for each in players)


def shapes_html() -> str:
    """Return what the shapes of the pictures mean."""
    parts = []
    for whose, words in _LEGEND:
        shape, colour = _SHAPES[whose]
        drawn = interval(_LEGEND_TRACK, 0.0, None, None, "", colour, shape=shape)
        parts.append(f"<span>{drawn.html}{as_html(str(words))}</span>")
    parts.append(f"<span>{as_html(say('bars: 95 % by games'))}</span>")
    return f'<p class="tl-shapes">{"".join(parts)}</p>'


def part_words(name: str) -> str:
    """Return what a part of a ledger of many hands is called."""
    return translated_in(PART, name)


def part_rows(season: Season, total: Total) -> list[tuple[Cell, ...]]:
    """Return a row for each part."""
    means = [each.mean for each in total.lines]
    ends = (end for each in means for end in (each.value, each.low, each.high))
    track = track_of(float(end) for end in ends if end is not None)
    rows: list[tuple[Cell, ...]] = []
    for line in total.lines:
        name, told, mean = part_words(line.name), mean_text(line), line.mean
        shape, colour = _SHAPES[line.whose]
        said = f"{name}: {told}"
        whose = whose_words(line) if season.by == "makers" else ""
        if line.name == "start":
            name = say("start: an average deal")
        elif line.name == "result":
            name = say("result: all parts together")
        elif whose:
            name = f"{name} ({whose})"
        picture = interval(track, float(mean.value), mean.low, mean.high, said, colour, shape=shape)
        rows.append((name, mean.hands, told, picture))
    return rows


def in_words(season: Season, total: Total, names: Mapping[str, str]) -> str:
    """Return two or three sentences: the result, what was luck, what own choices brought."""
    few = {line.name: line.mean for line in total.summary}
    parts = ("result", LUCK, "own choices", "others' choices")
    result, luck, own, others = (float(few[name].value) for name in parts)
    in_points, is_own = season.unit == "points", bool(total.players)
    form = _RESULTS[is_own, "points" if in_points else "less" if result < 0 else "more"]
    amount = amount_text(result) if is_own else number(result)
    values = {
        "amount": amount if in_points else number(abs(result)),
        "sure": _sure(few["result"]),
        "who": who_words(total.players, names),
    }
    told = [str(message_of(form, values))]
    if in_points and is_own:
        told.append(
            say(
                "In points, what the makers take counts for their side and against the other, so "
                "that who made the most contracts stands highest; compare players by score."
            )
        )
    values = {"amount": amount_text(luck), "sure": _sure(few[LUCK])}
    told.append(say("Deal and draw gave {amount}{sure}.", **values))
    if not is_own:
        told.append(
            say(
                "What they bid, laid off and played came to {own}, and the defence gave away "
                "{others}.",
                own=amount_text(own),
                others=number(others),
            )
        )
        return " ".join(told)
    told.append(
        say(
            "Their own choices came to {own}, those of all others to {others}.",
            own=amount_text(own),
            others=amount_text(others),
        )
    )
    cards = [each.mean for each in total.lines if each.name.startswith("own cards")]
    cost = number(-sum(float(each.value) for each in cards))
    told.append(
        say("Their own cards cost {cost} points a hand with all cards open.", cost=cost)
        if in_points
        else say("Their own cards cost {cost} of score a hand with all cards open.", cost=cost)
    )
    return " ".join(told)


_RESULTS: Final = {
    (False, "points"): mark("The makers took {amount} points a hand{sure}."),
    (False, "less"): mark("The makers scored {amount} less than the other side a hand{sure}."),
    (False, "more"): mark("The makers scored {amount} more than the other side a hand{sure}."),
    (True, "points"): mark("{who}'s side came to {amount} points a hand{sure}."),
    (True, "less"): mark("{who}'s side scored {amount} less than the other side a hand{sure}."),
    (True, "more"): mark("{who}'s side scored {amount} more than the other side a hand{sure}."),
}
"""What came of all hands, of players or of all makers."""


def number(value: float) -> str:
    """Return an amount without a sign but a minus."""
    return number_of(value, 2).replace("-", MINUS)


def _sure(mean: Mean) -> str:
    """Return the interval of a mean in brackets, and whether it could be chance."""
    if mean.low is None or mean.high is None:
        return f" ({say('too few games to say how sure')})"
    low, high = amount_text(mean.low), amount_text(mean.high)
    if mean.low <= 0 <= mean.high:
        return f" ({say('{low} to {high}: could be chance', low=low, high=high)})"
    return f" ({say('{low} to {high}', low=low, high=high)})"
