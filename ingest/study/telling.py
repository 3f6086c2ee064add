"""One studied hand as plain values, as ``--json`` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from duckdb import DuckDBPyConnection

from tricklog.core import Replay
from tricklog.core.study import Decision, OpenHand, Solver, Value, refusal
from tricklog.core.study.sampling import reach
from tricklog.ingest.study.rows import hidden_row_of
from tricklog.schemas.cards import card_name


@dataclass(frozen=True, slots=True)
class Judged:
    """What a choice cost as far as its player could know."""

    worlds: int
    """Deals that fit what the player knew, in which every choice was tried."""
    judged: float
    """On the average of these, in points or tricks."""
    error: float
    """Standard error of that."""
    luck: float
    """What the lie of the cards cost: with all cards open, less that."""

    @property
    def reach(self) -> float:
        """How far ``judged`` may be off either way, in 95 of 100 cases."""
        return reach(self.error, self.worlds)


def judged_now(replayed: Replay, worlds: int) -> dict[int, Judged]:
    """Grade the decisions of a hand that can be graded; return them by the index of the action."""
    row = hidden_row_of(replayed, refusal(replayed.rules) or Solver(replayed.rules), worlds)
    columns = [row[name] for name in ("action", "worlds", "judged", "error", "open")]
    return {
        action: Judged(found, float(judged), float(error), float(opened - judged))
        for action, found, judged, error, opened in zip(*columns, strict=True)
    }


def judged_of(facts: DuckDBPyConnection, hand_id: str) -> dict[int, Judged]:
    """Return what is stored of the decisions of a hand; ``facts`` is one of ``open_facts``."""
    found = facts.cursor().execute(_STORED, [hand_id]).fetchall()
    return {action: Judged(*values) for action, *values in found}


_STORED: Final = """
SELECT
    "action"::INTEGER, worlds::INTEGER, judged::DOUBLE, error::DOUBLE, (open - judged)::DOUBLE
FROM hidden_rows
JOIN games.hands USING (hand_no)
WHERE hand_id = $1
"""
_NOBODY: Final[Mapping[int, Judged]] = {}


def study_json(studied: OpenHand | str, judged: Mapping[int, Judged] = _NOBODY) -> dict[str, Any]:
    """Return what is known of a hand; the keys are always the same. ``judged`` by its action."""
    if isinstance(studied, str):
        return dict.fromkeys(_KEYS) | {"refused": studied, "decisions": []}
    return {
        "refused": None,
        "unit": studied.unit,
        "need": studied.need,
        "par": _value(studied.par),
        "outcome": _value(studied.outcome),
        "made_open": studied.could_be_made,
        "score_par": studied.score_par,
        "score_outcome": studied.score_outcome,
        "no_score": studied.no_score,
        "decisions": [_decision(each, judged) for each in studied.decisions],
    }


_KEYS: Final = (
    *("refused", "unit", "need", "par", "outcome", "made_open", "score_par", "score_outcome"),
    *("no_score", "decisions"),
)


def _value(value: Value) -> int | list[int]:
    """Return a value, or the limits it lies within."""
    return value.low if value.is_exact else [value.low, value.high]


def judged_for(each: Decision, judged: Mapping[int, Judged]) -> Judged | None:
    """Return what a decision cost as far as its player could know, if that was graded."""
    return None if each.kind == "silence" else judged.get(each.action)


def _decision(each: Decision, judged: Mapping[int, Judged]) -> dict[str, Any]:
    known = judged_for(each, judged)
    return {
        "action": each.action,
        "seat": each.seat,
        "trick": each.trick,
        "turn": each.turn,
        "deed": each.kind,
        "cards": [card_name(card) for card in each.cards],
        "showed": each.showed,
        "by_makers": each.by_makers,
        "choices": each.choices,
        "before": _value(each.before),
        "after": _value(each.after),
        "loss": each.loss,
        "score_loss": each.score_loss,
        "loss_kind": each.loss_kind,
        "judged": asdict(known) if known else None,
    }
