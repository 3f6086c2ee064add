"""Players: a ranking, and of one player how they play, where they lose points, and with whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import polars as pl
import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import asked, urls
from tricklog.dashboard.address.languages import same_in
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.figure_page import QUESTION
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.kit.page_parts import choose_by_link, show_parts
from tricklog.dashboard.kit.tables import Cell, Lines, Link, show_table
from tricklog.dashboard.pages.players import profile_chart, trend
from tricklog.dashboard.pages.players.luck_and_choices import (
    LUCK_AND_CHOICES,
    show_luck_and_choices,
)
from tricklog.dashboard.pages.players.pairs import AMONG, PAIRS, show_best_partner, show_pairs
from tricklog.dashboard.pages.players.profile_leaks import show_leaks
from tricklog.dashboard.sections import ratings
from tricklog.dashboard.sections.marks_panel import show_marks
from tricklog.dashboard.sections.merged_players import show_merging
from tricklog.dashboard.sections.ranking import RANK, show_notes, show_ranking, with_own_metrics
from tricklog.dashboard.sections.report_button import show_report_button
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.metrics import DIMENSION, METRIC, FigureError, Metric, can_be_asked, wording
from tricklog.ingest.metrics.figure_words import (
    difference_text,
    figure_text,
    signed_text,
)
from tricklog.ingest.metrics.players import against_field, beside
from tricklog.ingest.metrics.versus import two_players
from tricklog.ingest.reports.player import player_report
from tricklog.ingest.store import queries
from tricklog.schemas.languages.messages import mark, say, say_counted, say_in, translated
from tricklog.schemas.languages.numbers import number, plain_day

RANKING: Final = mark("Ranking")
GROUP: Final = "group"
GROUPS: Final = (
    *("Bidding", "Capture", "Play", "Open cards", "Against par", "Luck and choices"),
    *("Scoring", "Audit"),
)
TOGETHER: Final = ("win-rate", "points-share", "score-share", "made-rate")
AT_THE_TABLE: Final = ("points-share", "score-share", "made-rate", "aggression")
SHOWN_FIRST: Final = ("win-rate", "points-share", "made-rate", "aggression")


def show() -> None:
    """Show the ranking, or the profile of the player chosen."""
    st.header(say("Players"))
    facts = snapshot.facts()
    asked.takes(RANK, QUESTION, urls.VIEW, AMONG, GROUP, trend.TREND, trend.PER, urls.WITH)
    asked.allows_if(urls.PART, asked.is_digits)
    chosen = filters.choose(facts)
    figures.show_left_out(facts, chosen)
    players = chosen.filters.values("player")
    try:
        if players:
            _show_profile(facts, chosen, players)
        else:
            _show_everybody(facts, chosen)
    except FigureError as error:
        st.info(as_markdown(str(error)))


def _show_everybody(facts: DuckDBPyConnection, chosen: Chosen) -> None:
    parts = [translated(each) for each in (RANKING, PAIRS, LUCK_AND_CHOICES)]
    choose_by_link(AMONG, parts, parts)
    # Parts of other pages, and of the page of one player, are asked for as views: so are these.
    asked.allows(urls.VIEW, parts)
    chosen_before = AMONG in st.query_params or AMONG in st.session_state
    view = st.query_params.get(urls.VIEW)
    opened = same_in(view, parts) if view else None
    if not chosen_before and opened in parts[1:]:
        st.session_state[AMONG] = opened
    ranking, pairs, luck = st.tabs(parts, key=AMONG, bind="query-params")
    if ranking.open:
        with ranking:
            show_ranking(facts, chosen)
    if pairs.open:
        with pairs:
            show_pairs(facts, chosen)
    if luck.open:
        with luck:
            show_luck_and_choices(facts, chosen)


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
    tabs = show_parts(list(VIEWS))
    for tab, show_view in zip(tabs, VIEWS.values(), strict=True):
        if tab.open:
            with tab:
                show_view(profile)


def _show_head(profile: Profile) -> None:
    found = queries.players(snapshot.everybody()).filter(pl.col("player") == profile.player)
    parts = [f"<b>{name_html(profile.name)}</b>"]
    for row in found.iter_rows(named=True):
        if row["kind"] and row["kind"] != "human":
            parts.append(as_html(value_words("kind", row["kind"])))
        parts.append(as_html(_recorded_words(row)))
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


def _recorded_words(row: dict[str, Any]) -> str:
    """Return how many hands somebody has in the records, and from when."""
    hands, first, last = row["hands"], row["first_day"], row["last_day"]
    if not first:
        return say_counted("{count} hand in the records", "{count} hands in the records", hands)
    return say_counted(
        "{count} hand in the records from {first} to {last}",
        "{count} hands in the records from {first} to {last}",
        hands,
        first=plain_day(first),
        last=plain_day(last),
    )


def _show_first_figures(profile: Profile) -> None:
    """Show a few figures; where there are several games, how far they are from the others'."""
    several = len(figures.variants_of(profile.facts, profile.chosen)) > 1
    frame = _against_field(profile, [METRIC[each] for each in SHOWN_FIRST])
    rows = {row["metric"]: row for row in frame.iter_rows(named=True)}
    if several:
        st.caption(
            say(
                "Above or below the others in the same games, shares in points of 100. Choose a "
                "variant to see the figures themselves."
            )
        )
    with st.container(horizontal=True):
        for each in SHOWN_FIRST:
            metric, row = METRIC[each], rows.get(each)
            text, said = "–", say("There is no case.")
            if row is not None:
                said = say("{figure}.", figure=figure_text(metric, row))
                if several:
                    difference = difference_text(metric, row)
                    apart = say("Above or below the others: {difference}.", difference=difference)
                    said = f"{said} {apart}"
                if several and row["difference"] is not None:
                    text = signed_text(metric, row["difference"])
                elif row["enough"] and not several:
                    text = figures.value_text(metric, row["value"])
            hint = f"{wording.sentence(metric)} {said}"
            st.metric(wording.title(metric), text, border=True, width=190, help=hint)


