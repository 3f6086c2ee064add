"""One hand played by bots from the deal to its end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from tricklog.core.card_sense.choices import UNASKED, Luck, Mind, decide, volunteer
from tricklog.core.engine import engine, hand_replay
from tricklog.core.engine.policies import Phase
from tricklog.core.engine.records import Rules, State
from tricklog.core.engine.rules.game_end import fill_result, settle_scores
from tricklog.core.engine.rules.table import Legal
from tricklog.schemas.cards import cards_in
from tricklog.schemas.scan.actions import ScannedAction

Array: TypeAlias = Any
"""An array of numpy, or a list."""

NO_MAKER = -1
ILLEGAL = -1
"""In place of how many actions there are: a player did something illegal, which is a bug."""


class Seats(NamedTuple):
    """What a hand is played with."""

    states: Array
    """One state, new but for its dealer."""
    results: Array
    """One ``Result``, to be filled."""
    cards: Array
    """The pack as dealt: hand after hand, then kitty, then stock."""
    minds: Array
    """By seat: a ``Mind``."""
    luck: Luck
    before: Array
    """By side: the score before the hand."""
    done: Array
    """What the players do: a ``ScannedAction`` each."""


def play_hand(seats: Seats, rules: Rules, maker: int) -> int:
    """Play a hand; return how many actions there are, or ``ILLEGAL``.

    ``maker``: the seat that has the contract for the lowest bid without an auction, or
    ``NO_MAKER``.
    """
    state, result = seats.states[0], seats.results[0]
    deal(state, rules, seats.cards, seats.done)
    engine.start(state, rules)
    if maker != NO_MAKER:
        state.maker = maker
        state.high_bid = rules.min_bid
        engine.enter(state, rules)
    count = 0
    while state.phase != Phase.OVER:
        done = seats.done[count]
        if next_action(state, rules, seats.minds, seats.luck, done):
            if engine.apply(state, rules, done):
                return ILLEGAL
            count += 1
        else:
            engine.pass_over(state, rules)
    engine.finish(state, rules)
    fill_result(state, rules, result)
    settle_scores(rules, seats.before, result)
    return count


def shuffled(rules: Rules, chance: random.Random) -> list[int]:
    """Return the pack dealt at random, packet by packet: hand after hand, then kitty and stock."""
    cards = cards_in(rules.pack)
    chance.shuffle(cards)
    hands: list[list[int]] = [[] for _ in range(rules.seats)]
    for packet in (rules.packet, rules.dealt - rules.packet):
        for seat in range(rules.seats):
            hands[seat] += cards[:packet]
            del cards[:packet]
    return [*(card for each in hands for card in each), *cards]


def deal(state: State, rules: Rules, cards: Sequence[int], nothing: Array) -> None:
    """Deal the pack; ``nothing``: actions, of which none is looked at."""
    together = 0
    first = 0
    for seat in range(rules.seats):
        last = first + rules.dealt
        together |= hand_replay.deal_seat(state, rules, seat, cards, first, last, rules.dealt)
        first = last
    hand_replay.lay_kitty(state, rules, cards, first, first + rules.kitty_size)
    together |= state.kitty
    first += rules.kitty_size
    left = hand_replay.stock_size(state, rules)
    hand_replay.lay_stock(state, rules, cards, first, rules.pack_size, left, together)
    hand_replay.look_ahead(state, rules, nothing, 0)


def next_action(state: State, rules: Rules, minds: Array, luck: Luck, done: ScannedAction) -> bool:
    """Write down what happens next; return ``False`` when a turn passes without anything."""
    for seat in range(rules.seats):
        mind: Mind = minds[seat]
        if offers(state, rules, engine.legal(state, rules, seat), mind, seat, done):
            return True
        if offers(state, rules, engine.legal_aside(state, rules, seat), mind, seat, done):
            return True
    turn = engine.to_act(state)
    if turn < 0:
        return False
    options = engine.legal(state, rules, turn)
    return decide(state, rules, options, minds[turn], luck, turn, done)


def offers(
    state: State, rules: Rules, options: Legal, mind: Mind, seat: int, done: ScannedAction
) -> bool:
    """Whether a player does something that nobody waits for."""
    if not options.verbs & UNASKED:
        return False
    return volunteer(state, rules, options, mind, seat, done)
