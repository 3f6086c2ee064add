"""Logs made to fill memory: many lines, each as long as it may be, that hardly compress."""

import base64
import itertools
import random
from collections.abc import Iterable, Iterator
from functools import cache

from msgspec.structs import replace

from tests.kit.log_lines import generated
from tricklog.schemas.hand import Hand, Player, RulesRef

TEXT = 900_000
"""Characters of a long text."""


@cache
def first_hands() -> list[Hand]:
    """Return hands that begin a game, so that nothing is found beside the other hands of it."""
    hands = [hand for hand in generated("pedro", 30) if hand.hand == 1]
    assert len(hands) == 30
    return hands


def with_names_of_their_own(hands: Iterable[Hand]) -> Iterator[Hand]:
    for number, hand in enumerate(hands):
        yield replace(hand, id=f"hand {number}", game=f"game {number}")


def under_long_rules(count: int) -> Iterator[Hand]:
    """Return hands that each embed 0.9 MB of rules of their own, which compress about 80 times."""
    chance = random.Random(1)
    hands = itertools.cycle(first_hands())
    for number, hand in zip(range(count), hands, strict=False):
        words = "".join(chr(97 + (number + place) % 26) for place in range(200))
        title = "".join(words + chr(97 + chance.randrange(26)) for _ in range(4_500))
        definition = {"extends": "pedro", "title": f"{number} {title}"}
        yield replace(hand, rules=RulesRef(f"own-{number}", definition=definition))


def under_own_rules(count: int) -> Iterator[Hand]:
    hand = first_hands()[0]
    for number in range(count):
        yield replace(hand, rules=RulesRef(f"own-{number}", definition={"extends": "pedro"}))


def among_strangers(count: int) -> Iterator[Hand]:
    """Return hands whose players nobody has seen before, with names as long as they may be."""
    for number, hand in zip(range(count), itertools.cycle(first_hands()), strict=False):
        players = [
            Player(f"{number} {seat} ".ljust(200, "\u6f22"), f"{seat}".ljust(200, "\u540d"))
            for seat in range(4)
        ]
        yield replace(hand, players=players)


def in_one_game(count: int) -> Iterator[Hand]:
    for number, hand in zip(range(count), itertools.cycle(first_hands()), strict=False):
        yield replace(hand, id=f"hand {number}", game="game", hand=1 + number % 50_000)


def with_long_extras(count: int) -> Iterator[Hand]:
    """Return hands that each carry 0.9 MB under ``ext``."""
    texts = _noise(count)
    for hand, text in zip(itertools.cycle(first_hands()), texts, strict=False):
        yield replace(hand, ext={"text": text})


def with_long_titles(count: int) -> Iterator[Hand]:
    """Return hands that each embed rules with a title of 0.9 MB that does not compress."""
    texts = _noise(count)
    for hand, text in zip(itertools.cycle(first_hands()), texts, strict=False):
        definition = {"extends": "pedro", "title": text}
        yield replace(hand, rules=RulesRef("own", definition=definition))


def with_many_actions(count: int) -> Iterator[Hand]:
    return itertools.islice(itertools.cycle(map(with_far_too_many_actions, first_hands())), count)


def with_far_too_many_actions(hand: Hand) -> Hand:
    """Return a hand in which somebody lays off all cards 900 times when it is over."""
    cards = " ".join([f"{rank}{suit}" for suit in "SHDC" for rank in "23456789TJQKA"] + ["JO"])
    return replace(hand, actions=[*hand.actions, *[f"0 discard {cards}"] * 900])


def unreadable(count: int) -> Iterator[bytes]:
    return (f'{{"format":"tricklog/1","text":"{text}"}}'.encode() for text in _noise(count))


def _noise(count: int) -> Iterator[str]:
    chance = random.Random(count)
    for _ in range(count):
        yield base64.b64encode(chance.randbytes(TEXT * 3 // 4)).decode()
