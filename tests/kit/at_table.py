"""Hands dealt by chance, games of players of any kind, and deals played at several tables."""

import random
from collections.abc import Iterator, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.support import hand_of
from tricklog import Claimed, Hand, Ruleset, replay, ruleset_of
from tricklog.core.bots.generate import (
    TEMPERAMENTS,
    Bot,
    Player,
    games_of,
    play_out,
    practised,
    with_cards,
)
from tricklog.core.card_sense.choices import shuffled
from tricklog.core.engine import engine
from tricklog.core.engine.records import State
from tricklog.core.engine.rules.game_end import Result
from tricklog.core.judging.setup import first_state
from tricklog.schemas.actions import action_text
from tricklog.schemas.hand import Player as Seat


def deal_out(hand: Hand, ruleset: Ruleset, chance: random.Random) -> Hand:
    """Return ``hand`` with the pack dealt at random: hands packet by packet, kitty, stock."""
    rules = ruleset.rules(len(hand.players))
    return with_cards(hand, rules, shuffled(rules, chance))


def begun(hand: Hand, ruleset: Ruleset) -> State:
    """Return the state of a dealt hand whose first player is to act."""
    state, rules, _ = first_state(hand, ruleset, [])
    engine.start(state, rules)
    return state


def play_any_game(
    first: Hand, ruleset: Ruleset, players: Sequence[Player], chance: random.Random
) -> Iterator[Hand]:
    """Yield the hands of a game as ``play_game`` does, of players of any kind."""
    rules = ruleset.rules(len(players))

    def play(hand: Hand, _: Sequence[int]) -> tuple[list[str], Result]:
        actions = [*map(action_text, play_out(players, begun(hand, ruleset), rules))]
        replayed = replay(replace(hand, actions=actions), ruleset=ruleset)
        assert replayed.outcome is not None, hand.id
        return actions, replayed.workspace.result

    yield from games_of(first, rules, play, chance)


# --- Duplicate clubs: each deal at several tables, by bots of different temper
def dealt(variant: str, seed: int, seats: int = 4, dealer: int | None = None) -> Hand:
    chance = random.Random(f"{variant}/{seats}/{seed}")
    dealer = chance.randrange(seats) if dealer is None else dealer
    hand = hand_of(variant, id="", players=[f"p{seat}" for seat in range(seats)], dealer=dealer)
    return deal_out(hand, ruleset_of(hand), chance)


def played(hand: Hand, hand_id: str, players: Sequence[str], seed: int) -> Hand:
    """Return a dealt hand as these players play it; ``seed`` decides who is bold, and how."""
    ruleset, seats = ruleset_of(hand), len(hand.players)
    chance = random.Random(f"{hand_id}/{seed}")
    judgement = practised(ruleset, seats)
    bots = [Bot(chance.choice(TEMPERAMENTS), seat, judgement, chance) for seat in range(seats)]
    actions = play_out(bots, begun(hand, ruleset), ruleset.rules(seats))
    hand = replace(
        hand,
        id=hand_id,
        players=[Seat(each) for each in players],
        actions=[action_text(each) for each in actions],
    )
    outcome = replay(hand).outcome
    assert outcome is not None
    claimed = Claimed(points=list(outcome.points), change=list(outcome.change))
    return replace(hand, claimed=claimed, status=UNSET)


def club(variant: str, deals: int, tables: int, *, seed: int = 1, seats: int = 4) -> Iterator[Hand]:
    """Yield the hands of a duplicate club: every deal at every table, whose players stay."""
    for number in range(deals):
        deal = dealt(variant, seed * 1_000 + number, seats)
        for table in range(tables):
            players = [f"t{table}-{seat}" for seat in range(seats)]
            hand = played(deal, f"{variant}-{number}-{table}", players, seed)
            yield replace(hand, started_at=f"2026-03-{1 + number % 28:02}T19:{table:02}:00Z")
