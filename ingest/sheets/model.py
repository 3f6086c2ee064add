"""What stands on a score sheet, and where the game turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from tricklog.core.judging.standing import CountedCard
from tricklog.core.model import Verdict

Scores = tuple[int, ...]
"""One number for each side of the sheet."""
_TWO: Final = 2
_COMMON: Final = 3
"""Where more hands than this moved a lead as far, none of them stands out."""


class RowKind(StrEnum):
    """What became of a hand."""

    PLAYED = "played"
    """It has a result: made, set or void."""
    THROWN_IN = "thrown in"
    INCOMPLETE = "incomplete"
    """Its record stops early."""
    REJECTED = "rejected"
    """Its record cannot be carried out under the rules."""
    NOT_RECORDED = "result not recorded"
    """Its record has gaps and does not say how it ended."""
    MISSING = "missing"
    """The warehouse does not have it."""


class ScoresBy(StrEnum):
    """Where the running scores of a row come from."""

    RULES = "rules"
    """The result of the hand."""
    RECORD = "record"
    """The record of the hand after it, as the hand itself has no result."""


@dataclass(frozen=True, slots=True)
class Side:
    """A column of the sheet: the players who keep one score."""

    players: tuple[str, ...]
    """Their ids, by seat."""
    label: str
    """What to call them: ``Ann & Dee``."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding of a hand, in short."""

    code: str
    step: int | None
    """The step of the replay at which it shows; ``None`` where no step shows it."""
    scope: str
    """``hand`` or ``game``, as in table ``findings``."""
    message: str


@dataclass(frozen=True, slots=True)
class Row:
    """One hand, or several in a row that are missing. Per side in the order of the sheet."""

    kind: RowKind
    number: int | None
    last_number: int | None = None
    """The last of several missing hands; else ``number`` again."""
    hand: str | None = None
    """Its id; ``None`` where it is missing."""
    verdict: Verdict | None = None
    dealer: str | None = None
    maker: str | None = None
    """Who played the contract, as the sheet calls them."""
    maker_side: int | None = None
    result: str | None = None
    """``made``, ``set``, ``void`` or ``thrown_in``."""
    bid: int | None = None
    """A number, or the code of a special bid as ``tricklog.schemas.actions.bid_name`` writes it."""
    need: int | None = None
    forced: bool = False
    no_contract: bool = False
    alone: str | None = None
    trump: int | None = None
    """A code of ``tricklog.schemas.actions``."""
    stake: int | None = None
    """Game points won or lost."""
    points: Scores | None = None
    change: Scores | None = None
    scores: Scores | None = None
    """Running scores after the hand; ``None`` while they are open."""
    scores_by: ScoresBy | None = None
    winner_side: int | None = None
    """The side that has won the game with this hand."""
    marks: tuple[Mark, ...] = ()
    doubts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Who sat at the table by seat, where it was not those whom the sheet names."""

    @property
    def before(self) -> Scores | None:
        """The running scores before the hand, where what it added is known."""
        if self.scores is None or self.change is None:
            return None
        return tuple(now - added for now, added in zip(self.scores, self.change, strict=True))


@dataclass(frozen=True, slots=True)
class CountOut:
    """The count of the hand that ended a game which is counted out."""

    row: int
    """The place of the hand among the rows."""
    before: Scores
    cards: tuple[CountedCard, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game, hand by hand."""

    game: str
    files: tuple[str, ...]
    """The logs its hands are from."""
    variant: str
    title: str
    """The name of its rules."""
    target: int
    lowest: int | None
    """The score at which a side has lost; ``None`` where there is none."""
    in_game_points: bool
    """Whether the scores count games won and lost rather than card points."""
    first_day: date | None
    last_day: date | None
    sides: tuple[Side, ...]
    start: Scores | None
    """Running scores before the first row; ``None`` where they are open."""
    rows: tuple[Row, ...]
    winner: int | None
    match: Scores | None
    """What the game counts in a match, by side; ``None`` where there is no such score."""
    count_out: CountOut | None
    scores_left_open: bool
    """Whether the game is too long to add up scores that its log does not have."""

    @property
    def hands(self) -> int:
        """How many hands are stored."""
        return sum(row.hand is not None for row in self.rows)

    @property
    def final(self) -> Scores | None:
        """The last running scores that are known."""
        return next((row.scores for row in reversed(self.rows) if row.scores), self.start)


# --- Where it turned


def lead(scores: Sequence[int], side: int) -> int:
    """Return the score of a side less the best of the others."""
    return scores[side] - max(score for each, score in enumerate(scores) if each != side)


class Swing(NamedTuple):
    """The hand that moved a lead the furthest; of several, the last, or the one that turned it."""

    row: int
    """The place of the hand among the rows."""
    side: int
    """Whose lead it is: with two sides of the one that gained, else of the one ``Turns.side``."""
    before: int
    after: int
    is_alone: bool
    """Whether no other hand moved it as far."""


class Turns(NamedTuple):
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
    side, final = sheet.winner, sheet.final
    if side is None and final is not None and final.count(max(final)) == 1:
        side = final.index(max(final))
    known = [(place, row.scores) for place, row in enumerate(sheet.rows) if row.scores]
    if side is None or not known:
        return None
    leads = [(place, lead(scores, side)) for place, scores in known]
    last_not_ahead = max((at for at, (_, by) in enumerate(leads) if by <= 0), default=-1)
    worst, by = min(leads, key=lambda each: each[1])
    return Turns(
        side=side,
        swing=_largest_swing(sheet, side),
        ahead_from=leads[last_not_ahead + 1][0] if last_not_ahead + 1 < len(leads) else None,
        ever_behind=last_not_ahead >= 0,
        furthest_behind=(worst, -by) if by < 0 else None,
    )


def _largest_swing(sheet: Sheet, side: int) -> Swing | None:
    moved = [
        (place, lead(row.before, side), lead(row.scores, side))
        for place, row in enumerate(sheet.rows)
        if row.before and row.scores
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
