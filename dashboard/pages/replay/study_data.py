"""What a hand was worth with all cards open, as plain data for ``tricklog.dashboard.card_table``.

Values are pairs, the limits they lie within; where both are the same the value is exact.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final, Literal

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
from tricklog.core.study.hidden import HiddenGrade, grade
from tricklog.dashboard.data.hand_data import Data, makers_of
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.text.labels import loss_words
from tricklog.dashboard.text.refusals import why_not
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import card_name

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
_ASKS: Final = frozenset({"play", "bury"})
_PUT_DOWN: Final = (Verb.PLAY, Verb.BURY)


class Study:
    """The study of one hand, worked out piece by piece and shown as far as it is."""

    def __init__(self, replayed: Replay, *, at: int = 0) -> None:
        """Take a hand, which is not changed, and the step whose cards come first."""
        self.replayed = replayed
        self.budget = FIRST_BUDGET
        self._studied: OpenHand | None = None
        self._refused = ""
        self._choices: dict[int, tuple[Choice, ...]] = {}
        self._graded: dict[int, Data] = {}
        self._begin(at)

    def _begin(self, at: int) -> None:
        steps = range(len(self.replayed.actions), -1, -1)
        self._todo = iter(sorted(steps, key=lambda step: step != at))
        self._left = True

    def search_on(self, at: int) -> None:
        """Work everything out again with many more nodes."""
        self.budget = NEXT_BUDGET
        self._studied = None
        self._choices.clear()
        self._begin(at)

    def work(self, seconds: float = AT_ONCE) -> None:
        """Go on for some time, at the least until the values of the hand are there.

        The cards of the step looked at come first, then those of the last trick, and so on.
        """
        until = time.monotonic() + seconds
        if self._refused or not self._left:
            return
        try:
            with solver_for(self.replayed) as solver:
                if self._studied is None:
                    self._studied = _study_of(self.replayed, solver, self.budget)
                for step in self._todo:
                    self._choices |= dict(self._choices_at(solver, step))
                    if time.monotonic() > until:
                        return
        except Refused as refused:
            self._refused = str(refused)
        self._left = False

    def _choices_at(self, solver: Solver, step: int) -> Iterator[tuple[int, tuple[Choice, ...]]]:
        if step > self.replayed.played:
            return
        view = self.replayed.at(step)
        if view.phase in ("play", "solo") and _ASKS & set(view.choice.verbs):
            state = self.replayed.state_at(step)
            yield step, solver.choices(state, budget=self.budget)

    def grade(self, step: int) -> None:
        """Grade the decision at a step with the cards hidden that its player could not see."""
        if not 0 <= step < self.replayed.played or step in self._graded:
            return
        try:
            with solver_for(self.replayed) as solver:
                found = grade(self.replayed, step, worlds=WORLDS, seconds=GRADED_IN, solver=solver)
        except Refused as refused:
            self._graded[step] = {"refused": str(refused)}
        else:
            self._graded[step] = _grade_data(found)

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
        return {
            **self._sides(),
            "unit": opened.unit,
            "need": opened.need,
            "most": self._most(opened),
            "par": _limits(opened.par),
            "outcome": _limits(opened.outcome),
            "score": opened.score_outcome,
            "noScore": why_not(opened.no_score) if opened.no_score else opened.no_score,
            "values": self._values(opened),
            "moves": {str(each.action): _move(each) for each in opened.decisions},
            "choices": {
                str(step): self._listed(choices)
                for step, choices in self._choices.items()
                if choices
            },
            "hidden": {str(step): _in_language(told) for step, told in self._graded.items()},
            "vague": self.budget == FIRST_BUDGET and self._is_vague(opened),
            "more": self._left,
        }

    def _sides(self) -> Data:
        in_tricks = self._studied is not None and self._studied.unit == "tricks"
        return makers_of(self.replayed, in_tricks=in_tricks)

    def _most(self, opened: OpenHand) -> int:
        """Return the top of the scale: all there is to take, or more where a pair counts."""
        values = [each.high for one in opened.decisions for each in (one.before, one.after)]
        all_points = self.replayed.rules.all_points if opened.unit == "points" else 0
        return max(all_points, opened.need or 0, opened.par.high, opened.outcome.high, *values, 1)

    def _values(self, opened: OpenHand) -> list[list[int] | None]:
        """Return the value before each step: that of the next decision, at the end the outcome."""
        replayed = self.replayed
        moves = iter(opened.decisions)
        move = next(moves, None)
        values: list[list[int] | None] = []
        for step in range(len(replayed.actions) + 1):
            while move is not None and move.action < step:
                move = next(moves, None)
            in_play = step > 0 and replayed.state_at(step).trick > 0
            value = opened.outcome if move is None else move.before
            values.append(_limits(value) if in_play else None)
        return values

    def _listed(self, choices: tuple[Choice, ...]) -> list[Data]:
        by_makers = choices[0].seat in self._sides()["makers"]
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

    def _is_vague(self, opened: OpenHand) -> bool:
        known = [opened.par, opened.outcome, *(each.before for each in opened.decisions)]
        known += [each.value for choices in self._choices.values() for each in choices]
        return not all(value.is_exact for value in known)


def _study_of(replayed: Replay, solver: Solver, budget: int) -> OpenHand:
    """Return the study of a record; of one that ends where the play begins, its value alone."""
    state = replayed.state_at(replayed.played)
    if state.trick > 1 or state.played or state.phase == Phase.OVER:
        return open_hand(replayed, solver, budget=budget)
    if state.maker < 0 or any(each.verb in _PUT_DOWN for each in replayed.actions):
        return open_hand(replayed, solver, budget=budget)
    state = copy_state(state)
    while state.phase < Phase.PLAY:
        engine.enter(state, replayed.rules)
    value = solver.value(state, budget=budget)
    unit: Literal["points", "tricks"] = "tricks" if state.solo >= 0 else "points"
    return OpenHand(unit, solver.need(state), value, value, (), None, None)


def _move(decision: Decision) -> Data:
    return {
        "kind": decision.kind,
        "seat": decision.seat,
        "cards": " ".join(map(card_name, decision.cards)),
        "showed": decision.showed,
        "choices": decision.choices,
        "before": _limits(decision.before),
        "after": _limits(decision.after),
        "loss": decision.loss,
        "score": decision.score_loss,
        "what": _what(decision.loss_kind),
    }


def _grade_data(found: HiddenGrade | None) -> Data:
    """Return a grade as the page shows it: both parts of a loss, and over how many deals."""
    if found is None:
        return {"refused": NO_CHOICE}
    return {
        "judged": round(found.loss.judged, 1),
        "reach": round(found.loss_reach, 1),
        "luck": round(found.loss.luck, 1),
        "worlds": found.worlds,
    }


def _in_language(grade: Data) -> Data:
    """Return a grade that is kept, in the language of this context."""
    return {"refused": why_not(grade["refused"])} if "refused" in grade else grade


def _what(kind: LossKind | None) -> str | None:
    """Return what was done where something was lost, nothing where it has no name."""
    return None if kind in (None, LossKind.OTHER) else loss_words(kind)


def _limits(value: Value) -> list[int]:
    return [value.low, value.high]
