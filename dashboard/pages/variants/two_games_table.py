"""The table of two games side by side, and of the people who play both, as HTML."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import polars as pl

from tricklog.dashboard.kit.cells import Colour, Track, interval, picture_html
from tricklog.dashboard.text.escaping import as_html, name_html
from tricklog.ingest.metrics import wording
from tricklog.ingest.metrics.figure_words import is_share, signed_text, too_few, value_text
from tricklog.ingest.metrics.two_variants import ABOVE_FIELD, FIGURES, Compared
from tricklog.schemas.languages.messages import say, translated_in
from tricklog.schemas.languages.numbers import localised, number

FIGURE: Final = {each.name: each for each in FIGURES}
_SHARES: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1.0)
_AMOUNTS: Final = (0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 50.0, 100.0)
_WITHIN: Final = 0.85
"""How many of the differences lie within the scale; those beyond end at its edge."""
_NUMBER: Final = ' class="tl-number"'
_COLUMNS: Final = 7

To = Callable[[Compared, str | None], str]
"""From a figure, and a variant or both, to the address of the hands behind it."""


class Scales(NamedTuple):
    """How far the pictures reach to either side: for shares, and for amounts."""

    shares: float
    amounts: float

    def words(self) -> str:
        """Return what the ends of the pictures stand for."""
        return say(
            "±{shares} points of 100 for shares, ±{amounts} for others",
            shares=number(self.shares * 100),
            amounts=localised(f"{self.amounts:g}"),
        )


def scales_of(rows: pl.DataFrame) -> Scales:
    """Return scales on which most differences of a frame of ``compare_variants`` lie."""
    shares: list[float] = []
    amounts: list[float] = []
    for name, difference in rows.select("figure", "difference").drop_nulls().iter_rows():
        of = shares if is_share(FIGURE[name].metric) else amounts
        of.append(abs(difference))
    return Scales(_reach(shares, _SHARES), _reach(amounts, _AMOUNTS))


def _reach(sizes: Sequence[float], steps: Sequence[float]) -> float:
    if not sizes:
        return steps[0]
    most = sorted(sizes)[math.ceil(_WITHIN * (len(sizes) - 1))]
    return next((each for each in steps if each >= most), steps[-1])


def figures_html(
    rows: pl.DataFrame, variants: tuple[str, str], names: Sequence[str], to: To
) -> str:
    """Return the table of a frame of ``compare_variants``, group by group.

    ``names`` are the titles of both variants.
    """
    scales = scales_of(rows)
    listed = rows.to_dicts()
    body = ""
    for group, found in groupby(listed, key=lambda row: FIGURE[row["figure"]].group):
        body += f'<tr class="tl-group"><th scope="rowgroup" colspan="{_COLUMNS}">'
        body += f"{as_html(wording.group(group))}</th></tr>"
        body += "".join(_figure_row(row, variants, names, scales, to) for row in found)
    heads = [
        _head(say("figure")),
        _head(names[0], "tl-number tl-one"),
        _head(names[1], "tl-number tl-two"),
        _head(say("difference"), "tl-number"),
        _head(say("99 % interval"), "tl-picture"),
        _head(say("from, to"), "tl-number tl-wide-only"),
        _head(say("n of both"), "tl-number tl-wide-only"),
    ]
    return _table(say("Figures of both games"), heads, body)


def _figure_row(
    row: dict[str, Any], variants: tuple[str, str], names: Sequence[str], scales: Scales, to: To
) -> str:
    compared = FIGURE[row["figure"]]
    metric = compared.metric
    cells = [_value(row, ""), _value(row, "other_")]
    called = name_said(compared.name)
    linked = "".join(
        f'<td{_NUMBER}><a href="{as_html(to(compared, variant))}" '
        f'aria-label="{as_html(_hands_said(text, name, called))}">{as_html(text)}</a></td>'
        for variant, name, text in zip(variants, names, cells, strict=True)
    )
    n = f"{number(row['n'])} / {number(row['other_n'])}"
    reach = scales.shares if is_share(metric) else scales.amounts
    return (
        f'<tr><td title="{as_html(wording.sentence(metric))}">'
        f'<a href="{as_html(to(compared, None))}">{as_html(called)}</a>'
        f'<span class="tl-phone-only">n {n}</span></td>{linked}'
        f"{_compared_cells(row, lambda value: signed_text(metric, value), reach)}"
        f'<td class="tl-number tl-wide-only">{n}</td></tr>'
    )


def name_said(figure: str) -> str:
    """Return what one of ``FIGURES`` is called, by its name."""
    return translated_in(wording.FIGURE, figure)


def _hands_said(value: str, game: str, figure: str) -> str:
    return say("{value}: hands of {game} behind {figure}", value=value, game=game, figure=figure)


def _value(row: dict[str, Any], side: str) -> str:
    metric = FIGURE[row["figure"]].metric
    if not row[f"{side}enough"]:
        return too_few(metric, {"games": row[f"{side}games"]})
    low, high = row[f"{side}low"], row[f"{side}high"]
    width = (high - low) if low is not None and high is not None else 0.0
    return value_text(metric, row[f"{side}value"], width)


def _compared_cells(row: dict[str, Any], said: Callable[[float], str], reach: float) -> str:
    """Return the cells of a figure that both games have, whether or not it can be compared."""
    if row["difference"] is not None:
        return _difference_cells(row, said, reach)
    enough = row["enough"] and row["other_enough"]
    why = say("too rare to tell") if enough else say("cannot tell yet")
    return (
        f'<td class="tl-number tl-quiet">{why}</td><td class="tl-picture"></td>'
        '<td class="tl-wide-only"></td>'
    )


def _difference_cells(row: dict[str, Any], said: Callable[[float], str], reach: float) -> str:
    """Return the cells of a difference: as text, as a picture, and its ends."""
    text, low, high = (
        said(row[name]) for name in ("difference", "difference_low", "difference_high")
    )
    ends = say("{low} to {high}", low=low, high=high)
    colour = Colour.FIELD
    if row["named"]:
        colour = Colour.TWO if row["difference"] > 0 else Colour.ONE
        text = f"<b>{text}</b>"
    picture = interval(
        Track(-reach, reach, 0.0),
        row["difference"],
        row["difference_low"],
        row["difference_high"],
        ends if row["named"] else say("{low} to {high}, cannot tell", low=low, high=high),
        colour,
    )
    return (
        f'<td{_NUMBER}>{text}<span class="tl-phone-only">{ends}</span></td>'
        f'<td class="tl-picture">{picture_html(picture)}</td>'
        f'<td class="tl-number tl-wide-only">{ends}</td>'
    )


def people_html(
    rows: Iterable[dict[str, Any]], names: Sequence[str], labels: dict[str, str], reach: float
) -> str:
    """Return the table of rows of ``better_at_which``; ``labels`` are the names of the people."""

    def said(value: float) -> str:
        return signed_text(ABOVE_FIELD, value)

    body = "".join(
        f"<tr><td>{name_html(labels.get(row['player'], row['player']))}"
        f'<span class="tl-phone-only">{_hands(row)}</span></td>'
        f"<td{_NUMBER}>{said(row['above'])}</td><td{_NUMBER}>{said(row['other_above'])}</td>"
        f"{_difference_cells(row, said, reach)}"
        f'<td class="tl-number tl-wide-only">{_hands(row)}</td></tr>'
        for row in rows
    )
    heads = [
        _head(say("player")),
        _head(names[0], "tl-number tl-one"),
        _head(names[1], "tl-number tl-two"),
        _head(say("difference"), "tl-number"),
        _head(say("±{reach}, 99 % interval", reach=number(reach * 100)), "tl-picture"),
        _head(say("from, to"), "tl-number tl-wide-only"),
        _head(say("games of both"), "tl-number tl-wide-only"),
    ]
    return _table(say("Who is better at which game"), heads, body)


def _hands(row: dict[str, Any]) -> str:
    return f"{number(row['games'])} / {number(row['other_games'])}"


def reach_of(rows: pl.DataFrame) -> float:
    """Return how far the pictures of people reach to either side."""
    ends = rows.select(pl.max_horizontal(pl.col("difference_low", "difference_high").abs()))
    return _reach(ends.to_series().to_list(), _SHARES)


def _head(text: str, kind: str = "") -> str:
    classes = f' class="{kind}"' if kind else ""
    return f'<th scope="col"{classes}>{as_html(text)}</th>'


def _table(name: str, heads: Sequence[str], body: str) -> str:
    return (
        f'<div class="tl-scroll" tabindex="0" role="group" aria-label="{as_html(name)}">'
        f'<table class="tl-figures tl-two-games"><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
