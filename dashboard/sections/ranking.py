"""The ranking of all players by one figure, and what all pages of players share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import addresses, cells, figures
from tricklog.dashboard.kit.choices import choose_in_box
from tricklog.dashboard.kit.page_parts import first_row, need, offer_parts, refusals_said
from tricklog.dashboard.kit.tables import Cell, Column, Link, in_columns, show_table
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import Better, FigureError, Metric, metric_named, wording
from tricklog.ingest.metrics.comparing import FEWEST_COMPARED
from tricklog.ingest.metrics.figure_words import (
    chance_text,
    difference_text,
    figure_text,
    place_text,
    signed_text,
)
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.metrics.standings import metrics_of_players, not_countable, standings
from tricklog.ingest.metrics.trend import above_field
from tricklog.ingest.ratings import Ratings, ratings_of, words
from tricklog.schemas.languages.messages import mark, message, message_of, say, say_counted, say_in
from tricklog.schemas.languages.numbers import number, ordinal, short_month

RANK: Final = "rank"
"""Parameter and key: what players are ranked by, the rating or a metric."""
RATING: Final = "rating"
PAGE: Final = 50
MOST_NAMED: Final = 5
MOST_HANDS_OF_LINES: Final = 300_000
"""Hands of which a line of the months is drawn for everybody; of more it takes too long."""
_TWO: Final = 2
_ABOUT_RATINGS: Final = message(
    "What each brings their side a hand, from the mean of those who met, with partners and "
    "opponents taken out: bids and play together, whoever they sat with."
)


def metric_words(name: str) -> str:
    """Return a metric with the group it belongs to: ``Bidding: Contracts made``; or the rating."""
    if name == RATING:
        return say("Rating")
    metric = metric_named(name)
    return say("{group}: {figure}", group=wording.group(metric.group), figure=wording.title(metric))


def with_own_metrics(facts: DuckDBPyConnection, chosen: Chosen) -> dict[str, Metric]:
    """Return the metrics of players, those of one's own too, and say which cannot be used."""
    figures.show_metric_problems()
    # Amounts of several variants cannot be compared.
    amounts = len(chosen.filters.values("variant")) == 1
    metrics = metrics_of_players(amounts=amounts, own=True)
    broken = snapshot.kept(not_countable, facts, list(metrics.values()))
    for problem in broken.values():
        st.warning(say("Left out: {problem}", problem=as_markdown(problem)))
    return {name: metric for name, metric in metrics.items() if name not in broken}


def show_notes(facts: DuckDBPyConnection, chosen: Chosen, metrics: Sequence[Metric]) -> None:
    """Say which games metrics leave out, and which tables they take together."""
    figures.show_games_left_out(facts, chosen, metrics)
    figures.show_looked_at(facts, chosen, metrics)
    figures.show_tables_together(facts, chosen, metrics)


