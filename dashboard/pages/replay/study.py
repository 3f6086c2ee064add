"""What the card table asks for once it is drawn: values with all cards open, and branches.

The hand is shown first and the values follow, so no hand waits for them. Values are pairs, the
limits they lie within; where both are the same the value is exact.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import streamlit as st

from tricklog.core import Replay
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import copy_state
from tricklog.core.study import (
    Choice,
    Decision,
    LossKind,
    OpenHand,
    Refused,
    Solver,
    Value,
    costs_among,
    open_hand,
)
from tricklog.core.study.branches import NoBranch, branch_of
from tricklog.core.study.hidden import HiddenGrade, grade
from tricklog.dashboard.data.hand_data import Data, hand_data, makers_of
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.text.labels import loss_words
from tricklog.dashboard.text.refusals import why_not
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import card_name
from tricklog.schemas.languages.messages import say

FIRST_BUDGET: Final = 500_000
"""Nodes for each value when a hand is opened: a tenth of a second at the most."""
NEXT_BUDGET: Final = 20_000_000
"""Nodes for each value once somebody asks to search on: some seconds at the most."""
WORLDS: Final = 100
"""Deals that fit what a player knew, for the grade of one card."""
GRADED_IN: Final = 2.0
"""Seconds that the grade of one card may take; then it is of the deals tried so far."""
AT_ONCE: Final = 0.15
"""Seconds after which the values found so far go to the page, and the others follow."""
NO_CHOICE: Final = "there was no choice"
ASKED: Final = "asked-of-the-table"
"""Key of what the card table has asked for last."""
KEPT: Final = 8
"""Hands and branches of one viewer whose values are kept."""
_STUDIES: Final = "studies"
_ASKS: Final = frozenset({"play", "bury"})
_PUT_DOWN: Final = (Verb.PLAY, Verb.BURY)


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


def parts_of(replayed: Replay) -> Data:
    """Return what the card table asked for of a hand, beside the hand itself; empty for nothing."""
    asked: Asked | None = st.session_state.get(ASKED)
    if asked is None or asked.hand != replayed.hand.id:
        return {}
    return answered(replayed, asked, st.session_state.setdefault(_STUDIES, {}))


def answered(replayed: Replay, asked: Asked, studies: dict[str, Study]) -> Data:
    """Return what is asked of a hand; ``studies`` keeps what was worked out so far.

    ``study`` as ``Study.data``. ``branch`` is the branch as far as it can be played; its ``error``
    says why no more, ``hand`` is as ``hand_data`` tells a record, ``places`` has the step of each
    of its words, ``text`` is what an address says of it, ``study`` its values.
    """
    parts: Data = {"study": _study(replayed, replayed.hand.id, asked, studies)}
    if not asked.branch:
        return parts
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
    told: Data = {"asked": asked.branch}
    if why:
        told["error"] = f"{why[:1].upper()}{why[1:]}."
    if branch is not None:
        hand = hand_data(branch.replayed, [])
        if branch.replayed.at(len(branch.replayed)).phase != "over":
            # A branch is no record: the list of steps ends with this while cards are left.
            hand |= {"ending": [say("The branch goes no further yet.")], "unfinished": True}
        key = f"{replayed.hand.id} {branch.text}"
        study = _study(branch.replayed, key, asked, studies)
        told |= {"text": branch.text, "places": branch.places, "hand": hand, "study": study}
    return parts | {"branch": told}


def _study(replayed: Replay, key: str, asked: Asked, studies: dict[str, Study]) -> Data:
    """Go on with the study of a hand or branch and return it."""
    study = studies.pop(key, None)
    if study is None or study.replayed.hand != replayed.hand:
        study = Study(replayed, at=asked.at)
    studies[key] = study
    while len(studies) > KEPT:
        del studies[next(iter(studies))]
    if asked.on:
        study.search_on(asked.at)
    study.work()
    if asked.hidden >= 0 and bool(asked.branch) == (key != asked.hand):
        study.grade(asked.hidden)
    return study.data()


class Study:
    """The study of one hand, worked out piece by piece and shown as far as it is."""

    def __init__(self, replayed: Replay, *, at: int = 0) -> None:
        """Take a hand, which is not changed, and the step whose cards come first."""
        self.replayed = replayed
        self._refused = ""
        self._graded: dict[int, HiddenGrade | str] = {}
        self._begin(at, FIRST_BUDGET)

    def _begin(self, at: int, budget: int) -> None:
        self._budget = budget
        self._studied: OpenHand | None = None
        self._choices: dict[int, tuple[Choice, ...]] = {}
        steps = range(len(self.replayed.actions), -1, -1)
        self._todo = iter(sorted(steps, key=lambda step: step != at))
        self._left = True

    def search_on(self, at: int) -> None:
        """Work everything out again with many more nodes."""
        self._begin(at, NEXT_BUDGET)

    def work(self, seconds: float = AT_ONCE) -> None:
        """Go on for some time, at the least until the values of the hand are there.

        The cards of the step looked at come first, then those of the last trick, and so on.
        """
        until = time.monotonic() + seconds
        if self._refused or not self._left:
            return
        replayed = self.replayed
        try:
            with solver_for(replayed) as solver:
                if self._studied is None:
                    self._studied = _study_of(replayed, solver, self._budget)
                for step in self._todo:
                    if step <= replayed.played:
                        view = replayed.at(step)
                        if view.phase in ("play", "solo") and _ASKS & set(view.choice.verbs):
                            state = replayed.state_at(step)
                            self._choices[step] = solver.choices(state, budget=self._budget)
                    if time.monotonic() > until:
                        return
        except Refused as refused:
            self._refused = str(refused)
        self._left = False

    def grade(self, step: int) -> None:
        """Grade the decision at a step with the cards hidden that its player could not see."""
        if not 0 <= step < self.replayed.played or step in self._graded:
            return
        try:
            with solver_for(self.replayed) as solver:
                found = grade(self.replayed, step, worlds=WORLDS, seconds=GRADED_IN, solver=solver)
        except Refused as refused:
            self._graded[step] = str(refused)
        else:
            self._graded[step] = found or NO_CHOICE

    def data(self) -> Data:
        """Return what the page shows of it.

        ``values`` has one for each step, nothing before the play; ``moves`` the decisions by step,
        ``choices`` every legal one by step, ``hidden`` the grades with hidden cards asked for,
        ``more`` whether other choices are still to come.
        """
        if self._refused:
            return {"refused": why_not(self._refused)}
        opened = self._studied
        if opened is None:
            return {"more": True}
        sides = makers_of(self.replayed, in_tricks=opened.unit == "tricks")
        listed = [each for choices in self._choices.values() for each in choices]
        decided = [each.before for each in opened.decisions]
        known = [opened.par, opened.outcome, *decided, *(each.value for each in listed)]
        # The top of the scale: all there is to take, or more where a pair counts.
        shown = [opened.par, opened.outcome, *decided, *(each.after for each in opened.decisions)]
        all_points = self.replayed.rules.all_points if opened.unit == "points" else 0
        return {
            **sides,
            "unit": opened.unit,
            "need": opened.need,
            "most": max(all_points, opened.need or 0, *(value.high for value in shown), 1),
            "par": _limits(opened.par),
            "outcome": _limits(opened.outcome),
            "score": opened.score_outcome,
            "noScore": why_not(opened.no_score) if opened.no_score else opened.no_score,
            "values": self._values(opened),
            "moves": {str(each.action): _move(each) for each in opened.decisions},
            "choices": {
                str(step): _listed(choices, sides["makers"])
                for step, choices in self._choices.items()
                if choices
            },
            "hidden": {str(step): _grade(found) for step, found in self._graded.items()},
            "vague": self._budget == FIRST_BUDGET and not all(each.is_exact for each in known),
            "more": self._left,
        }

    def _values(self, opened: OpenHand) -> list[list[int] | None]:
        """Return the value before each step: that of the next decision, at the end the outcome."""
        replayed, value = self.replayed, opened.outcome
        # Of several decisions at one action the first counts.
        before = {each.action: each.before for each in reversed(opened.decisions)}
        values: list[list[int] | None] = []
        for step in range(len(replayed.actions), -1, -1):
            value = before.get(step, value)
            in_play = step > 0 and replayed.state_at(step).trick > 0
            values.append(_limits(value) if in_play else None)
        return values[::-1]


def _study_of(replayed: Replay, solver: Solver, budget: int) -> OpenHand:
    """Return the study of a record; of one that ends where the play begins, its value alone."""
    state = replayed.state_at(replayed.played)
    begins = (
        state.trick <= 1 and not state.played and state.phase != Phase.OVER and state.maker >= 0
    )
    if not begins or any(each.verb in _PUT_DOWN for each in replayed.actions):
        return open_hand(replayed, solver, budget=budget)
    state = copy_state(state)
    while state.phase < Phase.PLAY:
        engine.enter(state, replayed.rules)
    value = solver.value(state, budget=budget)
    unit: Literal["points", "tricks"] = "tricks" if state.solo >= 0 else "points"
    return OpenHand(unit, solver.need(state), value, value, (), None, None)


def _move(decision: Decision) -> Data:
    kind = decision.loss_kind
    return {
        "kind": decision.kind,
        "seat": decision.seat,
        "cards": " ".join(map(card_name, decision.cards)),
        "showed": decision.showed,
        "before": _limits(decision.before),
        "after": _limits(decision.after),
        "loss": decision.loss,
        "score": decision.score_loss,
        "what": None if kind in (None, LossKind.OTHER) else loss_words(kind),
    }


def _listed(choices: tuple[Choice, ...], makers: list[int]) -> list[Data]:
    by_makers = choices[0].seat in makers
    costs = costs_among([each.value for each in choices], by_makers=by_makers)
    return [
        {
            "cards": " ".join(map(card_name, each.cards)),
            "shows": each.shows,
            "value": _limits(each.value),
            "cost": cost,
        }
        for each, cost in zip(choices, costs, strict=True)
    ]


def _grade(found: HiddenGrade | str) -> Data:
    """Return a grade as the page shows it: both parts of a loss, and over how many deals."""
    if isinstance(found, str):
        return {"refused": why_not(found)}
    return {
        "judged": round(found.loss.judged, 1),
        "reach": round(found.loss_reach, 1),
        "luck": round(found.loss.luck, 1),
        "worlds": found.worlds,
    }


def _limits(value: Value) -> list[int]:
    return [value.low, value.high]
