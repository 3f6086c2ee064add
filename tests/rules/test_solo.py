"""Hands played alone: all eight tricks, tenny (docs/rules/14 and 16; O46, O47, O52, O53)."""

import pytest

from tests.kit.support import card_set, rules_of
from tricklog.core.engine.records import State
from tricklog.core.engine.rules import scoring


# --- The single hand
@pytest.mark.parametrize(
    ("hand", "certain"),
    [
        # n cards in hand, m outside, t of them on top: certain if t >= min(n, m) in each suit.
        ("JS 9S AS TS JH 9H AH TH", True),
        ("JS 9S AS TS JH 9H AH 8H", False),
        ("JS 9S AS TS KS 8S JH 9H", True),
        ("JS 9S AS TS 8S 7S JH 9H", True),
        ("JS 9S AS KS 8S 7S JH 9H", True),
        ("JS 9S TS KS 8S 7S JH 9H", True),
        ("9S AS TS KS QS 8S 7S JH", False),
        ("JS 9S AS TS KS QS 8S 7S", True),
        ("JS AS TS KS QS 8S 7S JH", True),
        ("JS JH JD JC 9S 9H 9D 9C", True),
        ("JS JH JD JC 9S 9H 9D AC", False),
        ("JS 9S AS TS KS QS 8S 8H", False),
    ],
)
def test_s91_when_a_hand_is_certain(hand: str, *, certain: bool) -> None:
    state = State(maker=2)
    state.holding[0] = card_set(hand)
    assert scoring.is_certain(state, rules_of("twenty-nine"), 0) == certain
