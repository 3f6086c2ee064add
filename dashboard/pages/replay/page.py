"""Replay: one hand, step by step. Step ``n`` is the table before action ``n``."""

from __future__ import annotations

from functools import partial

import streamlit as st

from tricklog.core import Replay, Verdict
from tricklog.core.study.branches import NoBranch, branch_of
from tricklog.dashboard import card_table
from tricklog.dashboard.address import parameters, urls
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.hand_data import hand_data
from tricklog.dashboard.kit import addresses
from tricklog.dashboard.pages.replay import nameless, study_answers
from tricklog.dashboard.sections import chances
from tricklog.dashboard.sections.marks_panel import show_marks
from tricklog.dashboard.text import findings
from tricklog.dashboard.text.escaping import as_markdown
from tricklog.ingest.metrics import listings
from tricklog.ingest.metrics.filters import Filters
from tricklog.ingest.store.queries import hand_beside, reference_of
from tricklog.schemas.hand import content_hash
from tricklog.schemas.languages.messages import say

_GONE = "card-table-gone"
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
    is_nameless = nameless.is_reference(hand_id)
    try:
        replayed = (nameless.replayed if is_nameless else snapshot.replayed_hand)(hand_id)
    except LookupError as error:
        st.error(as_markdown(str(error)))
        st.page_link(urls.HANDS, label=say("Choose a hand from the list"))
        return
    _check_address(replayed)
    if is_nameless:
        st.html(addresses.head_html(replayed, say("A hand without names")))
        found = nameless.findings_in(replayed)
    else:
        content = content_hash(replayed.hand)
        head = addresses.head_html(replayed, say("Hand {hand}", hand=hand_id))
        link = partial(nameless.show_link, hand_id, content)
        show_marks("hand", content, say("hand {hand}", hand=hand_id), head, link)
        found = findings.of_hand(connection, replayed)
    data = hand_data(replayed, found, _step_asked_for(replayed))
    if not is_nameless:
        data["chances"] = chances.of_hand(replayed)
    card_table.card_table(
        data | study_answers.parts_of(replayed) | {"gone": st.session_state.get(_GONE)},
        on_go=_go_to_another,
        # What the table asks for besides the hand: values, or a branch.
        on_ask=lambda: study_answers.take(st.session_state[card_table.KEY]["ask"]),
    )


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


def _step_asked_for(replayed: Replay) -> int:
    """Return the step in the URL, which the table keeps there itself while it is looked at."""
    text = parameters.get(urls.STEP)
    return int(text) if parameters.is_digits(text) and int(text) <= len(replayed) else 0


def _go_to_another() -> None:
    """Open the hand before or after the one on the table, at its beginning."""
    asked = st.session_state[card_table.KEY]["go"]
    st.session_state[_GONE] = asked
    hand_id, by = asked["hand"], asked["by"]
    if by:
        connection, scope = snapshot.connection(), snapshot.known_scope()
        is_nameless = nameless.is_reference(hand_id)
        known = nameless.id_behind(hand_id) if is_nameless else hand_id
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
