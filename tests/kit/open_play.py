"""Hands for proofs of the solver: shapes of rules, random play, and all ways to go on tried."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from unittest.mock import patch

from tests.kit import random_play
from tests.kit.at_table import begun
from tests.kit.random_play import dealt_hand, walk_on
from tests.kit.support import JOKER, Options, ruleset_for
from tricklog.core import ruleset_of
from tricklog.core.compiled.solving import Place
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State, copy_state
from tricklog.core.study import refusal_of_state
from tricklog.schemas.actions import Action, Verb, parse_action
from tricklog.schemas.hand import OptionValue

NEVER_STOPPED = {Verb.DECIDED: 0.0, Verb.CONCEDE: 0.0}
ALONE = NEVER_STOPPED | {Verb.SOLO: 0.8, Verb.TENNY: 0.3}


@dataclass(frozen=True)
class Shape:
    variant: str
    options: Options
    seats: int
    alone: bool

    @property
    def rules(self) -> Rules:
        return ruleset_for(self.variant, self.options).rules(self.seats)


def _shape(variant: str, seats: int = 4, *, alone: bool = False, **options: OptionValue) -> Shape:
    return Shape(variant, options, seats, alone)


SHAPES: dict[str, Shape] = {
    "pedro": _shape("pedro"),
    "pedro-O10": _shape("pedro", first_lead="trump"),
    "pedro-O11": _shape("pedro", plain_follow="follow"),
    "pedro-O11-O16": _shape("pedro", plain_follow="follow", plain_void="must-trump"),
    "pedro-O12": _shape("pedro", plain_follow="any"),
    "pedro-O17": _shape("pedro", low_to="winner"),
    "cinch": _shape("cinch"),
    "nicaragua": _shape("nicaragua"),
    "pidro": _shape("pidro"),
    "pidro-O76": _shape("pidro", packets=[9, 4], discard="to-size", refill="nobody", rob="nothing"),
    "pitch-with-fives": _shape("pitch-with-fives"),
    "pitch-with-fives-C15": _shape(
        "pitch-with-fives",
        high_low="in-play",
        low_to="winner",
        game_point="count",
        points={"A": 1, "J": 1, "5": 5, "2": 1},
    ),
    "pitch-with-fives-O85": _shape("pitch-with-fives", high_low="in-play"),
    "sancho-5": _shape("sancho", 5),
    "sancho-7": _shape("sancho", 7),
    "sancho-O24": _shape("sancho", deal="whole-pack"),
    "snoozer-6": _shape("snoozer", 6),
    "king-pedro": _shape("king-pedro"),
    "king-pedro-O86": _shape("king-pedro", buried_wins=True),
    "king-pedro-O84": _shape("king-pedro", drop_out="when-trump-led"),
    "king-pedro-C16-C17": _shape(
        "king-pedro", surplus_points="none", trumpless_trick="highest-of-suit"
    ),
    "ukrainian": _shape("ukrainian"),
    "sixty-three": _shape("sixty-three"),
    "sixty-three-O27": Shape("sixty-three", JOKER, seats=4, alone=False),
    "sixty-three-O32": _shape("sixty-three", low_to="player"),
    "eighty-three": _shape("eighty-three"),
    "twenty-nine": _shape("twenty-nine"),
    "twenty-nine-O33-O35": _shape("twenty-nine", direction="anticlockwise", last_trick_points=1),
    "twenty-nine-O37-O38": _shape("twenty-nine", no_trump="joker", twos="no-trump-reversed"),
    "twenty-nine-O39": _shape("twenty-nine", twos="suit-reversed"),
    "twenty-nine-O41": _shape("twenty-nine", seventh_card=True),
    "twenty-nine-O41-O48": _shape("twenty-nine", seventh_card=True, ask="optional"),
    "twenty-nine-O41-O49": _shape("twenty-nine", seventh_card=True, ask="end-of-trick"),
    "twenty-nine-O46": _shape("twenty-nine", alone=True, solo="partner-hidden"),
    "twenty-nine-O87": _shape(
        "twenty-nine", alone=True, solo="partner-hidden", solo_trump=True, pair="at-once"
    ),
    "twenty-nine-O48-O71": _shape(
        "twenty-nine", ask="optional", plain_void="must-trump-once-known"
    ),
    "twenty-nine-O49": _shape("twenty-nine", ask="end-of-trick"),
    "twenty-nine-O55-O83": _shape("twenty-nine", ask="optional-thrown-dead", pair="with-a-ruff"),
    "twenty-nine-O63": _shape("twenty-nine", pair="after-reveal"),
    "twenty-nine-O74": _shape("twenty-nine", pair="at-once"),
    "twenty-nine-O75": _shape("twenty-nine", pair="at-once-with-a-trick", ask="optional"),
    "twenty-nine-any": _shape("twenty-nine", pair="after-any-trick"),
    "lucknow": _shape("lucknow"),
    "lucknow-alone": _shape("lucknow", alone=True, tenny=True, tenny_stake=4),
    "bangladesh": _shape("bangladesh"),
    "eighty-three-O88": _shape("eighty-three", house_rules=["O88"]),
}
"""Every way of playing there is: by name the rules, options by their numbers."""


@dataclass(frozen=True)
class Played:
    """The play of one hand: the state before each action, and the actions."""

    rules: Rules
    states: tuple[State, ...]
    actions: tuple[Action, ...]

    @property
    def first(self) -> State:
        return self.states[0]


def random_plays(name: str, seed: object) -> Iterator[Played]:
    """Yield the play of hands in which everybody does something legal at random, without end."""
    shape = SHAPES[name]
    chance = random.Random(f"open-play/{name}/{seed}")
    eager = ALONE if shape.alone else NEVER_STOPPED
    while True:
        hand = dealt_hand(shape.variant, chance, shape.options, shape.seats)
        ruleset = ruleset_of(hand)
        rules = ruleset.rules(shape.seats)
        state = begun(hand, ruleset)
        states: list[State] = []
        actions: list[Action] = []
        with patch.dict(random_play.VOLUNTEERED, eager):
            for now, _, text in walk_on(state, rules, chance):
                action = parse_action(text)
                if action.verb in (Verb.SOLO, Verb.TENNY):
                    states, actions = [], []
                elif now.phase == Phase.PLAY or states:
                    states.append(copy_state(now))
                    actions.append(action)
        states.append(copy_state(state))
        if state.thrown_in or len(states) < 2 or refusal_of_state(states[0], rules):
            continue
        if shape.alone and states[0].solo < 0 and chance.random() < 0.8:
            continue
        yield Played(rules, tuple(states), tuple(actions))


@cache
def some_plays(name: str, count: int) -> tuple[Played, ...]:
    """Return random plays, the same ones at every call."""
    plays = random_plays(name, "suite")
    return tuple(next(plays) for _ in range(count))


def cards_left(state: State, rules: Rules) -> int:
    return (
        sum(
            state.holding[seat].bit_count()
            for seat in range(rules.seats)
            if state.active >> seat & 1
        )
        + state.seventh.bit_count()
    )


def endings(plays: Sequence[Played], least: int, most: int) -> Iterator[tuple[State, Rules]]:
    """Yield states of the plays with a number of cards left, somebody being to act."""
    for played in plays:
        for state in played.states:
            if state.phase == Phase.PLAY and least <= cards_left(state, played.rules) <= most:
                yield state, played.rules


def set_on_board(place: Place, name: str, value: object) -> None:
    """Give a field of ``tricklog.core.solver.position.Board`` a value, compiled or plain."""
    board = place._board
    if place._call:
        board[name] = value
    else:
        setattr(board, name, value)
