"""The rows of one solved hand in plain Python: of any record, whatever it looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import pyarrow as pa

from tricklog.core import Replay
from tricklog.core.engine.records import Rules
from tricklog.core.study import Decision, OpenHand, Refused, Solver, open_hand, refusal
from tricklog.core.study.open_cards import KINDS, LOSS_KINDS
from tricklog.ingest.study.blocks import DECISION, SCHEMA
from tricklog.schemas.cards import mask_of

Row = Mapping[str, Any]
SOLVED: Final = "solved"
LIMITS: Final = "limits"
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
        solver = self.of(replayed.ruleset.hash, replayed.rules)
        try:
            return solver if isinstance(solver, str) else open_hand(replayed, solver, budget=NODES)
        except Refused as refused:
            return str(refused)


def row_of(replayed: Replay, solver: Solver | None) -> Row:
    """Return what ``SCHEMA`` has of a hand, but for its key.

    ``solver``: one for its rules; ``None`` makes one.
    """
    try:
        return _row(open_hand(replayed, solver, budget=NODES))
    except Refused as refused:
        return refusal_row(str(refused))


def refusal_row(reason: str) -> Row:
    """Return the row of a hand that is refused."""
    return lists_of(DECISION, ()) | {
        "status": REFUSED,
        "reason": reason,
        "decisions": 0,
        "choices": 0,
    }


def lists_of(names: Iterable[str], entries: Iterable[Sequence[Any]]) -> dict[str, list[Any]]:
    """Return entries, each with a value for every name, as a list for each name."""
    listed = list(entries)
    return {name: [entry[place] for entry in listed] for place, name in enumerate(names)}


def table_of(rows: Iterable[Row], schema: pa.Schema = SCHEMA) -> pa.Table:
    """Return rows as a table with the columns of blocks."""
    listed = list(rows)
    return pa.table(
        [_column([row.get(field.name) for row in listed], field.type) for field in schema],
        schema=schema,
    )


def _column(values: list[Any], kind: pa.DataType) -> pa.Array:
    if kind == pa.uuid():
        return pa.ExtensionArray.from_storage(kind, pa.array(values, pa.binary(16)))
    return pa.array(values, kind)


def _row(studied: OpenHand) -> Row:
    decisions = studied.decisions
    losses = [each.loss for each in decisions]
    is_exact = studied.par.is_exact and studied.outcome.is_exact and None not in losses
    return {
        "status": SOLVED if is_exact else LIMITS,
        "unit": studied.unit,
        "need": studied.need,
        "par_low": studied.par.low,
        "par_high": studied.par.high,
        "outcome": studied.outcome.exact,
        "made_open": studied.could_be_made,
        "losses_makers": _sum(decisions, by_makers=True),
        "losses_others": _sum(decisions, by_makers=False),
        "score_par": studied.score_par,
        "score_outcome": studied.score_outcome,
        "no_score": studied.no_score,
        "decisions": len(decisions),
        "choices": sum(each.choices > 1 for each in decisions),
        **{name: [_VALUES[name](each) for each in decisions] for name in DECISION},
    }


def _sum(decisions: Iterable[Decision], *, by_makers: bool) -> int | None:
    total = 0
    for each in decisions:
        if each.by_makers == by_makers:
            if each.loss is None:
                return None
            total += each.loss
    return total


_VALUES: Final[dict[str, Callable[[Decision], Any]]] = {
    "action": lambda each: each.action,
    "seat": lambda each: each.seat,
    "trick": lambda each: each.trick,
    "turn": lambda each: each.turn,
    "kind": lambda each: KINDS.index(each.kind),
    "cards": lambda each: mask_of([*each.cards]),
    "showed": lambda each: each.showed,
    "by_makers": lambda each: each.by_makers,
    "before": lambda each: each.before.exact,
    "after": lambda each: each.after.exact,
    "loss": lambda each: each.loss,
    "score_loss": lambda each: each.score_loss,
    "choice_count": lambda each: min(each.choices, 255),
    "loss_kind": lambda each: None if each.loss_kind is None else LOSS_KINDS.index(each.loss_kind),
}
