"""High and low: ace and two, or the highest and the lowest trump in play (C15)."""

import pytest

from tests.kit.support import Options, do, play_table, rules_of
from tricklog.schemas.cards import parse_card

FIXED: Options = {"low_to": "winner"}
IN_PLAY: Options = {"low_to": "winner", "high_low": "in-play"}
HOLDER: Options = {"low_to": "holder", "high_low": "in-play"}


def points_after(options: Options, trick: str, rest: str) -> list[int]:
    """The points of both sides after one trick with spades as trumps, before another of `rest`."""
    rules = rules_of("pitch-with-fives", options)
    plays, others = trick.split(), rest.split()
    hands = {seat: f"{plays[seat]} {others[seat]}" for seat in range(4)}
    state = play_table(rules, "S", hands)
    for seat, card in enumerate(plays):
        assert do(state, rules, f"{seat} play {card}") == []
    return state.points[:2]


@pytest.mark.parametrize(
    ("trick", "rest", "fixed", "in_play", "holder"),
    [
        # King and three stand in for ace and two.
        ("KS 3S QS 7H", "9H 8H 6H 4H", [0, 0], [2, 0], [1, 1]),
        ("QS 3S KS 7H", "9H 8H 6H 4H", [0, 0], [2, 0], [1, 1]),
        ("QS KS 3S 7H", "9H 8H 6H 4H", [0, 0], [0, 2], [1, 1]),
        # Ace and two are what they always are, and nothing else is beside them.
        ("KS 3S QS 7H", "AS 2S 6H 4H", [0, 0], [0, 0], [0, 0]),
        ("AS 3S QS 2S", "9H 8H KS 4H", [2, 0], [2, 0], [1, 1]),
        # The ace is in play and the two is not.
        ("AS 3S QS 7H", "9H 8H 6H 4H", [1, 0], [2, 0], [1, 1]),
        # A card may score by itself as well: jack and high, five and low.
        ("JS TS 5S 7H", "9H 8H 6H 4H", [7, 0], [9, 0], [9, 0]),
        # The only trump in play is high and low at once.
        ("9S 8H 6H 4H", "9H 7H QH TH", [0, 0], [2, 0], [2, 0]),
        # Low that is held back counts from the beginning.
        ("KS TS 5S 7H", "9H 3S 6H 4H", [6, 0], [7, 0], [7, 1]),
        # Without a trump there is neither.
        ("9H 8H 6H 4H", "KH 7H QH TH", [0, 0], [0, 0], [0, 0]),
    ],
)
def test_c15_o85_high_and_low_are_fixed_cards_or_what_is_in_play(
    trick: str, rest: str, fixed: list[int], in_play: list[int], holder: list[int]
) -> None:
    assert points_after(FIXED, trick, rest) == fixed
    assert points_after(IN_PLAY, trick, rest) == in_play
    assert points_after(HOLDER, trick, rest) == holder


def test_c15_the_cards_are_named_when_play_begins() -> None:
    rules = rules_of("pitch-with-fives", IN_PLAY)
    state = play_table(rules, "H", {0: "KH 4S", 1: "QH 4D", 2: "3S 2S", 3: "4H AS"})
    assert (state.high_stand_in, state.low_stand_in) == (parse_card("KH"), parse_card("4H"))
