"""What the choices of a question were worth, looked up once it is answered.

Cards and surplus are valued by the solver with all cards open. Cards laid off, given or taken are
valued by what comes of them when everybody else does what is recorded, where the rules allow that.
A call or a trump is never right or wrong: what came of the contract is said, and whether it could
be made.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Literal

from msgspec.structs import replace

from tricklog.core.engine.records import State
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of
from tricklog.core.judging.replayer import Replay, replay
from tricklog.core.model import Verdict
from tricklog.core.study import (
    Choice,
    LossKind,
    OpenHand,
    Refused,
    Solver,
    Value,
    costs_among,
    first_card,
    open_hand,
    state_in_play,
)
from tricklog.core.study.elsewhere import bare
from tricklog.core.study.questions.moments import ASK, Kind, Moment, answer_of, first_action
from tricklog.schemas.actions import Verb
from tricklog.schemas.cards import mask_of, parse_card, pretty_cards
from tricklog.schemas.languages.messages import say

BUDGET: Final = 2_000_000
"""Nodes for one position, some 0.2 seconds; only seven at a table come near it."""
MOST_SETS: Final = 120
"""Sets of cards that are all valued; of more only the two that were chosen."""
_SECONDS: Final = 1.5
"""The longest that valuing sets of cards may take."""
Unit = Literal["points", "tricks"]
SolverFor = Callable[[Replay], AbstractContextManager[Solver]]


@dataclass(frozen=True, slots=True)
class Worth:
    """A choice and what it is worth."""

    text: str
    """As an answer, see ``moments``."""
    words: str
    value: Value | None
    """What the makers take from there on with best play of all; ``None`` where nobody can say."""
    cost: int | None
    """What it costs the side of the player, 0 or more; ``None`` where a value is missing or not
    exact."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question after it was answered."""

    moment: Moment
    played: str
    """What was done at the table, as an answer."""
    by_makers: bool
    """Whether the player is one of the makers, whose contract was played."""
    unit: Unit
    need: int | None
    """What the makers need in ``unit``; ``None`` without a contract."""
    most: int
    """What the makers can take in all, in ``unit``."""
    rows: tuple[Worth, ...]
    """What can be chosen in the order of the options; of sets the answer, what was done, and all
    that cost nothing as far as they were valued."""
    no_value: str
    """Why there are no values, as a sentence; empty where there are."""
    could_be_made: bool | None
    kind_of_loss: LossKind | None
    """What was done at the table where it cost something; ``None`` for sets of cards and calls."""

    def row(self, text: str) -> Worth | None:
        """Return what is known of an answer."""
        return next((each for each in self.rows if each.text == text), None)

    @property
    def costs_nothing(self) -> list[Worth]:
        """Return all choices that cost nothing with all cards open."""
        return [each for each in self.rows if each.cost == 0]

    @property
    def best(self) -> Value | None:
        """Return the value before the decision: that of a choice that costs nothing."""
        return next((each.value for each in self.costs_nothing), None)


def judge(replayed: Replay, moment: Moment, answer: str, solver_for: SolverFor) -> Judged:
    """Return what the choices were worth at a decision of a whole recorded hand.

    ``answer`` is one of them; ``solver_for`` gives the solver for the rules of a hand, or
    ``Refused``.
    """
    rules, played = replayed.rules, answer_of(replayed.actions[moment.index])
    end = replayed.state_at(len(replayed))
    maker = scoring.maker_of(end)
    by_makers = maker >= 0 and side_of(rules, maker) == side_of(rules, moment.seat)
    unit: Unit = "tricks" if end.solo >= 0 else "points"
    opened, rows, no_value = None, tuple[Worth, ...](), ""
    try:
        with solver_for(replayed) as solver:
            opened = open_hand(replayed, solver, budget=BUDGET)
            rows = _rows(replayed, moment, answer, played, solver, by_makers=by_makers)
    except Refused as refused:
        no_value = str(refused)
    return Judged(
        moment=moment,
        played=played,
        by_makers=by_makers,
        unit=unit,
        need=opened.need if opened else None,
        most=rules.all_points if unit == "points" else rules.hand_size,
        rows=rows or _without_values(moment, answer, played),
        no_value=no_value,
        could_be_made=opened.could_be_made if opened else None,
        kind_of_loss=_kind_of_loss(opened, replayed, moment) if opened else None,
    )


def _kind_of_loss(opened: OpenHand, replayed: Replay, moment: Moment) -> LossKind | None:
    """Return what was done at the table, in the words of ``LossKind``, where it cost something."""
    if moment.kind != Kind.CARD:
        return None
    for each in opened.decisions:
        first = first_action(replayed, each.action, showed=each.showed)
        if each.kind == "card" and first == moment.index:
            return each.loss_kind
    return None


