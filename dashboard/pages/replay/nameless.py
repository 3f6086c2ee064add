"""Replay without names: an address that names nobody, and the hand that it opens.

Such an address has the content hash in the place of the id. What the server sends to the browser
then holds no name, id of a hand or game, or remark.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlencode, urlsplit

import streamlit as st

from tricklog.core import Finding, Replay, replay
from tricklog.core.render.sentences import moment_of
from tricklog.dashboard.address import urls
from tricklog.dashboard.data import snapshot
from tricklog.ingest.reports.sources import People
from tricklog.ingest.store.queries import REFERENCE, ids_of
from tricklog.schemas.languages.messages import say

_REFERENCE: Final = re.compile(rf"{REFERENCE}([0-9a-f]{{32}})")


def is_reference(hand: str) -> bool:
    """Return whether an address asks for a hand without names."""
    return _REFERENCE.fullmatch(hand) is not None


def id_behind(reference: str) -> str:
    """Return the id of the hand that is meant. Raises ``LookupError`` where there is none."""
    content_hash = reference.removeprefix(REFERENCE)
    found = ids_of(snapshot.connection(), [content_hash])
    if content_hash not in found:
        raise LookupError(
            say("The hand of this link is not in this warehouse, or was changed since.")
        )
    return found[content_hash]


def replayed(reference: str) -> Replay:
    """Return the hand of a reference replayed with numbers for names.

    Raises ``LookupError`` where there is none.
    """
    told = snapshot.replayed_hand(id_behind(reference))
    hand = People({}, hidden=True).of_hand(told.hand, called=reference)
    return replay(hand, mode=told.mode, ruleset=told.ruleset)


def findings_in(told: Replay) -> list[tuple[Finding, int | None]]:
    """Return the findings of the hand by itself; those of its game would name it."""
    return [(finding, moment_of(finding, told)) for finding in told.findings]


def show_link(hand_id: str, content_hash: str) -> None:
    """Show the link to a hand, with the choice whether it names anybody."""
    hides = st.toggle(
        say("Link without names"),
        value=True,
        key="link-without-names",
        help=say(
            "Whoever opens it sees Player 1, Player 2 and so on, and neither remarks nor notes. "
            "Whoever can look through this dashboard can find the hand with its names."
        ),
    )
    hand = f"{REFERENCE}{content_hash}" if hides else hand_id
    here = urlsplit(st.context.url or "")
    base = f"{here.scheme}://{here.netloc}{here.path}" if here.netloc else ""
    st.code(f"{base}?{urlencode({urls.HAND: hand})}", language=None, wrap_lines=True)
