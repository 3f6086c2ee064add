"""The place that reading has reached: the settings in force, the hand that is open, the line.

A hand stands here as far as it has been read, before anything is filled in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from tricklog.core import Ruleset, RulesetError
from tricklog.core.rulesets.ruleset import resolved, seats_problem
from tricklog.ingest.text_form.names import Names
from tricklog.ingest.text_form.problems import MOST, Problem, Severity
from tricklog.schemas.hand import RulesRef

PARTS: Final = ("auction", "trumps", "exchange", "tricks", "rest")
"""What a gap can leave out, in the order of a hand."""


# --- One hand


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

    @property
    def is_bad(self) -> bool:
        """Whether something in it could not be read."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def is_given_up(self) -> bool:
        """Whether so much is wrong that nothing more is looked at."""
        return self.is_long or len(self.problems) >= MOST

    @property
    def is_in_play(self) -> bool:
        """Whether the last action is a card that was played."""
        return bool(self.actions) and self.actions[-1][2:6] == "play"

    @property
    def lacks_players(self) -> bool:
        """Whether it has been reported that no players are named."""
        return any("no players are named" in problem.message for problem in self.problems)

    def gap_here(self) -> DraftGap:
        """Return the gap at the place reached so far, a new one if there is none."""
        if not self.gaps or self.gaps[-1].before != len(self.actions):
            self.gaps.append(DraftGap(len(self.actions)))
            self.last_player = self.last_caller = None
        return self.gaps[-1]


def verb_of(action: str) -> str:
    """Return the verb of an action of the log."""
    return action.split(" ", 2)[1]


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


COUNTED: Final = frozenset({"bid", "pass", "ditto", "tenny"})
"""Calls of an auction, but for the raises of a stake."""
ENDS: Final = frozenset({"throw-in", "concede", "decided"})
"""What ends a hand before its last trick."""


def is_result_alone(actions: Iterable[str], status: str | None, *, has_result: bool) -> bool:
    """Whether a hand that is over has a result or a contract, and no card was played for it."""
    verbs = set(map(verb_of, actions))
    if "play" in verbs or verbs & ENDS or (status or "complete") != "complete":
        return False
    return has_result and bool(verbs & (COUNTED - {"pass"}) or not verbs & COUNTED)


# --- What holds for several hands


class Turns(NamedTuple):
    """What the rules of a table say about whose turn it is."""

    step: int = 1
    """Added to a seat to get the next one in play."""
    call_step: int = 1
    """Added to a seat to get the next one in the auction."""
    tricks: int | None = None
    """Tricks of a hand; ``None`` where the rules are not known."""
    sides: int | None = None
    """How many sides there are; ``None`` where the rules are not known."""


def _turns_of(ruleset: Ruleset, seats: int) -> Turns:
    """Return what a ruleset says about turns; clockwise at a table that it is not made for."""
    if seats_problem(ruleset, seats):
        return Turns()
    record = ruleset.rules(seats)
    return Turns(record.step, record.call_step, record.hand_size, record.side_count)


def turns_under(rules: Mapping[str, Any], seats: int) -> Turns:
    """Return what the rules say about turns; clockwise where they cannot be resolved."""
    return _turns(msgspec.json.encode(rules, order="deterministic"), seats)


@lru_cache(maxsize=512)
def _turns(rules: bytes, seats: int) -> Turns:
    try:
        return _turns_of(resolved(msgspec.json.decode(rules, type=RulesRef)), seats)
    except (RulesetError, msgspec.DecodeError):
        return Turns()


