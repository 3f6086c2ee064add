"""The way of one recorded hand from its auction to its first card, choice by choice.

What is chosen is compared with the reference exchange: where a player does just what that does,
their choice has brought nothing, and nothing has to be valued.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tricklog.core.engine import engine
from tricklog.core.engine.faults import FATAL
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import scoring
from tricklog.core.judging.replayer import Replay
from tricklog.core.study import exchange, stocks
from tricklog.core.study.contracts import Valuer, Worth
from tricklog.core.study.open_cards import calls_in, first_card
from tricklog.core.study.refusals import Refused
from tricklog.schemas.actions import Action, Verb

Entry = Callable[[Literal["auction", "exchange", "draw"], Worth, Worth, int | None], None]
"""Takes part, worth before and after, and who chose."""

_IN_ONE_GO: Final = (Verb.DISCARD, Verb.DISCARD_UP, Verb.DRAW, Verb.GIVE)
"""What may be recorded in several actions in a row that are one."""
_CALLED: Final = (Verb.TRUMP, Verb.DOUBLE, Verb.REDOUBLE, Verb.SUPER, Verb.SOLO, Verb.TENNY)
_CARDS_COME: Final = (Verb.KITTY, Verb.DRAW)
_SAID: Final = (Verb.PASS, Verb.OUT)
"""What changes nothing in the cards or the stake."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that a record shows between auction and play."""

    action: Action
    before: State
    """The state before it, showing nothing of what came later."""
    after: State


class Walk:
    """The way of one hand, valued for one side on the stocks of some numbers."""

    def __init__(self, replay: Replay, valuer: Valuer, side: int, numbers: Sequence[int]) -> None:
        """``replay``: a valid hand that was played."""
        self._rules: Rules = replay.rules
        self._valuer = valuer
        self._side = side
        self._numbers = numbers
        self._steps = _steps_of(replay)
        self._start = stocks.forget_the_record(replay.state_at(calls_in(replay)))
        self.caller = scoring.maker_of(self._start)
        """Who won the auction."""
        self.had_choice = False
        """Whether anybody had a choice of cards in the exchange."""
        self.had_chance = stocks.has_chance(self._start, self._rules)
        """Whether any card came after the auction that nobody could foresee."""

    def contract(self) -> Worth:
        """Return the worth of the contract, trumps named before any card came included."""
        first = self._steps[0] if self._steps else None
        if first is None or first.action.verb != Verb.TRUMP:
            return self._worth(self._start)
        self._steps = self._steps[1:]
        return self._after_choice(first)

    def exchange(self, worth: Worth, enter: Entry) -> Worth:
        """Enter every step of the exchange from ``worth`` on; return the last worth found."""
        stale = True
        for step in self._steps:
            verb = step.action.verb
            if verb in _SAID:
                continue
            if verb == Verb.ROB:
                found = self._robbed(step, worth, enter)
                worth, stale = found or worth, stale or found is None
                continue
            if self._choice(step):
                before = self._worth(step.before) if stale else worth
                enter("draw", worth, before, None)
                passed = _gone_on_to(step.before, self._rules, step.action)
                worth = self._worth(passed) if verb in _CARDS_COME else self._after_choice(step)
                part: Literal["auction", "exchange"] = "auction" if verb in _CALLED else "exchange"
                enter(part, before, worth, step.action.seat)
                stale = False
            rest = stocks.the_rest(step.before, self._rules)
            stale = stale or rest != stocks.the_rest(step.after, self._rules)
        return worth

    def _worth(self, state: State) -> Worth:
        return self._valuer.worth(state, self._side, self._numbers)

    def _after_choice(self, step: Step) -> Worth:
        """Return the worth after what was chosen, with the cards that come by it still open."""
        rules, action = self._rules, step.action

        def carry_out(state: State) -> None:
            if engine.apply(state, rules, action) & FATAL:
                raise Refused(
                    "the exchange is recorded in an order that leaves open who chose what"
                )

        return self._valuer.worth(step.before, self._side, self._numbers, carry_out)

    def _choice(self, step: Step) -> bool:
        """Whether a step differs from the reference exchange, what was passed over included."""
        rules, action = self._rules, step.action
        state = copy_state(step.before)
        passed = _gone_on_to(step.before, rules, action)
        order = self._valuer.order(0)
        while state.phase != passed.phase:
            if engine.may_pass_over(state, rules):
                self.had_choice = True
                if exchange.reference_action(state, rules, state.turn, order) is not None:
                    return True
            engine.pass_over(state, rules)
        if action.verb in _CARDS_COME:
            return False
        if action.verb in _CALLED:
            return True
        usual = self._usual(state, action)
        return usual is None or (usual.verb, usual.cards) != (action.verb, action.cards)

    def _robbed(self, step: Step, worth: Worth, enter: Entry) -> Worth | None:
        """Enter the rob: first what lies in the stock, then the choice; ``None`` without one."""
        state = _gone_on_to(step.before, self._rules, step.action)
        usual = self._usual(state, step.action)
        if usual is not None and usual.cards == step.action.cards:
            return None
        before = self._valuer.worth_as_it_lies(step.before, self._side)
        after = self._valuer.worth_as_it_lies(step.after, self._side)
        enter("draw", worth, before, None)
        enter("exchange", before, after, step.action.seat)
        return after

    def _usual(self, state: State, action: Action) -> Action | None:
        """Return what the reference exchange does instead, and note whether there is a choice."""
        options = engine.legal(state, self._rules, action.seat)
        if options.may & ~options.must and options.most > options.must.bit_count():
            self.had_choice = True
        order = self._valuer.order(0)
        return exchange.reference_action(state, self._rules, action.seat, order)


def _gone_on_to(state: State, rules: Rules, action: Action) -> State:
    """Return a copy in the phase of ``action``, past turns that the record lets pass."""
    copy = copy_state(state)
    if copy.phase != Phase.AUCTION:
        engine.go_on_to(copy, rules, action)
    return copy


def _steps_of(replay: Replay) -> list[Step]:
    steps: list[Step] = []
    for index in range(calls_in(replay), first_card(replay)):
        action, before = replay.actions[index], stocks.forget_the_record(replay.state_at(index))
        after = stocks.forget_the_record(replay.state_at(index + 1))
        last = steps[-1].action if steps and action.verb in _IN_ONE_GO else None
        if last and (last.verb, last.seat) == (action.verb, action.seat):
            cards = last.cards | action.cards
            action = exchange.action_of(action.seat, Verb(action.verb), cards)
            before = steps.pop().before
        steps.append(Step(action, before, after))
    return steps
