"""Asking what hands are worth with all cards open.

**Makers and others.** The makers are the side of the player whose contract is played: partners,
one player where each plays alone, or who plays a hand alone. All others together are the others:
where each plays alone that is the maker against the rest, who are taken to play as one.

**Value.** What the makers take in the whole hand, in card points, when everybody sees all cards,
the makers play for more of it and the others for less. It includes what they have taken so far and
points of discarded cards that they score. With a hand alone it is tricks. In games with king and
queen of trumps a declared pair counts for as many points as it changes what the makers need, so
that "the contract is made" is always: the value reaches what was needed without the pair. A
hand in which trumps never come to light counts in points like any other, even where it is void.

**Loss of a decision.** The value before it less the value after it for the makers, the other way
round for the others: never below 0. All losses together are what lies between par, the value at the
first card, and what was taken: outcome = par - losses of the makers + losses of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from replay.compiled.solving import UNLIMITED, Place
from replay.engine import engine
from replay.engine.policies import Phase
from replay.engine.records import Rules, State, copy_state
from replay.engine.rules import early_end, scoring
from replay.engine.rules.table import side_of
from replay.judging.replayer import Replay
from replay.model import Verdict
from replay.native import library
from replay.open_cards.refusals import NO_PLAY, NOT_NAMED, Refused, refusal, refusal_of_state
from replay.solver import answer, start
from schemas.actions import Action, Verb
from schemas.cards import cards_in

Kind = Literal["card", "surplus", "silence"]
"""A card, a set of surplus cards put under the first trick, or king and queen of trumps that could
be declared and were not."""
KINDS: Final[tuple[Kind, ...]] = ("card", "surplus", "silence")
"""By the numbers of ``replay.solver.answer``."""
Deed = tuple[int, int, int]
"""What a record shows of the play: verb, seat, and cards as a set."""
_MOVES: Final = (Verb.PLAY, Verb.BURY)
_DEEDS: Final = (*_MOVES, Verb.ASK, Verb.REVEAL, Verb.PAIR)


@dataclass(frozen=True, slots=True)
class Value:
    """What the makers take with best play of all: a number, or the limits it lies within."""

    low: int
    high: int

    @property
    def is_exact(self) -> bool:
        """Whether the value is known; it is unless a budget of nodes ran out."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that the seat to act may do, and the value when it does."""

    kind: Kind
    seat: int
    cards: tuple[int, ...]
    shows: bool
    """Whether the player has the trump shown first although they need not."""
    value: Value


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a recorded hand."""

    kind: Kind
    seat: int
    by_makers: bool
    cards: tuple[int, ...]
    showed: bool
    """Whether the player had the trump shown for it although they need not have."""
    action: int
    """Index of the action among those given; of several that put surplus down, the last one."""
    before: Value
    after: Value

    @property
    def loss(self) -> int | None:
        """What the decision cost its side, 0 or more; ``None`` when the budget ran out."""
        if not (self.before.is_exact and self.after.is_exact):
            return None
        change = self.before.low - self.after.low
        return change if self.by_makers else -change


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A recorded hand with all cards open."""

    unit: Literal["points", "tricks"]
    need: int | None
    """What the makers needed, in ``unit``, before any pair; ``None`` without a contract."""
    par: Value
    """The value when the first card was to be played."""
    outcome: Value
    """What the makers took; where play stopped early, the value at that moment."""
    decisions: tuple[Decision, ...]
    """In order. ``before`` of the first is ``par``, ``after`` of the last ``outcome``."""

    @property
    def could_be_made(self) -> bool | None:
        """Whether best play makes the contract; ``None`` without one, or when it is not known."""
        return _reached(self.par, self.need)


def _reached(value: Value, need: int | None) -> bool | None:
    if need is None or value.low < need <= value.high:
        return None
    return value.low >= need


