"""Questions of the overview: who is compared for each, and how the answer is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

import polars as pl
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.sections.ranking import RATING, ratings_in
from tricklog.dashboard.sections.same_cards import GAMES, found_at, found_over
from tricklog.dashboard.text.escaping import as_html
from tricklog.ingest.metrics import METRIC, FigureError, wording
from tricklog.ingest.metrics import field as fields
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED
from tricklog.ingest.metrics.figure_words import (
    change_text,
    figure_text,
    signed_text,
    value_text,
    when_text,
)
from tricklog.ingest.metrics.filters import EVERYTHING, Filters
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.trend import changes
from tricklog.ingest.ratings import words
from tricklog.ingest.sessions.evening import evenings
from tricklog.schemas.languages.messages import Message, mark, message, message_of, say, say_counted
from tricklog.schemas.languages.numbers import number, plain_day


@dataclass(frozen=True, slots=True)
class Compared:
    """Players compared in one question and game: who is furthest out, and how sure that is."""

    rows: pl.DataFrame
    """Those judged: ``player``, ``value`` (difference to the others), ``low``, ``high``, ``p``, the
    chance of as much by chance alone, and ``size``, from which on a difference matters."""
    cases: str
    said: Callable[[str, Mapping[str, Any]], str]
    """From a name as HTML and a row to a sentence."""


Compare = Callable[[DuckDBPyConnection, str, Filters], Compared | None]
"""From a variant and the days that count to who was compared."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its answers."""

    title: str
    """In English, which is what it is known by."""
    sentence: Message
    sign: int
    """Whether the highest (1) or the lowest (-1) is looked for."""
    compare: Compare
    leads_to: Callable[[str], str]
    takes_long: bool = False
    """Whether it takes seconds over very many hands, so that it is answered when somebody asks."""
    surest: bool = False
    """Whether the surest is named, where values are not of one figure, rather than the furthest."""
    own_view: str = ""
    """The part of a player's page that says more of who is named, if one does."""
    link: Message = field(default_factory=lambda: message("See all players"))
    """What is said of where it leads to."""


def filters_of(variant: str, days: Filters = EVERYTHING) -> Filters:
    """Return the filters of a variant, of all together where it is empty."""
    return days.also("variant", variant) if variant else days


def _by_field(name: str) -> Compare:
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
        count = int(rows["n"].sum())
        cases = say_counted("{count} contract", "{count} contracts", count)
        if name == fields.QUESTIONS[0].name:
            cases = say_counted("{count} free call", "{count} free calls", count)

        def said(who: str, row: Mapping[str, Any]) -> str:
            does = fields.words({**row, "named": True}, over_tables=not variant)
            return say("<b>{player}</b> {does}.", player=who, does=as_html(does))

        return Compared(rows, cases, said)

    return compare


def _by_share(name: str, title: str, sentence: Message, in_one: str, in_all: str) -> Asked:
    """Return a question of a share that players are ranked by."""
    metric = METRIC[name]

    def compare(facts: DuckDBPyConnection, variant: str, days: Filters) -> Compared | None:
        frame = snapshot.kept(standings, facts, metric, "player", filters_of(variant, days))
        own = {each: f"figure_{each}" for each in ("value", "low", "high")}
        judged = {"value": "difference", "low": "difference_low", "high": "difference_high"}
        rows = (
            frame.filter(pl.col("difference").is_not_null())
            .rename(own)
            .rename({stored: each for each, stored in judged.items()} | {"chance": "p"})
            .with_columns(size=pl.lit(metric.relevant))
        )

        def said(who: str, row: Mapping[str, Any]) -> str:
            figure = {**row, **{each: row[kept] for each, kept in own.items()}}
            values = {
                "player": who,
                "figure": as_html(figure_text(metric, figure, cases=False)),
                "expected": as_html(value_text(metric, row["expected"])),
                "difference": as_html(signed_text(metric, row["value"])),
            }
            return str(message_of(in_one if variant else in_all, values))

        cases = say_counted("{count} case", "{count} cases", int(rows["n"].sum()))
        return Compared(rows, cases, said)

    return Asked(title, sentence, 1, compare, _to("players", rank=name))


