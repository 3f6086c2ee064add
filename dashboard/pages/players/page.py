"""Players: a ranking, and of one player how they play, where they lose points, and with whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.choices import choose_beside
from tricklog.dashboard.kit.figure_page import QUESTION
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.kit.page_parts import (
    need,
    refusals_said,
    show_figures,
    show_parts,
    show_values,
)
from tricklog.dashboard.kit.tables import Cell
from tricklog.dashboard.pages.players import trend
from tricklog.dashboard.pages.players.luck_and_choices import (
    LUCK_AND_CHOICES,
    show_luck_and_choices,
)
from tricklog.dashboard.pages.players.pairs import PAIRS, show_pairs, show_with_each
from tricklog.dashboard.pages.players.profile_leaks import show_leaks
from tricklog.dashboard.pages.players.two_players import show_two_players
from tricklog.dashboard.sections import ranking
from tricklog.dashboard.sections.marks_panel import show_marks
from tricklog.dashboard.sections.merged_players import show_merging
from tricklog.dashboard.sections.ranking import RANK, show_notes, show_ranking, with_own_metrics
from tricklog.dashboard.sections.report_button import show_report_button
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics import METRIC, Metric, can_be_asked, wording
from tricklog.ingest.metrics.figure_words import (
    difference_text,
    figure_text,
    is_share,
    value_text,
)
from tricklog.ingest.metrics.standings import against_field
from tricklog.ingest.reports.player import player_report
from tricklog.ingest.store import queries
from tricklog.schemas.languages.messages import mark, say, say_counted, say_in
from tricklog.schemas.languages.numbers import plain_day

RANKING: Final = mark("Ranking")
GROUP: Final = "group"
_AMONG: Final = "among"
"""Parameter of links of before: the part of the ranking that is open."""
GROUPS: Final = (
    *("Bidding", "Capture", "Play", "Open cards", "Against par", "Luck and choices"),
    *("Scoring", "Audit"),
)
SHOWN_FIRST: Final = ("win-rate", "points-share", "made-rate", "aggression")


@refusals_said()
def show() -> None:
    """Show the ranking, or the profile of the player chosen."""
    st.header(say("Players"))
    facts = snapshot.facts()
    parameters.knows(RANK, QUESTION, urls.VIEW, GROUP, trend.TREND, trend.PER, urls.WITH)
    parameters.knows(urls.PART)
    parameters.rename(_AMONG, urls.VIEW)
    chosen = filters.choose(facts)
    figures.show_chosen_on_paper(facts, chosen)
    players = chosen.filters.values("player")
    if players:
        _show_profile(facts, chosen, players)
    else:
        parts = {RANKING: show_ranking, PAIRS: show_pairs, LUCK_AND_CHOICES: show_luck_and_choices}
        show_parts({title: partial(part, facts, chosen) for title, part in parts.items()})
    figures.show_left_out(facts, chosen)


def _show_profile(facts: DuckDBPyConnection, chosen: Chosen, players: Sequence[str]) -> None:
    player = players[0]
    labels = labels_of(facts, "player")
    name = labels.get(player, player)
    own = replace(chosen, filters=chosen.filters.also("player", player))
    profile = Profile(facts, own, player, name)
    _show_head(profile)
    if len(players) > 1:
        st.caption(
            say("The profile is of {player}, the first player chosen.", player=as_markdown(name))
        )
    show_parts({title: partial(show_view, profile) for title, show_view in VIEWS.items()})


def _show_head(profile: Profile) -> None:
    found = queries.players(snapshot.everybody()).filter(pl.col("player") == profile.player)
    parts = [f"<b>{name_html(profile.name)}</b>"]
    for row in found.iter_rows(named=True):
        if row["kind"] and row["kind"] != "human":
            parts.append(as_html(value_words("kind", row["kind"])))
        hands, first, last = row["hands"], row["first_day"], row["last_day"]
        recorded = say_counted("{count} hand in the records", "{count} hands in the records", hands)
        if first:
            recorded = say_counted(
                "{count} hand in the records from {first} to {last}",
                "{count} hands in the records from {first} to {last}",
                hands,
                first=plain_day(first),
                last=plain_day(last),
            )
        parts.append(as_html(recorded))
        others = [each for each in (profile.player, *row["aliases"]) if each != row["name"]]
        if others:
            listed = ", ".join(map(name_html, dict.fromkeys(others)))
            parts.append(say("in the records as {names}", names=listed))
    with st.container(horizontal=True, vertical_alignment="center", key="player-head"):
        show_marks("player", profile.player, profile.name, f"<p>{' · '.join(parts)}</p>")
        show_merging(profile.facts, profile.player, profile.name)
        show_report_button(
            "player",
            say("The figures of {player}", player=as_markdown(profile.name)),
            lambda sources: player_report(sources, profile.player, profile.chosen.filters),
        )


def _show_first_figures(profile: Profile) -> None:
    """Show a few figures; where there are several games, how far they are from the others'."""
    several = len(figures.variants_of(profile.facts, profile.chosen)) > 1
    metrics = [METRIC[each] for each in SHOWN_FIRST]
    rows = {row["metric"]: row for row in _against_field(profile, metrics).to_dicts()}
    if several:
        st.caption(
            say(
                "Above or below the others in the same games, shares in points of 100. Choose a "
                "variant to see the figures themselves."
            )
        )

    def told(metric: Metric) -> str:
        row = rows.get(metric.name)
        if row is None or (row["difference"] is None if several else not row["enough"]):
            return "–"
        return difference_text(metric, row) if several else figure_text(metric, row, cases=False)

    show_values((wording.title(each), told(each)) for each in metrics)