def _against_field(profile: Profile, metrics: list[Metric]) -> pl.DataFrame:
    return snapshot.kept(
        against_field,
        profile.facts,
        profile.player,
        metrics,
        profile.chosen.filters,
        profile.chosen.minimum,
    )


def _groups_of(metrics: Iterable[Metric]) -> tuple[str, ...]:
    """Return the groups that figures stand under: ours, then those of one's own metrics."""
    return tuple(dict.fromkeys((*GROUPS, *(metric.group for metric in metrics))))


def _show_tendencies(profile: Profile) -> None:
    ratings.show_player(profile)
    _show_first_figures(profile)
    every = with_own_metrics(profile.facts, profile.chosen)
    groups = _groups_of(every.values())
    choose_by_link(GROUP, groups, [*map(wording.group, groups)])
    group = st.segmented_control(
        say("Figures of"),
        groups,
        default=groups[0],
        required=True,
        key=GROUP,
        bind="query-params",
        format_func=wording.group,
    )
    group = group or groups[0]
    metrics = {each: metric for each, metric in every.items() if metric.group == group}
    frame = _against_field(profile, list(metrics.values()))
    if frame.is_empty():
        figures.show_nothing()
        return
    show_notes(profile.facts, profile.chosen, list(metrics.values()))
    apart = profile_chart.standing_out(frame, metrics)
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
    picked = profile_chart.show_chart(frame, profile.name, metrics, title)
    if picked:
        figures.go_to_hands(profile.chosen, metrics[picked], {"player": profile.player})
    show_table(
        [
            say_in("a column", "figure"),
            "n",
            say("{player}, 95 % interval", player=profile.name),
            say("above or below the others (shares: points in 100), 99 % interval"),
            say_in("a column", "place"),
            say("with all of these compared"),
        ],
        profile_chart.rows_of_table(frame, metrics, partial(_link_to_hands, profile)),
    )
    st.caption(
        say(
            "The field is what all other players did in the same games under the same filters, "
            "each game weighted by the player’s own cases in it. What is above or below it stands "
            "after a correction for how many figures are compared. Click a point, or choose a "
            "figure in the table, to see the hands behind it."
        )
    )


def _link_to_hands(profile: Profile, metric: Metric) -> Link:
    of_player = {"player": profile.player}
    title = wording.title(metric)
    return figures.link_to_hands(profile.facts, profile.chosen, title, metric, of_player)


def _show_partners(profile: Profile) -> None:
    st.subheader(say("{player} with each partner", player=as_markdown(profile.name)))
    show_best_partner(profile.facts, profile.chosen, profile.player)
    _show_beside(profile, "partner", TOGETHER)
    figures.heading("score-share", say("Share of the score at stake, by partner"))
    Figure("score-share", "partner", order="value").show(profile.facts, profile.chosen)


def _show_opponents(profile: Profile) -> None:
    st.subheader(say("{player} against each opponent", player=as_markdown(profile.name)))
    _show_beside(profile, "opponent", TOGETHER)
    figures.heading("score-share", say("Share of the score at stake, by opponent"))
    Figure("score-share", "opponent", order="value").show(profile.facts, profile.chosen)


def _show_seats(profile: Profile) -> None:
    st.subheader(say("{player} in each seat", player=as_markdown(profile.name)))
    _show_beside(profile, "seat", AT_THE_TABLE)
    figures.heading("aggression", say("Bidding by the place after the dealer"))
    Figure("aggression", "from-dealer").show(profile.facts, profile.chosen)


def _show_beside(profile: Profile, dimension: str, names: Sequence[str]) -> None:
    """Show a table for each game: a row for each value of a dimension, several figures in it."""
    variants = figures.variants_of(profile.facts, profile.chosen)
    if len(variants) > figures.MOST_CHARTS:
        st.caption(
            say(
                "The {shown} games played most, of {number}. Choose a variant above to see the "
                "others.",
                shown=figures.MOST_CHARTS,
                number=number(len(variants)),
            )
        )
    for each in variants[: figures.MOST_CHARTS]:
        if len(variants) > 1:
            st.markdown(f"**{as_markdown(snapshot.titles().get(each, each))}**")
        narrowed = profile.chosen.filters.also("variant", each)
        of_game = replace(profile, chosen=replace(profile.chosen, filters=narrowed))
        _show_table_beside(of_game, dimension, names)