def _rows(
    replayed: Replay, moment: Moment, answer: str, played: str, solver: Solver, *, by_makers: bool
) -> tuple[Worth, ...]:
    if moment.kind == Kind.CARD:
        choices = solver.choices(replayed.state_at(moment.index), budget=BUDGET)
        valued = [
            (each.text, each.words, _value_of(each.text, each.card, choices, by_makers=by_makers))
            for each in moment.options
        ]
        return _with_costs(valued, by_makers=by_makers)
    if moment.kind == Kind.CARDS:
        found = _valued_sets(replayed, moment, answer, played, solver)
        rows = _with_costs(found, by_makers=by_makers)
        return tuple(each for each in rows if each.cost == 0 or each.text in (answer, played))
    return ()


def _value_of(text: str, card: int, choices: Sequence[Choice], *, by_makers: bool) -> Value | None:
    if text == ASK:
        values = [each.value for each in choices if each.shows]
        pick = max if by_makers else min
        return pick(values, key=lambda value: (value.low, value.high)) if values else None
    plays = (each for each in choices if each.kind == "card" and not each.shows)
    return next((each.value for each in plays if each.cards == (card,)), None)


def _with_costs(
    valued: Sequence[tuple[str, str, Value | None]], *, by_makers: bool
) -> tuple[Worth, ...]:
    """Return choices with what each costs; nobody can say while one of the values is missing."""
    values = [value for _, _, value in valued if value is not None]
    costs: list[int | None] = [None] * len(valued)
    if values and len(values) == len(valued):
        costs = costs_among(values, by_makers=by_makers)
    return tuple(Worth(*each, cost) for each, cost in zip(valued, costs, strict=True))


def _without_values(moment: Moment, answer: str, played: str) -> tuple[Worth, ...]:
    texts = [each.text for each in moment.options] or dict.fromkeys((answer, played))
    return tuple(Worth(text, words_of(moment, text), None, None) for text in texts)


def words_of(moment: Moment, text: str) -> str:
    """Return an answer in words: a card, a bid, or cards one after the other."""
    for each in moment.options:
        if each.text == text:
            return each.words
    cards = cards_of(text)
    return pretty_cards(cards) if cards else say("no card")


def cards_of(text: str) -> int:
    """Return the set of cards that an answer names."""
    return mask_of([parse_card(word) for word in text.split()[1:]])


# --- Sets of cards


def _valued_sets(
    replayed: Replay, moment: Moment, answer: str, played: str, solver: Solver
) -> list[tuple[str, str, Value | None]]:
    """Return sets of cards with their values: all of them, or only the two that were chosen."""
    if moment.verb == Verb.BURY:
        choices = solver.choices(replayed.state_at(moment.index), budget=BUDGET)
        return [
            (text, words_of(moment, text), each.value)
            for each in choices
            if each.kind == "surplus"
            for text in [moment.text_of(mask_of([*each.cards]))]
        ]
    chosen = dict.fromkeys((answer, played))
    found = {text: _value_after(replayed, moment, text, solver) for text in chosen}
    sets = moment.sets(MOST_SETS) or []
    until = time.monotonic() + _SECONDS
    for cards in sets:
        text = moment.text_of(cards)
        if text not in found and time.monotonic() < until:
            found[text] = _value_after(replayed, moment, text, solver)
    if len(found) < len(sets) or not sets:
        # Without all of them nobody can say which cost nothing.
        return [(text, words_of(moment, text), None) for text in chosen]
    # Sets after which the rest of the record cannot be carried out have no value to compare.
    return [
        (text, words_of(moment, text), value)
        for text, value in found.items()
        if value is not None or text in chosen
    ]


def _value_after(replayed: Replay, moment: Moment, text: str, solver: Solver) -> Value | None:
    """Return the value at the first card with all others as recorded; ``None`` if they cannot."""
    hand, index = replayed.hand, moment.index
    first = first_card(replayed)
    if first == len(replayed):
        return None
    actions = [*hand.actions[:index], f"{moment.seat} {text}", *hand.actions[index + 1 : first]]
    hand = replace(bare(hand), scores=hand.scores, actions=actions)
    changed = replay(hand, ruleset=replayed.ruleset)
    if changed.findings or changed.verdict not in (Verdict.VALID, Verdict.INCOMPLETE):
        return None
    state = state_in_play(changed, len(changed))
    if _sizes(state) != _sizes(state_in_play(replayed, first)):
        return None
    try:
        return solver.value(state, budget=BUDGET)
    except Refused:
        return None


def _sizes(state: State) -> list[int]:
    return [cards.bit_count() for cards in state.holding]
