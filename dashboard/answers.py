"""First answers of the overview: one for each question and game, with how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import addresses, filters, snapshot, urls
from dashboard.escaping import as_html, as_markdown, name_html
from dashboard.filters import Chosen
from dashboard.labels import counted
from dashboard.same_cards import found_at, found_over
from ingest.metrics import METRIC, measure
from ingest.metrics import field as fields
from ingest.metrics.figure_words import change_text, figure_text, signed_text, value_text
from ingest.metrics.filters import EVERYTHING, Filters
from ingest.metrics.naming import NAMED_AT, corrected
from ingest.metrics.standings import standings
from ingest.metrics.trend import changes

GAMES: Final = 3
"""Games that have a column, those with the most hands."""
MOST_AT_ONCE: Final = 100_000
"""Hands of which the field is found out for the front page; of more it takes seconds."""
TOGETHER: Final = ""
"""In the place of a variant: all of them, each compared within itself."""
MOST_LOOKED_BACK: Final = 20_000
"""Hands of which all is answered twice, to say what has changed."""
LIKELY_AT: Final = 0.2


class Certainty(StrEnum):
    """How sure it is that somebody differs from the others, with all of them compared."""

    SURE = "sure"
    LIKELY = "likely"
    CANNOT_TELL = "cannot tell yet"


DOTS: Final = {
    Certainty.SURE: "●●",
    Certainty.LIKELY: "●○",
    Certainty.CANNOT_TELL: "○○",
}
MEANINGS: Final = (
    "“Sure”: with all players, questions and games of this page compared, chance alone would name "
    f"somebody in at most {NAMED_AT * 100:.0f} of 100 clubs whose players are all alike. “Likely”: "
    f"in at most {LIKELY_AT * 100:.0f}. Rings are the other players, the line in the middle is the "
    "field, the bar is the interval of the difference: 95 % for bids and play, 99 % for all else. "
    "Bids and play are those of the kind of table with the most contracts; over all games, of the "
    f"{GAMES} with the most."
)


@dataclass(frozen=True, slots=True)
class Compared:
    """Players compared in one question and game: who is furthest out, and how sure that is."""

    rows: pl.DataFrame
    """Those judged: ``player``, ``value`` (difference to the others), ``low``, ``high``, ``p``, the
    chance of as much by chance alone, and ``size``, from which on a difference matters."""
    cases: str
    said: Callable[[str, Mapping[str, Any]], str]
    """From a name as HTML and a row to a sentence."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answers."""

    title: str
    sentence: str
    sign: int
    """Whether the highest (1) or the lowest (-1) is looked for."""
    compare: Callable[[DuckDBPyConnection, str, Filters], Compared | None]
    """From a variant and the days that count to who was compared."""
    leads_to: Callable[[DuckDBPyConnection, str], str]
    of_field: bool = False
    """Whether what the field does with the same cards has to be found out first."""
    together: bool = True
    """Whether it can be answered over all games."""
    surest: bool = False
    """Whether the surest is named, where values are not of one figure, rather than the furthest."""
    own_view: str = ""
    """The part of a player's page that says more of who is named."""


def show_answers(facts: DuckDBPyConnection) -> None:
    """Show a table: a row for each question, a column for each game that has an answer."""
    games = snapshot.kept(measure, facts, "hands", ("variant",)).sort("n", descending=True)
    at_once = games["n"].sum() <= MOST_AT_ONCE
    hands = _hands_of_columns(games)
    questions = _questions(games)
    answers = _answered(facts, questions, hands, EVERYTHING)
    shown = [variant for variant in hands if any(each == variant for _, each in answers)]
    asked = [each for each in questions if any(title == each.title for title, _ in answers)]
    if shown:
        _show_table(facts, asked, {each: hands[each] for each in shown}, answers)
    unanswered = [each for each in questions if each not in asked]
    _show_unanswered(unanswered, [each for each in hands if shown and each not in shown])
    if not at_once:
        st.page_link(
            urls.BIDS,
            label=":blue[Who bids too much, and who loses it in the play? Of so many hands it is "
            "counted when you ask.]",
            query_params={urls.VIEW: "Same cards"} | urls.whose_parameter(),
        )
    if len(games) > GAMES:
        st.caption(
            f"The {GAMES} games played most, of {len(games)}. Bid accuracy, Point capture and "
            "Players answer for the others: choose a variant there."
        )


