"""Addresses of pages with filters, for links that a browser follows by itself.

A page that is left by such a link stands in the history of the browser as it was, filters and all.
Streamlit, where it changes the page, puts the parameters of the next one into the address of the
last one first, and that is where the browser's Back then leads.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final
from urllib.parse import urlencode

from duckdb import DuckDBPyConnection

from tricklog.dashboard.address import urls
from tricklog.dashboard.data import filters, snapshot
from tricklog.dashboard.data.filters import AT, Chosen
from tricklog.dashboard.data.value_labels import labelled, labels_of
from tricklog.dashboard.text.escaping import as_html, name_html

HANDS: Final = "hands"
PLAYERS: Final = "players"
GAMES: Final = "games"
EXPLORER: Final = "explorer"
EVENINGS: Final = "evenings"
_REPLAY: Final = "replay"


def of_page(
    page: str,
    facts: DuckDBPyConnection,
    chosen: Chosen,
    query: Mapping[str, str] | None = None,
    **picked: str,
) -> str:
    """Return the address of a page with filters, as the page itself would write it.

    ``query`` holds the parameters of the page beside the filters, ``picked`` is as for
    ``filters.parameters``.
    """
    told = {key: [value] for key, value in {**(query or {}), **urls.whose_parameter()}.items()}
    parameters = filters.parameters(chosen, **picked)
    others = []
    for name, values in filters.by_name(parameters.pop(AT)).items():
        boxed, within, left = filters.places_of(facts, name, values)
        if boxed:
            told[name] = [labels_of(facts, name)[value] for value in boxed]
        for key, end in zip(filters.ends_of(name), within, strict=True):
            if end is not None:
                told[key] = [str(end)]
        others += [f"{name}:{value}" for value in left]
    if others:
        told[AT] = others
    return f"{page}?{urlencode(told | parameters, doseq=True)}"


def of(page: str, query: Mapping[str, str] | None = None) -> str:
    """Return the address of a page with parameters of its own, for the people looked at."""
    told = {**(query or {}), **urls.whose_parameter()}
    return f"{page}?{urlencode(told)}" if told else page


def of_step(hand_id: str, step: int = 0) -> str:
    """Return the address of a hand before action ``step``."""
    return of(_REPLAY, urls.to_step(hand_id, step))


def of_practice(player: str, variant: str, topic: str = "") -> str:
    """Return the address of decisions of a player in a game as questions, the dearest of all."""
    names = list(snapshot.names())[: urls.MOST_OFFERED]
    people = labelled("player", names, {}, snapshot.names())
    told = {urls.PRACTICE_GAME: snapshot.titles().get(variant, variant)} if variant else {}
    if topic:
        told[urls.PRACTICE_TOPIC] = topic
    if player in people:
        told[urls.PRACTICE_WHO] = people[player]
    return of(urls.PRACTICE_PATH, told)


def of_game(game: str) -> str:
    """Return the address of the score sheet of a game."""
    return of(GAMES, urls.to_game(game))


def of_deal(key: str) -> str:
    """Return the address of a deal at all its tables."""
    return of(urls.SAME_DEAL_PATH, urls.to_deal(key))


def of_evening(day: date) -> str:
    """Return the address of an evening."""
    return of(EVENINGS, {urls.EVENING: day.isoformat()})


def of_definition(name: str) -> str:
    """Return the address of a definition, or of a group of them, by its name."""
    return of(urls.DEFINITIONS_PATH, {urls.SEARCHED: name})


def game_html(game: str) -> str:
    """Return the id of a game as HTML that leads to its score sheet."""
    return f'<a class="tl-link" href="{as_html(of_game(game))}">{name_html(game)}</a>'
