"""What stands on a score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from tricklog.core.judging.standing import CountedCard
from tricklog.core.model import Verdict

Scores = tuple[int, ...]
"""One number for each side of the sheet."""


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


def lead(scores: Sequence[int], side: int) -> int:
    """Return the score of a side less the best of the others."""
    return scores[side] - max(score for each, score in enumerate(scores) if each != side)
