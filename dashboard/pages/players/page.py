"""Players: a ranking, and of one player how they play, where they lose points, and with whom."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import polars as pl
import streamlit as st

from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.figure_page import QUESTION
from tricklog.dashboard.kit.page_parts import name_window, refusals_said, show_parts
from tricklog.dashboard.pages.players import one_player, trend
from tricklog.dashboard.pages.players.luck_and_choices import (
    LUCK_AND_CHOICES,
    show_luck_and_choices,
)
from tricklog.dashboard.pages.players.pairs import PAIRS, show_pairs, show_with_each
from tricklog.dashboard.sections.marks_panel import show_marks
from tricklog.dashboard.sections.merged_players import show_merging
from tricklog.dashboard.sections.ranking import RANK, show_ranking
from tricklog.dashboard.sections.report_button import show_report_button
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.dashboard.text.labels import value_words
from tricklog.ingest.reports.player import player_report
from tricklog.ingest.sessions.words import days_text
from tricklog.ingest.store import queries
from tricklog.schemas.languages.messages import mark, say, say_counted

RANKING: Final = mark("Ranking")
_AMONG: Final = "among"
"""Parameter of links of before: the part of the ranking that is open."""


@refusals_said()
def show() -> None:
    """Show the ranking, or the profile of the player chosen."""
    st.header(say("Players"))
    facts = snapshot.facts()
    parameters.knows(RANK, QUESTION, urls.VIEW, urls.WITH, urls.PART)
    parameters.knows(one_player.GROUP, trend.TREND, trend.PER)
    parameters.rename(_AMONG, urls.VIEW)
    chosen = filters.choose(facts)
    figures.show_chosen_on_paper(facts, chosen)
    if players := chosen.filters.values("player"):
        player, *others = players
        name = labels_of(facts, "player").get(player, player)
        profile = Profile(facts, chosen.also("player", player), player, name)
        name_window(name)
        _show_head(profile)
        if others:
            first = as_markdown(name)
            st.caption(say("The profile is of {player}, the first player chosen.", player=first))
        show_parts({title: partial(show_view, profile) for title, show_view in VIEWS.items()})
    else:
        parts = {RANKING: show_ranking, PAIRS: show_pairs, LUCK_AND_CHOICES: show_luck_and_choices}
        show_parts({title: partial(part, facts, chosen) for title, part in parts.items()})
    figures.show_left_out(facts, chosen)


def _show_head(profile: Profile) -> None:
    found = queries.players(snapshot.everybody()).filter(pl.col("player") == profile.player)
    parts = [f"<b>{name_html(profile.name)}</b>"]
    for row in found.iter_rows(named=True):
        if row["kind"] and row["kind"] != "human":
            parts.append(as_html(value_words("kind", row["kind"])))
        hands, first, last = row["hands"], row["first_day"], row["last_day"]
        recorded = say_counted("{count} hand in the records", "{count} hands in the records", hands)
        parts.append(as_html(recorded))
        if first:
            parts.append(as_html(days_text(first, last)))
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


VIEWS: Final[dict[str, Callable[[Profile], None]]] = {
    mark("Tendencies"): one_player.show_tendencies,
    mark("Leaks"): one_player.show_leaks,
    mark("Partners"): partial(show_with_each, against=False),
    mark("Opponents"): partial(show_with_each, against=True),
    mark("Seats"): one_player.show_seats,
    mark("Over time"): trend.show,
    mark("Side by side"): one_player.show_compared,
}


show()
