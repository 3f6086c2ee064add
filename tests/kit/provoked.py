"""How hands are made that provoke one code and nothing else; those of deals, claims and games."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from schemas.hand import Hand, OptionValue, Player
from tests.kit.sound_family import FAMILY
from tests.kit.sound_hands import (
    PEDRO_STOCK,
    SOUND,
    instead,
    pedro,
    place_of,
    swapped,
)
from tests.kit.support import plays

Make: TypeAlias = Callable[[], Hand]


@dataclass(frozen=True)
class Provoked:
    """A hand and the one finding it gives."""

    code: str
    make: Make
    pointer: str
    seat: int | None
    legal: str = ""


def bare(variant: str) -> Hand:
    return replace(SOUND[variant](), claimed=UNSET)


def going_on(name: str, count: int, *actions: str) -> Make:
    """Return the first actions of a sound hand of another system, and others after them."""
    return lambda: replace(
        FAMILY[name](), actions=[*FAMILY[name]().actions[:count], *actions], claimed=UNSET
    )


def starting(variant: str, *actions: str) -> Make:
    """Return a hand that begins like this and stops."""
    return lambda: replace(bare(variant), actions=list(actions))


def changed(variant: str, *changes: tuple[str, str]) -> Make:
    """Return the sound hand with actions replaced; several are separated by a comma."""

    def make() -> Hand:
        hand = bare(variant)
        for old, new in changes:
            hand = instead(hand, old, *filter(None, new.split(", ")))
        return hand

    return make


def swap(variant: str, one: str, other: str) -> Make:
    return lambda: swapped(bare(variant), one, other)


def overlaid(make: Make, **options: OptionValue) -> Make:
    def overlay() -> Hand:
        hand = make()
        return replace(hand, rules=replace(hand.rules, options=options))

    return overlay


def dealt(variant: str, seat: int, old: str, new: str) -> Make:
    """Return the sound hand with other cards dealt to a seat, who lays them off."""

    def make() -> Hand:
        hand = bare(variant)
        assert hand.deal is not UNSET
        deal = [*hand.deal]
        deal[seat] = deal[seat].replace(old, new).strip()
        actions = [
            text.replace(old, new) if text.startswith(f"{seat} discard") else text
            for text in hand.actions
        ]
        return replace(hand, deal=deal, actions=actions)

    return make


def with_fields(variant: str, **fields: str | list[int] | list[Player]) -> Make:
    return lambda: replace(bare(variant), **fields)


def claiming(variant: str, **claims: list[int]) -> Make:
    def make() -> Hand:
        hand = SOUND[variant]()
        assert hand.claimed is not UNSET
        return replace(hand, claimed=replace(hand.claimed, **claims))

    return make


def led_by(hand: Hand, trick: str) -> Hand:
    """Return the Pedro hand with another trick 4, which is seat 1's to lead."""
    hand = swapped(hand, "3 play KH", "3 play 8D") if "8D" in trick else hand
    lead = place_of(hand, "1 play KC")
    return replace(hand, actions=[*hand.actions[:lead], *plays(trick), *hand.actions[lead + 4 :]])


LED_BY_3 = "3 8D 0 TS 1 KC 2 9H"
LED_BY_0 = "0 TS 1 KC 2 9H 3 KH"


def pedro_exchanging(discards: list[str], *tricks: str) -> Make:
    """Return the Pedro hand with another exchange and other tricks."""
    hand = pedro()
    return lambda: replace(
        hand, actions=[*hand.actions[:5], *discards, *plays(*tricks)], claimed=UNSET
    )


TWICE = [Player(name) for name in ("ann", "bo", "ann", "dee")]
ON_THE_DEAL = (
    Provoked("card-twice", dealt("pedro", 3, "QC", "2C"), "/deal/3", 3),
    Provoked("card-not-in-pack", dealt("twenty-nine", 2, "7H", "6H"), "/deal/2", 2),
    Provoked("deal-size", dealt("king-pedro", 3, " 3C", ""), "/deal/3", 3),
    Provoked("kitty-size", with_fields("pedro", kitty="?"), "/kitty", None),
    Provoked("stock-size", with_fields("pedro", stock=PEDRO_STOCK[:-3]), "/stock", None),
    Provoked("player-twice", with_fields("pedro", players=TWICE), "/players/2", 2),
    Provoked("score-count", with_fields("pedro", scores=[0, 0, 0]), "/scores", None),
)
"""Codes of what stands before the first action."""

ON_CLAIMS = (
    Provoked(
        "claimed-winner",
        claiming("pedro", winners=[0, 0, 1, 0, 0, 3]),
        "/claimed/winners/5",
        3,
        "0",
    ),
    Provoked("claimed-points", claiming("pedro", points=[8, 6]), "/claimed/points", None, "9 5"),
    Provoked("claimed-change", claiming("pedro", change=[9, 4]), "/claimed/change", None, "9 5"),
    Provoked("claimed-score", claiming("pedro", scores=[10, 5]), "/claimed/scores", None, "9 5"),
)
"""Codes of claims that do not hold."""


@dataclass(frozen=True)
class ProvokedGame:
    """Two hands of one game and the one game finding of the second."""

    code: str
    first: Hand
    second: Hand
    pointer: str
    seat: int | None = None


def _games() -> tuple[ProvokedGame, ...]:
    first = replace(bare("pedro"), id="first", game="g", hand=1)
    second = replace(first, id="second", hand=2, dealer=0, scores=[9, 5], actions=[])
    won = replace(first, hand=7, scores=[55, 40])
    others = [*second.players[1:], second.players[0]]
    rules = replace(second.rules, options={"target": 51})
    return (
        ProvokedGame("wrong-dealer", first, replace(second, dealer=2), "/dealer", 2),
        ProvokedGame("score-not-carried", first, replace(second, scores=[9, 6]), "/scores"),
        ProvokedGame("hand-number-twice", first, replace(second, hand=1), "/hand"),
        ProvokedGame("players-changed", first, replace(second, players=others), "/players"),
        ProvokedGame("rules-changed", first, replace(second, rules=rules), "/rules"),
        ProvokedGame("after-the-game", won, replace(second, hand=8, scores=[64, 45]), "/hand"),
    )


ON_GAMES = _games()
"""Codes of what shows only beside the other hands of a game."""
