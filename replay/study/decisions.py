"""One recorded hand studied: what every decision cost, in points and in score, and of what kind."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Final

from replay.compiled.solving import UNLIMITED
from replay.engine import engine
from replay.engine.records import State, copy_state
from replay.engine.rules import play
from replay.engine.rules.table import trump_code
from replay.judging.replayer import Replay
from replay.open_cards.answers import (
    Decision,
    Kind,
    OpenHand,
    Solver,
    Value,
    open_hand,
    start_of_play,
)
from replay.open_cards.refusals import Refused
from replay.solver.answer import CARD, SILENCE, SURPLUS
from replay.solver.losses import could_show, kind_of_loss
from replay.solver.score import change_at_end
from replay.study.loss_kinds import LOSS_KINDS, LossKind
from replay.study.score import OpenScore
from schemas.actions import Action, Verb

_DEEDS: Final[dict[Kind, int]] = {"card": CARD, "surplus": SURPLUS, "silence": SILENCE}
_DECLARE_OR_NOT: Final = 2
_WORDS: Final = (Verb.ASK, Verb.REVEAL, Verb.PAIR)
STOPPED: Final = "play stopped before its end, and the points left in the cards would have scored"


@dataclass(frozen=True, slots=True)
class StudiedDecision:
    """A decision of a recorded hand with what it cost."""

    kind: Kind
    seat: int
    by_makers: bool
    cards: tuple[int, ...]
    showed: bool
    """Whether the player had the trump shown for it although they need not have."""
    action: int
    """Index of its action in the record; of surplus put down one by one, the last."""
    trick: int
    """Number of the trick, from 1; of a pair not declared, the one on the table or to be led."""
    turn: int
    """The place in the trick, 0 for the lead."""
    choices: int
    """How many different legal choices there were; with 1 it was none."""
    before: Value
    after: Value
    loss: int | None
    """What it cost its side, in points or tricks; ``None`` without exact values."""
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
    choices = _choices(replay, decision)
    costs = decision.loss is not None and decision.loss > 0 and choices > 1
    return StudiedDecision(
        decision.kind,
        decision.seat,
        decision.by_makers,
        decision.cards,
        decision.showed,
        decision.action,
        max(1, state.trick),
        state.played,
        choices,
        decision.before,
        decision.after,
        decision.loss,
        _score_loss(decision, score),
        _kind_of(replay, state, decision) if costs else None,
    )


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
        _DEEDS[decision.kind],
        decision.seat,
        decision.cards[-1],
        int(decision.showed),
    )
    return LOSS_KINDS[kind]


# --- How many choices there were


def _choices(replay: Replay, decision: Decision) -> int:
    """Return how many different legal choices a decision had."""
    if decision.kind == "silence":
        return _DECLARE_OR_NOT
    if decision.kind == "surplus":
        return _sets_of_surplus(replay, decision)
    return _cards_to_choose(replay, decision)


def _sets_of_surplus(replay: Replay, decision: Decision) -> int:
    """Return how many sets of surplus could be put down, in one go or one by one."""
    rules, first = replay.rules, decision.action
    while first and _buries(replay, first - 1, decision.seat):
        first -= 1
    state = replay.state_at(first)
    options = play.legal_bury(state, rules, decision.seat)
    limited = (options.may & options.limited).bit_count()
    others = options.may.bit_count() - limited
    count = len(decision.cards)
    most = min(count, options.limit, limited)
    return sum(comb(limited, few) * comb(others, count - few) for few in range(most + 1))


def _buries(replay: Replay, index: int, seat: int) -> bool:
    action = replay.actions[index]
    return action.verb == Verb.BURY and action.seat == seat


def _cards_to_choose(replay: Replay, decision: Decision) -> int:
    """Return how many cards could be played, each counted twice where it could go both ways."""
    rules, seat = replay.rules, decision.seat
    state = replay.state_at(decision.action)
    cards = play.legal_cards(state, rules, seat).bit_count()
    if decision.showed:
        unasked = replay.state_at(_first_word(replay, decision.action))
        return cards + play.legal_cards(unasked, rules, seat).bit_count()
    if could_show(state, rules, seat):
        return cards + play.legal_cards(_shown(replay, state, seat), rules, seat).bit_count()
    return cards


def _first_word(replay: Replay, action: int) -> int:
    """Return the index of the first word said for the card that an action plays."""
    while action and replay.actions[action - 1].verb in _WORDS:
        action -= 1
    return action


def _shown(replay: Replay, state: State, seat: int) -> State:
    """Return the state once the trump has been shown at the turn of a seat."""
    then, rules = copy_state(state), replay.rules
    if seat != then.maker:
        engine.apply(then, rules, Action(seat, Verb.ASK))
    engine.apply(then, rules, Action(then.maker, Verb.REVEAL, amount=trump_code(then)))
    return then
