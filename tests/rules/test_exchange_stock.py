"""Deal, refill and rob: whole packs, odd cards, who draws when, what the dealer finds and shows."""

import pytest

from tests.kit.support import Options, ruleset_for

WHOLE: Options = {"deal": "whole-pack"}

# --- Deal


@pytest.mark.parametrize(
    ("variant", "seats", "each", "over"),
    [
        *(("sancho", 4, 13, 0), ("sancho", 5, 10, 2), ("sancho", 6, 8, 4), ("sancho", 7, 7, 3)),
        *(("snoozer", 4, 13, 1), ("snoozer", 5, 10, 3), ("snoozer", 6, 8, 5), ("snoozer", 7, 7, 4)),
    ],
)
def test_o24_s50_the_whole_pack_in_equal_hands(
    variant: str, seats: int, each: int, over: int
) -> None:
    rules = ruleset_for(variant, WHOLE).rules(seats)
    assert (rules.dealt, rules.hand_size) == (each, each)
    assert rules.pack_size - seats * each == over
    six = ruleset_for(variant).rules(seats)
    assert (six.dealt, six.hand_size) == (6, 6)


def test_s23_seven_cards_in_whatever_packets() -> None:
    assert ruleset_for("nicaragua").rules(4).dealt == 7
