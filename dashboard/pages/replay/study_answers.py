"""What the card table asks for once it is drawn: values with all cards open, and branches.

The hand is shown first and the values follow, so no hand waits for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import streamlit as st

from tricklog.core import Replay
from tricklog.core.study import Refused
from tricklog.core.study.branches import NoBranch, branch_of
from tricklog.dashboard.data.hand_data import hand_data
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.pages.replay.study_data import Study
from tricklog.dashboard.text.refusals import why_not
from tricklog.schemas.languages.messages import say

Data: TypeAlias = dict[str, Any]
ASKED: Final = "asked-of-the-table"
"""Key of what the card table has asked for last."""
_STUDIES: Final = "studies"
_KEPT: Final = 8
"""Hands and branches of one viewer whose values are kept."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the card table asks for."""

    hand: str
    at: int
    """The step looked at."""
    branch: str
    """The branch to be played, empty for none."""
    best: bool
    """Whether it goes on to the end as well as can be with all cards open."""
    on: bool
    """Whether values that are limits are to be searched on for."""

    hidden: int
    """The step whose card is to be graded with hidden cards, below 0 for none."""

    @staticmethod
    def of(given: Mapping[str, Any]) -> Asked:
        """Return what a browser sent, which may be anything."""
        at, hidden = given.get("at"), given.get("hidden")
        return Asked(
            hand=str(given.get("hand", "")),
            at=at if isinstance(at, int) else 0,
            branch=str(given.get("branch", "")),
            best=given.get("best") is True,
            on=given.get("on") is True,
            hidden=hidden if isinstance(hidden, int) else -1,
        )


def take(given: Mapping[str, Any]) -> None:
    """Keep what the card table asks for until the page is made again."""
    st.session_state[ASKED] = Asked.of(given)


def parts_of(replayed: Replay) -> Data:
    """Return what the card table asked for of a hand, beside the hand itself; empty for nothing.

    ``study`` as ``Study.data``; ``branch`` as ``branch_data``.
    """
    asked: Asked | None = st.session_state.get(ASKED)
    if asked is None or asked.hand != replayed.hand.id:
        return {}
    return answered(replayed, asked, st.session_state.setdefault(_STUDIES, {}))


def answered(replayed: Replay, asked: Asked, studies: dict[str, Study]) -> Data:
    """Return what is asked of a hand; ``studies`` keeps what was worked out so far."""
    parts: Data = {"study": _study(replayed, replayed.hand.id, asked, studies)}
    if asked.branch:
        parts["branch"] = branch_data(replayed, asked, studies)
    return parts


def branch_data(replayed: Replay, asked: Asked, studies: dict[str, Study]) -> Data:
    """Return a branch for the card table, as far as it can be played; ``error`` says why no more.

    ``hand`` is the branch as ``hand_data`` tells a record, ``places`` the step of each of its
    words, ``text`` what an address says of it, ``study`` its values.
    """
    told: Data = {"asked": asked.branch, "best": asked.best}
    branch, why = None, ""
    try:
        if asked.best:
            with solver_for(replayed) as solver:
                branch = branch_of(replayed, asked.branch, best=solver)
        else:
            branch = branch_of(replayed, asked.branch)
        why = branch.problem
    except NoBranch as refused:
        why = str(refused)
    except Refused as refused:
        why = why_not(refused)
    if why:
        told["error"] = f"{why[:1].upper()}{why[1:]}."
    if branch is None:
        return told
    hand = hand_data(branch.replayed, [])
    if branch.replayed.at(len(branch.replayed)).phase != "over":
        # A branch is no record: the list of steps ends with this while cards are left.
        hand |= {"ending": [say("The branch goes no further yet.")], "unfinished": True}
    key = f"{replayed.hand.id} {branch.text}"
    return told | {
        "text": branch.text,
        "places": branch.places,
        "hand": hand,
        "study": _study(branch.replayed, key, asked, studies),
    }


def _study(replayed: Replay, key: str, asked: Asked, studies: dict[str, Study]) -> Data:
    """Go on with the study of a hand or branch and return it."""
    study = studies.pop(key, None)
    if study is None or study.replayed.hand != replayed.hand:
        study = Study(replayed, at=asked.at)
    studies[key] = study
    while len(studies) > _KEPT:
        del studies[next(iter(studies))]
    if asked.on:
        study.search_on(asked.at)
    study.work()
    if asked.hidden >= 0 and bool(asked.branch) == (key != asked.hand):
        study.grade(asked.hidden)
    return study.data()
