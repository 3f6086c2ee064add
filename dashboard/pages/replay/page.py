"""Replay: one hand, step by step. Step ``n`` is the table before action ``n``.

An address may name nobody: it has the content hash in the place of the id. What the server sends to
the browser then holds no name, id of a hand or game, or remark.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final
from urllib.parse import urlencode, urlsplit

import streamlit as st

from tricklog.core import Replay, Verdict, replay
from tricklog.core.render.sentences import moment_of
from tricklog.core.study.branches import NoBranch, branch_of
from tricklog.dashboard import card_table
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.hand_data import hand_data
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.kit.page_parts import name_window
from tricklog.dashboard.pages.replay import study
from tricklog.dashboard.sections import chances
from tricklog.dashboard.sections.marks_panel import show_marks
from tricklog.dashboard.text import findings
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import listings
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.reports.sources import People
from tricklog.ingest.store.queries import REFERENCE, hand_beside, ids_of, reference_of
from tricklog.schemas.hand import content_hash
from tricklog.schemas.languages.messages import say

_REFERENCE: Final = re.compile(rf"{REFERENCE}([0-9a-f]{{32}})")
"""What an address without names has for a hand."""
_GONE: Final = "card-table-gone"
"""Key of the session: the last answer to being asked for another hand, for the table to know."""


def show() -> None:
    """Show the hand of the URL; without one, a hand worth a look."""
    parameters.knows(*urls.OF_TABLE)
    connection = snapshot.connection()
    hand_id = parameters.get(urls.HAND)
    for verdict in (Verdict.IRREGULAR, Verdict.REJECTED, None):
        if not hand_id:
            wanted = Filters.of({"verdict": verdict} if verdict else {})
            rows = listings.hand_list(snapshot.facts(), wanted, limit=1)
            hand_id = next(iter(rows["hand_id"]), "")
    parameters.put(urls.HAND, hand_id)
    is_nameless = _REFERENCE.fullmatch(hand_id) is not None
    try:
        replayed = snapshot.replayed_hand(_id_behind(hand_id) if is_nameless else hand_id)
    except LookupError as error:
        st.error(as_markdown(str(error)))
        st.page_link(urls.HANDS, label=say("Choose a hand from the list"))
        return
    if is_nameless:
        hand = People({}, hidden=True).of_hand(replayed.hand, called=hand_id)
        replayed = replay(hand, mode=replayed.mode, ruleset=replayed.ruleset)
    _check_address(replayed)
    if is_nameless:
        st.html(addresses.head_html(replayed, say("A hand without names")))
        # The findings of its game would name it.
        found = [(finding, moment_of(finding, replayed)) for finding in replayed.findings]
    else:
        content = content_hash(replayed.hand)
        title = say("Hand {hand}", hand=hand_id)
        name_window(title)
        head = addresses.head_html(replayed, title)
        link = partial(_show_link, hand_id, content)
        show_marks("hand", content, say("hand {hand}", hand=hand_id), head, link)
        found = findings.of_hand(connection, replayed)
    # The table keeps the step in the URL itself while it is looked at.
    step = parameters.get(urls.STEP)
    is_step = parameters.is_digits(step) and int(step) <= len(replayed)
    data = hand_data(replayed, found, int(step) if is_step else 0)
    if not is_nameless:
        data["chances"] = chances.of_hand(replayed)
    data |= study.parts_of(replayed) | {"gone": st.session_state.get(_GONE)}
    card_table.card_table(data, on_go=_go_to_another, on_ask=_take_question)


def _id_behind(reference: str) -> str:
    """Return the id of the hand that is meant. Raises ``LookupError`` where there is none."""
    content = reference.removeprefix(REFERENCE)
    found = ids_of(snapshot.connection(), [content])
    if content not in found:
        raise LookupError(
            say("The hand of this link is not in this warehouse, or was changed since.")
        )
    return found[content]


def _show_link(hand_id: str, content: str) -> None:
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
    hand = f"{REFERENCE}{content}" if hides else hand_id
    here = urlsplit(st.context.url or "")
    base = f"{here.scheme}://{here.netloc}{here.path}" if here.netloc else ""
    st.code(f"{base}?{urlencode({urls.HAND: hand})}", language=None, wrap_lines=True)


def _check_address(replayed: Replay) -> None:
    text, last = parameters.get(urls.TRY), len(replayed)
    if text:
        try:
            branch = branch_of(replayed, text)
        except NoBranch as problem:
            parameters.keeps(urls.TRY, "", str(problem))
        else:
            last = len(branch.replayed)
            if branch.problem:
                parameters.keeps(urls.TRY, branch.text, branch.problem)
    parameters.allows_numbers(urls.STEP, 0, last)
    parameters.allows_numbers(urls.BELOW, 0, len(replayed.hand.players) - 1)
    parameters.allows_if(urls.HIDE, lambda text: set(text.split(",")) <= set(urls.HIDDEN))
    parameters.allows_if(urls.STUDY, lambda text: text == urls.OFF)


def _take_question() -> None:
    """Keep what the table asks for besides the hand, values or a branch, for the next run."""
    st.session_state[study.ASKED] = study.Asked.of(st.session_state[card_table.KEY]["ask"])


def _go_to_another() -> None:
    """Open the hand before or after the one on the table, at its beginning."""
    asked = st.session_state[card_table.KEY]["go"]
    st.session_state[_GONE] = asked
    hand_id, by = asked["hand"], asked["by"]
    if by:
        connection, scope = snapshot.connection(), snapshot.known_scope()
        is_nameless = _REFERENCE.fullmatch(hand_id) is not None
        known = _id_behind(hand_id) if is_nameless else hand_id
        hand_id = hand_beside(connection, known, by=by, scope=scope)
        if is_nameless and hand_id is not None:
            hand_id = reference_of(connection, hand_id)
    if hand_id is None:
        after = say("There are no more hands after this one.")
        st.toast(after if by > 0 else say("There are no more hands before this one."))
        return
    # One change of the URL is one step back for the browser.
    of_step = (urls.STEP, urls.TRY)
    kept = {key: st.query_params.get_all(key) for key in st.query_params if key not in of_step}
    st.query_params.from_dict({**kept, urls.HAND: hand_id})


show()
