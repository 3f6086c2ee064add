"""A bot that plays its cards by the second grade: by what they are worth in deals it can think of.

It bids, names trumps and exchanges like the bot it is made of. In the play it draws worlds that fit
what it has seen (``tricklog.core.study.worlds``), and plays, asks for the trump or puts surplus
down as is best on their average: for the score where points tell it, else for points. Where each
plays alone, who is not the maker plays for the points they take themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tricklog.core.bots.generate import Bot
from tricklog.core.compiled.solving import UNLIMITED
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase, Sides, TrumpCall
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules.table import Legal, trump_code
from tricklog.core.rulesets.ruleset import Ruleset
from tricklog.core.study import Choice, Refused, Solver
from tricklog.core.study.hidden import Key, judge
from tricklog.core.study.knowledge import knowledge
from tricklog.schemas.actions import Action, Verb

_CHOOSES = 1 << Verb.PLAY | 1 << Verb.BURY


@dataclass(slots=True)
class ThinkingBot:
    """One player at the table who thinks of how the cards may lie."""

    bot: Bot
    """Who it is before the play, and where nothing can be worked out."""
    ruleset: Ruleset
    solver: Solver
    """For the rules of the table; players who take turns in one thread may share one."""
    worlds: int = 20
    budget: int = UNLIMITED
    """Nodes to search for one decision."""
    _states: list[State] = field(default_factory=list, init=False)
    _seen: list[Action] = field(default_factory=list, init=False)

    def sit_down(self, state: State) -> None:
        """Take note that a hand begins."""
        self._states, self._seen = [copy_state(state)], []

    def watch(self, action: Action) -> None:
        """Take note of what somebody did."""
        self._seen.append(action)
        self._states.append(copy_state(self._states[-1]))
        engine.apply(self._states[-1], self.solver.rules, action)

    def volunteer(self, state: State, rules: Rules, options: Legal, /) -> Action | None:
        """Declare a pair, raise the stake or play alone as the bot does."""
        return self.bot.volunteer(state, rules, options)

    def decide(self, state: State, rules: Rules, options: Legal, /) -> Action | None:
        """Return what to do in turn: in the play what is worth most, else what the bot does."""
        thinks = state.phase == Phase.PLAY and options.verbs & _CHOOSES != 0
        forced = options.verbs == 1 << Verb.PLAY and options.may.bit_count() == 1
        chosen = self._think(state, rules) if thinks and not forced else None
        if chosen is None:
            return self.bot.decide(state, rules, options)
        kind, cards, shows = chosen
        seat = self.bot.seat
        if shows and seat == state.maker:
            return Action(seat, Verb.REVEAL, trump_code(state))
        if shows:
            return Action(seat, Verb.ASK)
        verb = Verb.BURY if kind == "surplus" else Verb.PLAY
        return Action(seat, verb, 0, cards[0], sum(1 << card for card in cards), len(cards))

    def _think(self, state: State, rules: Rules) -> Key | None:
        """Return the choice that is worth most; ``None`` where none can be valued."""
        if not self._states:
            return None
        seat = self.bot.seat
        try:
            known = knowledge(self.ruleset, rules, self._states, self._seen, seat, state)
            alone = rules.sides == Sides.SINGLES and seat != state.maker
            solver = _OwnSolver(self.solver, seat) if alone else self.solver
            chance = self.bot.chance
            judged = judge(known, solver, chance, worlds=self.worlds, budget=self.budget)
        except Refused:
            return None
        if alone:
            by_makers = judged.by_makers or is_open(state, rules)
            judged = replace(judged, scores=None, by_makers=by_makers)
        sign, rows = 1 if judged.by_makers else -1, judged.scores or judged.points
        worth = [sign * sum(column) for column in zip(*rows, strict=True)]
        return judged.keys[worth.index(max(worth))] if worth else None


class _OwnSolver(Solver):
    """Values what a seat itself takes against all others, whoever is the maker.

    With trumps that lie open the maker may do nothing in play that others may not.
    """

    def __init__(self, solver: Solver, seat: int) -> None:
        self.rules, self.place, self._seat = solver.rules, solver.place, seat

    def choices(self, state: State, *, budget: int = UNLIMITED) -> tuple[Choice, ...]:
        """Return the choices of a state with the seat in the place of the maker."""
        if is_open(state, self.rules):
            state = copy_state(state)
            state.maker = self._seat
        return super().choices(state, budget=budget)


def is_open(state: State, rules: Rules) -> bool:
    """Whether trumps lie open, and nobody plays alone."""
    return rules.trump_call != TrumpCall.SECRET and state.solo < 0
