"""How a hand goes on from an answer when everybody plays cards that cost nothing."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricklog.core import Replay
from tricklog.core.engine import engine
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.engine.rules import scoring
from tricklog.core.engine.rules.table import side_of, trump_code
from tricklog.core.study import Choice, Solver
from tricklog.dashboard.data.solving import solver_for
from tricklog.dashboard.pages.practice.judging import BUDGET
from tricklog.dashboard.pages.practice.moments import ASK, Moment
from tricklog.schemas.actions import Action, Verb
from tricklog.schemas.cards import card_name, mask_of

SECONDS: Final = 0.4
"""The longest that the search for the whole rest of a hand may take."""
_STEPS: Final = 5
"""Actions that one card can take: asking, showing, a pair, and the card."""


@dataclass(frozen=True, slots=True)
class Line:
    """A trick as it goes on."""

    plays: tuple[tuple[int, int], ...]
    """(seat, card), those already on the table first."""
    winner: int
    points: int


@dataclass(frozen=True, slots=True)
class GoingOn:
    """The tricks from an answer on."""

    lines: tuple[Line, ...]
    is_whole: bool
    """Whether they reach the end of the hand."""


def best_play(
    replayed: Replay,
    moment: Moment,
    text: str,
    on_table: Sequence[tuple[int, int]],
    seconds: float = SECONDS,
) -> GoingOn:
    """Return the tricks from an answer on, of several cards that cost nothing always the first.

    ``on_table``: (seat, card) of the trick that goes on. The tricks end early where the search
    takes longer than ``seconds`` or a value is not exact. Raises ``Refused`` where there are no
    values.
    """
    rules = replayed.rules
    state = copy_state(replayed.state_at(moment.index))
    makers = side_of(rules, scoring.maker_of(state))
    plays, lines = list(on_table), list[Line]()
    until = time.monotonic() + seconds
    with solver_for(replayed) as solver:
        wanted = _answered(solver, state, text, makers)
        while wanted is not None and time.monotonic() < until:
            trick, before = state.trick, _points(state, rules)
            if not _carry_out(state, rules, wanted):
                break
            if wanted.kind == "card":
                plays.append((wanted.seat, wanted.cards[0]))
            if state.trick != trick or not state.played or state.phase == Phase.OVER:
                lines.append(Line(tuple(plays), state.winner, _points(state, rules) - before))
                plays = []
            wanted = _best(solver, state, rules, makers)
    return GoingOn(tuple(lines), is_whole=state.phase == Phase.OVER)


def _answered(solver: Solver, state: State, text: str, makers: int) -> Choice | None:
    """Return the choice that an answer is; of cards after asking one that costs nothing."""
    choices = solver.choices(state, budget=BUDGET)
    if text == ASK:
        return _pick([each for each in choices if each.shows], solver.rules, makers)
    for each in choices:
        name = "bury" if each.kind == "surplus" else "play"
        words = " ".join([name, *map(card_name, sorted(each.cards))])
        if not each.shows and each.kind != "silence" and words == text:
            return each
    return None


def _best(solver: Solver, state: State, rules: Rules, makers: int) -> Choice | None:
    if state.phase == Phase.OVER:
        return None
    return _pick(solver.choices(state, budget=BUDGET), rules, makers)


def _pick(choices: Sequence[Choice], rules: Rules, makers: int) -> Choice | None:
    if not choices or not all(each.value.is_exact for each in choices):
        return None
    values = [each.value.low for each in choices]
    is_maker = side_of(rules, choices[0].seat) == makers
    return choices[values.index(max(values) if is_maker else min(values))]


def _carry_out(state: State, rules: Rules, choice: Choice) -> bool:
    """Carry out a choice with all that goes before it; return whether the engine allows it."""
    for _ in range(_STEPS):
        action = _next_action(state, rules, choice)
        if engine.apply(state, rules, action):
            return False
        if action.verb in (Verb.PLAY, Verb.BURY):
            return True
    return False


def _next_action(state: State, rules: Rules, choice: Choice) -> Action:
    seat = engine.to_act(state)
    verbs = engine.legal(state, rules, seat).verbs
    if verbs >> Verb.REVEAL & 1:
        return Action(seat, Verb.REVEAL, amount=trump_code(state))
    if verbs >> Verb.PAIR & 1 and choice.kind != "silence":
        return Action(seat, Verb.PAIR)
    if verbs >> Verb.ASK & 1 and (choice.shows or not verbs >> Verb.PLAY & 1):
        return Action(seat, Verb.ASK)
    cards = mask_of([*choice.cards])
    verb = Verb.BURY if choice.kind == "surplus" else Verb.PLAY
    return Action(choice.seat, verb, card=choice.cards[0], cards=cards, size=len(choice.cards))


def _points(state: State, rules: Rules) -> int:
    return sum(scoring.points_of(state, side) for side in range(rules.side_count))