def _show_table_beside(profile: Profile, dimension: str, names: Sequence[str]) -> None:
    metrics = [METRIC[each] for each in names]
    frame = snapshot.kept(
        beside,
        profile.facts,
        profile.player,
        dimension,
        metrics,
        profile.chosen.filters,
        profile.chosen.minimum,
    )
    if frame.is_empty():
        figures.show_nothing()
        return
    show_notes(profile.facts, profile.chosen, metrics)
    keys = frame.group_by("key").agg(pl.col("n").max()).sort("n", "key", descending=[True, False])
    keys = keys.sort("key") if DIMENSION[dimension].ordered else keys.head(figures.MOST_ROWS)
    words = figures.words_for(profile.facts, dimension, keys["key"].to_list())
    cells = {(row["metric"], row["key"]): row for row in frame.iter_rows(named=True)}
    rows = []
    for key in keys["key"]:
        row: list[Cell] = [words[key]]
        told = []
        for metric in metrics:
            cell = cells.get((metric.name, key))
            if cell is None:
                row += [0, ""]
                continue
            told.append(
                say(
                    "{title}: {figure}",
                    title=wording.title(metric),
                    figure=figure_text(metric, cell),
                )
            )
            values = {"player": profile.player, dimension: key}
            row += [
                figures.link_to_hands(profile.facts, profile.chosen, cell["n"], metric, values),
                figure_text(metric, cell, cases=False),
            ]
        rows.append([*row, words[key], Lines(tuple(told))])
    title = wording.title(DIMENSION[dimension])
    heads = [part for metric in metrics for part in ("n", wording.title(metric).lower())]
    show_table([title, *heads, title, say_in("a column", "figures")], rows, for_phones=2)


def _show_trend(profile: Profile) -> None:
    trend.show(profile.facts, profile.chosen, profile.player, profile.name)


def _show_compared(profile: Profile) -> None:
    labels = labels_of(profile.facts, "player")
    others = [each for each in labels if each != profile.player]
    asked.allows(urls.WITH, [labels[each] for each in others])
    other = st.selectbox(
        say_in("a player", "Compare with"),
        others,
        index=None,
        format_func=lambda each: labels.get(each, each),
        placeholder=say("Choose another player"),
        key=urls.WITH,
        bind="query-params",
        width=360,
    )
    if other is None:
        st.info(say("Choose another player to see the two side by side."))
        return
    every = with_own_metrics(profile.facts, profile.chosen)
    metrics = {name: each for name, each in every.items() if can_be_asked(profile.facts, each)}
    frame = snapshot.kept(
        two_players,
        profile.facts,
        profile.player,
        other,
        list(metrics.values()),
        profile.chosen.filters,
        profile.chosen.minimum,
    )
    show_notes(
        profile.facts,
        replace(
            profile.chosen, filters=profile.chosen.filters.also("player", profile.player, other)
        ),
        list(metrics.values()),
    )
    second, figure = labels[other], say_in("a column", "figure")
    for group in _groups_of(metrics.values()):
        names = [each for each, metric in metrics.items() if metric.group == group]
        part = frame.filter(pl.col("metric").is_in(names))
        if part.is_empty():
            continue
        st.subheader(wording.group(group))
        show_table(
            [
                *(figure, profile.name, "n", second, "n"),
                say("difference (shares: points in 100), 99 % interval"),
                *(say("with all of these compared"), figure, f"{profile.name}, {second}"),
            ],
            [
                _compared_row(metrics[row["metric"]], row, (profile.name, second))
                for row in part.iter_rows(named=True)
            ],
            for_phones=2,
        )
    st.caption(
        say(
            "Where the two played several games, the difference is that of what each did above or "
            "below others in the same games, so it need not be that of the two figures."
        )
    )


def _compared_row(metric: Metric, row: dict[str, Any], people: tuple[str, str]) -> tuple[Cell, ...]:
    names = ("n", "games", "value", "low", "high", "enough")
    other = {each: row[f"other_{each}"] for each in names}
    words = ""
    if row["named"] is not None:
        words = say("different") if row["named"] else say("cannot tell yet")
    difference = difference_text(metric, row)
    figures_of = (figure_text(metric, each, cases=False) for each in (row, other))
    told = [
        ": ".join(filter(None, [words, difference])),
        *(f"{name} {figure}" for name, figure in zip(people, figures_of, strict=True)),
    ]
    return (
        wording.title(metric),
        figure_text(metric, row, cases=False),
        row["n"],
        figure_text(metric, other, cases=False),
        row["other_n"],
        difference,
        words,
        wording.title(metric),
        Lines(tuple(filter(None, told))),
    )


VIEWS: Final[dict[str, Callable[[Profile], None]]] = {
    mark("Tendencies"): _show_tendencies,
    mark("Leaks"): show_leaks,
    mark("Partners"): _show_partners,
    mark("Opponents"): _show_opponents,
    mark("Seats"): _show_seats,
    mark("Over time"): _show_trend,
    mark("Side by side"): _show_compared,
}

show()
