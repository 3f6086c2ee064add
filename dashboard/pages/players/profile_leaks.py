"""Where a player loses points: a chart of the leaks, their table, and the hands behind each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

import polars as pl
import streamlit as st

from tricklog.dashboard.address import opening, urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.profile import Profile
from tricklog.dashboard.kit import addresses, figures
from tricklog.dashboard.kit.charts import IntervalChart
from tricklog.dashboard.kit.page_parts import lead_to, need, refusals_said, show_figures
from tricklog.dashboard.kit.tables import in_columns
from tricklog.ingest.metrics import wording
from tricklog.ingest.metrics.figure_words import interval_text
from tricklog.ingest.metrics.leaks import LEAK, Leak, find_leaks
from tricklog.schemas.languages.messages import Message, say
from tricklog.schemas.languages.numbers import number, percent


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
    frame = snapshot.kept(
        find_leaks,
        profile.facts,
        profile.player,
        profile.chosen.filters,
        profile.chosen.minimum,
    )
    frame = frame.filter(pl.col("difference").is_not_null())
    need(frame)
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
    if picked:
        query = urlencode(_leak_query(profile, LEAK[picked["key"]]), doseq=True)
        opening.go(f"{addresses.HANDS}?{query}")
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
            lead_to(urls.HANDS, said, _leak_query(profile, leak), more=about)


def _sure_words(row: dict[str, Any]) -> str:
    if row["low"] is None or not row["named"]:
        return "" if row["low"] is None else say("cannot tell yet")
    return say("more than the field") if row["difference"] > 0 else say("less than the field")


def _leak_query(profile: Profile, leak: Leak) -> dict[str, Sequence[str]]:
    chosen = profile.chosen
    if leak.cards:
        chosen = replace(chosen, filters=chosen.filters.also("card", *leak.cards))
    query = filters.parameters_of(chosen)
    return query | {urls.FIGURE: [leak.metric.name], urls.WHICH: [leak.which.value]}
