"""Hands with a known fault for tests: generated ones, changed in one place."""

from collections.abc import Iterator

from msgspec import UNSET
from msgspec.structs import replace

from tests.kit.played_once import played
from tricklog import Claimed, Hand, card_name, cards_in, core


def generated(variant: str, games: int = 1, seed: int = 7) -> list[Hand]:
    """The hands of a few generated games, the same each time."""
    return list(played(variant, games, seed))


def with_revoke(hands: list[Hand]) -> tuple[Hand, int]:
    """A hand whose one fault is a revoke, and the index of the action that is it."""
    return next(pair for hand in hands for pair in _revokes(hand))


def _revokes(hand: Hand) -> Iterator[tuple[Hand, int]]:
    """Let a player play two cards the other way round, wherever that is a revoke and no more."""
    replayed = core.replay(hand)
    for index, action in enumerate(hand.actions):
        seat, verb, *_ = action.split(" ")
        if verb != "play":
            continue
        view = replayed.at(index)
        barred = view.holdings[int(seat)] & ~view.choice.cards
        for card in cards_in(barred):
            later = f"{seat} play {card_name(card)}"
            actions = [
                later if text == action else action if text == later else text
                for text in hand.actions
            ]
            broken = replace(hand, actions=actions, claimed=UNSET)
            if [item.code for item in core.replay(broken).findings] == ["revoke"]:
                yield broken, index


def with_wrong_claim(hand: Hand) -> Hand:
    outcome = core.replay(hand).outcome
    assert outcome is not None
    points = list(outcome.points)
    points[0] += 1
    return replace(hand, claimed=Claimed(points=points))
