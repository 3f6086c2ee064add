"""Looking for decisions worth asking: those of a player that cost most, and bids and discards.

Where hands have been solved their stored losses say which cost most. Otherwise the latest hands of
the player are solved one after the other within a time, and the page says how many.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from threading import Lock
from typing import Final

import streamlit as st
from duckdb import DuckDBPyConnection

from tricklog.core import Verdict, replay
from tricklog.core.native import library
from tricklog.core.study import LossKind, Refused, open_hand
from tricklog.core.study.questions.judging import BUDGET
from tricklog.core.study.questions.moments import Kind, first_action, moment_at
from tricklog.dashboard.data import snapshot
from tricklog.dashboard.data.solving import no_library, solver_for
from tricklog.ingest.metrics import practice, wording
from tricklog.ingest.metrics.themes import NO_PAIR, REST, TITLES
from tricklog.schemas.actions import Verb
from tricklog.schemas.languages.messages import mark, say, translated

LENGTH: Final = 10
"""Questions of a list."""
FIRST_LOOK: Final = 0.25
"""Seconds to look through hands before the first question."""
LONG_LOOK: Final = 3.0
"""Seconds for looking through more hands when asked to."""
_PATIENCE: Final = 3
"""How many times as long to look on while nothing has been found."""
_AT_ONCE: Final = 50
_MOST_FOR_OTHERS: Final = 60
"""Latest hands that are looked through for bids, trumps and cards laid off."""
_EARLY: Final = 2


class Topic(StrEnum):
    """What a list of questions is about, by its name in the address."""

    DEAREST = "dearest"
    LEADS = "leads"
    FOLLOWING = "following"
    EARLY = "early"
    LATE = "late"
    FIRST_KIND = "kind-1"
    SECOND_KIND = "kind-2"
    THIRD_KIND = "kind-3"
    LAST_EVENING = "evening"
    THEME = "theme"
    CALLS = "bids"
    TRUMPS = "trumps"
    EXCHANGE = "exchange"


TOPICS: Final = {
    Topic.DEAREST: mark("ten dearest"),
    Topic.LEADS: mark("dearest leads"),
    Topic.FOLLOWING: mark("dearest cards played to a lead"),
    Topic.EARLY: mark("dearest in tricks 1 and 2"),
    Topic.LATE: mark("dearest from trick 3 on"),
    Topic.FIRST_KIND: mark("kind of loss that cost most, told afterwards"),
    Topic.SECOND_KIND: mark("second kind of loss, told afterwards"),
    Topic.THIRD_KIND: mark("third kind of loss, told afterwards"),
    Topic.LAST_EVENING: mark("most instructive of the last evening"),
    Topic.CALLS: mark("latest bids and passes"),
    Topic.TRUMPS: mark("latest trumps named"),
    Topic.EXCHANGE: mark("latest cards laid off or taken"),
}
"""What each is called in addresses, and when it is shown. What was lost in which way gives the
answer away, so it has no name; a theme is called what it is, for those who choose it."""
THEMES: Final = tuple(each for each in TITLES if each not in (REST, NO_PAIR.title))
"""Themes that are topics. A pair not declared is none: to declare is never worse."""
_WITHOUT_COST: Final = {
    Topic.CALLS: (
        Kind.CALL,
        {Verb.BID, Verb.PASS, Verb.DITTO, Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER},
    ),
    Topic.TRUMPS: (Kind.TRUMP, {Verb.TRUMP}),
    Topic.EXCHANGE: (
        Kind.CARDS,
        {Verb.DISCARD, Verb.DISCARD_UP, Verb.GIVE, Verb.BURY, Verb.ROB},
    ),
}
"""The kind of decision of these topics, and the actions that may be one."""
_BY_KIND: Final = (Topic.FIRST_KIND, Topic.SECOND_KIND, Topic.THIRD_KIND)
_WITHIN: Final = {
    Topic.LEADS: practice.Within(last_turn=0),
    Topic.FOLLOWING: practice.Within(first_turn=1),
    Topic.EARLY: practice.Within(last_trick=_EARLY),
    Topic.LATE: practice.Within(first_trick=_EARLY + 1),
    Topic.LAST_EVENING: practice.Within(last_evening=True),
}
_OF_SOLVED: Final = (Topic.LAST_EVENING, Topic.THEME)
"""Topics that ask what only stored hands tell."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose decisions are asked, of which game, and which of them."""

    player: str
    variant: str
    """Empty for all games."""
    topic: Topic
    theme: str = ""
    """Which theme; empty for other topics."""

    @property
    def topic_words(self) -> str:
        """Which decisions, in words."""
        return theme_words(self.theme) if self.theme else translated(TOPICS[self.topic])