@refusals_said()
def show_ranking(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show all players by their rating or a metric, as the viewer chooses.

    Where nobody can be rated it says why, and ranks them by their score.
    """
    metrics = with_own_metrics(facts, chosen)
    offered = [RATING, *metrics]
    name = choose_in_box(say("Rank the players by"), RANK, offered, metric_words, width=360)
    if name == RATING:
        try:
            found = ratings_in(facts, chosen.filters)
        except FigureError as error:
            st.info(as_markdown(str(error)))
        else:
            rows = found.frame.slice(first_row(len(found.frame), PAGE), PAGE)
            _show_ratings(facts, chosen, found, rows)
            offer_parts(len(found.frame), PAGE)
            return
    metric = metrics.get(name, metrics["score-share"])
    figures.heading(metric.name)
    everybody = chosen.filters.also("player")
    frame = snapshot.kept(standings, facts, metric, "player", everybody, chosen.minimum)
    need(frame)
    show_notes(facts, chosen, [metric])
    ranked = frame.filter(pl.col("place").is_not_null())
    st.caption(
        say(
            "{players} of {number} with a place: it takes {cases}, {games} and, for a share, "
            "enough hits and misses to expect. Places go by the difference to the others in the "
            "same games, drawn towards the middle where games are few. Choose a player to see "
            "more.",
            players=say_counted("{count} player", "{count} players", len(ranked)),
            number=number(len(frame)),
            cases=say_counted("{count} case", "{count} cases", chosen.minimum),
            games=say_counted("{count} game", "{count} games", FEWEST_COMPARED),
        )
    )
    if not ranked.is_empty():
        st.markdown(_who_leads(facts, ranked))
    _show_table(facts, chosen, metric, frame.slice(first_row(len(frame), PAGE), PAGE))
    offer_parts(len(frame), PAGE)


def _show_table(
    facts: DuckDBPyConnection, chosen: Chosen, metric: Metric, shown: pl.DataFrame
) -> None:
    labels, everybody = labels_of(facts, "player"), chosen.filters.also("player")
    # A few wide intervals do not set the scale for all: they end at its edge.
    ends = pl.max_horizontal(pl.col("difference_low", "difference_high").abs())
    reach, of = float(shown.select(ends.quantile(0.9)).item() or 1.0), int(shown["of"][0])

    def places(row: dict[str, Any]) -> Cell:
        """Return between which places somebody stands, all of them across the cell."""
        if row["place"] is None:
            return ""
        track, ends = cells.Track(1, of), (row["from_place"], row["to_place"])
        return cells.interval(track, row["place"], *ends, place_text(row))

    def profile(row: dict[str, Any]) -> Cell:
        address = addresses.of_page(addresses.PLAYERS, chosen, player=row["player"])
        return Link(labels.get(row["player"], row["player"]), address)

    def difference(row: dict[str, Any]) -> Cell:
        if row["difference"] is None:
            return ""
        value, low, high = (row[f"difference{each}"] for each in ("", "_low", "_high"))
        colour = cells.Colour.ONE if row["named"] else cells.Colour.FIELD
        track = cells.Track(-reach, reach, 0.0)
        return cells.interval(track, value, low, high, difference_text(metric, row), colour)

    best = say("chance to be the highest")
    if metric.better in (Better.HIGHER, Better.LOWER):
        best = say("chance to be the best")
    across = say("{low} to {high}", low=ordinal(1), high=ordinal(of))
    show_table(
        *in_columns(
            shown.to_dicts(),
            (say("place, and between which (90 %)"), place_text),
            *([(across, places)] if of > 1 else []),
            (say_in("a column", "player"), profile),
            ("n", "n"),
            (
                say("{unit}, 95 % interval", unit=wording.unit(metric)),
                lambda row: figure_text(metric, row, cases=False),
            ),
            (
                figures.difference_head(metric),
                lambda row: difference_text(metric, row) if row["enough"] else "",
            ),
            (_scale_text(metric, reach), difference),
            (best, lambda row: "" if row["first"] is None else chance_text(row["first"])),
            *_lines(facts, metric, everybody, shown["player"].to_list()),
        ),
        name=say("Players by {figure}", figure=wording.title(metric).lower()),
        whole_rows=True,
    )


def _scale_text(metric: Metric, reach: float) -> str:
    """Return the ends of a scale that goes as far to either side of the others."""
    low, high = (signed_text(metric, each) for each in (-reach, reach))
    return say("{low} to {high}", low=low, high=high)


def _who_leads(facts: DuckDBPyConnection, ranked: pl.DataFrame) -> str:
    """Return in markdown who stands out for sure, or that nobody does."""

    def listed(difference: pl.Expr) -> str:
        named = ranked.filter(pl.col("named").fill_null(value=False), difference)
        names = figures.words_for(facts, "player", named["player"].to_list())
        players = ", ".join(as_markdown(names[each]) for each in named["player"][:MOST_NAMED])
        more = len(named) - MOST_NAMED
        if more > 0:
            return say("{players} and {number} more", players=players, number=number(more))
        return players

    above, below = listed(pl.col("difference") > 0), listed(pl.col("difference") < 0)
    said = mark("Nobody stands out for sure, with all {number} compared.")
    if above and below:
        said = mark(
            "**Sure with all {number} compared**, above the others: {above}; below the others: "
            "{below}."
        )
    elif above:
        said = mark("**Sure with all {number} compared**, above the others: {above}.")
    elif below:
        said = mark("**Sure with all {number} compared**, below the others: {below}.")
    values = {"number": number(len(ranked)), "above": above, "below": below}
    return str(message_of(said, values))


# --- Lines of months


def _rounded_up(value: float) -> float:
    """Return the next number that reads well: of one digit, or 1.5, times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1.0, 1.5, *map(float, range(2, 11)))
    return power * next((each for each in steps if each * power >= value), 10.0)