def changed_answers(facts: DuckDBPyConnection, before: date) -> list[str] | None:
    """Return what has become sure since a day, or is no more, each as a sentence in HTML.

    Both are answers of the same page, each corrected for all that is compared on it. ``None``
    where hands are too many to answer everything twice.
    """
    games = snapshot.kept(measure, facts, "hands", ("variant",)).sort("n", descending=True)
    if games["n"].sum() > MOST_LOOKED_BACK:
        return None
    hands, questions = _hands_of_columns(games), _questions(games)
    until = Filters(until=before)
    now, then = (_answered(facts, questions, hands, days) for days in (EVERYTHING, until))
    labels = filters.labels_of(facts, "player")
    said = []
    for asked in questions:
        for variant in hands:
            here, there = (
                _judged(asked, found[asked.title, variant])
                if (asked.title, variant) in found
                else None
                for found in (now, then)
            )
            if here is None:
                continue
            was = there.certainty if there and there.player == here.player else None
            if here.certainty == Certainty.SURE and was != Certainty.SURE:
                name = name_html(labels.get(here.player, here.player))
                told = now[asked.title, variant].said(name, here.first).rstrip(".")
                said.append(f"{as_html(_title(variant))}: {told}. This is <b>now sure</b>.")
            elif there and there.certainty == Certainty.SURE and here.player != there.player:
                name = name_html(labels.get(there.player, there.player))
                said.append(
                    f"{as_html(_title(variant))}: {as_html(asked.title)} <b>{name}</b>, it was "
                    "said; that is <b>no longer sure</b>."
                )
    return said


def _hands_of_columns(games: pl.DataFrame) -> dict[str, int]:
    """Return the games that have a column, with their hands."""
    hands: dict[str, int] = dict(games.head(GAMES).select("variant", "n").iter_rows())
    if len(games) > 1:
        return {TOGETHER: int(games["n"].sum()), **hands}
    return hands


def _questions(games: pl.DataFrame) -> list[Asked]:
    at_once = games["n"].sum() <= MOST_AT_ONCE
    return [each for each in QUESTIONS if at_once or not each.of_field]


def _answered(
    facts: DuckDBPyConnection, questions: list[Asked], hands: Mapping[str, int], days: Filters
) -> dict[tuple[str, str], Compared]:
    """Return the answers by question and variant, corrected for all that is compared."""
    answers = {
        (each.title, variant): compared
        for each in questions
        for variant in hands
        if (compared := each.compare(facts, variant, days)) and not compared.rows.is_empty()
    }
    listed = [p for compared in answers.values() for p in compared.rows["p"]]
    chances = iter(corrected(listed))
    return {
        key: replace(
            compared,
            rows=compared.rows.with_columns(
                p=pl.Series([next(chances) for _ in range(len(compared.rows))], dtype=pl.Float64)
            ),
        )
        for key, compared in answers.items()
    }


@dataclass(frozen=True, slots=True)
class Judged:
    """Who is furthest out in an answer, and how sure that is."""

    player: str
    first: Mapping[str, Any]
    others: list[float]
    """How far the others are from the field."""
    certainty: Certainty


def _judged(asked: Asked, compared: Compared) -> Judged:
    rows = compared.rows.sort("value", descending=asked.sign > 0)
    if asked.surest:
        outside = pl.col("value") * asked.sign >= pl.col("size")
        rows = rows.sort(~outside, "p", maintain_order=True)
    first = rows.row(0, named=True)
    chance = first["p"]
    outside = first["value"] * asked.sign >= first["size"]
    certainty = Certainty.CANNOT_TELL
    if outside and chance < NAMED_AT:
        certainty = Certainty.SURE
    elif outside and chance < LIKELY_AT:
        certainty = Certainty.LIKELY
    return Judged(first["player"], first, rows["value"].to_list()[1:], certainty)


def _show_table(
    facts: DuckDBPyConnection,
    asked: list[Asked],
    hands: dict[str, int],
    answers: dict[tuple[str, str], Compared],
) -> None:
    heads = "".join(
        f'<div class="tl-answer-game" role="columnheader">{as_html(_title(variant))} '
        f"<span>{counted(n, 'hand')}</span></div>"
        for variant, n in hands.items()
    )
    body = "".join(
        '<div class="tl-answer-row" role="row">'
        f'<div class="tl-answer-question" role="rowheader"><b>{as_html(each.title)}</b>'
        f"<span>{as_html(each.sentence)}</span></div>"
        + "".join(
            _cell_html(facts, each, variant, answers.get((each.title, variant)))
            for variant in hands
        )
        + "</div>"
        for each in asked
    )
    st.html(
        f'<div class="tl-answers" role="table" aria-label="Answers for each game" '
        f'style="--tl-games: {len(hands)}"><div class="tl-answer-row" role="row">'
        f'<div class="tl-answer-game" role="columnheader">question</div>{heads}</div>{body}</div>'
        f'<p class="tl-quiet">{as_html(MEANINGS)}</p>'
    )


