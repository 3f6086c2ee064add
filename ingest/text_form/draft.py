"""A hand as far as it has been read: what was written of it, before anything is filled in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tricklog.ingest.text_form.problems import MOST, Problem, Severity

PARTS: Final = ("auction", "trumps", "exchange", "tricks", "rest")
"""What a gap can leave out, in the order of a hand."""


@dataclass(slots=True)
class DraftGap:
    """A place at which something is not recorded."""

    before: int
    """Index of the action before which it is."""
    missing: str = ""
    """What is left out; empty where the text does not say."""
    tricks: tuple[int, int] | None = None
    then: dict[str, Any] = field(default_factory=dict)
    is_written: bool = False
    """Whether three dots say so, and not only the number of a later trick."""
    has_then: bool = False
    """Whether something is said of the table after it, if only that nothing is known."""


@dataclass(slots=True)
class Given:
    """The cards that somebody was dealt, and where that is written."""

    cards: list[str]
    line: int
    column: int


@dataclass(slots=True)
class Draft:
    """One hand of a text."""

    line: int
    byte: int
    number: int | None = None
    """Its number, 0 for one more than that of the hand before, ``None`` for none."""
    actions: list[str] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)
    """Line and column of each action."""
    wheres: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Line and column of what is no action, by its JSON pointer in the log."""
    notes: dict[str, str] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    deal: dict[int, Given] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    """Fields of the log by their names there, as far as they are written."""
    claimed: dict[str, Any] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=dict)
    gaps: list[DraftGap] = field(default_factory=list)
    ext: dict[str, Any] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    taken_by: dict[int, int] = field(default_factory=dict)
    """Who took the trick that ends with an action."""
    taken_at: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Line and column where that is written."""
    unknown: set[str] = field(default_factory=set)
    """What is said to be not recorded."""
    empty: set[str] = field(default_factory=set)
    """Objects of the log that are there and have nothing in them."""
    waiting: list[str] = field(default_factory=list)
    """Remarks on the action that comes next."""
    is_exact: bool = False
    """Whether the calls are said to be as they were, all of them, and nothing is left out."""
    last_player: int | None = None
    """The seat that played the last card, ``None`` where a gap came after it."""
    last_caller: int | None = None
    played: dict[str, int] = field(default_factory=dict)
    """In which line each card was played."""
    has_content: bool = False
    """Whether anything but its number is written."""
    problems: list[Problem] = field(default_factory=list)
    is_long: bool = False
    """Whether it has gone on for longer than any hand does."""

    def is_bad(self) -> bool:
        """Whether something in it could not be read."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def is_given_up(self) -> bool:
        """Whether so much is wrong that nothing more is looked at."""
        return self.is_long or len(self.problems) >= MOST

    def gap_here(self) -> DraftGap:
        """Return the gap at the place reached so far, a new one if there is none."""
        if not self.gaps or self.gaps[-1].before != len(self.actions):
            self.gaps.append(DraftGap(len(self.actions)))
            self.last_player = self.last_caller = None
        return self.gaps[-1]


def places_by_pointer(draft: Draft) -> dict[str, tuple[int, int]]:
    """Return line and column of what is written of a hand, by JSON pointers into the log."""
    deal = {f"/deal/{seat}": (each.line, each.column) for seat, each in draft.deal.items()}
    acts = {f"/actions/{index}": place for index, place in enumerate(draft.places)}
    return {**draft.wheres, **deal, **acts}


def plays_by_trick(
    actions: Sequence[str], seats: int, step: int, breaks: Iterable[int] = ()
) -> list[list[int]]:
    """Return the indexes of the cards played, trick by trick.

    A new trick begins where a seat would come round again, so no rules are needed; and behind a
    gap, before one of the actions ``breaks``.
    """
    tricks: list[list[int]] = []
    gaps = frozenset(breaks)
    leader: int | None = None
    last = -1
    for index, action in enumerate(actions):
        if index in gaps:
            leader = None
        if action[2:6] != "play":
            continue
        seat = int(action[0])
        turn = (seat - leader) * step % seats if leader is not None else 0
        if leader is None or turn <= last:
            tricks.append([])
            leader, turn = seat, 0
        tricks[-1].append(index)
        last = turn
    return tricks
