"""One player over time: a figure by period beside the field, and whether anything has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

import polars as pl
import streamlit as st

from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.charts import IntervalChart, shared_domain
from tricklog.dashboard.kit.choices import choose_beside, choose_in_box
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.kit.page_parts import need, refusals_said, show_figures
from tricklog.dashboard.kit.tables import Cell, Link, in_columns, show_table
from tricklog.dashboard.sections.ranking import metric_words
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics import DIMENSION, METRIC, FigureError, Metric, wording
from tricklog.ingest.metrics.figure_words import (
    FAMILY,
    change_text,
    changed_texts,
    figure_text,
    interval_text,
    is_share,
    signed_text,
    value_text,
)
from tricklog.ingest.metrics.standings import metrics_of_players
from tricklog.ingest.metrics.trend import above_field, changes
from tricklog.schemas.languages.messages import message, say, say_in

TREND: Final = "trend"
PER: Final = "per"
PERIODS: Final = ("session", "day", "week", "month", "hand-number")
MOST_PERIODS: Final = 60
_FORMS: Final = {"day": "%d %b %Y", "week": "%d %b %Y", "month": "%b %Y"}
_SEASON_VIEW: Final = "season"
_FOR_ALL: Final = "points-share"


def show(profile: Profile) -> None:
    """Show how a figure of a player went, and what has changed."""
    facts, chosen = profile.facts, profile.chosen
    metrics = metrics_of_players(amounts=True)
    surest = _surest_change(profile)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = choose_in_box(say("Figure"), TREND, metrics, metric_words, default=surest, width=360)
        period = choose_beside(
            say_in("above a choice of periods", "By"),
            PER,
            PERIODS,
            lambda each: wording.title(DIMENSION[each]),
            default="month",
        )
    metric = metrics[name]
    _say_what_changed(profile, metric)
    values = {"figure": wording.title(metric), "player": as_markdown(profile.name)}
    figures.heading(metric.name, say("{figure} of {player} over time", **values))
    several = len(figures.variants_of(facts, chosen)) > 1
    if several and not metric.comparable:
        Figure(metric.name, period).show(facts, chosen)
        return
    drawn = _measured(profile, metric, period, several=several)
    by, form = wording.title(DIMENSION[period]), _FORMS.get(period)
    moment = pl.col("key").str.to_date() if form else pl.lit(None, pl.Date)
    labels = [value_words(period, each) for each in drawn["key"]]
    drawn = drawn.with_columns(pl.Series("label", labels), moment=moment, mark="field")
    measure, field = wording.unit(metric), say("the field")
    if several:
        measure = say("{unit}, above or below the others in the same games", unit=measure)
        field = say("how far all others were from their figure of the whole time")
    picked = IntervalChart(
        title=say("{player} by {period}", player=profile.name, period=by),
        category=by,
        measure=say("{unit} · 95 % interval", unit=measure),
        percent=is_share(metric),
        along="x",
        in_time=form if len(drawn) > 1 else None,
        signed=several,
        mark=field,
        domain=shared_domain(drawn, within=0.9),
    ).show(drawn, key=f"trend-{metric.name}-{period}")
    if picked:
        figures.go_to_hands(chosen, metric, {period: picked["key"]})
    written = partial(signed_text if several else value_text, metric)

    def value(row: dict[str, Any]) -> Cell:
        if several:
            return written(row["value"]) if row["low"] is None else interval_text(row, written)
        return figure_text(metric, row, cases=False)

    def hands(row: dict[str, Any]) -> Cell:
        return figures.link_to_hands(chosen, row["label"], metric, {period: row["key"]})

    def evenings(row: dict[str, Any]) -> Cell:
        # The name of a session begins with its day.
        first = date.fromisoformat(row["key"][:10])
        if period in ("session", "day"):
            return Link(say("evenings"), addresses.of_evening(first))
        last = first + timedelta(days=6)
        if period == "month":
            last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        within = replace(chosen.filters.also("player"), since=first, until=last)
        query = {urls.VIEW: _SEASON_VIEW}
        address = addresses.of_page(addresses.EVENINGS, replace(chosen, filters=within), query)
        return Link(say("evenings"), address)

    show_figures(
        *in_columns(
            drawn.to_dicts(),
            (by, hands),
            ("n", lambda row: row["n"] or 0),
            (say("{unit}, 95 % interval", unit=measure), value),
            (say("the field"), lambda row: "–" if row["field"] is None else written(row["field"])),
            *([] if period == "hand-number" else [(say("evenings"), evenings)]),
        ),
        name=say("The figures"),
        title=say("The figures, the hands behind each, and the evenings"),
    )


def _measured(profile: Profile, metric: Metric, period: str, *, several: bool) -> pl.DataFrame:
    """Return the latest rows of a figure by period; of ``several`` games, how far above others.

    Says where there are earlier ones, and ends the section where there is nothing to compare.
    """
    facts, chosen = profile.facts, profile.chosen
    everybody = chosen.filters.also("player")
    frame = snapshot.kept(above_field, facts, metric, period, everybody)
    text = pl.col("period").cast(pl.String)
    rows = frame.filter(pl.col("who") == profile.player).with_columns(key=text)
    own = figures.measured(facts, chosen, metric.name, (period,))
    own = own.with_columns(key=pl.col(period).cast(pl.String))
    need(own)
    if several:
        drawn = rows.rename({"n": "weight"}).join(
            own.select("key", "n", "enough"), on="key", maintain_order="left"
        )
    else:
        others = rows.select("key", "games", field=pl.col("expected") + pl.col("field"))
        known = own.select("key", "n", "value", "low", "high", "enough")
        drawn = known.join(others, on="key", how="left", maintain_order="left").with_columns(
            pl.col("games").fill_null(0)
        )
    need(drawn, message("The others have too few games to compare with."))
    if len(drawn) > MOST_PERIODS:
        figures.show_latest(MOST_PERIODS, len(drawn), days=True)
    return drawn.tail(MOST_PERIODS)


# --- What has changed


def _changes(profile: Profile, looked_at: Sequence[Metric]) -> pl.DataFrame:
    everybody = profile.chosen.filters.also("player")
    given = (profile.facts, tuple(looked_at), everybody)
    return snapshot.kept(changes, *given, player=profile.player)


def _surest_change(profile: Profile) -> str:
    """Return the figure that has changed the most surely; where none has, one that is for all."""
    try:
        found = _changes(profile, [METRIC[each] for each in FAMILY])
    except FigureError:
        return _FOR_ALL
    size = pl.col("change").abs() / (pl.col("high") - pl.col("low"))
    named = found.filter("named").sort(size, descending=True)
    return _FOR_ALL if named.is_empty() else str(named["metric"][0])


@refusals_said()
def _say_what_changed(profile: Profile, metric: Metric) -> None:
    """Say which figures of the family have changed, and show all of them."""
    looked_at = [METRIC[each] for each in FAMILY]
    if metric.comparable and metric not in looked_at:
        looked_at.append(metric)
    found = _changes(profile, looked_at)
    for text in changed_texts(found, f"**{as_markdown(profile.name)}**"):
        st.markdown(text)
    if found.is_empty():
        return
    with st.expander(say("What has changed against the field, figure by figure")):
        show_table(
            *in_columns(
                found.to_dicts(),
                (say("figure"), lambda row: wording.title(METRIC[row["metric"]])),
                (
                    say("change from the first day to the last, 99 % interval"),
                    lambda row: change_text(METRIC[row["metric"]], row),
                ),
                (say("games"), "games"),
                (
                    say_in("whether a change is", "sure"),
                    lambda row: say("changed") if row["named"] else say("cannot tell"),
                ),
            ),
            name=say("What has changed"),
        )
        st.caption(
            say(
                "A line through the games by their days, less that of all others, so that what "
                "moved everybody counts for nobody. “Changed” stands with all of these compared."
            )
        )
