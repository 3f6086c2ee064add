"""What stored hands were worth by what their players knew, as rows of blocks.

Means over deals are kept in thousandths: sums of them are exact, whatever the order.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import pyarrow as pa

from tricklog.core import Replay
from tricklog.core.study import Refused, Solver, open_hand
from tricklog.core.study.hidden import HiddenGrade, HiddenLoss, grade
from tricklog.ingest.facts import kept
from tricklog.ingest.study import plain
from tricklog.ingest.study.homes import Home
from tricklog.ingest.study.plain import Row, lists_of

MEAN: Final = pa.decimal128(9, 3)
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
SCHEMA: Final = pa.schema(
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
"""A row is a hand; each list has an entry for every decision that was graded. Words are those of
``ingest/facts/solved.sql``."""
GRADED: Final = "graded"
PARTLY: Final = "partly"
REFUSED: Final = "refused"
NODES: Final = 1_000_000
"""Nodes that the choices of one decision may take in each deal, on the average. Only hands of
seven need more: they are graded by fewer deals then."""


def row_of(replayed: Replay, solver: Solver | str, worlds: int) -> Row:
    """Return what ``SCHEMA`` has of a hand, but for its key.

    ``solver``: one for its rules, or why they are refused; ``worlds``: deals for each decision.
    """
    if isinstance(solver, str):
        return _row(worlds, [], [solver])
    try:
        decisions = open_hand(replayed, solver, budget=plain.NODES).decisions
    except Refused as refused:
        return _row(worlds, [], [str(refused)])
    grades: list[HiddenGrade] = []
    reasons: list[str] = []
    for each in decisions:
        if each.kind == "silence":
            continue
        try:
            found = grade(
                replayed, each.action, worlds=worlds, budget=NODES * worlds, solver=solver
            )
        except Refused as refused:
            reasons.append(str(refused))
            continue
        grades += [found] if found else []
    return _row(worlds, grades, reasons)


def write(home: Home, rows: Sequence[Row]) -> None:
    """Keep rows in a block."""
    home.write(kept.HIDDEN, plain.table_of(rows, SCHEMA))


def _row(worlds: int, grades: list[HiddenGrade], reasons: list[str]) -> Row:
    status = PARTLY if grades and reasons else REFUSED if reasons else GRADED
    return {
        "asked": worlds,
        "status": status,
        "reason": reasons[0] if reasons else None,
        "graded": len(grades),
        "not_graded": len(reasons),
        **lists_of(
            _GRADE,
            (
                (each.action, each.seat, each.worlds, *_loss(each.loss), *_loss(each.score_loss))
                for each in grades
            ),
        ),
    }


def _loss(loss: HiddenLoss | None) -> tuple[int | None, Decimal | None, Decimal | None]:
    if loss is None:
        return None, None, None
    judged, error = (Decimal(each).quantize(_THOUSANDTH) for each in (loss.judged, loss.error))
    return loss.open, judged, error
