"""Addresses of pages, for links that a browser follows by itself.

A page that is left by such a link stands in the history of the browser as it was, filters and all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final
from urllib.parse import urlencode

from msgspec import UNSET

from tricklog.core import Replay
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import filters
from tricklog.dashboard.data.filters import Chosen
from tricklog.dashboard.text.escaping import as_html, name_html
from tricklog.schemas.languages.messages import say

HANDS: Final = "hands"
PLAYERS: Final = "players"
GAMES: Final = "games"
EXPLORER: Final = "explorer"
EVENINGS: Final = "evenings"
AUDIT: Final = "audit"
_REPLAY: Final = "replay"


def of_page(
    page: str,
    chosen: Chosen,
    query: Mapping[str, str | Sequence[str]] | None = None,
    /,
    **picked: str,
) -> str:
    """Return the address of a page with filters, as the page itself would write it.

    ``query`` holds the parameters of the page beside the filters, ``picked`` is as for
    ``filters.parameters_of``.
    """
    told = {**(query or {}), **filters.parameters_of(chosen, **picked)}
    return f"{page}?{urlencode(told, doseq=True)}"


def of(page: str, query: Mapping[str, str] | None = None) -> str:
    """Return the address of a page with parameters of its own, for the people looked at."""
    told = {**(query or {}), **urls.whose_parameter()}
    return f"{page}?{urlencode(told)}" if told else page


def of_step(hand_id: str, step: int = 0) -> str:
    """Return the address of a hand before action ``step``."""
    return of(_REPLAY, urls.to_step(hand_id, step))


def of_practice(player: str, variant: str, topic: str = "") -> str:
    """Return the address of decisions of a player in a game as questions, the dearest of all."""
    told = {urls.PRACTICE_WHO: player, urls.PRACTICE_GAME: variant, urls.PRACTICE_TOPIC: topic}
    return of(urls.PRACTICE_PATH, {name: value for name, value in told.items() if value})


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


def link_html(address: str, html: str) -> str:
    """Return HTML that leads to an address; ``html`` is what it says."""
    return f'<a class="tl-link" href="{as_html(address)}">{html}</a>'


def game_html(game: str) -> str:
    """Return the id of a game as HTML that leads to its score sheet."""
    return link_html(of_game(game), name_html(game))


def head_html(replayed: Replay, title: str, *more: str) -> str:
    """Return the head of a page about one hand: what it is, where it belongs; ``more`` is HTML."""
    hand = replayed.hand
    words = [as_html(replayed.ruleset.title)]
    if hand.game is not UNSET:
        words.append(say("game {game}", game=game_html(hand.game)))
    if hand.hand is not UNSET:
        words.append(say("hand {hand}", hand=hand.hand))
    if hand.started_at is not UNSET:
        words.append(as_html(hand.started_at[:10]))
    told = " · ".join([*words, *more])
    return f'<div class="tl-head"><h2>{as_html(title)}</h2><p>{told}</p></div>'
