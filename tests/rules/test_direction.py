"""Who leads, and which way round (docs/rules/14 to 17; O33, O34, O57, S99)."""

import pytest
from msgspec.structs import replace

from tests.kit.sound_hands import EVEN
from tests.kit.support import Options, codes, hand_of, plays
from tricklog import Hand, replay

DEALER_FIRST: Options = {"first_caller": "dealer", "first_leader": "dealer"}
ANTICLOCKWISE: Options = {"direction": "anticlockwise"}


def opened(variant: str, calls: list[str], lead: str, options: Options | None = None) -> Hand:
    return hand_of(variant, [*calls, lead], options=options, deal=EVEN)


@pytest.mark.parametrize(
    ("variant", "options", "calls", "leader"),
    [
        ("twenty-nine", {}, "0 bid 16, 1 pass, 2 pass, 3 pass, 0 trump H", 0),
        ("twenty-nine", {}, "0 pass, 1 pass, 2 bid 16, 3 pass, 0 pass, 1 pass, 2 trump H", 0),
        ("lucknow", {}, "0 pass, 1 pass, 2 bid 16, 3 pass, 0 pass, 1 pass, 2 trump H", 0),
        ("twenty-nine", ANTICLOCKWISE, "2 bid 16, 1 pass, 0 pass, 3 pass, 2 trump H", 2),
        ("twenty-nine", DEALER_FIRST, "3 bid 16, 0 pass, 1 pass, 2 pass, 3 trump H", 3),
        ("twenty-nine", DEALER_FIRST, "3 pass, 0 bid 16, 1 pass, 2 pass, 3 pass, 0 trump H", 3),
        (
            "twenty-nine",
            {**DEALER_FIRST, **ANTICLOCKWISE},
            "3 bid 16, 2 pass, 1 pass, 0 pass, 3 trump H",
            3,
        ),
        ("bangladesh", {"weak_start": "played"}, "2 bid 16, 1 pass, 3 pass, 0 pass, 2 trump H", 2),
        ("bangladesh", {"weak_start": "played"}, "2 pass, 0 pass, 1 bid 16, 3 pass, 1 trump H", 2),
    ],
)
def test_t104_o33_o34_o57_s99_the_first_leader(
    variant: str, options: Options, calls: str, leader: int
) -> None:
    cards = [hand.split()[0] for hand in EVEN]
    for seat in range(4):
        lead = f"{seat} play {cards[seat]}"
        found = codes(replay(opened(variant, calls.split(", "), lead, options)))
        assert found == ([] if seat == leader else ["wrong-leader"]), seat


@pytest.mark.parametrize(
    ("options", "order"), [({}, "0 1 2 3"), (ANTICLOCKWISE, "2 1 0 3"), (DEALER_FIRST, "3 0 1 2")]
)
def test_o33_o34_tricks_go_round_in_the_direction_of_play(options: Options, order: str) -> None:
    seats = [int(word) for word in order.split()]
    first, *others = seats
    calls = [f"{first} bid 16", *(f"{seat} pass" for seat in others), f"{first} trump H"]
    cards = ["JH", "AH", "KH", "8H"]
    trick = " ".join(f"{seat} {cards[seat]}" for seat in seats)
    hand = hand_of("twenty-nine", [*calls, *plays(trick)], options=options, deal=EVEN)
    replayed = replay(hand)
    assert replayed.findings == ()
    assert replayed.tricks[0].winner == 0
    turned = " ".join(f"{seat} {cards[seat]}" for seat in (first, *others[::-1]))
    wrong = replay(replace(hand, actions=[*calls, *plays(turned)]))
    assert codes(wrong) == ["played-out-of-turn"]