def _show_unanswered(questions: list[Asked], games: list[str]) -> None:
    """Say what cannot be answered yet, and of which games nothing can."""
    parts = [f"“{each.title}”" for each in questions]
    parts += [f"anything of {_title(each)}" for each in games if each]
    if parts:
        st.caption(as_markdown(f"There are too few games yet to answer {', '.join(parts)}."))


def _title(variant: str) -> str:
    return snapshot.titles().get(variant, variant) if variant else "All games"


def _filters(variant: str, days: Filters = EVERYTHING) -> Filters:
    return days.also("variant", variant) if variant else days


def _cell_html(
    facts: DuckDBPyConnection, asked: Asked, variant: str, compared: Compared | None
) -> str:
    title = f'<p class="tl-answer-of">{as_html(_title(variant))}</p>'
    if compared is None:
        text = "There are too few games to compare yet."
        if not (variant or asked.together):
            text = "Points mean something else in each game: see each."
        return f'<div class="tl-answer" role="cell">{title}<p>{text}</p></div>'
    judged = _judged(asked, compared)
    first, certainty = judged.first, judged.certainty
    labels = filters.labels_of(facts, "player")
    name = name_html(labels.get(judged.player, judged.player))
    if certainty == Certainty.CANNOT_TELL:
        said = "Nobody stands out."
        strip = _strip_html([first["value"], *judged.others], None, "")
    else:
        said = compared.said(name, first)
        strip = _strip_html(judged.others, first, name)
    address, more = as_html(asked.leads_to(facts, variant)), "See all players"
    if asked.own_view and certainty != Certainty.CANNOT_TELL:
        own = {urls.VIEW: asked.own_view}
        address = as_html(
            addresses.of_page(
                addresses.PLAYERS, facts, Chosen(_filters(variant)), own, player=first["player"]
            )
        )
        more = f"See {asked.own_view.lower()}"
    return (
        f'<div class="tl-answer" role="cell">{title}<p>{said}</p>{strip}'
        f'<p class="tl-answer-foot"><span><i aria-hidden="true">{DOTS[certainty]}</i> {certainty}'
        f"</span><span>{as_html(compared.cases)}</span></p>"
        f'<a href="{address}">{as_html(more)}</a></div>'
    )


def _strip_html(others: list[float], named: Mapping[str, Any] | None, name: str) -> str:
    """Return all players on one line, the named one with their interval."""
    ends = [abs(each) for each in others]
    ends += [abs(named[each]) for each in ("low", "value", "high")] if named else []
    most = max(ends, default=0.0) * 1.05 or 1.0

    def at(value: float) -> str:
        return f"left:{50 + 50 * value / most:.1f}%"

    marks = "".join(f'<s style="{at(each)}"></s>' for each in others)
    if named:
        width = 50 * (named["high"] - named["low"]) / most
        marks += f'<u style="{at(named["low"])};width:{width:.1f}%"></u>'
        marks += f'<b style="{at(named["value"])}"></b><q style="{at(named["value"])}">{name}</q>'
    return f'<span class="tl-strip" aria-hidden="true"><i></i>{marks}</span>'


# --- The questions


def _by_field(name: str) -> Callable[[DuckDBPyConnection, str, Filters], Compared | None]:
    def compare(facts: DuckDBPyConnection, variant: str, days: Filters) -> Compared | None:
        tables = snapshot.kept(fields.tables, facts, days)
        if variant:
            tables = tables.filter(pl.col("variant") == variant)
        if tables.is_empty():
            return None
        if variant:
            figures = found_at(facts, fields.Table(variant, tables["seating"][0]), days).figures
        else:
            figures = found_over(facts, tables.head(GAMES), days)
        rows = figures.filter(pl.col("enough"), pl.col("question") == name)
        if not variant and name != fields.QUESTIONS[0].name:
            # Points of several games have no unit that says something at the table.
            return None

        def said(who: str, row: Mapping[str, Any]) -> str:
            named = {**row, "named": True}
            return f"<b>{who}</b> {as_html(fields.words(named, over_tables=not variant))}."

        return Compared(rows, f"{rows['n'].sum():,} {fields.QUESTION[name].cases}", said)

    return compare


