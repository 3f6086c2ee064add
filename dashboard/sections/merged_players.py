"""Merging the ids of one player on their page, and following links that have an old id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.value_labels import labels_of
from tricklog.dashboard.kit.choices import choose_player
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.facts.aliased import set_aside
from tricklog.ingest.store import aliases
from tricklog.ingest.store.aliases import SetAside
from tricklog.ingest.store.userdata import UserDataError
from tricklog.schemas.languages.messages import Message, message, say

_OTHER: Final = "merge-with"
_TROUBLE: Final = "merge-trouble"
_DONE: Final = "merge-done"


def show_merging(facts: DuckDBPyConnection, player: str, name: str) -> None:
    """Show the button behind which other ids are made those of a player, or freed again."""
    opened = st.popover(say("Same person as …"), type="tertiary", key="merging", on_change="rerun")
    if done := st.session_state.pop(_DONE, None):
        st.toast(as_markdown(str(done)))
    if not opened.open:
        return
    with opened:
        if trouble := st.session_state.pop(_TROUBLE, None):
            st.warning(as_markdown(str(trouble)))
        st.caption(
            say(
                "What another id played counts as {player}’s, in every figure, for everybody who "
                "opens this warehouse. What was loaded is not changed.",
                player=as_markdown(name),
            )
        )
        for each in [merged for merged, whom in snapshot.merged() if whom == player]:
            done = message("{player} counts as a player of their own again.", player=each)
            st.button(
                say("Take {player} apart again", player=as_markdown(each)),
                key=f"unmerge-{each}",
                on_click=_try,
                args=(done, aliases.remove_alias, snapshot.user_folder(), each),
            )
        labels = labels_of(facts, "player")
        choose_player(
            say("The other id"), _OTHER, labels, but=[player], nothing=say("Choose a player")
        )

        def merge() -> None:
            if not (other := st.session_state.get(_OTHER)):
                st.session_state[_TROUBLE] = message("Choose the other id first.")
                return
            done = message(
                "What {other} played counts as {player}’s now.", other=other, player=name
            )
            folder, whole = snapshot.user_folder(), snapshot.connection()
            _try(done, aliases.add_alias, folder, whole, other, player)

        st.button(say("They are one player"), key="merge", on_click=merge)


def tell_set_aside() -> None:
    """Say which ids are not taken for one player any more, as both sat at one table."""
    if snapshot.merged():
        for each in set_aside(snapshot.facts()):
            st.warning(as_markdown(apart_text(SetAside(*each))))


def apart_text(found: SetAside) -> str:
    """Return what is said of two ids that are not taken for one player."""
    return say(
        "{player} and {other} are not counted as one player, as both sat at the table of hand "
        "{hand}. Take {player} apart on the page of {other}, or correct the log.",
        player=found.player,
        other=found.stands_for,
        hand=found.hand,
    )


def _try(done: Message, change: Callable[..., object], *given: object) -> None:
    try:
        change(*given)
        st.session_state[_DONE] = done
    except UserDataError as error:
        st.session_state[_TROUBLE] = str(error)