def _lines(
    facts: DuckDBPyConnection, metric: Metric, everybody: Filters, players: Sequence[str]
) -> list[Column]:
    """Return the column of how far each was above the others by month, if there is any to draw.

    All lines have one scale, as far to either side of the others as any value, rounded up.
    """
    if snapshot.totals()["hands"] > MOST_HANDS_OF_LINES:
        return []
    frame = snapshot.kept(above_field, facts, metric, "month", everybody, players=tuple(players))
    months: list[date] = frame["period"].unique().sort().to_list()
    if len(months) < _TWO:
        return []
    first, last = months[0], months[-1]
    reach = _rounded_up(frame.select(pl.col("value").abs().max()).item())
    of_player = frame.select("who", "period", "value").rows_by_key("who")

    def picture(row: dict[str, Any]) -> Cell:
        points = of_player.get(row["player"], [])
        if len(points) < _TWO:
            return ""
        across = [(month - first).days / (last - first).days for month, _ in points]
        said = ", ".join(
            f"{_month_text(month)} {signed_text(metric, value)}" for month, value in points
        )
        track = cells.Track(-reach, reach, 0.0)
        return cells.line([value for _, value in points], track, said, across=across)

    head = say(
        "{first} to {last}, against the others: {scale}",
        first=_month_text(first),
        last=_month_text(last),
        scale=_scale_text(metric, reach),
    )
    return [(head, picture)]


def _month_text(month: date) -> str:
    """Return a month in short with its year: ``Nov 2026``."""
    return f"{short_month(month)} {month.year}"


# --- Ratings


def ratings_in(facts: DuckDBPyConnection, filters: Filters) -> Ratings:
    """Return the ratings of everybody in the hands chosen. Raises as ``ratings_of`` does."""
    return snapshot.kept(ratings_of, facts, filters.also("player"))


@refusals_said()
def show_rating_of(profile: Profile) -> None:
    """Say what a player brings, where they stand, and how sure that is."""
    found = ratings_in(profile.facts, profile.chosen.filters)
    said = words.player_sentences(found, profile.player, profile.name)
    st.markdown(as_markdown(" ".join(said)))


def _show_ratings(
    facts: DuckDBPyConnection, chosen: Chosen, found: Ratings, rows: pl.DataFrame
) -> None:
    """Show who is the best and how sure that is, and ``rows`` of the table of ratings."""
    names = labels_of(facts, "player")
    st.subheader(say("Rating"), help=str(_ABOUT_RATINGS))
    st.markdown(as_markdown(words.best_sentence(found, names)))
    st.caption(as_markdown(" ".join(words.notes_text(found))))
    reach = max(map(abs, (*found.frame["low"], *found.frame["high"])))
    low, high = (number(each, 2, sign=True) for each in (-reach, reach))
    group: Column = (say_in("a column", "group"), "group")

    def profile(row: dict[str, Any]) -> Cell:
        address = addresses.of_page(addresses.PLAYERS, chosen, player=row["player"])
        return Link(words.name_text(row, names), address)

    def picture(row: dict[str, Any]) -> Cell:
        ends = (row["rating"], row["low"], row["high"])
        return cells.interval(cells.Track(-reach, reach, 0.0), *ends, words.rating_text(row))

    show_table(
        *in_columns(
            rows.to_dicts(),
            *([group] if found.frame["group"].n_unique() > 1 else []),
            (say("place, and between which (95 %)"), place_text),
            (say_in("a column", "player"), profile),
            ("n", "hands"),
            (say("{unit} a hand, 95 % interval", unit=words.unit_text(found)), words.rating_text),
            (say("{low} to {high}", low=low, high=high), picture),
            (say("chance to be the best"), lambda row: chance_text(row["first"])),
            ("", words.remark_text),
        ),
        name=say("Ratings"),
        whole_rows=True,
    )