def _against_field(profile: Profile, metrics: list[Metric]) -> pl.DataFrame:
    return snapshot.kept(
        against_field,
        profile.facts,
        profile.player,
        metrics,
        profile.chosen.filters,
        profile.chosen.minimum,
        kept=snapshot.kept,
    )


@refusals_said()
def _show_tendencies(profile: Profile) -> None:
    ranking.show_rating_of(profile)
    _show_first_figures(profile)
    every = with_own_metrics(profile.facts, profile.chosen)
    # Ours come first, then those of one's own metrics.
    groups = tuple(dict.fromkeys((*GROUPS, *(metric.group for metric in every.values()))))
    group = choose_beside(say("Figures of"), GROUP, groups, wording.group, ids=urls.id_of)
    metrics = {each: metric for each, metric in every.items() if metric.group == group}
    frame = _against_field(profile, list(metrics.values()))
    need(frame)
    show_notes(profile.facts, profile.chosen, list(metrics.values()))
    named = frame.filter(pl.col("named").fill_null(value=False)).sort("chance", maintain_order=True)
    apart = [
        say(
            "{figure} {value} against {others}",
            figure=wording.title(metrics[row["metric"]]).lower(),
            value=value_text(metrics[row["metric"]], row["value"]),
            others=value_text(metrics[row["metric"]], row["expected"]),
        )
        for row in named.to_dicts()
    ]
    if apart:
        listed = as_markdown("; ".join(apart))
        st.markdown(
            say("Different from the field, with all of these compared: {figures}.", figures=listed)
        )
    else:
        st.markdown(say("Nothing here differs from the field by more than chance may give."))
    title = say(
        "{group}: {player} against the field", group=wording.group(group), player=profile.name
    )
    of_player = {"player": profile.player}
    picked = _show_shares(frame, metrics, title)
    if picked:
        figures.go_to_hands(profile.chosen, metrics[picked], of_player)

    def cells_of(row: dict[str, Any]) -> tuple[Cell, ...]:
        metric, sure = metrics[row["metric"]], say("cannot tell yet")
        if row["difference"] is None:
            sure = ""
        elif row["named"]:
            above = row["difference"] > 0
            sure = say_in("the field", "above") if above else say_in("the field", "below")
        link = figures.link_to_hands(profile.chosen, wording.title(metric), metric, of_player)
        return (link, *figures.standing_cells(metric, row), sure)

    show_figures(
        [
            say_in("a column", "figure"),
            "n",
            say("{player}, 95 % interval", player=profile.name),
            say("above or below the others (shares: points in 100), 99 % interval"),
            say_in("a column", "place"),
            say("with all of these compared"),
        ],
        map(cells_of, frame.to_dicts()),
    )
    st.caption(
        say(
            "The field is what all other players did in the same games under the same filters, "
            "each game weighted by the player’s own cases in it. What is above or below it stands "
            "after a correction for how many figures are compared. Click a point, or choose a "
            "figure in the table, to see the hands behind it."
        )
    )


