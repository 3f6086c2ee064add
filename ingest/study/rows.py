"""What is found out about one hand, as rows of blocks, in plain Python: of any record.

That is what it is worth with all cards open, and what its decisions were worth by what their
players knew. Words are those of ``ingest/facts/solved.sql``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import pyarrow as pa

from tricklog.core import Replay
from tricklog.core.engine.records import Rules
from tricklog.core.study import Decision, OpenHand, Refused, Solver, open_hand, refusal
from tricklog.core.study.hidden import HiddenLoss, grade
from tricklog.core.study.open_cards import KINDS, LOSS_KINDS
from tricklog.schemas.cards import mask_of

Row = Mapping[str, Any]
REFUSED: Final = "refused"
NODES: Final = 2_000_000
"""Nodes that the value of one position may take: a fraction of a second. No hand of four or five
players needs as many; of seven some do, and have limits in the place of values."""
SOLVERS_KEPT: Final = 16
"""Solvers kept at a time, one for each set of rules and number of seats."""


class Solvers:
    """Solvers by rules, for hand after hand; those asked for longest ago go first."""

    def __init__(self) -> None:
        self._solvers: dict[tuple[str, int], Solver | str] = {}

    def of(self, ruleset: str, rules: Rules) -> Solver | str:
        """Return the solver for rules with this hash, or why they are refused."""
        key = ruleset, rules.seats
        found = self._solvers.pop(key, None)
        if found is None:
            while len(self._solvers) >= SOLVERS_KEPT:
                del self._solvers[next(iter(self._solvers))]
            found = refusal(rules) or Solver(rules)
        self._solvers[key] = found
        return found

    def study(self, replayed: Replay) -> OpenHand | str:
        """Return a hand with all cards open, or why it is refused, as a sentence."""
        return _opened(replayed, self.of(replayed.ruleset.hash, replayed.rules))


def _opened(replayed: Replay, solver: Solver | str | None) -> OpenHand | str:
    try:
        return solver if isinstance(solver, str) else open_hand(replayed, solver, budget=NODES)
    except Refused as refused:
        return str(refused)


def lists_of(names: Iterable[str], entries: Iterable[Sequence[Any]]) -> dict[str, list[Any]]:
    """Return entries, each with a value for every name, as a list for each name."""
    listed = list(entries)
    return {name: [entry[place] for entry in listed] for place, name in enumerate(names)}


def table_of(rows: Iterable[Row], schema: pa.Schema) -> pa.Table:
    """Return rows as a table; other values of theirs are left out."""
    return pa.Table.from_pylist(list(rows), schema=schema)


# --- All cards open

_DECISION: Final[dict[str, tuple[pa.DataType, Callable[[Decision], Any]]]] = {
    "action": (pa.int16(), lambda each: each.action),
    "seat": (pa.int8(), lambda each: each.seat),
    "trick": (pa.int8(), lambda each: each.trick),
    "turn": (pa.int8(), lambda each: each.turn),
    "kind": (pa.int8(), lambda each: KINDS.index(each.kind)),
    "cards": (pa.int64(), lambda each: mask_of([*each.cards])),
    "showed": (pa.bool_(), lambda each: each.showed),
    "by_makers": (pa.bool_(), lambda each: each.by_makers),
    "before": (pa.int16(), lambda each: each.before.exact),
    "after": (pa.int16(), lambda each: each.after.exact),
    "loss": (pa.int16(), lambda each: each.loss),
    "score_loss": (pa.int32(), lambda each: each.score_loss),
    "choice_count": (pa.uint8(), lambda each: min(each.choices, 255)),
    "loss_kind": (
        pa.int8(),
        lambda each: None if each.loss_kind is None else LOSS_KINDS.index(each.loss_kind),
    ),
}
DECISION: Final = tuple(_DECISION)
SCHEMA: Final = pa.schema(
    {
        "content_hash": pa.uuid(),
        "ruleset": pa.string(),
        "status": pa.string(),
        "reason": pa.string(),
        "unit": pa.string(),
        "need": pa.int16(),
        "par_low": pa.int16(),
        "par_high": pa.int16(),
        "outcome": pa.int16(),
        "made_open": pa.bool_(),
        "losses_makers": pa.int16(),
        "losses_others": pa.int16(),
        "score_par": pa.int32(),
        "score_outcome": pa.int32(),
        "no_score": pa.string(),
        "decisions": pa.uint8(),
        "choices": pa.uint8(),
        **{name: pa.list_(kind) for name, (kind, _) in _DECISION.items()},
    }
)
"""A row is a hand; each list has an entry for every decision. Cards are a set as in
``tricklog.schemas.cards``, kinds are numbers of ``facts.solved``."""


def row_of(replayed: Replay, solver: Solver | None) -> Row:
    """Return what ``SCHEMA`` has of a hand, but for its key; ``None`` makes a solver."""
    studied = _opened(replayed, solver)
    if isinstance(studied, str):
        return refusal_row(studied)
    decisions = studied.decisions
    is_exact = studied.par.is_exact and studied.outcome.is_exact
    return {
        "status": "solved" if is_exact and None not in _losses(decisions) else "limits",
        "unit": studied.unit,
        "need": studied.need,
        "par_low": studied.par.low,
        "par_high": studied.par.high,
        "outcome": studied.outcome.exact,
        "made_open": studied.could_be_made,
        "losses_makers": _sum(each for each in decisions if each.by_makers),
        "losses_others": _sum(each for each in decisions if not each.by_makers),
        "score_par": studied.score_par,
        "score_outcome": studied.score_outcome,
        "no_score": studied.no_score,
        "decisions": len(decisions),
        "choices": sum(each.choices > 1 for each in decisions),
        **{name: [value(each) for each in decisions] for name, (_, value) in _DECISION.items()},
    }


def refusal_row(reason: str) -> Row:
    """Return the row of a hand that is refused."""
    given = {"status": REFUSED, "reason": reason, "decisions": 0, "choices": 0}
    return lists_of(DECISION, ()) | given


def _losses(decisions: Iterable[Decision]) -> list[int | None]:
    return [each.loss for each in decisions]


def _sum(decisions: Iterable[Decision]) -> int | None:
    losses = _losses(decisions)
    known = [each for each in losses if each is not None]
    return sum(known) if len(known) == len(losses) else None


# --- What players knew

MEAN: Final = pa.decimal128(9, 3)
"""Means over deals are kept in thousandths: sums of them are exact, whatever the order."""
_THOUSANDTH: Final = Decimal("0.001")
_GRADE: Final[dict[str, pa.DataType]] = {
    "action": pa.int16(),
    "seat": pa.int8(),
    "worlds": pa.int16(),
    "open": pa.int16(),
    "judged": MEAN,
    "error": MEAN,
    "score_open": pa.int32(),
    "score_judged": MEAN,
    "score_error": MEAN,
}
HIDDEN_SCHEMA: Final = pa.schema(
    {
        "content_hash": pa.uuid(),
        "ruleset": pa.string(),
        "asked": pa.int16(),
        "status": pa.string(),
        "reason": pa.string(),
        "graded": pa.uint8(),
        "not_graded": pa.uint8(),
        **{name: pa.list_(kind) for name, kind in _GRADE.items()},
    }
)
"""A row is a hand; each list has an entry for every decision that was graded."""
HIDDEN_NODES: Final = 1_000_000
"""Nodes that the choices of one decision may take in each deal, on the average. Only hands of
seven need more: they are graded by fewer deals then."""


def hidden_row_of(replayed: Replay, solver: Solver | str, worlds: int) -> Row:
    """Return what ``HIDDEN_SCHEMA`` has of a hand, but for its key, by so many deals each."""
    grades: list[tuple[Any, ...]] = []
    studied = _opened(replayed, solver)
    reasons = [studied] if isinstance(studied, str) else []
    decisions = () if isinstance(studied, str) else studied.decisions
    for index in (each.action for each in decisions if each.kind != "silence"):
        budget = HIDDEN_NODES * worlds
        assert not isinstance(solver, str)
        try:
            each = grade(replayed, index, worlds=worlds, budget=budget, solver=solver)
        except Refused as refused:
            reasons.append(str(refused))
            continue
        if each:
            losses = (*_loss(each.loss), *_loss(each.score_loss))
            grades.append((each.action, each.seat, each.worlds, *losses))
    return {
        "asked": worlds,
        "status": "partly" if grades and reasons else REFUSED if reasons else "graded",
        "reason": reasons[0] if reasons else None,
        "graded": len(grades),
        "not_graded": len(reasons),
        **lists_of(_GRADE, grades),
    }


def _loss(loss: HiddenLoss | None) -> tuple[int | None, Decimal | None, Decimal | None]:
    if loss is None:
        return None, None, None
    judged, error = (Decimal(each).quantize(_THOUSANDTH) for each in (loss.judged, loss.error))
    return loss.open, judged, error
