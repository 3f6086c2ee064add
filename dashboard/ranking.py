"""The ranking of all players by one figure, and what all pages of players share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from dashboard import addresses, asked, compared, figures, filters, snapshot, urls
from dashboard.escaping import as_markdown
from dashboard.filters import Chosen
from dashboard.labels import counted
from dashboard.tables import Link, show_table
from ingest.metrics import METRIC, METRICS, Better, Kind, Level, Metric
from ingest.metrics.comparing import FEWEST_COMPARED
from ingest.metrics.figure_words import chance_text, difference_text, figure_text, place_text
from ingest.metrics.standings import standings

RANK: Final = "rank"
"""Parameter and key: the metric that players are ranked by."""
PAGE: Final = 50
MOST_NAMED: Final = 5
# They say the same as another figure beside them.
MIRRORS: Final = ("set-rate", "cards-lost")


def metrics_of_players(*, amounts: bool) -> dict[str, Metric]:
    """Return the metrics that a player can be known by."""
    return {
        metric.name: metric
        for metric in METRICS
        if metric.level > Level.HAND
        and metric.kind != Kind.COUNT
        and metric.name not in MIRRORS
        and (amounts or metric.comparable)
    }


def metric_words(name: str) -> str:
    """Return a metric with the group it belongs to: ``Bidding: Auctions won``."""
    return f"{METRIC[name].group}: {METRIC[name].title}"


def one_variant(chosen: Chosen) -> bool:
    """Return whether one variant is chosen, so that amounts can be compared."""
    return len(chosen.filters.values("variant")) == 1


def show_notes(facts: DuckDBPyConnection, chosen: Chosen, metrics: Sequence[Metric]) -> None:
    """Say which games metrics leave out, and which tables they take together."""
    figures.show_games_left_out(facts, chosen, metrics)
    figures.show_tables_together(facts, chosen, metrics)


def show_ranking(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    """Show all players who have enough games by a metric that the viewer chooses."""
    metrics = metrics_of_players(amounts=one_variant(chosen))
    asked.allows(RANK, map(metric_words, metrics))
    name = st.selectbox(
        "Rank the players by",
        list(metrics),
        format_func=metric_words,
        index=list(metrics).index("made-rate"),
        key=RANK,
        bind="query-params",
        width=360,
    )
    metric = metrics[name or "made-rate"]
    figures.heading(metric.name)
    everybody = chosen.filters.also("player")
    frame = snapshot.kept(standings, facts, metric, "player", everybody, chosen.minimum)
    if frame.is_empty():
        figures.show_nothing()
        return
    _show_notes_of_ranking(facts, chosen, frame, metric)
    last = -(-len(frame) // PAGE)
    page = min(max(1, urls.number_of(urls.PART, 1)), last)
    labels = filters.labels_of(facts, "player")
    rows = [
        (
            place_text(row),
            Link(
                labels.get(row["player"], row["player"]),
                addresses.of_page(addresses.PLAYERS, facts, chosen, player=row["player"]),
            ),
            row["n"],
            figure_text(metric, row, cases=False),
            difference_text(metric, row) if row["enough"] else "",
            "" if row["first"] is None else chance_text(row["first"]),
        )
        for row in frame.slice((page - 1) * PAGE, PAGE).iter_rows(named=True)
    ]
    heads = [
        "place, and between which (90 %)",
        "player",
        "n",
        f"{metric.unit}, 95 % interval",
        compared.heading(metric),
        f"chance to be {_end_words(metric)}",
    ]
    show_table(heads, rows, name=f"Players by {metric.title.lower()}", whole_rows=True)
    if last > 1:
        if urls.number_of(urls.PART, 1) != page:
            st.session_state[urls.PART] = page
        st.pagination(last, key=urls.PART, bind="query-params")


def _show_notes_of_ranking(
    facts: DuckDBPyConnection, chosen: Chosen, frame: pl.DataFrame, metric: Metric
) -> None:
    """Say who has a place, and who stands out."""
    show_notes(facts, chosen, [metric])
    ranked = frame.filter(pl.col("place").is_not_null())
    st.caption(
        f"{counted(len(ranked), 'player')} of {len(frame):,} with a place: it takes "
        f"{counted(chosen.minimum, 'case')}, {counted(FEWEST_COMPARED, 'game')} and, for a share, "
        "enough hits and misses to expect. Places go by "
        "the difference to the others in the same games, drawn towards the middle where games are "
        "few. Choose a player to see more."
    )
    if not ranked.is_empty():
        _say_who_leads(facts, ranked)


def _say_who_leads(facts: DuckDBPyConnection, ranked: pl.DataFrame) -> None:
    """Say who is named, or that the differences are no larger than chance makes them."""
    named = ranked.filter(pl.col("named").fill_null(value=False))
    if named.is_empty():
        st.markdown(
            "Nobody stands out: the differences are no larger than chance makes them among so many."
        )
        return
    words = figures.words_for(facts, "player", named["player"].to_list())
    parts = []
    for sign, what in ((1, "above"), (-1, "below")):
        names = named.filter(pl.col("difference") * sign > 0)["player"].to_list()
        if names:
            listed = ", ".join(as_markdown(words[each]) for each in names[:MOST_NAMED])
            more = len(names) - MOST_NAMED
            listed += f" and {more:,} more" if more > 0 else ""
            parts.append(f"{what} the others: {listed}")
    st.markdown(f"**Sure with all {len(ranked):,} compared**, {'; '.join(parts)}.")


def _end_words(metric: Metric) -> str:
    """Return what the first place means."""
    ends = {Better.HIGHER: "the best", Better.LOWER: "the best"}
    return ends.get(metric.better, "the highest")