class Solver:
    """Answers questions about hands of one set of rules; for one thread at a time.

    It keeps some 3 MB of memory for its tables. Where there is no library of machine code it runs
    in plain Python, which gives the same answers some thousand times slower.
    """

    def __init__(self, rules: Rules, *, compiled: bool | None = None) -> None:
        """Take rules as resolved for a number of seats.

        ``compiled``: whether to call the library, or plain Python; by default the library where
        there is one. Raises ``Refused`` for rules that the solver does not take on.
        """
        reason = refusal(rules)
        if reason:
            raise Refused(reason)
        self.rules = rules
        self.place = Place(compiled=library.is_there() if compiled is None else compiled)

    def value(self, state: State, *, budget: int = UNLIMITED) -> Value:
        """Return the value of a state in the play, at any point of a trick.

        ``budget``: nodes to search, some ten million a second; when they run out the answer is what
        is known by then. Raises ``Refused`` for a state that the solver does not take on.
        """
        (row,) = self._ask(answer.VALUE, state, budget=budget)
        return _value_in(row, pair_points(state, self.rules))

    def is_made(self, state: State, *, budget: int = UNLIMITED) -> bool | None:
        """Return whether best play makes the contract: much cheaper than the value.

        ``None`` without a contract, or when ``budget`` (as in ``value``) runs out. Raises
        ``Refused`` as ``value`` does.
        """
        need = self.need(state)
        if need is None:
            return None
        declared = pair_points(state, self.rules)
        (row,) = self._ask(answer.WINDOW, state, budget=budget, need=need - declared)
        return _reached(_value_in(row, declared), need)

    def need(self, state: State) -> int | None:
        """Return what the makers need, before any pair; ``None`` without a contract.

        That is in points, with a hand alone every trick.
        """
        need = start.needed(state, self.rules)
        return None if need == start.NOTHING_TO_MAKE else need + pair_points(state, self.rules)

    def choices(self, state: State, *, budget: int = UNLIMITED) -> tuple[Choice, ...]:
        """Return every legal choice of the seat to act with its value; none when play is over.

        ``budget`` is for each of them, as in ``value``. Of surplus cards at most 127 sets are
        listed. Raises ``Refused`` as ``value`` does.
        """
        rows = self._ask(answer.CHOICES, state, budget=budget)
        declared = pair_points(state, self.rules)
        return tuple(
            Choice(
                KINDS[row[answer.KIND]],
                row[answer.SEAT],
                tuple(cards_in(row[answer.CARDS])),
                bool(row[answer.SHOWED]),
                _value_in(row, declared),
            )
            for row in rows
        )

    def hand(self, state: State, actions: Sequence[Action], *, budget: int = UNLIMITED) -> OpenHand:
        """Return all values of the play that ``actions`` show from ``state`` on, legal throughout.

        Much cheaper than the values one by one. ``budget`` is for each of them, as in ``value``.
        Raises ``Refused`` as ``value`` does, and where an action does not name its cards.
        """
        places = [index for index, each in enumerate(actions) if each.verb in _DEEDS]
        deeds = deeds_of(actions)
        rows = self._ask(answer.HAND, state, budget=budget, deeds=deeds)
        makers = side_of(self.rules, scoring.maker_of(state))
        declared = pair_points(state, self.rules)
        values = [_value_in(row, declared) for row in rows]
        decisions = tuple(
            Decision(
                KINDS[row[answer.KIND]],
                row[answer.SEAT],
                side_of(self.rules, row[answer.SEAT]) == makers,
                tuple(cards_in(row[answer.CARDS])),
                bool(row[answer.SHOWED]),
                places[min(row[answer.DEED], len(places) - 1)],
                before,
                after,
            )
            for row, before, after in zip(rows, values, values[1:], strict=False)
        )
        unit: Literal["points", "tricks"] = "tricks" if state.solo >= 0 else "points"
        return OpenHand(unit, self.need(state), values[0], values[-1], decisions)

    def _ask(
        self,
        question: int,
        state: State,
        *,
        budget: int,
        need: int = 0,
        deeds: Sequence[Deed] = (),
    ) -> list[list[int]]:
        reason = refusal_of_state(state, self.rules)
        if reason:
            raise Refused(reason)
        return self.place.ask(question, state, self.rules, budget=budget, need=need, deeds=deeds)


def deeds_of(actions: Sequence[Action]) -> list[Deed]:
    """Return what actions show of the play.

    Raises ``Refused`` where one does not name its cards.
    """
    deeds = []
    for action in actions:
        if action.verb in _MOVES and action.cards.bit_count() != max(1, action.size):
            raise Refused(NOT_NAMED)
        if action.verb in _DEEDS:
            deeds.append((int(action.verb), action.seat, action.cards))
    return deeds


def pair_points(state: State, rules: Rules) -> int:
    """Return what a pair that has been declared counts for the makers; below 0 for the others'.

    It is by how much it changes what they need (14.pair); 0 without one.
    """
    if state.pair_side < 0 or state.solo >= 0:
        return 0
    undeclared = early_end.need_if_paired(state, rules, -1)
    return undeclared - scoring.points_needed(state, rules)


def _value_in(row: Sequence[int], declared: int) -> Value:
    return Value(row[answer.LOW] + declared, row[answer.HIGH] + declared)


def first_card(replay: Replay) -> int:
    """Return the index of the first action that puts a card to a trick, or their number."""
    return next(
        (at for at, each in enumerate(replay.actions) if each.verb in _MOVES), len(replay.actions)
    )


def state_in_play(replay: Replay, index: int) -> State:
    """Return the state before an action of the play, with the phases before the play closed."""
    state = copy_state(replay.state_at(index))
    while state.phase < Phase.PLAY:
        engine.enter(state, replay.rules)
    return state


def start_of_play(replay: Replay) -> tuple[int, State]:
    """Return the index of the first action of the play, and the state its values start from.

    Raises ``Refused`` where the record shows no play.
    """
    first = first_card(replay)
    if first == len(replay.actions):
        raise Refused(NO_PLAY)
    return first, state_in_play(replay, first)


def open_hand(replay: Replay, solver: Solver | None = None, *, budget: int = UNLIMITED) -> OpenHand:
    """Return a replayed hand with all cards open; ``action`` counts the actions of the record.

    ``solver``: one made for the same rules, which saves making another. Raises ``Refused`` for
    rules, states and records that the solver does not take on: only valid records have values.
    """
    if replay.verdict not in (Verdict.VALID, Verdict.INCOMPLETE):
        raise Refused(f"the record is {replay.verdict}: only valid play has a value")
    solver = solver or Solver(replay.rules)
    first, state = start_of_play(replay)
    found = solver.hand(state, replay.actions[first : replay.played], budget=budget)
    moved = tuple(replace(each, action=first + each.action) for each in found.decisions)
    return OpenHand(found.unit, found.need, found.par, found.outcome, moved)
