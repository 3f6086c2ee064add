"""One studied hand as plain values, as ``--json`` prints it."""

from __future__ import annotations

from typing import Any, Final

from ingest.study.plain import NODES
from replay import Replay
from replay.open_cards import Refused, Solver, Value
from replay.study import StudiedDecision, StudiedHand, study_hand
from schemas.cards import card_name

SOLVERS_KEPT: Final = 16


class Solvers:
    """Solvers by rules, for hand after hand."""

    def __init__(self) -> None:
        self._solvers: dict[int, Solver] = {}

    def study(self, replayed: Replay) -> StudiedHand | str:
        """Return a hand with all cards open, or why it is refused, as a sentence."""
        try:
            solver = self._solvers.get(id(replayed.rules))
            if solver is None:
                while len(self._solvers) >= SOLVERS_KEPT:
                    del self._solvers[next(iter(self._solvers))]
                # A solver keeps its rules, so that no other record gets their id.
                solver = self._solvers[id(replayed.rules)] = Solver(replayed.rules)
            return study_hand(replayed, solver, budget=NODES)
        except Refused as refused:
            return str(refused)


def study_json(studied: StudiedHand | str) -> dict[str, Any]:
    """Return what is known of a hand; the keys are always the same."""
    if isinstance(studied, str):
        return dict.fromkeys(_KEYS) | {"refused": studied, "decisions": []}
    opened = studied.opened
    return {
        "refused": None,
        "unit": opened.unit,
        "need": opened.need,
        "par": _value(opened.par),
        "outcome": _value(opened.outcome),
        "made_open": opened.could_be_made,
        "score_par": studied.score_par,
        "score_outcome": studied.score_outcome,
        "no_score": studied.no_score,
        "decisions": [_decision(each) for each in studied.decisions],
    }


_KEYS: Final = (
    *("refused", "unit", "need", "par", "outcome", "made_open", "score_par", "score_outcome"),
    *("no_score", "decisions"),
)


def _value(value: Value) -> int | list[int]:
    """Return a value, or the limits it lies within."""
    return value.low if value.is_exact else [value.low, value.high]


def _decision(each: StudiedDecision) -> dict[str, Any]:
    return {
        "action": each.action,
        "seat": each.seat,
        "trick": each.trick,
        "turn": each.turn,
        "kind": each.kind,
        "cards": [card_name(card) for card in each.cards],
        "showed": each.showed,
        "by_makers": each.by_makers,
        "choices": each.choices,
        "before": _value(each.before),
        "after": _value(each.after),
        "loss": each.loss,
        "score_loss": each.score_loss,
        "loss_kind": each.loss_kind,
    }
