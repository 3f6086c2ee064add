"""One recorded hand studied: what every decision cost, in points and in score, and of what kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from replay.compiled.solving import UNLIMITED
from replay.compiled.study_lines import choices_at, choices_before, earlier_moment
from replay.engine.records import State, copy_state
from replay.judging.replayer import Replay
from replay.open_cards.answers import (
    KINDS,
    Decision,
    OpenHand,
    Solver,
    Value,
    open_hand,
    start_of_play,
)
from replay.open_cards.refusals import Refused
from replay.solver.losses import kind_of_loss
from replay.solver.score import change_at_end
from replay.study.loss_kinds import LOSS_KINDS, LossKind
from replay.study.score import OpenScore
from schemas.scan.actions import ScannedAction

STOPPED: Final = "play stopped before its end, and the points left in the cards would have scored"


@dataclass(frozen=True, slots=True)
class StudiedDecision(Decision):
    """A decision of a recorded hand with what it cost in score, and of what kind that is."""

    trick: int
    """Number of the trick, from 1; of a pair not declared, the one on the table or to be led."""
    turn: int
    """The place in the trick, 0 for the lead."""
    choices: int
    """How many different legal choices there were; with 1 it was none."""
    score_loss: int | None
    """What it cost its side in score; ``None`` without, or where points do not tell the score."""
    loss_kind: LossKind | None
    """The kind of its loss; ``None`` where nothing was lost, or there was no choice."""


@dataclass(frozen=True, slots=True)
class StudiedHand:
    """A recorded hand with all cards open."""

    opened: OpenHand
    decisions: tuple[StudiedDecision, ...]
    """Those of ``opened``, in the same order."""
    score: OpenScore | None
    no_score: str | None
    """Why there is no score by points, a sentence without a full stop; ``None`` when there is."""

    @property
    def score_par(self) -> int | None:
        """The change of score with best play from the first card on; ``None`` when not known."""
        return _scored(self.score, self.opened.par)

    @property
    def score_outcome(self) -> int | None:
        """The change of score that came about; ``None`` when not known."""
        return _scored(self.score, self.opened.outcome)


def study_hand(
    replay: Replay, solver: Solver | None = None, *, budget: int = UNLIMITED
) -> StudiedHand:
    """Return what every decision of the play of a replayed hand cost.

    ``solver``: one made for the same rules, which saves making another; ``budget``: nodes for each
    value. Raises ``Refused`` for what the solver does not take on, as ``open_hand`` does.
    """
    opened = open_hand(replay, solver, budget=budget)
    score, no_score = _score_of(replay, opened)
    decisions = tuple(_studied(replay, each, score) for each in opened.decisions)
    return StudiedHand(opened, decisions, score, no_score)


def _score_of(replay: Replay, opened: OpenHand) -> tuple[OpenScore | None, str | None]:
    """Return the score of a hand by points, or why it has none."""
    state = start_of_play(replay)[1]
    try:
        score = OpenScore(state, replay.rules, opened.need)
    except Refused as refused:
        return None, str(refused)
    end = replay.state_at(len(replay.actions))
    stopped = end.decided == 1 and opened.outcome.is_exact
    if stopped and score.change(opened.outcome.low) != change_at_end(end, replay.rules):
        return None, STOPPED
    return score, None


def _scored(score: OpenScore | None, value: Value) -> int | None:
    return score.change(value.low) if score is not None and value.is_exact else None


def _studied(replay: Replay, decision: Decision, score: OpenScore | None) -> StudiedDecision:
    state = replay.state_at(decision.action)
    choices = _choices(replay, state, decision)
    costs = decision.loss is not None and decision.loss > 0 and choices > 1
    return StudiedDecision(
        **{name: getattr(decision, name) for name in Decision.__slots__},
        trick=max(1, state.trick),
        turn=state.played,
        choices=choices,
        score_loss=_score_loss(decision, score),
        loss_kind=_kind_of(replay, state, decision) if costs else None,
    )


def _choices(replay: Replay, state: State, decision: Decision) -> int:
    """Return how many different legal choices a decision had."""
    rules, seat, showed = replay.rules, decision.seat, int(decision.showed)
    kind = KINDS.index(decision.kind)
    began = replay.state_at(earlier_moment(replay.workspace, kind, seat, showed, decision.action))
    before = choices_before(began, rules, kind, seat, showed, len(decision.cards))
    # Once the trump lies open nothing is written into it.
    then, word = state if state.revealed else copy_state(state), ScannedAction()
    return before + choices_at(state, then, word, rules, kind, seat, showed)


def _score_loss(decision: Decision, score: OpenScore | None) -> int | None:
    before, after = _scored(score, decision.before), _scored(score, decision.after)
    if before is None or after is None:
        return None
    return before - after if decision.by_makers else after - before


def _kind_of(replay: Replay, state: State, decision: Decision) -> LossKind:
    kind = kind_of_loss(
        state,
        replay.rules,
        replay.workspace.history,
        KINDS.index(decision.kind),
        decision.seat,
        decision.cards[-1],
        int(decision.showed),
    )
    return LOSS_KINDS[kind]
