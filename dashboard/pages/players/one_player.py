"""One player: how they play, where they lose points, in which seats, and beside another one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import polars as pl
import streamlit as st

from tricklog.dashboard.address import urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.choices import choose_beside, choose_player
from tricklog.dashboard.kit.figures import Figure
from tricklog.dashboard.kit.page_parts import (
    lead_to,
    need,
    refusals_said,
    show_figures,
    show_values,
)
from tricklog.dashboard.kit.side_by_side import Beside, Side, TwoBeside, beside_of
from tricklog.dashboard.kit.tables import Cell, in_columns
from tricklog.dashboard.sections import ranking
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import METRIC, FigureError, Metric, can_be_asked, wording
from tricklog.ingest.metrics.figure_words import (
    difference_text,
    figure_text,
    interval_text,
    is_share,
    signed_text,
    value_text,
)
from tricklog.ingest.metrics.leaks import LEAK, Leak, find_leaks
from tricklog.ingest.metrics.standings import against_field, standings
from tricklog.ingest.metrics.versus import two_players
from tricklog.ingest.sessions.words import games_text
from tricklog.schemas.languages.messages import Message, message, say, say_in
from tricklog.schemas.languages.numbers import number, percent

GROUP: Final = "group"
GROUPS: Final = (
    *("Bidding", "Capture", "Play", "Open cards", "Against par", "Luck and choices"),
    *("Scoring", "Audit"),
)
SHOWN_FIRST: Final = ("win-rate", "points-share", "made-rate", "aggression")
_WON: Final = "win-rate"
_MOST_SAID: Final = 3


# --- Tendencies


@refusals_said()
def show_tendencies(profile: Profile) -> None:
    """Show how a player plays: a rating, a few figures, and those of a group beside the field."""
    ranking.show_rating_of(profile)
    _show_first_figures(profile)
    every = ranking.with_own_metrics(profile.facts, profile.chosen)
    # Ours come first, then those of one's own metrics.
    groups = tuple(dict.fromkeys((*GROUPS, *(metric.group for metric in every.values()))))
    group = choose_beside(say("Figures of"), GROUP, groups, wording.group, ids=urls.id_of)
    metrics = {each: metric for each, metric in every.items() if metric.group == group}
    frame = _against_field(profile, list(metrics.values()))
    need(frame)
    ranking.show_notes(profile.facts, profile.chosen, list(metrics.values()))
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
    said = say("Nothing here differs from the field by more than chance may give.")
    if frame["difference"].is_null().all():
        said = say("There are too few games to compare yet.")
    if apart:
        listed = as_markdown("; ".join(apart))
        said = say(
            "Different from the field, with all of these compared: {figures}.", figures=listed
        )
    st.markdown(said)
    of_player = {"player": profile.player}
    shares = [name for name, metric in metrics.items() if is_share(metric)]
    drawn = frame.filter("enough", pl.col("metric").is_in(shares)).with_columns(
        label=pl.col("metric").replace({name: wording.title(metrics[name]) for name in shares}),
        key="metric",
        mark="expected",
    )
    if not drawn.is_empty():
        # The player is a point with its interval, the field a tick.
        picked = IntervalChart(
            title=say(
                "{group}: {player} against the field",
                group=wording.group(group),
                player=profile.name,
            ),
            category=say_in("a column", "figure"),
            measure=say("share, 95 % intervals"),
            percent=True,
            mark=say("the field"),
            mixed=True,
        ).show(drawn, key=f"tendencies-{'-'.join(metrics)}")
        if picked:
            figures.go_to_hands(profile.chosen, metrics[picked["key"]], of_player)

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
            *(say_in("a column", "figure"), "n"),
            say("{player}, 95 % interval", player=profile.name),
            say("above or below the others (shares: points in 100), 99 % interval"),
            *(say_in("a column", "place"), say("with all of these compared")),
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
    given = (profile.player, metrics, profile.chosen.filters, profile.chosen.minimum)
    return snapshot.kept(against_field, profile.facts, *given, kept=snapshot.kept)


# --- Leaks


@refusals_said()
def show_leaks(profile: Profile) -> None:
    """Show what a player loses points by, against the field, and the hands behind each."""
    st.subheader(say("Where points are lost"))
    said = say(
        "What each costs in a hand, and what it costs other players under the same filters: how "
        "often it happens times what it takes, as a share of what a hand can bring. They overlap: "
        "a pedro lost may be what sets the contract. Others are those of the same games."
    )
    st.caption(f"{said} {figures.definition_link('leaks')}")
    given = (profile.player, profile.chosen.filters, profile.chosen.minimum)
    frame = snapshot.kept(find_leaks, profile.facts, *given)
    frame = frame.filter(pl.col("difference").is_not_null())
    played = figures.variants_of(profile.facts, profile.chosen)
    need(frame, message("There are too few games to compare.") if played else "")
    rows = frame.with_columns(
        key="leak",
        label=pl.col("leak").replace({each: wording.title(leak) for each, leak in LEAK.items()}),
        value="difference",
        n="events",
    )
    picked = IntervalChart(
        title=say("What {player} loses in a hand beyond the field", player=profile.name),
        category=say("what is lost"),
        measure=say("share of what a hand can bring; left of zero is less than the field loses"),
        percent=True,
        interval="99 %",
        signed=True,
        mixed=True,
    ).show(rows, key="leaks")

    def of_cards(leak: Leak) -> Chosen:
        return profile.chosen.also("card", *leak.cards) if leak.cards else profile.chosen

    if picked:
        leak = LEAK[picked["key"]]
        figures.go_to_hands(of_cards(leak), leak.metric, {}, leak.which)
    more = partial(percent, digits=1, sign=True)
    show_figures(
        *in_columns(
            rows.to_dicts(),
            (say("what is lost"), "label"),
            (say("times"), "events"),
            (say("in 100 hands"), lambda row: number(row["frequency"] * 100, 1)),
            (say("the field"), lambda row: number(row["field_frequency"] * 100, 1)),
            (say("costs each"), lambda row: "" if row["cost"] is None else percent(row["cost"])),
            (say("lost a hand"), lambda row: percent(row["lost"], 1)),
            (say("the field"), lambda row: percent(row["field_lost"], 1)),
            (
                say("more than the field, 99 % interval"),
                lambda row: (
                    say("too few games") if row["low"] is None else interval_text(row, more)
                ),
            ),
            (say("with all of these compared"), _sure_words),
        ),
        title=say("The figures"),
    )
    st.caption(say("The hands behind each:"))
    with st.container(horizontal=True):
        for row in frame.filter(pl.col("events") > 0).to_dicts():
            leak = LEAK[row["leak"]]
            whole = Message(leak.share_of, context=wording.DEFINED)
            about = f"{wording.sentence(leak)} {say('Share of the {whole}.', whole=whole)}"
            said = f"{wording.title(leak)} · {number(row['events'])}"
            cases = {urls.FIGURE: [leak.metric.name], urls.WHICH: [leak.which.value]}
            query = filters.parameters_of(of_cards(leak)) | cases
            lead_to(urls.HANDS, said, query, more=about)


def _sure_words(row: dict[str, Any]) -> str:
    if row["low"] is None or not row["named"]:
        return "" if row["low"] is None else say("cannot tell yet")
    return say("more than the field") if row["difference"] > 0 else say("less than the field")


# --- Seats, and another player


def show_seats(profile: Profile) -> None:
    """Show what a player scores and bids in each seat."""
    st.subheader(say("{player} in each seat", player=as_markdown(profile.name)))
    figures.heading("score-share", say("Share of the score at stake by the place after the dealer"))
    Figure("score-share", "from-dealer").show(profile.facts, profile.chosen)
    figures.heading("aggression", say("Bidding by the place after the dealer"))
    Figure("aggression", "from-dealer").show(profile.facts, profile.chosen)


def show_compared(profile: Profile) -> None:
    """Let the viewer choose another player, and show the two side by side."""
    labels = labels_of(profile.facts, "player")
    other = choose_player(
        say_in("a player", "Compare with"),
        urls.WITH,
        labels,
        but=[profile.player],
        nothing=say("Choose another player"),
        in_address=True,
        width=360,
    )
    if other is None:
        st.info(say("Choose another player to see the two side by side."))
        return
    chosen, pair, names = profile.chosen, (profile.player, other), (profile.name, labels[other])
    every = ranking.with_own_metrics(profile.facts, chosen)
    listed = [each for each in every.values() if can_be_asked(profile.facts, each)]
    both = chosen.also("player", *pair)
    ranking.show_notes(profile.facts, both, listed)
    several = len(figures.variants_of(profile.facts, both)) > 1
    given = (listed, chosen.filters, chosen.minimum)
    rows = snapshot.kept(two_players, profile.facts, *pair, *given).to_dicts()
    metrics = [every[row["metric"]] for row in rows]
    beside = [
        _beside(profile, metric, row, pair, several=several)
        for metric, row in zip(metrics, rows, strict=True)
    ]
    st.markdown(_sentence(beside, names))
    against, together = (_won(profile, dimension, other) for dimension in ("opponent", "partner"))
    one, two = names
    said = []
    if against:
        player = as_markdown(one)
        said.append(say("Against each other: {one} won {won}.", one=player, won=against))
    if together:
        said.append(say("Together they won {won}.", won=together))
    st.caption(" ".join(said))
    measure = say("shares, 95 % interval; ✓ is sure with all of these compared")
    if several:
        measure = say(
            "shares, above or below the others in the same games, 99 % interval; ✓ is sure with "
            "all of these compared"
        )

    def pick(place: int, which: int) -> None:
        figures.go_to_hands(chosen, metrics[place], {"player": pair[which]})

    TwoBeside(
        names=names,
        category=say("figure"),
        measure=measure,
        difference=say(
            "{one} less {other} (shares: points in 100), 99 % interval", one=one, other=two
        ),
        name=say("Figures of both players"),
        signed=several,
        mixed=True,
    ).show(beside, f"two-players-{other}", pick)


def _won(profile: Profile, dimension: str, other: str) -> str:
    """Return how many games were won with somebody as this: ``12 of 30 games``; empty of none."""
    try:
        frame = figures.measured(profile.facts, profile.chosen.also(dimension, other), _WON)
    except FigureError:
        return ""
    if frame.is_empty():
        return ""
    won, games = frame.select("hits", "n").row(0)
    return say("{won} of {games}", won=number(int(won)), games=games_text(int(games)))


def _beside(
    profile: Profile,
    metric: Metric,
    row: Mapping[str, Any],
    pair: tuple[str, str],
    *,
    several: bool,
) -> Beside:
    """Return a figure of both; of ``several`` games, how far each is from the others in them."""
    one, other = (figures.hands_behind(profile.chosen, metric, {"player": each}) for each in pair)
    found = beside_of(metric, row, wording.title(metric), (one, other))
    if not several:
        return found
    # Figures of several games do not go together, but how far each is from the others does.
    everybody, minimum = profile.chosen.filters.also("player"), profile.chosen.minimum
    frame = snapshot.kept(standings, profile.facts, metric, "player", everybody, minimum).filter(
        pl.col("player").is_in(pair), pl.col("difference").is_not_null()
    )
    ends = frame.select("player", "^difference.*$").rows_by_key("player", unique=True)

    def beside(player: str, side: Side) -> Side:
        if player not in ends:
            return side
        value, low, high = ends[player] if is_share(metric) else (None, None, None)
        text = signed_text(metric, ends[player][0])
        return Side(text, side.n, value, low, high, side.address)

    first, second = map(beside, pair, found.sides)
    return found._replace(sides=(first, second))


def _sentence(beside: list[Beside], names: tuple[str, str]) -> str:
    """Return in markdown what differs for sure, the largest difference first."""
    told = [each for each in beside if each.difference]
    values = dict(zip(("one", "other"), map(as_markdown, names), strict=True))
    if not told:
        return say("There are too few games of {one} and {other} to compare them.", **values)
    values["number"] = number(len(told))
    # Sizes of shares and of amounts do not compare: what is drawn comes first.
    sure = sorted(
        (each for each in told if each.sure),
        key=lambda each: (each.sides[0].value is None, -each.size),
    )
    if not sure:
        return say(
            "No figure of {one} and {other} differs for sure, with all {number} compared.", **values
        )
    said = [
        say(
            "{figure} ({one} against {other})",
            figure=as_markdown(each.label.lower()),
            one=each.sides[0].text,
            other=each.sides[1].text,
        )
        for each in sure[:_MOST_SAID]
    ]
    return say(
        "**{one} and {other} differ for sure** in {figures}, with all {number} compared.",
        figures="; ".join(said),
        **values,
    )
