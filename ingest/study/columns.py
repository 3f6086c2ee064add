"""What compiled code has found of many hands, as rows of a block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tricklog.core.compiled import study_lines as codes
from tricklog.core.compiled.study_lines import Studied
from tricklog.core.solver import score
from tricklog.core.study import refusals
from tricklog.core.study.refusals import NO_SCORE
from tricklog.ingest.study.blocks import DECISION, SCHEMA

Array = NDArray[Any]

_STATUS: Final = {codes.SOLVED: "solved", codes.LIMITS: "limits", codes.REFUSED: "refused"}
_REASONS: Final = refusals.SENTENCES | {
    codes.NO_PLAY: refusals.NO_PLAY,
    codes.NOT_NAMED: refusals.NOT_NAMED,
}
_NO_SCORE: Final = NO_SCORE | {codes.STOPPED: refusals.STOPPED, score.SCORES: None}
_WORDS: Final = ("content_hash", "ruleset", "status", "reason", "unit", "no_score")
_FLAGS: Final = ("made_open", "showed", "by_makers")
_COUNTS: Final = ("decisions", "choices")


def careful(studied: Studied) -> list[int]:
    """Return the lines that are left to careful reading, of those that were dealt with."""
    found: list[int] = np.flatnonzero(studied.status == codes.CAREFUL).tolist()
    return found


def table_of(studied: Studied, keys: Sequence[bytes], ruleset: str) -> pa.Table:
    """Return the other lines as a table of ``blocks.SCHEMA``.

    ``keys``: the content of the hand of each line, as ``content_hash`` has it.
    """
    kept = np.flatnonzero(studied.status != codes.CAREFUL)
    status = studied.status[kept].tolist()
    refused = studied.status[kept] == codes.REFUSED
    # A line left out has no decisions, so that those of the others follow each other.
    offsets = np.append(studied.ends[kept], studied.ends[-1]).astype(np.int32)
    found = {
        "content_hash": pa.ExtensionArray.from_storage(
            pa.uuid(), pa.array([keys[line] for line in kept.tolist()], pa.binary(16))
        ),
        "ruleset": pa.array([ruleset] * len(kept), pa.string()),
        "status": pa.array([_STATUS[each] for each in status], pa.string()),
        "reason": _said(_REASONS, studied.reason[kept], ~refused),
        "unit": _said({0: "points", 1: "tricks"}, studied.alone[kept], refused),
        "no_score": _said(_NO_SCORE, studied.no_score[kept], refused),
    }
    for field in SCHEMA:
        name = field.name
        if name in _WORDS:
            continue
        values = getattr(studied, name)
        if name in DECISION:
            entries = _numbers(values, name, field.type.value_type)
            found[name] = pa.ListArray.from_arrays(pa.array(offsets), entries)
        else:
            unknown = None if name in _COUNTS else refused
            found[name] = _numbers(values[kept], name, field.type, unknown)
    return pa.table([found[field.name] for field in SCHEMA], schema=SCHEMA)


def _numbers(values: Array, name: str, kind: pa.DataType, unknown: Array | None = None) -> pa.Array:
    """Return numbers, or flags, as Arrow has them; none where they are not known."""
    mask = values == codes.UNKNOWN
    if unknown is not None:
        mask |= unknown
    shown = np.where(mask, 0, values)
    if name in _FLAGS:
        return pa.array(shown.astype(np.bool_), mask=mask)
    return pa.array(shown.astype(kind.to_pandas_dtype()), kind, mask=mask)


def _said(words: dict[int, Any], numbers: Array, unknown: Array) -> pa.Array:
    pairs = zip(numbers.tolist(), unknown.tolist(), strict=True)
    return pa.array([None if gone else words[number] for number, gone in pairs], pa.string())
