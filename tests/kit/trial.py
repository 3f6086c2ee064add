"""Trying everything, plain or compiled: alpha-beta over the engine, for proofs of the solver.

It shares nothing with the solver but the rules of the engine, and is written for that alone.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state, dtype_of, pack
from tricklog.core.engine.rules import early_end, play, scoring
from tricklog.core.engine.rules.table import side_of, trump_code
from tricklog.schemas.actions import Verb

Array: TypeAlias = Any
"""An array of numpy where the code is compiled, else a list."""
Record: TypeAlias = Any
"""A numpy record, where plain Python has an object."""

FAR = 1 << 20
DEPTH = 160


class Place(NamedTuple):
    """What a search works on."""

    states: Array
    rules: Array
    gains: Array
    """What pairs change the need by, for and against; whether tricks count; the maker."""
    counts: Array
    """States looked at, the faults of an action, and its seat, verb and cards."""


class _Copies(list[State]):
    """States that are copied when they are put in, as those in an array are."""

    def __setitem__(self, index: Any, state: Any) -> None:  # noqa: ANN401 - as lists take them
        super().__setitem__(index, copy_state(state))


class _Counts(list[int]):
    """Counts of which none goes on after a fault."""

    def __setitem__(self, index: Any, value: Any) -> None:  # noqa: ANN401 - as lists take them
        super().__setitem__(index, value)
        refuse_faults(self)


def refuse_faults(counts: Array) -> None:
    _, faults, seat, verb, cards = map(int, counts)
    assert not faults, f"{seat} {Verb(verb).name} {cards:#x} was legal and is judged {faults:#x}"


class Trial:
    """A place to try everything at; a pair declared before it is part of the need."""

    def __init__(self, *, compiled: bool = False) -> None:
        self.nodes = 0
        self._compiled = compiled
        self._place = Place(_Copies([State()] * DEPTH), [Rules()], [0] * 4, _Counts([0] * 5))
        if compiled:
            from benchmarks.translated import translated

            self._place = Place(
                np.zeros(DEPTH, dtype_of(State())),
                np.zeros(1, dtype_of(Rules())),
                np.zeros(4, np.int64),
                np.zeros(5, np.int64),
            )
            given = self._place, 0, -FAR, FAR, 0
            self._value = translated(best_value, *given)(*given)

    def value(self, state: State, rules: Rules) -> int:
        place = self._place
        if self._compiled:
            pack(state, place.states[0])
            pack(rules, place.rules[0])
        else:
            place.states[0], place.rules[0] = state, rules
        place.gains[:] = *_gains(state, rules), state.solo >= 0, scoring.maker_of(state)
        place.counts[:] = [0] * 5
        found = self._value() if self._compiled else best_value(place, 0, -FAR, FAR, 0)
        refuse_faults(place.counts)
        self.nodes += int(place.counts[0])
        return found


def tried_value(state: State, rules: Rules) -> int:
    return Trial().value(state, rules)


def states_after(state: State, rules: Rules) -> Iterator[State]:
    """Yield what each action that somebody may do leads to."""
    place = Place(_Copies([state, state]), [rules], [0] * 4, _Counts([0] * 5))
    seat = engine.to_act(state)
    legal = play.legal_in_play(state, rules, seat)
    done = 0
    verb, cards = following(legal, done)
    while verb >= 0:
        if verb:
            after(place, 0, seat, verb, cards)
            yield place.states[1]
        done += 1
        verb, cards = following(legal, done)


def _gains(state: State, rules: Rules) -> tuple[int, int]:
    """Return by how much a pair lowers what the makers need, and raises it."""
    if state.pair_side >= 0 or state.solo >= 0:
        return 0, 0
    makers, need = side_of(rules, scoring.maker_of(state)), scoring.points_needed(state, rules)
    others = early_end.need_if_paired(state, rules, (makers + 1) % rules.side_count)
    return need - early_end.need_if_paired(state, rules, makers), others - need


class Done(NamedTuple):
    """An action, as compiled code takes one."""

    seat: int
    verb: int
    amount: int
    card: int
    cards: int
    size: int


def outcome(state: State, rules: Rules, gains: Array) -> int:
    if gains[2]:
        return int(state.tricks_won[gains[3]])
    makers = side_of(rules, gains[3])
    taken = scoring.points_of(state, makers)
    if state.pair_side < 0:
        return taken
    gained: int = gains[0] if state.pair_side == makers else -gains[1]
    return taken + gained


def after(place: Place, depth: int, seat: int, verb: int, cards: int) -> None:
    """Carry an action out on a copy of a state, which is put behind it."""
    place.states[depth + 1] = place.states[depth]
    state: Record = place.states[depth + 1]
    amount = trump_code(state) if verb == Verb.REVEAL else 0
    action: Record = Done(seat, verb, amount, cards.bit_length() - 1, cards, cards.bit_count())
    faults = play.apply_in_play(state, place.rules[0], action)
    if faults:
        place.counts[2] = seat
        place.counts[3] = verb
        place.counts[4] = cards
        place.counts[1] = faults


def following(legal: Record, done: int) -> tuple[int, int]:
    """Return what comes after ``done`` moves looked at: verb and cards; verb 0 when it is no move.

    First the words, then each card, or each set of surplus; verb -1 after the last.
    """
    if done < 2:
        verb = Verb.ASK if done == 0 else Verb.REVEAL
        return (verb if legal.verbs >> verb & 1 else 0), 0
    if legal.verbs >> Verb.BURY & 1:
        chosen = spread_out(done - 1, legal.may)
        if done - 1 >= 1 << legal.may.bit_count():
            return -1, 0
        few = (chosen & legal.limited).bit_count() <= legal.limit
        return (Verb.BURY if few and chosen.bit_count() == legal.least else 0), chosen
    if not legal.verbs >> Verb.PLAY & 1 or done - 2 >= legal.may.bit_count():
        return -1, 0
    return Verb.PLAY, spread_out(1 << (done - 2), legal.may)


def spread_out(number: int, cards: int) -> int:
    """Return the subset of some cards that a number stands for, a bit for each of them."""
    chosen = 0
    while number:
        card = cards & -cards
        cards &= cards - 1
        if number & 1:
            chosen |= card
        number >>= 1
    return chosen


def pairer(state: State, rules: Rules) -> int:
    """Return a seat that may declare king and queen of trumps now, -1 without."""
    if state.pair_side < 0:
        for seat in range(rules.seats):
            if scoring.holds_pair_now(state, rules, seat):
                return seat
    return -1


def best_value(place: Place, depth: int, alpha: int, beta: int, silent: int) -> int:
    """Return the value of a state if it lies in the window; ``silent``: no pair is declared now."""
    state, rules = place.states[depth], place.rules[0]
    place.counts[0] += 1
    if state.phase == Phase.OVER:
        return outcome(state, rules, place.gains)
    makers_side = side_of(rules, place.gains[3])
    seat = -1 if silent else pairer(state, rules)
    if seat >= 0:
        after(place, depth, seat, Verb.PAIR, 0)
        told = best_value(place, depth + 1, alpha, beta, 0)
        kept = best_value(place, depth, alpha, beta, 1)
        return max(told, kept) if side_of(rules, seat) == makers_side else min(told, kept)
    seat = engine.to_act(state)
    makers = side_of(rules, seat) == makers_side
    legal = play.legal_in_play(state, rules, seat)
    best = -FAR if makers else FAR
    done = 0
    verb, cards = following(legal, done)
    while verb >= 0 and alpha < beta:
        if verb:
            after(place, depth, seat, verb, cards)
            value = best_value(place, depth + 1, alpha, beta, 0)
            best = max(best, value) if makers else min(best, value)
            if makers:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
        done += 1
        verb, cards = following(legal, done)
    return best
