"""What holds from a line of a text on: the game, the players, the match, the date."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from tricklog.core import Ruleset, RulesetError
from tricklog.core.rulesets.ruleset import resolved, seats_problem
from tricklog.ingest.text_form.names import Names
from tricklog.ingest.text_form.problems import Problem
from tricklog.schemas.hand import RulesRef


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


def turns_of(ruleset: Ruleset, seats: int) -> Turns:
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
        ruleset = resolved(msgspec.json.decode(rules, type=RulesRef))
    except (RulesetError, msgspec.DecodeError):
        return Turns()
    return turns_of(ruleset, seats)


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

    def seat_all(self, players: list[dict[str, Any]]) -> None:
        """Change the players."""
        self.players = players
        self.names = Names(players)
        self.find_turns()

    def find_turns(self) -> None:
        """Find out whose turn it is under the rules and with the players of now."""
        if self.judged_by is not None:
            self.turns = turns_of(self.judged_by, len(self.players))
        else:
            self.turns = turns_under(self.rules, len(self.players)) if self.rules else Turns()

    def after(self, seat: int) -> int:
        """Return the seat that plays after another one."""
        return (seat + self.turns.step) % max(len(self.players), 1)

    def after_caller(self, seat: int) -> int:
        """Return the seat that calls after another one."""
        return (seat + self.turns.call_step) % max(len(self.players), 1)
