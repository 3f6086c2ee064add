"""One box that finds a player, an evening, a game or a hand."""

from __future__ import annotations

from typing import Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.text.escaping import as_html, as_markdown, name_html
from tricklog.ingest.metrics import listings
from tricklog.ingest.metrics.filters import EVERYTHING
from tricklog.schemas.languages.messages import say
from tricklog.schemas.languages.numbers import day_text

_MOST: Final = 5
"""Of each kind."""
_HANDS_LOOKED_AT: Final = 200


def show_search(facts: DuckDBPyConnection) -> None:
    """Show the box, and links to what is called as was typed."""
    said = say("Find a player, an evening, a game or a hand")
    typed = st.text_input(
        said, placeholder=said, key="find-anything", label_visibility="collapsed", width=480
    )
    text = (typed or "").strip()
    if not text:
        return
    links = [*_players(facts, text), *_played(facts, text)]
    if links:
        listed = "".join(f"<li>{each}</li>" for each in links)
        st.html(f'<ul class="tl-found">{listed}</ul>')
    else:
        said = say(
            "Nothing here is called “{text}”. Try a part of a name, or a day such as 2026-11-20.",
            text=as_markdown(text),
        )
        st.caption(said)


def _players(facts: DuckDBPyConnection, text: str) -> list[str]:
    wanted = text.casefold()
    found = [
        (player, name)
        for player, name in snapshot.names().items()
        if wanted in name.casefold() or wanted in player.casefold()
    ]
    return [
        _link(
            addresses.of_page(addresses.PLAYERS, facts, Chosen(EVERYTHING), player=player),
            say("player {name}", name=name_html(name)),
        )
        for player, name in found[:_MOST]
    ]


def _played(facts: DuckDBPyConnection, text: str) -> list[str]:
    rows = snapshot.kept(listings.hand_list, facts, text=text, limit=_HANDS_LOOKED_AT)
    wanted = text.casefold()
    days = [each for each in rows["day"].unique(maintain_order=True) if each is not None]
    games = [
        each
        for each in rows["game"].unique(maintain_order=True)
        if each is not None and wanted in each.casefold()
    ]
    links = [
        _link(addresses.of_evening(day), say("evening {day}", day=as_html(day_text(day))))
        for day in days[:_MOST]
        if wanted in day.isoformat() or wanted in day_text(day).casefold()
    ]
    links += [
        _link(addresses.of_game(game), say("game {name}", name=name_html(game)))
        for game in games[:_MOST]
    ]
    hands = [each for each in rows["hand_id"] if wanted in each.casefold()]
    links += [
        _link(addresses.of_step(hand), say("hand {name}", name=name_html(hand)))
        for hand in hands[:_MOST]
    ]
    return links


def _link(address: str, said: str) -> str:
    return f'<a class="tl-link" href="{as_html(address)}">{said}</a>'