def _by_rating(facts: DuckDBPyConnection, variant: str, days: Filters) -> Compared | None:
    try:
        found = ratings_in(facts, filters_of(variant, days))
    except FigureError:
        return None
    rows = found.largest.with_columns(value="rating", p="chance", size=pl.lit(found.gap))
    if (rows["games"] >= FEWEST_COMPARED).sum() <= 1:
        return None
    said = as_html(words.best_sentence(found, labels_of(facts, "player")))
    enough = number(round(found.enough, -1))
    return Compared(
        rows, say("known from some {hands} hands each on", hands=enough), lambda *_: said
    )


def _changed(facts: DuckDBPyConnection, variant: str, days: Filters) -> Compared | None:
    """Compare who changed; of each player the figure whose change is the surest."""
    found = snapshot.kept(changes, facts, _CHANGING, filters_of(variant, days))
    rows = (
        found.sort("chance", maintain_order=True)
        .group_by("player", maintain_order=True)
        # The surest of several is sure by chance as often as there are of them.
        .agg(
            pl.col("metric", "change", "low", "high", "games", "first").first(),
            pl.col("when", "when_low", "when_high").first(),
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
        changed = say(
            "<b>{player}</b>: {figure} {change} since {day}.",
            player=who,
            figure=as_html(wording.title(metric).lower()),
            change=as_html(change_text(metric, row)),
            day=plain_day(row["first"]),
        )
        return f"{changed} {as_html(when_text(row))}"

    cases = say_counted("{count} figure over time", "{count} figures over time", len(_CHANGING))
    return Compared(rows, cases, said)


_CHANGING: Final = (METRIC["made-rate"], METRIC["cards-kept"], METRIC["score-share"])
"""Figures of which more is better, and by which somebody may be improving."""


def _to(page: str, **parameters: str) -> Callable[[str], str]:
    return lambda variant: addresses.of_page(page, Chosen(filters_of(variant)), parameters)


def _to_courses(variant: str) -> str:
    """Return the address of how everybody went, from the first day to the last."""
    days: list[date] = snapshot.kept(evenings, snapshot.facts())["day"].to_list()
    whole = replace(filters_of(variant), since=days[0], until=days[-1])
    return addresses.of_page(addresses.EVENINGS, Chosen(whole), {urls.VIEW: "season"})


QUESTIONS: Final = (
    Asked(
        mark("Who is the better player?"),
        message("what they bring their side a hand, partners and opponents taken out"),
        1,
        _by_rating,
        _to("players", rank=RATING),
        takes_long=True,
    ),
    Asked(
        mark("Who bids too much?"),
        message("bids in free calls above the field with the same cards and price"),
        1,
        _by_field("calls"),
        _to("bids", view="Same cards"),
        takes_long=True,
    ),
    Asked(
        mark("Who loses it in the play?"),
        message("points taken below the field with the same cards and bid"),
        -1,
        _by_field("play"),
        _to("bids", view="Same cards"),
        takes_long=True,
    ),
    _by_share(
        "pedros-lost",
        mark("Who loses the makers’ fives?"),
        message("fives of trumps of the makers’ side that the defenders won"),
        mark("<b>{player}</b> loses {figure}, the others {expected}: {difference} in 100."),
        mark(
            "<b>{player}</b> loses {figure}, the others in the same games {expected}: "
            "{difference} in 100."
        ),
    ),
    _by_share(
        "auctions-won",
        mark("Who wins the auctions?"),
        message("share of the auctions they sat in"),
        mark("<b>{player}</b> wins {figure}, the others {expected}: {difference} in 100."),
        mark(
            "<b>{player}</b> wins {figure}, the others in the same games {expected}: "
            "{difference} in 100."
        ),
    ),
    _by_share(
        "score-share",
        mark("Who scores best?"),
        message("share of the score at stake"),
        mark("<b>{player}</b> takes {figure}, the others {expected}: {difference} in 100."),
        mark(
            "<b>{player}</b> takes {figure}, the others in the same games {expected}: "
            "{difference} in 100."
        ),
    ),
    Asked(
        mark("Who is improving?"),
        message(
            "contracts made, cards kept or share of the score, against the field over all days"
        ),
        1,
        _changed,
        _to_courses,
        surest=True,
        own_view="over-time",
        link=message("See over time"),
    ),
)
"""What the overview answers, in its order."""