def _show_with_each(profile: Profile, *, against: bool) -> None:
    player = as_markdown(profile.name)
    said = say("{player} with each partner", player=player)
    st.subheader(say("{player} against each opponent", player=player) if against else said)
    show_with_each(profile.facts, profile.chosen, profile.player, against=against)


def _show_seats(profile: Profile) -> None:
    st.subheader(say("{player} in each seat", player=as_markdown(profile.name)))
    figures.heading("score-share", say("Share of the score at stake by the place after the dealer"))
    Figure("score-share", "from-dealer").show(profile.facts, profile.chosen)
    figures.heading("aggression", say("Bidding by the place after the dealer"))
    Figure("aggression", "from-dealer").show(profile.facts, profile.chosen)


def _show_compared(profile: Profile) -> None:
    labels = labels_of(profile.facts, "player")
    others = [each for each in labels if each != profile.player]
    other = st.selectbox(
        say_in("a player", "Compare with"),
        others,
        index=None,
        format_func=lambda each: labels.get(each, each),
        placeholder=say("Choose another player"),
        key=parameters.choice(
            urls.WITH, others, lambda each: labels_of(profile.facts, "player")[each], default=None
        ),
        width=360,
    )
    if other is None:
        st.info(say("Choose another player to see the two side by side."))
        return
    every = with_own_metrics(profile.facts, profile.chosen)
    metrics = {name: each for name, each in every.items() if can_be_asked(profile.facts, each)}
    both = profile.chosen.filters.also("player", profile.player, other)
    chosen = replace(profile.chosen, filters=both)
    show_notes(profile.facts, chosen, list(metrics.values()))
    show_two_players(profile, other, labels[other], metrics)


VIEWS: Final[dict[str, Callable[[Profile], None]]] = {
    mark("Tendencies"): _show_tendencies,
    mark("Leaks"): show_leaks,
    mark("Partners"): partial(_show_with_each, against=False),
    mark("Opponents"): partial(_show_with_each, against=True),
    mark("Seats"): _show_seats,
    mark("Over time"): trend.show,
    mark("Side by side"): _show_compared,
}


def _show_shares(frame: pl.DataFrame, metrics: dict[str, Metric], title: str) -> str | None:
    """Draw the shares of a frame of ``against_field``; return the metric clicked on, if any.

    The player is a point with its interval, the field a tick.
    """
    shares = frame.filter(
        pl.col("metric").is_in([name for name in metrics if is_share(metrics[name])]),
        pl.col("enough"),
    )
    if shares.is_empty():
        return None
    titles = {name: wording.title(metric) for name, metric in metrics.items()}
    rows = shares.with_columns(
        label=pl.col("metric").replace(titles), key=pl.col("metric"), mark=pl.col("expected")
    )
    picked = IntervalChart(
        title=title,
        category=say_in("a column", "figure"),
        measure=say("share, 95 % intervals"),
        percent=True,
        mark=say("the field"),
        mixed=True,
    ).show(rows, key=f"tendencies-{'-'.join(metrics)}")
    return picked["key"] if picked else None


show()
