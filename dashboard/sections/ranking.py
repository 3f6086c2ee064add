"""The ranking of all players by one figure, and what all pages of players share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

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
from tricklog.dashboard.kit.tables import Cell, Link, show_table
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
from tricklog.schemas.languages.messages import message, say, say_counted, say_in
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
    lines = _Lines.of(facts, metric, everybody, shown["player"].to_list())
    # A few wide intervals do not set the scale for all: they end at its edge.
    ends = pl.max_horizontal(pl.col("difference_low", "difference_high").abs())
    reach, of = float(shown.select(ends.quantile(0.9)).item() or 1.0), int(shown["of"][0])
    track = cells.Track(-reach, reach, 0.0)
    rows: list[list[Cell]] = []
    for row in shown.to_dicts():
        picture: Cell = ""
        if row["difference"] is not None:
            picture = cells.interval(
                track,
                row["difference"],
                row["difference_low"],
                row["difference_high"],
                difference_text(metric, row),
                cells.Colour.ONE if row["named"] else cells.Colour.FIELD,
            )
        place: Cell = ""
        if row["place"] is not None:
            # Between which places somebody stands, all of them across the cell.
            ends_of = (row["from_place"], row["to_place"])
            place = cells.interval(cells.Track(1, of), row["place"], *ends_of, place_text(row))
        address = addresses.of_page(addresses.PLAYERS, chosen, player=row["player"])
        rows.append(
            [
                place_text(row),
                *([place] if of > 1 else []),
                Link(labels.get(row["player"], row["player"]), address),
                row["n"],
                figure_text(metric, row, cases=False),
                difference_text(metric, row) if row["enough"] else "",
                picture,
                "" if row["first"] is None else chance_text(row["first"]),
                *([lines.picture(row["player"])] if lines else []),
            ]
        )
    best = say("chance to be the highest")
    if metric.better in (Better.HIGHER, Better.LOWER):
        best = say("chance to be the best")
    heads = [
        say("place, and between which (90 %)"),
        *([say("{low} to {high}", low=ordinal(1), high=ordinal(of))] if of > 1 else []),
        say_in("a column", "player"),
        "n",
        say("{unit}, 95 % interval", unit=wording.unit(metric)),
        figures.difference_head(metric),
        _scale_text(metric, reach),
        best,
        *([lines.head] if lines else []),
    ]
    name = say("Players by {figure}", figure=wording.title(metric).lower())
    show_table(heads, rows, name=name, whole_rows=True)


def _scale_text(metric: Metric, reach: float) -> str:
    """Return the ends of a scale that goes as far to either side of the others."""
    low, high = (signed_text(metric, each) for each in (-reach, reach))
    return say("{low} to {high}", low=low, high=high)


def _who_leads(facts: DuckDBPyConnection, ranked: pl.DataFrame) -> str:
    """Return in markdown who stands out for sure, or that nobody does."""
    count = number(len(ranked))

    def listed(difference: pl.Expr) -> str:
        named = ranked.filter(pl.col("named").fill_null(value=False), difference)
        names = figures.words_for(facts, "player", named["player"].to_list())
        players = ", ".join(as_markdown(names[each]) for each in named["player"][:MOST_NAMED])
        more = len(named) - MOST_NAMED
        if more > 0:
            return say("{players} and {number} more", players=players, number=number(more))
        return players

    above, below = listed(pl.col("difference") > 0), listed(pl.col("difference") < 0)
    if above and below:
        return say(
            "**Sure with all {number} compared**, above the others: {above}; below the others: "
            "{below}.",
            number=count,
            above=above,
            below=below,
        )
    if above:
        return say(
            "**Sure with all {number} compared**, above the others: {above}.",
            number=count,
            above=above,
        )
    if below:
        return say(
            "**Sure with all {number} compared**, below the others: {below}.",
            number=count,
            below=below,
        )
    return say("Nobody stands out for sure, with all {number} compared.", number=count)


# --- Lines of months


def _rounded_up(value: float) -> float:
    """Return the next number that reads well: of one digit, or 1.5, times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1.0, 1.5, *map(float, range(2, 11)))
    return power * next((each for each in steps if each * power >= value), 10.0)


@dataclass(frozen=True, slots=True)
class _Lines:
    """How far everybody was above the others, month by month, on one scale."""

    metric: Metric
    months: list[date]
    reach: float
    """How far the scale goes to either side of the others: as far as any value, rounded up."""
    of_player: dict[str, list[tuple[date, float]]]

    @classmethod
    def of(
        cls, facts: DuckDBPyConnection, metric: Metric, everybody: Filters, players: list[str]
    ) -> _Lines | None:
        """Return the lines of some players; ``None`` where there are none to draw."""
        if snapshot.totals()["hands"] > MOST_HANDS_OF_LINES:
            return None
        frame = snapshot.kept(
            above_field, facts, metric, "month", everybody, players=tuple(players)
        )
        months = frame["period"].unique().sort().to_list()
        if len(months) < _TWO:
            return None
        found: dict[str, list[tuple[date, float]]] = {}
        for who, month, value in frame.select("who", "period", "value").iter_rows():
            found.setdefault(who, []).append((month, value))
        largest = frame.select(pl.col("value").abs().max()).item()
        return cls(metric, months, _rounded_up(largest), found)

    @property
    def head(self) -> str:
        """Return from when to when the lines go, and what their scale is."""
        return say(
            "{first} to {last}, against the others: {scale}",
            first=_month_text(self.months[0]),
            last=_month_text(self.months[-1]),
            scale=_scale_text(self.metric, self.reach),
        )

    def picture(self, player: str) -> Cell:
        """Return the line of a player."""
        points = self.of_player.get(player, [])
        if len(points) < _TWO:
            return ""
        first, last = self.months[0], self.months[-1]
        across = [(month - first).days / (last - first).days for month, _ in points]
        said = ", ".join(
            f"{_month_text(month)} {signed_text(self.metric, value)}" for month, value in points
        )
        track = cells.Track(-self.reach, self.reach, 0.0)
        return cells.line([value for _, value in points], track, said, across=across)


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
    table: list[tuple[Cell, ...]] = []
    for row in rows.iter_rows(named=True):
        name = words.name_text(row, names)
        link = Link(name, addresses.of_page("players", chosen, player=row["player"]))
        rating, remark, place = words.rating_text(row), words.remark_text(row), place_text(row)
        ends = (row["rating"], row["low"], row["high"])
        picture = cells.interval(cells.Track(-reach, reach, 0.0), *ends, rating)
        told = (row["hands"], rating, picture, chance_text(row["first"]), remark)
        table.append((row["group"], place, link, *told))
    unit, player = words.unit_text(found), say_in("a column", "player")
    low, high = (number(each, 2, sign=True) for each in (-reach, reach))
    scale = say("{low} to {high}", low=low, high=high)
    heads = [
        *(say_in("a column", "group"), say("place, and between which (95 %)"), player, "n"),
        *(say("{unit} a hand, 95 % interval", unit=unit), scale, say("chance to be the best")),
        "",
    ]
    if found.frame["group"].n_unique() == 1:
        heads, table = heads[1:], [each[1:] for each in table]
    show_table(heads, table, name=say("Ratings"), whole_rows=True)
