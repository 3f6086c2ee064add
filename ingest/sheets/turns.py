"""Where a game turned, by the running scores: the largest swing, the lead for good, the comeback.

A lead is the score of a side less the best of the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tricklog.ingest.sheets.model import Row, Scores, Sheet, lead

_TWO: Final = 2
_COMMON: Final = 3
"""Where more hands than this moved a lead as far, none of them stands out."""


@dataclass(frozen=True, slots=True)
class Swing:
    """The hand that moved a lead the furthest; of several, the last, or the one that turned it."""

    row: int
    """The place of the hand among the rows."""
    side: int
    """Whose lead it is: with two sides of the one that gained, else of the one ``Turns.side``."""
    before: int
    after: int
    is_alone: bool
    """Whether no other hand moved it as far."""


@dataclass(frozen=True, slots=True)
class Turns:
    """How the lead of one side went: of the winner or, of a game without one, of the leader."""

    side: int
    swing: Swing | None
    """``None`` where no hand moved it, or too many as far."""
    ahead_from: int | None
    """The row from which the side was ahead to the end; ``None`` where it is not ahead there."""
    ever_behind: bool
    """Whether it was level or behind after an earlier hand."""
    furthest_behind: tuple[int, int] | None
    """The row after which it was the furthest behind, and by how much; ``None`` if it never was."""


def turns_of(sheet: Sheet) -> Turns | None:
    """Return where a game turned; ``None`` before two sides are apart."""
    known = [(place, row.scores) for place, row in enumerate(sheet.rows) if row.scores]
    side = _side_in_question(sheet)
    if side is None or not known:
        return None
    leads = [(place, lead(scores, side)) for place, scores in known]
    last_not_ahead = max((at for at, (_, by) in enumerate(leads) if by <= 0), default=-1)
    ahead_from = leads[last_not_ahead + 1][0] if last_not_ahead + 1 < len(leads) else None
    worst, by = min(leads, key=lambda each: each[1])
    return Turns(
        side=side,
        swing=_largest_swing(sheet, side),
        ahead_from=ahead_from,
        ever_behind=last_not_ahead >= 0,
        furthest_behind=(worst, -by) if by < 0 else None,
    )


def _side_in_question(sheet: Sheet) -> int | None:
    final = sheet.final
    if sheet.winner is not None or final is None:
        return sheet.winner
    best = max(final)
    return final.index(best) if final.count(best) == 1 else None


def _largest_swing(sheet: Sheet, side: int) -> Swing | None:
    moved = [
        (place, lead(before, side), lead(after, side))
        for place, before, after in _steps(sheet.rows)
    ]
    most = max((abs(now - was) for _, was, now in moved), default=0)
    found = [each for each in moved if abs(each[2] - each[1]) == most]
    if not most or len(found) > _COMMON:
        return None
    place, was, now = max(found, key=lambda each: (each[1] <= 0 < each[2], each[0]))
    is_alone = len(found) == 1
    if now < was and len(sheet.sides) == _TWO:
        return Swing(place, 1 - side, -was, -now, is_alone)
    return Swing(place, side, was, now, is_alone)


def _steps(rows: tuple[Row, ...]) -> Iterator[tuple[int, Scores, Scores]]:
    """Yield the rows whose change is known, each with the scores before and after it."""
    for place, row in enumerate(rows):
        if row.scores and row.change:
            before = tuple(
                score - added for score, added in zip(row.scores, row.change, strict=True)
            )
            yield place, before, row.scores