def theme_words(theme: str) -> str:
    """Return what a theme is called as a topic."""
    return say("theme: {theme}", theme=wording.theme(theme))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: the hand and the action it stops before."""

    hand_id: str
    action: int


@dataclass(frozen=True, slots=True)
class Questions:
    """A list of questions, and what it was made from."""

    listed: tuple[Asked, ...]
    looked: int
    """Hands that were looked through."""
    hands: int
    """Valid hands of the player."""
    is_stored: bool
    """Whether stored losses said which cost most."""
    why_none: str = ""
    """A sentence where nothing could be looked through."""
    can_look_on: bool = False
    """Whether there are hands that have not been looked through and could be."""

    @property
    def may_grow(self) -> bool:
        """Whether more hands may bring more questions."""
        return self.can_look_on and len(self.listed) < LENGTH

    def with_more(self, later: Questions) -> Questions:
        """Return these questions in their order, and behind them new ones of ``later``."""
        new = [each for each in later.listed if each not in self.listed]
        return replace(later, listed=(*self.listed, *new)[:LENGTH])


@dataclass(slots=True)
class Search:
    """Losses of a player in their latest hands, looked up bit by bit and kept for all viewers."""

    player: str
    variant: str
    looked: int = 0
    is_done: bool = False
    refused: str = ""
    """Why the last hand that has no values has none."""
    found: list[practice.Dear] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def go_on(self, facts: DuckDBPyConnection, seconds: float) -> None:
        """Look through more hands for so long, or until the first loss is found.

        The clock starts after one hand: the first one of all loads the solver.
        """
        until: float | None = None
        with self.lock:
            while not self.is_done:
                seats = practice.hands_of_player(
                    facts, self.player, self.variant, limit=_AT_ONCE, offset=self.looked
                )
                self.is_done = len(seats) < _AT_ONCE
                for at, sat in enumerate(seats):
                    self._look_at(sat)
                    until = until or time.monotonic() + seconds
                    if self._is_enough(until, seconds):
                        self.is_done = self.is_done and at == len(seats) - 1
                        return

    def _is_enough(self, until: float, seconds: float) -> bool:
        late = time.monotonic() - until
        return late > 0 and (bool(self.found) or late > _PATIENCE * seconds)

    def _look_at(self, sat: practice.Played) -> None:
        replayed = replay(snapshot.hand(sat.hand_id))
        self.looked += 1
        try:
            with solver_for(replayed) as solver:
                studied = open_hand(replayed, solver, budget=BUDGET)
        except Refused as refused:
            self.refused = str(refused)
            return
        self.found += [
            practice.Dear(
                sat.hand_id,
                each.action,
                each.seat,
                each.trick,
                each.turn,
                each.showed,
                each.loss,
                each.loss_kind.value if each.loss_kind else None,
            )
            for each in studied.decisions
            if each.seat == sat.seat and each.kind == "card" and each.loss and each.choices > 1
        ]

    def dearest(self, within: practice.Within) -> list[practice.Dear]:
        """Return what cost most, the latest first where it is the same, as stored losses do."""
        fitting = [each for each in self.found if within.has(each)]
        return sorted(fitting, key=lambda each: -each.loss)[:LENGTH]

    def kinds(self) -> list[str]:
        """Return the kinds of losses, the one that cost most first, as stored losses do."""
        lost = Counter[str]()
        for each in self.found:
            if each.loss_kind not in (None, LossKind.OTHER):
                lost[each.loss_kind] += each.loss
        return sorted(lost, key=lambda kind: (-lost[kind], kind))


def questions(facts: DuckDBPyConnection, wanted: Wanted, *, seconds: float = 0.0) -> Questions:
    """Return a list of questions.

    ``seconds``: how long to look through more hands than have been looked through before; the first
    time it is a moment.
    """
    if wanted.topic in _WITHOUT_COST:
        return _latest(facts, wanted)
    of_player = (facts, wanted.player, wanted.variant)
    hands = practice.count_of_player(*of_player)
    if not library.is_there():
        return Questions((), 0, hands, is_stored=False, why_none=no_library())
    solved = practice.solved_of_player(*of_player) if practice.has_solved_hands(facts) else 0
    if solved:
        kinds = practice.dearest_kinds(*of_player) if wanted.topic in _BY_KIND else []
        within = _within(wanted, kinds)
        dear = practice.dearest_decisions(*of_player, within, limit=LENGTH) if within else []
        return Questions(tuple(map(_asked, dear)), solved, hands, is_stored=True)
    if wanted.topic in _OF_SOLVED:
        why_none = say("None of these hands is solved yet.")
        return Questions((), 0, hands, is_stored=True, why_none=why_none)
    search = _search(snapshot.key(), wanted.player, wanted.variant)
    if seconds or not search.looked:
        search.go_on(facts, seconds or FIRST_LOOK)
    within = _within(wanted, search.kinds())
    return Questions(
        tuple(map(_asked, search.dearest(within) if within else [])),
        search.looked,
        hands,
        is_stored=False,
        why_none="" if search.found else search.refused,
        can_look_on=not search.is_done,
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _search(
    key: str,  # noqa: ARG001 - stands for the content of the facts
    player: str,
    variant: str,
) -> Search:
    return Search(player, variant)


def _within(wanted: Wanted, kinds: Sequence[str]) -> practice.Within | None:
    """Return which decisions are asked; ``None`` where there are not so many ``kinds``."""
    if wanted.topic not in _BY_KIND:
        return _WITHIN.get(wanted.topic, practice.Within(theme=wanted.theme))
    place = _BY_KIND.index(wanted.topic)
    return practice.Within(loss_kind=kinds[place]) if place < len(kinds) else None


def _asked(dear: practice.Dear) -> Asked:
    if not dear.showed:
        return Asked(dear.hand_id, dear.action)
    replayed = snapshot.replayed_hand(dear.hand_id)
    return Asked(dear.hand_id, first_action(replayed, dear.action, showed=True))


def _latest(facts: DuckDBPyConnection, wanted: Wanted) -> Questions:
    """Return the latest decisions of a kind, one of each hand."""
    kind, verbs = _WITHOUT_COST[wanted.topic]
    of_player = (facts, wanted.player, wanted.variant)
    listed: list[Asked] = []
    looked = 0
    for sat in practice.hands_of_player(*of_player, limit=_MOST_FOR_OTHERS):
        if len(listed) == LENGTH:
            break
        looked += 1
        replayed = replay(snapshot.hand(sat.hand_id))
        if replayed.verdict != Verdict.VALID:
            continue
        theirs = (
            moment_at(replayed, at)
            for at, action in enumerate(replayed.actions)
            if action.seat == sat.seat and action.verb in verbs
        )
        first = next((each for each in theirs if each and each.kind == kind), None)
        if first is not None:
            listed.append(Asked(sat.hand_id, first.index))
    return Questions(tuple(listed), looked, practice.count_of_player(*of_player), is_stored=False)
