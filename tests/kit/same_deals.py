"""Deals played at several tables by bots of different temper, as duplicate clubs play them."""

import random
from collections.abc import Iterator, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.at_table import begun, deal_out
from tests.kit.support import hand_of
from tricklog import Claimed, Hand, Player, ruleset_of
from tricklog.core import replay as replay_hand
from tricklog.core.bots.generate import TEMPERAMENTS, Bot, play_out, practised
from tricklog.schemas.actions import action_text


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
        players=[Player(each) for each in players],
        actions=[action_text(each) for each in actions],
    )
    outcome = replay_hand(hand).outcome
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