def _by_metric(
    name: str, what: str
) -> Callable[[DuckDBPyConnection, str, Filters], Compared | None]:
    metric = METRIC[name]

    def compare(facts: DuckDBPyConnection, variant: str, days: Filters) -> Compared | None:
        frame = snapshot.kept(standings, facts, metric, "player", _filters(variant, days))
        rows = frame.filter(pl.col("difference").is_not_null()).select(
            "player",
            "n",
            "games",
            "enough",
            "expected",
            figure="value",
            figure_low="low",
            figure_high="high",
            value="difference",
            low="difference_low",
            high="difference_high",
            p="chance",
            size=pl.lit(metric.relevant),
        )

        def said(who: str, row: Mapping[str, Any]) -> str:
            own = dict(row) | {each: row[f"figure_{each}"] for each in ("low", "high")}
            own["value"] = row["figure"]
            figure = figure_text(metric, own, cases=False)
            others = "the others" if variant else "the others in the same games"
            return (
                f"<b>{who}</b> {what} {as_html(figure)}, {others} "
                f"{as_html(value_text(metric, row['expected']))}: "
                f"{as_html(signed_text(metric, row['value']))} in 100."
            )

        return Compared(rows, counted(int(rows["n"].sum()), "case"), said)

    return compare


def _changed(facts: DuckDBPyConnection, variant: str, days: Filters) -> Compared | None:
    """Compare who changed; of each player the figure whose change is the surest."""
    found = snapshot.kept(changes, facts, _CHANGING, _filters(variant, days))
    rows = (
        found.sort("chance", maintain_order=True)
        .group_by("player", maintain_order=True)
        # The surest of several is sure by chance as often as there are of them.
        .agg(
            pl.col("metric", "change", "low", "high", "games", "first").first(),
            p=(pl.col("chance").first() * pl.len()).clip(upper_bound=1.0),
        )
        .with_columns(
            value="change",
            size=pl.col("metric").replace_strict(
                {each.name: each.relevant for each in _CHANGING}, return_dtype=pl.Float64
            ),
        )
    )

    def said(who: str, row: Mapping[str, Any]) -> str:
        metric = METRIC[row["metric"]]
        return (
            f"<b>{who}</b>: {as_html(metric.title.lower())} {as_html(change_text(metric, row))} "
            f"since {row['first']}."
        )

    return Compared(rows, f"{counted(len(_CHANGING), 'figure')} over time", said)


_CHANGING: Final = (METRIC["made-rate"], METRIC["cards-kept"], METRIC["score-share"])
"""Figures of which more is better, and by which somebody may be improving."""


def _to(page: str, **parameters: str) -> Callable[[DuckDBPyConnection, str], str]:
    def leads_to(facts: DuckDBPyConnection, variant: str) -> str:
        chosen = Chosen(_filters(variant))
        return addresses.of_page(page, facts, chosen, parameters)

    return leads_to


QUESTIONS: Final = (
    Asked(
        "Who bids too much?",
        "bids in free calls above the field with the same cards and price",
        1,
        _by_field("calls"),
        _to("bids", view="Same cards"),
        of_field=True,
    ),
    Asked(
        "Who loses it in the play?",
        "points taken below the field with the same cards and bid",
        -1,
        _by_field("play"),
        _to("bids", view="Same cards"),
        of_field=True,
        together=False,
    ),
    Asked(
        "Who loses the makers’ fives?",
        "fives of trumps of the makers’ side that the defenders won",
        1,
        _by_metric("pedros-lost", "loses"),
        _to("capture", view="Pedros"),
    ),
    Asked(
        "Who wins the auctions?",
        "share of the auctions they sat in",
        1,
        _by_metric("auctions-won", "wins"),
        _to("players", rank="Bidding: Auctions won"),
    ),
    Asked(
        "Who scores best?",
        "share of the score at stake",
        1,
        _by_metric("score-share", "takes"),
        _to("players", rank="Scoring: Share of the score at stake"),
    ),
    Asked(
        "Who is improving?",
        "contracts made, cards kept or share of the score, against the field over all days",
        1,
        _changed,
        _to("players", rank="Bidding: Contracts made"),
        surest=True,
        own_view="Over time",
    ),
)
"""What the overview answers, in its order."""