@dataclass(slots=True)
class Table:
    """The settings in force."""

    source: str
    """What the hands are called where no match is named: the file without its suffix."""
    judged_by: Ruleset | None = None
    """The rules that hold instead of those that the text names, where somebody gave some."""
    rules: dict[str, Any] = field(default_factory=dict)
    players: list[dict[str, Any]] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    match: str | None = ""
    """``None`` where it is said to be not known, empty where nothing is said."""
    date: str | None = None
    zone: str | None = None
    for_all: dict[str, str] = field(default_factory=dict)
    """Fields that all hands have that do not say otherwise."""
    broken: dict[str, list[Problem]] = field(default_factory=dict)
    """By setting, what is wrong with it: the hands under it are not read."""
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Line and column of game and players, by their JSON pointers in the log."""
    turns: Turns = field(default_factory=Turns)
    is_met: bool = False
    """Whether a hand has begun."""
    warned: set[str] = field(default_factory=set)
    """What was warned about once for all hands."""

    def find_turns(self) -> None:
        """Find out whose turn it is under the rules and with the players of now."""
        if self.judged_by is not None:
            self.turns = _turns_of(self.judged_by, len(self.players))
        else:
            self.turns = turns_under(self.rules, len(self.players)) if self.rules else Turns()

    def after(self, seat: int) -> int:
        """Return the seat that plays after another one."""
        return (seat + self.turns.step) % max(len(self.players), 1)

    def after_caller(self, seat: int) -> int:
        """Return the seat that calls after another one."""
        return (seat + self.turns.call_step) % max(len(self.players), 1)


class Page:
    """A text while it is read."""

    def __init__(self, source: str, judged_by: Ruleset | None = None) -> None:
        self.table = Table(source, judged_by)
        self.draft: Draft | None = None
        self.line = 0
        self.byte = 0
        self.cautions: list[Problem] = []
        """Warnings about settings that no hand has reported yet."""
        self.unread: dict[str, Draft] = {}
        """By setting, what stands for a faulty one that no hand has reported yet."""

    def open(self) -> Draft:
        """Return the hand that is open, a new one if none is."""
        if self.draft is None:
            self.draft = Draft(self.line, self.byte)
            self.table.is_met = True
        return self.draft

    def opened(self) -> Draft:
        """Return the hand that is open, now with content."""
        draft = self.open()
        draft.has_content = True
        return draft

    # --- Problems

    def error(self, column: int, message: str) -> None:
        """Report what cannot be read of the hand that is open."""
        self._report(column, Severity.ERROR, message)

    def warn(self, column: int, message: str, once: str = "") -> None:
        """Report what may not be meant; with ``once``, only the first time."""
        if once and once in self.table.warned:
            return
        self.table.warned.add(once)
        self._report(column, Severity.WARNING, message)

    def _report(self, column: int, severity: Severity, message: str) -> None:
        draft = self.open()
        if not draft.is_given_up:
            draft.problems.append(Problem(self.line, column, severity, message))

    def refuse(self, setting: str, column: int, message: str) -> None:
        """Report a setting that cannot be read; no hand under it is."""
        problem = Problem(self.line, column, Severity.ERROR, message)
        found = self.table.broken.setdefault(setting, [])
        found.append(problem)
        self.unread.setdefault(setting, Draft(self.line, self.byte, problems=found))

    def caution(self, column: int, message: str) -> None:
        """Report a setting that may not be what was meant."""
        self.cautions.append(Problem(self.line, column, Severity.WARNING, message))
        # Where no hand follows, nothing else is left to tell of it.
        problem = Problem(self.line, column, Severity.ERROR, f"{message}; and no hand follows")
        alone = Draft(self.line, self.byte, problems=[problem])
        self.unread.setdefault(f"line {self.line}", alone)

    def withdraw(self, pointer: str) -> None:
        """Take back what was cautioned of a setting, which a later line has made good."""
        line, _ = self.table.places.get(pointer, (0, 0))
        self.cautions = [each for each in self.cautions if each.line != line]
        self.unread.pop(f"line {line}", None)

    def settle(self, setting: str) -> None:
        """Begin again with a setting: whatever was wrong with it before is past."""
        self.table.broken.pop(setting, None)

    def told(self) -> None:
        """Note that a hand has reported all that is wrong with settings."""
        self.cautions.clear()
        self.unread.clear()
