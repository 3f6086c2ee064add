"""Two players side by side: what differs for sure, how they did against each other, all figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import polars as pl
import streamlit as st

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.kit import figures
from tricklog.dashboard.kit.side_by_side import Beside, Side, TwoBeside, beside_of
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import FigureError, Metric, wording
from tricklog.ingest.metrics.figure_words import is_share, signed_text
from tricklog.ingest.metrics.standings import standings
from tricklog.ingest.metrics.versus import two_players
from tricklog.ingest.sessions.words import games_text
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import number

_WON: Final = "win-rate"
_MOST_SAID: Final = 3


def show_two_players(profile: Profile, other: str, name: str, metrics: dict[str, Metric]) -> None:
    """Show a player beside another one, who is called ``name``."""
    chosen, pair, names = profile.chosen, (profile.player, other), (profile.name, name)
    listed = list(metrics.values())
    rows = snapshot.kept(
        two_players, profile.facts, *pair, listed, chosen.filters, chosen.minimum
    ).to_dicts()
    both = replace(chosen, filters=chosen.filters.also("player", *pair))
    several = len(figures.variants_of(profile.facts, both)) > 1
    listed_rows = [metrics[row["metric"]] for row in rows]
    beside = [
        _beside(profile, metric, row, pair, several=several)
        for metric, row in zip(listed_rows, rows, strict=True)
    ]
    st.markdown(_sentence(beside, names))
    against, together = (_won(profile, dimension, other) for dimension in ("opponent", "partner"))
    said = []
    if against:
        one = as_markdown(names[0])
        said.append(say("Against each other: {one} won {won}.", one=one, won=against))
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
        figures.go_to_hands(chosen, listed_rows[place], {"player": pair[which]})

    TwoBeside(
        names=names,
        category=say("figure"),
        measure=measure,
        difference=say(
            "{one} less {other} (shares: points in 100), 99 % interval",
            one=names[0],
            other=names[1],
        ),
        name=say("Figures of both players"),
        signed=several,
        mixed=True,
    ).show(beside, f"two-players-{other}", pick)


def _won(profile: Profile, dimension: str, other: str) -> str:
    """Return how many games were won with somebody as this: ``12 of 30 games``; empty of none."""
    filters = profile.chosen.filters.also(dimension, other)
    try:
        frame = figures.measured(profile.facts, replace(profile.chosen, filters=filters), _WON)
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
    hands = [
        figures.link_to_hands(profile.chosen, "", metric, {"player": each}).address for each in pair
    ]
    found = beside_of(metric, row, wording.title(metric), (hands[0], hands[1]))
    if not several:
        return found
    everybody, minimum = profile.chosen.filters.also("player"), profile.chosen.minimum
    frame = snapshot.kept(standings, profile.facts, metric, "player", everybody, minimum)
    known = frame.filter(pl.col("difference").is_not_null())
    apart = {each["player"]: each for each in known.to_dicts()}
    sides = []
    for player, side in zip(pair, found.sides, strict=True):
        beside = side
        if own := apart.get(player):
            # Figures of several games do not go together, but how far each is from the others does.
            beside = Side(signed_text(metric, own["difference"]), side.n, address=side.address)
            if is_share(metric):
                ends = (own["difference_low"], own["difference_high"])
                beside = beside._replace(value=own["difference"], low=ends[0], high=ends[1])
        sides.append(beside)
    return found._replace(sides=(sides[0], sides[1]))


def _sentence(beside: list[Beside], names: tuple[str, str]) -> str:
    """Return in markdown what differs for sure, the largest difference first."""
    one, other = map(as_markdown, names)
    told = [each for each in beside if each.difference]
    if not told:
        return say(
            "There are too few games of {one} and {other} to compare them.", one=one, other=other
        )
    # Sizes of shares and of amounts do not compare: what is drawn comes first.
    sure = sorted(
        (each for each in told if each.sure),
        key=lambda each: (each.sides[0].value is None, -each.size),
    )
    if not sure:
        return say(
            "No figure of {one} and {other} differs for sure, with all {number} compared.",
            one=one,
            other=other,
            number=number(len(told)),
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
        one=one,
        other=other,
        figures="; ".join(said),
        number=number(len(told)),
    )
