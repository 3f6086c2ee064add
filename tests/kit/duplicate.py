"""Deals played twice, once by each pair of players in each pair of seats."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from dataclasses import replace as with_fields
from math import sqrt

from msgspec.structs import replace

from tests.kit.at_table import begun, deal_out
from tests.kit.support import hand_of
from tricklog import Hand, Replay, RulesRef, replay
from tricklog.core.bots.generate import STEADY, Bot, Player, next_action, practised
from tricklog.core.compiled.solving import UNLIMITED
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase, Sides, TrumpCall
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules.table import Legal, trump_code
from tricklog.core.rulesets.ruleset import Ruleset, resolve
from tricklog.core.study import Choice, Refused, Solver
from tricklog.core.study.hidden import Key, judge
from tricklog.core.study.knowledge import knowledge
from tricklog.schemas.actions import Action, Verb, action_text

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
        self._states, self._seen = [copy_state(state)], []

    def watch(self, action: Action) -> None:
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
            judged = with_fields(judged, scores=None, by_makers=by_makers)
        return judged.best if judged.keys else None


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
    return rules.trump_call != TrumpCall.SECRET and state.solo < 0


# --- Deals played twice
BUDGET = 3_000_000
"""Nodes of one decision: the long tail of seven at a table is cut off there."""


@dataclass(frozen=True, slots=True)
class Margin:
    """What the new players won over the others."""

    mean: float
    """Score a hand: new players less others, both ways of each deal averaged."""
    error: float

    @property
    def interval(self) -> tuple[float, float]:
        """The interval that holds the true margin in 95 of 100 cases."""
        return self.mean - 1.96 * self.error, self.mean + 1.96 * self.error


def played_by(ruleset: Ruleset, dealt: Hand, new: int, seed: str, worlds: int) -> Replay:
    """Return a deal played with thinking bots in the seats of the set ``new``, today's elsewhere.

    All bid alike: chance is the same for every seat and every table.
    """
    seats = len(dealt.players)
    judgement = practised(ruleset, seats)
    solver = Solver(ruleset.rules(seats))
    players: list[Player] = []
    for seat in range(seats):
        bot = Bot(STEADY, seat, judgement, random.Random(f"{seed}/{seat}"))
        thinks = new >> seat & 1
        players.append(ThinkingBot(bot, ruleset, solver, worlds, BUDGET) if thinks else bot)
    actions = played_out(players, begun(dealt, ruleset), ruleset.rules(seats))
    done = replace(dealt, actions=[action_text(action) for action in actions])
    return replay(done, ruleset=ruleset)


def played_out(players: Sequence[Player], state: State, rules: Rules) -> list[Action]:
    """Return what players do until the hand is over, of which those who think take note."""
    actions: list[Action] = []
    thinking = [player for player in players if isinstance(player, ThinkingBot)]
    for bot in thinking:
        bot.sit_down(state)
    while state.phase != Phase.OVER:
        action = next_action(players, state, rules)
        if action is None:
            engine.pass_over(state, rules)
            continue
        assert not engine.apply(state, rules, action), action
        actions.append(action)
        for bot in thinking:
            bot.watch(action)
    return actions


def margin(variant: str, deals: int, seed: str, *, worlds: int = 20, seats: int = 4) -> Margin:
    """Return the margin of thinking bots over today's, over deals played both ways."""
    ruleset = resolve(RulesRef(variant))
    chance = random.Random(f"{variant}/{seats}/{seed}")
    new = sum(1 << seat for seat in range(0, seats, 2))
    gained: list[float] = []
    for number in range(deals):
        players, dealer = map(str, range(seats)), number % seats
        scores = [0] * ruleset.sides(seats)
        empty = hand_of(variant, dealer=dealer, players=players, scores=scores)
        dealt = deal_out(empty, ruleset, chance)
        both = [
            _gain(played_by(ruleset, dealt, each, f"{seed}/{number}", worlds), each, seats)
            for each in (new, (1 << seats) - 1 & ~new)
        ]
        gained.append(sum(both) / 2)
    mean = sum(gained) / deals
    spread = sum((each - mean) ** 2 for each in gained) / max(1, deals - 1)
    return Margin(mean, sqrt(spread / deals))


def _gain(played: Replay, new: int, seats: int) -> float:
    """Return what the seats of ``new`` score on the average, less the average of the others."""
    outcome = played.outcome
    assert outcome is not None, played
    assert not played.findings, played.findings
    change = [outcome.change[played.ruleset.side_of(seat)] for seat in range(seats)]
    ours = [each for seat, each in enumerate(change) if new >> seat & 1]
    theirs = [each for seat, each in enumerate(change) if not new >> seat & 1]
    return sum(ours) / len(ours) - sum(theirs) / len(theirs)
